#include "privacy/certain_ends.hpp"

#include <algorithm>
#include <map>

#include "util/pulse.hpp"

namespace tacit {

CertainEnds::CertainEnds(const LocalTask &task) : public_facts_(task.public_facts) {
    PrivateMutexes mutexes(task);
    std::map<PrivateStep, Ints> kinds;
    for (std::size_t a = 0; a < task.actions.size(); ++a)
        if (task.actions.is_public[a])
            kinds[PrivateMutexes::project(task, a)].push_back(static_cast<std::int32_t>(a));
    for (auto &[step, actions] : kinds) {
        pulse();
        possible_.push_back(mutexes.possible_after(step));
        steps_.push_back(step);
        actions_.push_back(std::move(actions));
    }
}

Rows CertainEnds::of(const Ints &facts) const {
    Rows rows;
    for (std::int32_t fact : facts) {
        Ints enders;
        for (std::size_t kind = 0; kind < kinds(); ++kind)
            if (ends(kind, fact - public_facts_))
                enders.insert(enders.end(), actions_[kind].begin(), actions_[kind].end());
        std::sort(enders.begin(), enders.end());
        rows.append(enders);
    }
    return rows;
}

}  // namespace tacit
