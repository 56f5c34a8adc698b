// How a node makes states, and which of them it keeps.
#include "mafs/node.hpp"

#include <bit>
#include <cstring>

namespace tacit::mafs {

// The state last admitted waits for its turn by how new it is. What its parent had too cannot be
// new, if both are counted under the same key.
void Node::push_novel(RecordId id) {
    const Word *key = records_.key(id);
    const Record &record = records_[id];
    compose_facts(id, facts_.data());
    std::uint32_t open_goals = 0, reached = 0;
    for (std::size_t w = 0; w < layout_.public_words; ++w)
        open_goals += static_cast<std::uint32_t>(std::popcount(goal_[w] & ~key[w]));
    for (std::size_t w = 0; w < wanted_.size(); ++w)
        reached += static_cast<std::uint32_t>(std::popcount(wanted_[w] & facts_[w]));
    std::uint32_t kind = open_goals << 16 | (reached & 0xffff);
    kinds_.push_back(kind);
    fresh_ = facts_;
    if (record.parent != no_record && kinds_[record.parent] == kind) {
        compose_facts(record.parent, before_.data());
        for (std::size_t w = 0; w < fresh_.size(); ++w)
            fresh_[w] &= ~before_[w];
    }
    int novelty = novelty_.measure(kind, facts_.data(), fresh_.data());
    novel_.push(novelty << 16 | static_cast<int>(open_goals), id);
}

void Node::compose_facts(RecordId id, Word *to) const {
    std::memcpy(to, records_.key(id), layout_.public_words * sizeof(Word));
    if (layout_.private_words > 0)
        std::memcpy(to + layout_.public_words, own_.facts(records_[id].own),
                    layout_.private_words * sizeof(Word));
}

// Into `facts_`: what holds behind an own action.
void Node::compose_facts_after(Entry entry) {
    compose_facts(entry.record, facts_.data());
    for (std::int32_t fact : bare_.del[entry.action])
        drop(facts_.data(), fact);
    for (std::int32_t fact : bare_.add[entry.action])
        put(facts_.data(), fact);
}

// The state that an own action leads to, or one that makes it superfluous.
RecordId Node::generate(Entry entry) {
    const Record &parent = records_[entry.record];
    std::size_t publics = layout_.public_words;
    std::memcpy(key_.data(), records_.key(entry.record), key_.size() * sizeof(Word));
    compose_facts_after(entry);
    std::memcpy(key_.data(), facts_.data(), publics * sizeof(Word));
    bool is_public = task_.is_public[entry.action];
    Index own = own_.after(parent.own, entry.action, is_public, facts_.data() + publics);
    set_index(key_.data(), static_cast<std::size_t>(task_.self), own_[own].facts);
    std::int32_t g = parent.g + is_public;
    return admit({entry.record, entry.action, 0, own, no_record, g, 0}, entry);
}

bool Node::is_dominated(Index by, Index index) const {
    if (by == index)
        return true;
    if (!task_.any_disclosed)
        return own_.covers(by, index);
    return is_subset(own_.tokens(index), own_.tokens(by), layout_.token_words[task_.self]);
}

// The state whose key is in `key_`: a new record, or one that makes it superfluous.
RecordId Node::admit(const Record &record, Entry entry) {
    RecordId better = no_record;
    bool is_covered = false;
    for (RecordId v = records_.find(key_.data()); v != no_record && !is_covered;
         v = records_[v].variant) {
        if (is_dominated(records_[v].own, record.own))
            better = v;
        is_covered = own_.covers(records_[v].own, record.own);
    }
    if (better != no_record) {
        if (task_.grows && !is_covered) {
            ++counters_.parked;
            if (entry.record != no_record)
                parked_duplicates_.push_back(entry);
            else
                dormant_.push_back({key_, record});
        }
        return better;
    }
    RecordId id = records_.add(key_.data(), record);
    taken_.push_back(0);
    if (is_goal(key_.data()))
        found_ = id;
    push_novel(id);
    push_following(id, 0);
    return id;
}

// Does an action lead to a goal, together with the own last action where there are private goals?
bool Node::finishes(Entry entry) {
    compose_facts_after(entry);
    if (task_.last_action >= 0) {
        for (std::int32_t fact : bare_.pre[task_.last_action])
            if (!has(facts_.data(), fact))
                return false;
        for (std::int32_t fact : bare_.add[task_.last_action])
            put(facts_.data(), fact);
    }
    return is_goal(facts_.data());
}

// Algorithm 1 asks whether a state is a goal before it asks for dependencies. So under its rule an
// action that is held back is taken after all if that ends the search.
bool Node::finish(Entry entry) {
    if (task_.any_disclosed || !finishes(entry))
        return false;
    RecordId id = generate(entry);
    if (found_ == no_record)
        generate({id, task_.last_action});
    return true;
}

// Algorithm 1: a state that is known comes again by fewer public steps. It is looked at again, and
// the way to it is the shorter one from now on. Steps never become more from a state to the next,
// so ways never lead in a circle; where states are sent as one (`once`) that is not certain.
void Node::reopen(RecordId id, const Record &shorter) {
    Record &known = records_[id];
    if (task_.any_disclosed || task_.hardening.once || known.own != shorter.own ||
        known.g <= shorter.g)
        return;
    known.parent = no_record;
    known.action = shorter.action;
    known.ref = shorter.ref;
    known.g = shorter.g;
    known.value = shorter.value;
    taken_[id] &= static_cast<std::uint8_t>(~by_value);
}

void Node::compose_view(RecordId id) {
    const Word *key = records_.key(id);
    Index own = records_[id].own;
    compose_facts(id, view_.data());
    for (std::size_t agent = 0; agent < agents(); ++agent) {
        if (layout_.token_words[agent] == 0)
            continue;
        bool is_self = agent == static_cast<std::size_t>(task_.self);
        const Word *tokens =
            is_self ? own_.tokens(own) : foreign_[agent].tokens(index_of(key, agent));
        std::memcpy(view_.data() + layout_.token_at[agent], tokens,
                    layout_.token_words[agent] * sizeof(Word));
    }
}

void Node::compose_projection(RecordId id) {
    const Word *key = records_.key(id);
    std::memcpy(projected_.data(), key, layout_.public_words * sizeof(Word));
    for (std::size_t agent = 0; agent < agents(); ++agent) {
        if (layout_.token_words[agent] == 0)
            continue;
        bool is_self = agent == static_cast<std::size_t>(task_.self);
        const Word *tokens = is_self ? own_.shown_tokens(records_[id].own)
                                     : foreign_[agent].tokens(index_of(key, agent));
        std::memcpy(projected_.data() + layout_.token_at_in_projection(agent), tokens,
                    layout_.token_words[agent] * sizeof(Word));
    }
}

// Of a state that is sent as one with that of the projection: what it shows besides.
void Node::add_shown_tokens(RecordId id) {
    auto self = static_cast<std::size_t>(task_.self);
    const Word *tokens = own_.shown_tokens(records_[id].own);
    for (std::size_t w = 0; w < layout_.token_words[self]; ++w)
        projected_[layout_.token_at_in_projection(self) + w] |= tokens[w];
}

}  // namespace tacit::mafs
