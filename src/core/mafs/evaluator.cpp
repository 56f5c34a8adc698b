#include "mafs/evaluator.hpp"

namespace tacit::mafs {

namespace {

// The heuristic of the view, in which an action of another counts so many of one's own.
std::unique_ptr<Heuristic> weighing(const std::string &name, NodeTask &task, int weight) {
    weigh_others(task.view, task.own_actions, weight);
    return make_heuristic(name, task.view, weight > 1);
}

}  // namespace

Evaluator::Evaluator(NodeTask &task, const Layout &layout, const std::string &heuristic)
    : task_(task), layout_(layout), name_(heuristic), others_(weigh(task, layout)),
      heuristic_(weighing(heuristic, task, others_.weight)), projected_(layout.projection_words) {}

std::vector<Word> Evaluator::wanted_facts() {
    std::vector<Word> initial = initial_view(task_, layout_);
    std::vector<Word> wanted(layout_.public_words + layout_.private_words);
    RelaxedPlan *plan = heuristic_->unit_plan();
    if (plan && !plan->make(initial.data()))
        return wanted;
    for (std::int32_t action : plan ? plan->actions() : others_.plan)
        for (std::int32_t fact : task_.view.add[action])
            if (static_cast<std::size_t>(fact) < wanted.size() * 64 && !has(initial.data(), fact))
                put(wanted.data(), fact);
    return wanted;
}

int Evaluator::shown_value(const StateStore &states, RecordId id) {
    states.compose_projection(id, projected_.data());
    if (!shown_heuristic_)
        shown_heuristic_ = make_heuristic(name_, task_.projection, false);
    int value = shown_heuristic_->evaluate(projected_.data());
    return value == dead_end ? unreachable_value : value;
}

void Evaluator::adds_changed() {
    heuristic_->adds_changed();
    if (shown_heuristic_)
        shown_heuristic_->adds_changed();
}

}  // namespace tacit::mafs
