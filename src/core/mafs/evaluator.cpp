#include "mafs/evaluator.hpp"

#include <algorithm>
#include <utility>

#include "heuristics/remembered.hpp"
#include "util/tuning.hpp"

namespace tacit::mafs {

namespace {

void add_disclosure(StripsTask &view, const Ints &needs, std::int32_t token, int cost) {
    view.pre.append(needs);
    view.add.append(Ints{token});
    view.del.append(Ints{});
    view.cost.push_back(cost);
    view.group.push_back(0);
}

// At a cost, an edge may be disclosed: into an own token where what it stands for holds, into
// another's at any time.
void add_disclosures(NodeTask &task, const Layout &layout) {
    for (std::size_t agent = 0; agent < layout.agents(); ++agent) {
        auto at = static_cast<std::int32_t>(layout.token_at[agent] * 64);
        for (std::int32_t token = 0; token < task.token_counts[agent]; ++token)
            if (agent == layout.self)
                add_disclosure(task.view, {task.token_facts.at(token)}, at + token,
                               tuning::mafs_disclosure_cost);
            else
                add_disclosure(task.view, {}, at + token, tuning::mafs_disclosure_cost);
    }
}

// The heuristic of the view, in which an action of another counts so many of one's own.
std::unique_ptr<Heuristic> weighing(const std::string &name, NodeTask &task, const Layout &layout,
                                    int weight) {
    weigh_others(task.view, task.own_actions, weight);
    if (task.options.hardening.secure)
        return std::make_unique<Remembered>(make_heuristic(name, task.view, false),
                                            layout.view_words, tuning::table_bytes);
    if (task.options.expects_disclosures)
        add_disclosures(task, layout);
    return make_heuristic(name, task.view, weight > 1 || task.options.expects_disclosures);
}

}  // namespace

Evaluator::Evaluator(NodeTask &task, const Layout &layout, const std::string &heuristic)
    : task_(task), layout_(layout), name_(heuristic),
      others_(task.options.hardening.secure ? Others() : weigh(task, layout)),
      heuristic_(weighing(heuristic, task, layout, others_.weight)),
      projected_(layout.projection_words),
      blind_(task.options.hardening.secure ? layout.view_words : 0, ~Word{0}) {}

int Evaluator::evaluate(const Word *view) { return heuristic_->evaluate(seen(view)); }

// What the heuristic looks at.
const Word *Evaluator::seen(const Word *view) {
    if (blind_.empty())
        return view;
    std::copy_n(view, layout_.public_words, blind_.data());
    return blind_.data();
}

std::vector<Word> Evaluator::wanted_facts() {
    std::vector<Word> initial = initial_view(task_, layout_);
    std::size_t private_words = blind_.empty() ? layout_.private_words : 0;
    std::vector<Word> wanted(layout_.public_words + private_words);
    RelaxedPlan *plan = heuristic_->unit_plan();
    if (plan && !plan->make(seen(initial.data())))
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
    shown_heuristic_.reset();  // it was that of another task
}

}  // namespace tacit::mafs
