#include "search/lazy_greedy.hpp"

#include <utility>

namespace tacit {

LazyGreedy::LazyGreedy(const Space &space, std::vector<Heuristic *> heuristics,
                       Landmarks *landmarks)
    : space_(space), lists_(space, std::move(heuristics), landmarks, true), states_(space.words()) {
    restart();
}

void LazyGreedy::restart() {
    is_begun_ = false;
    states_ = lists_.states();
    next_.resize(space_.words());
    lists_.clear();
}

Status LazyGreedy::run(Meter &meter) {
    if (!is_begun_) {
        is_begun_ = true;
        if (!space_.initial(next_.data()))
            return Status::exhausted;
        lists_.begin(next_.data());
        Status status = visit(meter, states_.insert(next_.data(), no_state, -1).first);
        if (status != Status::running)
            return status;
    }
    while (!meter.stop([this] { return bytes(); })) {
        LazyLists::Entry entry;
        if (!lists_.pop(entry))
            return Status::exhausted;
        if (!space_.apply(states_[entry.state], entry.action, next_.data()))
            continue;
        auto [id, is_new] = states_.insert(next_.data(), entry.state, entry.action);
        if (!is_new)
            continue;
        Status status = visit(meter, id);
        if (status != Status::running)
            return status;
    }
    return Status::running;
}

Status LazyGreedy::visit(Meter &meter, StateId id) {
    if (space_.is_goal(states_[id])) {
        plan.clear();
        states_.trace(id, plan);
        return Status::solved;
    }
    if (lists_.evaluate(meter, states_, id))
        lists_.push_successors(meter, states_, id, [](int value) { return value; });
    return Status::running;
}

}  // namespace tacit
