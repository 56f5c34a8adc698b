// What a disclosure could free, where k may grow.
//
// Own actions that were pruned wait by a token that is not supported. States that were dropped for
// a variant that supports as much now, though their path could support more later, wait as the
// action that leads to them (*duplicates*) or, if they were received, as a record (*dormant*). Dead
// ends of the heuristic are dead ends only as long as no token is added: they are revived by a
// disclosure, and when another agent sends that its index in such a state has *gained* tokens.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "mafs/records.hpp"

namespace tacit::mafs {

class Deferred {
  public:
    Deferred(std::size_t tokens, std::size_t agents) : actions_(tokens), gained_(agents) {}

    void add_action(OpenEntry pruned, std::int32_t token) { actions_[token].push_back(pruned); }
    void add_duplicate(OpenEntry entry) { duplicates_.push_back(entry); }
    void add_dormant(Record record, KeyId key) {
        record.key = key;
        dormant_.push_back(record);
    }
    void add_dead_end(RecordId id) { dead_ends_.push_back(id); }
    void note_gain(std::size_t agent, Index index) {
        if (!dead_ends_.empty())
            gained_[agent].push_back(index);
    }

    // Own actions that were pruned, by a token that is missing.
    const std::vector<std::vector<OpenEntry>> &actions() const { return actions_; }

    // Each of these is deferred no more.
    std::vector<OpenEntry> take_actions(std::int32_t token) {
        return std::exchange(actions_[token], {});
    }
    std::vector<OpenEntry> take_duplicates() { return std::exchange(duplicates_, {}); }
    std::vector<Record> take_dormant() { return std::exchange(dormant_, {}); }
    std::vector<RecordId> take_dead_ends() { return std::exchange(dead_ends_, {}); }
    // Dead ends one of whose indices has gained tokens; `index_of` maps a record and an agent to
    // the index.
    template <typename IndexOf>
    std::vector<RecordId> take_gained_dead_ends(IndexOf index_of);

    std::size_t bytes() const;

  private:
    std::vector<std::vector<OpenEntry>> actions_;
    std::vector<OpenEntry> duplicates_;
    std::vector<Record> dormant_;
    std::vector<RecordId> dead_ends_;
    std::vector<std::vector<Index>> gained_;  // per agent

    bool sort_gained();
    bool has_gained(std::size_t agent, Index index) const;
};

template <typename IndexOf>
std::vector<RecordId> Deferred::take_gained_dead_ends(IndexOf index_of) {
    std::vector<RecordId> gained, dead;
    if (!sort_gained())
        return gained;
    for (RecordId id : dead_ends_) {
        bool is_gained = false;
        for (std::size_t agent = 0; agent < gained_.size() && !is_gained; ++agent)
            is_gained = has_gained(agent, index_of(id, agent));
        (is_gained ? gained : dead).push_back(id);
    }
    dead_ends_ = std::move(dead);
    for (std::vector<Index> &indices : gained_)
        indices.clear();
    return gained;
}

}  // namespace tacit::mafs
