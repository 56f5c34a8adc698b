// The open lists of a lazy search, which evaluates a state when it is expanded, not when it is
// generated: what a state has are its estimates, and its successors wait under them.
//
// An entry of an open list is a state and an action to do there, under the state's own value. Each
// heuristic has a list for all actions and, if wanted, one for those that some heuristic prefers;
// they take turns, and the preferred ones get extra turns whenever some value falls below all seen
// before. With `landmarks`, the number of landmarks left is one more value with lists of its own; a
// state's notes are those that its path has visited.
#pragma once

#include <limits>

#include "heuristics/landmarks.hpp"
#include "search/meter.hpp"
#include "search/space.hpp"
#include "util/bucket_queue.hpp"

namespace tacit {

class LazyLists {
  public:
    static constexpr std::int64_t any_key = std::numeric_limits<std::int64_t>::max();

    struct Entry {
        StateId state;
        std::int32_t action;
    };

    LazyLists(const Space &space, std::vector<Heuristic *> heuristics, Landmarks *landmarks,
              bool with_preferred);

    void clear();
    // For states that are reached from this one.
    void begin(const Word *initial);
    std::size_t bytes() const;
    // States with room for the notes of the landmarks.
    States states() const;

    // False for a dead end; else `value` has what the state is worth.
    bool evaluate(Meter &meter, States &states, StateId id);
    int value(std::size_t which) const { return values_[which]; }

    // The state that was evaluated last has its successors under `key` of each of its values.
    template <typename Key>
    void push_successors(Meter &meter, const States &states, StateId id, const Key &key) {
        ++meter.expanded;
        mark_applicable(states[id]);
        for (List &list : lists_) {
            int under = key(values_[list.value]);
            for (std::int32_t action : applicable_)
                if (!list.only_preferred || is_preferred_[action])
                    list.queue.push(under, {id, action});
        }
        for (std::int32_t action : preferred_)
            is_preferred_[action] = 0;
        meter.generated += static_cast<std::int64_t>(applicable_.size());
    }

    // The first entry of the list whose turn it is; false if nothing is left, or nothing there
    // under a key below `bound`.
    bool pop(Entry &entry, std::int64_t bound = any_key);

  private:
    struct List {
        BucketQueue<Entry> queue;
        std::int64_t turns = 0;
        bool only_preferred;
        std::size_t value;
    };

    const Space &space_;
    std::vector<Heuristic *> heuristics_;
    Landmarks *landmarks_;
    std::vector<List> lists_;
    Ints values_, best_, applicable_, preferred_;
    std::vector<std::uint8_t> is_preferred_;

    void mark_applicable(const Word *state);
    int landmarks_left(States &states, StateId id);
    void boost_preferred();
};

}  // namespace tacit
