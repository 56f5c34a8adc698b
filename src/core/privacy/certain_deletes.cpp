#include "privacy/certain_deletes.hpp"

#include <algorithm>
#include <map>

#include "util/pulse.hpp"

namespace tacit {

CertainDeletes::CertainDeletes(const LocalTask &task) : public_facts_(task.public_facts) {
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

Rows CertainDeletes::of(const Ints &facts) const {
    Rows rows;
    for (std::int32_t fact : facts) {
        Ints deleters;
        for (std::size_t kind = 0; kind < kinds(); ++kind)
            if (deletes(kind, fact - public_facts_))
                deleters.insert(deleters.end(), actions_[kind].begin(), actions_[kind].end());
        std::sort(deleters.begin(), deleters.end());
        rows.append(deleters);
    }
    return rows;
}

}  // namespace tacit
