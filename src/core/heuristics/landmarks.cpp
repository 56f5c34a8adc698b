#include "heuristics/landmarks.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "strips/successors.hpp"
#include "util/pulse.hpp"

namespace tacit {

Landmarks::Landmarks(const StripsTask &task, std::size_t max_bytes)
    : task_(task), needed_by_(inverted(task.pre, task.facts)), words_(words_for(task.facts)),
      is_landmark_(words_), is_goal_(words_) {
    is_small_ = static_cast<std::size_t>(task.facts) * words_ * sizeof(Word) <= max_bytes;
    for (std::int32_t fact : task.goal)
        put(is_goal_.data(), fact);
}

void Landmarks::find(const Word *state) {
    if (is_known_)
        return;
    is_known_ = true;
    if (!is_small_) {
        is_landmark_ = is_goal_;
        facts_ = task_.goal;
        followers_.start.assign(task_.facts + 1, 0);
        return;
    }
    explore(state);
    is_landmark_.assign(words_, 0);
    bool has_plan = std::ranges::all_of(task_.goal, [&](std::int32_t f) { return is_reached_[f]; });
    for (std::int32_t fact : has_plan ? task_.goal : Ints())
        for (std::size_t w = 0; w < words_; ++w)
            is_landmark_[w] |= before(fact)[w];
    facts_.clear();
    for (std::int32_t fact = 0; fact < task_.facts; ++fact)
        if (has(is_landmark_.data(), fact))
            facts_.push_back(fact);
    find_followers(state);
}

// What comes before each fact, if nothing is ever deleted: narrowed down until nothing changes.
void Landmarks::explore(const Word *state) {
    before_.assign(static_cast<std::size_t>(task_.facts) * words_, 0);
    is_reached_.assign(task_.facts, 0);
    std::vector<std::uint8_t> is_due(task_.size());
    Ints due, next;
    auto wake = [&](std::int32_t fact, Ints &queue) {
        for (std::int32_t action : needed_by_[fact])
            if (!is_due[action]) {
                is_due[action] = 1;
                queue.push_back(action);
            }
    };
    for (std::int32_t fact = 0; fact < task_.facts; ++fact)
        if (has(state, fact)) {
            is_reached_[fact] = 1;
            put(before(fact), fact);
            wake(fact, due);
        }
    for (std::size_t action = 0; action < task_.size(); ++action)
        if (task_.pre[action].empty())
            due.push_back(static_cast<std::int32_t>(action));
    std::vector<Word> united(words_);
    Ticks tick;
    for (; !due.empty(); due.swap(next)) {
        next.clear();
        for (std::int32_t action : due) {
            is_due[action] = 0;
            tick(Ticks::heavy);
            if (!unite_needs(action, united))
                continue;
            for (std::int32_t fact : task_.add[action])
                if (narrow(fact, united))
                    wake(fact, next);
        }
    }
}

// What comes before an action; false if it cannot be done.
bool Landmarks::unite_needs(std::int32_t action, std::vector<Word> &united) const {
    std::ranges::fill(united, 0);
    for (std::int32_t need : task_.pre[action]) {
        if (!is_reached_[need])
            return false;
        for (std::size_t w = 0; w < words_; ++w)
            united[w] |= before(need)[w];
    }
    return true;
}

// An action with this before it adds the fact; whether less comes before the fact now.
bool Landmarks::narrow(std::int32_t fact, const std::vector<Word> &united) {
    Word *known = before(fact);
    if (!is_reached_[fact]) {
        is_reached_[fact] = 1;
        std::ranges::copy(united, known);
        put(known, fact);
        return true;
    }
    Word lost = 0;
    for (std::size_t w = 0; w < words_; ++w) {
        Word kept = known[w] & united[w];
        if (w == static_cast<std::size_t>(fact) >> 6)
            kept |= known[w] & Word{1} << (fact & 63);
        lost |= known[w] ^ kept;
        known[w] = kept;
    }
    return lost != 0;
}

// What all possible first achievers of a landmark need: those that do not have it before them.
void Landmarks::find_followers(const Word *state) {
    Ints place(task_.facts, -1);
    for (std::size_t i = 0; i < facts_.size(); ++i)
        if (!has(state, facts_[i]))
            place[facts_[i]] = static_cast<std::int32_t>(i);
    std::vector<Ints> common(facts_.size());
    std::vector<std::uint8_t> is_begun(facts_.size());
    std::vector<Word> united(words_);
    Ints rest;
    for (std::size_t action = 0; action < task_.size(); ++action) {
        Row adds = task_.add[action];
        if (std::ranges::none_of(adds, [&](std::int32_t f) { return place[f] >= 0; }) ||
            !unite_needs(static_cast<std::int32_t>(action), united))
            continue;
        for (std::int32_t fact : adds) {
            if (place[fact] < 0 || has(united.data(), fact))
                continue;
            Ints &known = common[place[fact]];
            Row needs = task_.pre[action];
            rest.clear();
            if (!is_begun[place[fact]])
                rest.assign(needs.begin(), needs.end());
            else
                std::ranges::set_intersection(known, needs, std::back_inserter(rest));
            is_begun[place[fact]] = 1;
            known.swap(rest);
        }
    }
    std::vector<Ints> followers(task_.facts);
    for (std::size_t i = 0; i < facts_.size(); ++i)
        for (std::int32_t need : common[i])
            followers[need].push_back(facts_[i]);
    followers_ = Rows();
    for (const Ints &row : followers)
        followers_.append(row);
}

void Landmarks::visit(const Word *past, const Word *state, Word *visited) const {
    for (std::size_t w = 0; w < words_; ++w)
        visited[w] = (past ? past[w] : 0) | (state[w] & is_landmark_[w]);
}

int Landmarks::left(const Word *state, const Word *visited) const {
    int count = 0;
    for (std::size_t w = 0; w < words_; ++w) {
        count += std::popcount(is_landmark_[w] & ~visited[w]);
        Word lost = visited[w] & ~state[w];
        count += std::popcount(lost & is_goal_[w]);
        for (Word bits = lost & ~is_goal_[w]; bits; bits &= bits - 1) {
            Row next = followers_[w * 64 + static_cast<std::size_t>(std::countr_zero(bits))];
            count += std::ranges::any_of(next, [&](std::int32_t f) { return !has(visited, f); });
        }
    }
    return count;
}

}  // namespace tacit
