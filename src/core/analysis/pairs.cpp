#include "analysis/pairs.hpp"

#include "util/pulse.hpp"

namespace tacit {

void Pairs::begin(Row facts) {
    for (std::int32_t fact : facts)
        reached_.set(fact);
    reached_.each([&](std::size_t fact) { table_[fact] = reached_; });
}

bool Pairs::allows(Row facts) const {
    for (std::size_t i = 0; i < facts.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j)
            if (!table_[facts[i]][facts[j]])
                return false;
    return true;
}

Bits Pairs::with(Row facts) const {
    Bits common = reached_;
    for (std::int32_t fact : facts)
        common &= table_[fact];
    return common;
}

bool Pairs::apply(Row needs, Row adds, Row deletes) {
    Bits after = with(needs);
    for (std::int32_t fact : deletes)
        after.reset(fact);
    for (std::int32_t fact : adds)
        after.set(fact);
    bool changed = false;
    for (std::int32_t fact : adds) {
        changed |= table_[fact].absorb(after);
        reached_.set(fact);
    }
    if (changed)
        for (std::int32_t fact : adds)
            after.each([&](std::size_t other) { table_[other].set(fact); });
    return changed;
}

Pairs reachable_pairs(const StripsTask &task) {
    Pairs pairs(static_cast<std::size_t>(task.facts));
    pairs.begin(task.init);
    Ticks tick;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t a = 0; a < task.size(); ++a, tick(Ticks::heavy))
            if (pairs.allows(task.pre[a]))
                changed |= pairs.apply(task.pre[a], task.add[a], task.del[a]);
    }
    return pairs;
}

}  // namespace tacit
