#include "heuristics/landmarks.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "search/successors.hpp"

namespace tacit {

namespace {

void set(std::vector<Word> &bits, std::int32_t fact) { bits[fact >> 6] |= Word{1} << (fact & 63); }

// What a relaxed plan from this state needs or must reach.
Ints candidates(const StripsTask &task, const RelaxedPlan &relaxed) {
    Ints found = task.goal;
    for (std::int32_t action : relaxed.actions())
        found.insert(found.end(), task.pre[action].begin(), task.pre[action].end());
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

// The actions that add each of these facts, which are sorted.
Rows achievers_of(const Ints &facts, const StripsTask &task) {
    Ints place(task.facts, -1);
    for (std::size_t i = 0; i < facts.size(); ++i)
        place[facts[i]] = static_cast<std::int32_t>(i);
    std::vector<Ints> rows(facts.size());
    for (std::size_t action = 0; action < task.size(); ++action)
        for (std::int32_t fact : task.add[action])
            if (place[fact] >= 0)
                rows[place[fact]].push_back(static_cast<std::int32_t>(action));
    Rows made;
    for (const Ints &row : rows)
        made.append(row);
    return made;
}

}  // namespace

Landmarks::Landmarks(const StripsTask &task, RelaxedPlan &relaxed)
    : task_(task), relaxed_(relaxed), words_((static_cast<std::size_t>(task.facts) + 63) / 64),
      is_landmark_(words_), is_goal_(words_) {
    for (std::int32_t fact : task.goal)
        set(is_goal_, fact);
}

void Landmarks::find(const Word *state) {
    if (is_known_)
        return;
    is_known_ = true;
    facts_.clear();
    is_landmark_.assign(words_, 0);
    std::vector<Ints> followers(task_.facts);
    if (relaxed_.make(state)) {
        Ints tried = candidates(task_, relaxed_);
        Rows achievers = achievers_of(tried, task_);
        for (std::size_t i = 0; i < tried.size(); ++i)
            if (!relaxed_.relaxation().explore(state, tried[i]))
                take(tried[i], holds(state, tried[i]) ? Row() : achievers[i], followers);
    }
    followers_ = Rows();
    for (std::size_t fact = 0; fact < followers.size(); ++fact)
        followers_.append(is_landmark_[fact >> 6] >> (fact & 63) & 1 ? followers[fact] : Ints());
}

// A new landmark, after an exploration without it: achievers that this reached may be the first.
void Landmarks::take(std::int32_t fact, Row achievers, std::vector<Ints> &followers) {
    const Relaxation &relaxation = relaxed_.relaxation();
    facts_.push_back(fact);
    set(is_landmark_, fact);
    Ints common, rest;
    bool is_first = true;
    for (std::int32_t action : achievers) {
        Row needs = task_.pre[action];
        if (!std::ranges::all_of(needs, [&](std::int32_t f) { return relaxation.is_reached(f); }))
            continue;
        rest.clear();
        if (is_first)
            rest.assign(needs.begin(), needs.end());
        else
            std::ranges::set_intersection(common, needs, std::back_inserter(rest));
        common.swap(rest);
        is_first = false;
    }
    for (std::int32_t need : common)
        followers[need].push_back(fact);
}

void Landmarks::visit(const Word *before, const Word *state, Word *visited) const {
    for (std::size_t w = 0; w < words_; ++w)
        visited[w] = (before ? before[w] : 0) | (state[w] & is_landmark_[w]);
}

int Landmarks::left(const Word *state, const Word *visited) const {
    int count = 0;
    for (std::size_t w = 0; w < words_; ++w) {
        count += std::popcount(is_landmark_[w] & ~visited[w]);
        Word lost = visited[w] & ~state[w];
        count += std::popcount(lost & is_goal_[w]);
        for (Word bits = lost & ~is_goal_[w]; bits; bits &= bits - 1) {
            Row next = followers_[w * 64 + static_cast<std::size_t>(std::countr_zero(bits))];
            count += std::ranges::any_of(next, [&](std::int32_t f) { return !holds(visited, f); });
        }
    }
    return count;
}

}  // namespace tacit
