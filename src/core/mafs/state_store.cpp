#include "mafs/state_store.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace tacit::mafs {

namespace {

std::size_t key_words_of(const Layout &layout) {
    return layout.public_words + (layout.agents() + 1) / 2;
}

std::size_t fact_words_of(const Layout &layout) {
    return layout.public_words + std::max<std::size_t>(1, layout.private_words);
}

constexpr OpenEntry no_entry{no_record, no_action};

std::vector<Word> all_tokens(std::int32_t count) {
    std::vector<Word> tokens(words_for(count));
    for (std::int32_t token = 0; token < count; ++token)
        put(tokens.data(), token);
    return tokens;
}

}  // namespace

StateStore::StateStore(const NodeTask &task, const Layout &layout, const OwnActions &actions)
    : task_(task), layout_(layout), actions_(actions), own_(task), goal_(layout.public_words),
      records_(key_words_of(layout)), deferred_(task.token_counts[task.self], layout.agents()),
      key_(key_words_of(layout)), facts_(fact_words_of(layout)), unpacked_(key_words_of(layout)),
      counts_costs_(task.options.costs != Costs::none) {
    for (std::int32_t fact : task.projection->goal)
        put(goal_.data(), fact);
    std::vector<Word> initial = initial_view(task, layout);
    for (std::size_t agent = 0; agent < layout.agents(); ++agent) {
        if (task.options.hardening.secure)
            foreign_.emplace_back(all_tokens(task.token_counts[agent]));
        else
            foreign_.emplace_back(layout.token_words[agent]);
        foreign_[agent].learn(0, initial.data() + layout.token_at[agent]);
    }
}

StateStore::Admitted StateStore::add_initial() {
    std::ranges::fill(key_, 0);
    for (std::int32_t fact : task_.view.init)
        if (fact < task_.public_facts)
            put(key_.data(), fact);
    set_index(key_.data(), layout_.self, own_[own_.initial()].facts);
    return admit(records_.number(key_.data()),
                 {no_record, no_action, 0, own_.initial(), no_record, 0, 0}, no_entry, 0);
}

StateStore::Admitted StateStore::generate(OpenEntry entry) {
    const Record &parent = records_[entry.record];
    std::size_t publics = layout_.public_words;
    const Word *facts = facts_behind(entry);
    records_.copy_key(entry.record, publics, key_.size() - publics, key_.data() + publics);
    std::memcpy(key_.data(), facts, publics * sizeof(Word));
    bool is_public = actions_.is_public(entry.action);
    Index own = own_.after(parent.own, entry.action, is_public, facts + publics);
    set_index(key_.data(), layout_.self, own_[own].facts);
    std::int32_t g = parent.g + is_public;
    std::int32_t cost = counts_costs_ ? costs_[entry.record] + task_.view.cost[entry.action] : 0;
    return admit(records_.number(key_.data()),
                 {entry.record, entry.action, 0, own, no_record, g, 0}, entry, cost);
}

StateStore::Admitted StateStore::receive(std::size_t sender, const SentState &state, Index own,
                                         AcceptedId accepted) {
    std::memcpy(key_.data(), state.facts, layout_.public_words * sizeof(Word));
    for (std::size_t agent = 0; agent < layout_.agents(); ++agent)
        set_index(key_.data(), agent,
                  agent == layout_.self ? own_[own].facts : state.indices[agent]);
    auto value = static_cast<std::int32_t>(state.value);
    Record record{no_record,
                  -2 - static_cast<std::int32_t>(sender),
                  accepted,
                  own,
                  no_record,
                  static_cast<std::int32_t>(state.g),
                  value == unevaluated ? 0 : value};
    Admitted admitted = admit(records_.number(key_.data()), record, no_entry,
                              static_cast<std::int32_t>(state.cost));
    reopen(admitted.id, record);
    return admitted;
}

StateStore::Admitted StateStore::receive_like(RecordId like, const Record &received) {
    records_.copy_key(like, 0, key_.size(), key_.data());
    set_index(key_.data(), layout_.self, own_[received.own].facts);
    return admit(records_.number(key_.data()), received, no_entry, 0);
}

StateStore::Admitted StateStore::readmit(const Record &dormant) {
    return admit(dormant.key, dormant, no_entry, 0);
}

StateStore::Admitted StateStore::admit(KeyId key, const Record &record, OpenEntry entry,
                                       std::int32_t cost) {
    RecordId better = no_record;
    bool is_covered = false;
    for (RecordId v = records_.latest(key); v != no_record && !is_covered;
         v = records_[v].variant) {
        if (is_dearer(v, cost))
            continue;
        if (is_dominated(records_[v].own, record.own))
            better = v;
        is_covered = own_.covers(records_[v].own, record.own);
    }
    if (better != no_record) {
        if (task_.options.grows && !is_covered) {
            ++pruned_;
            if (entry.record != no_record)
                deferred_.add_duplicate(entry);
            else
                deferred_.add_dormant(record, key);
        }
        return {better, false};
    }
    RecordId id = records_.add(key, record);
    flags_.push_back(0);
    if (counts_costs_)
        costs_.push_back(cost);
    return {id, true};
}

bool StateStore::is_superseded(RecordId id) const {
    for (RecordId v = records_.latest(records_[id].key); v != id; v = records_[v].variant)
        if (!is_dearer(v, costs_[id]) && is_dominated(records_[v].own, records_[id].own))
            return true;
    return false;
}

bool StateStore::is_dominated(Index by, Index index) const {
    if (by == index)
        return true;
    if (!task_.options.any_disclosed)
        return own_.covers(by, index);
    return is_subset(own_.tokens(index), own_.tokens(by), layout_.token_words[layout_.self]);
}

// Algorithm 1: a known state is reached again by fewer public steps. It is expanded again, and the
// path to it is the shorter one from now on. Steps never become more from a state to the next, so
// paths never lead in a circle; where states are sent as one (`once`) that is not certain.
void StateStore::reopen(RecordId id, const Record &shorter) {
    Record &known = records_[id];
    if (task_.options.any_disclosed || stands_for_several(task_.options.hardening) ||
        known.own != shorter.own || known.g <= shorter.g)
        return;
    known.parent = no_record;
    known.action = shorter.action;
    known.ref = shorter.ref;
    known.g = shorter.g;
    known.value = shorter.value;
    clear(id, by_value);
}

void StateStore::compose_facts(RecordId id, Word *to) const {
    records_.copy_key(id, 0, layout_.public_words, to);
    if (layout_.private_words > 0)
        std::memcpy(to + layout_.public_words, own_.facts(records_[id].own),
                    layout_.private_words * sizeof(Word));
}

void StateStore::compose_view(RecordId id, Word *to) const {
    const Word *key = this->key(id);
    Index own = records_[id].own;
    compose_facts(id, to);
    for (std::size_t agent = 0; agent < layout_.agents(); ++agent) {
        if (layout_.token_words[agent] == 0)
            continue;
        const Word *tokens =
            agent == layout_.self ? own_.tokens(own) : foreign_[agent].tokens(index_of(key, agent));
        std::memcpy(to + layout_.token_at[agent], tokens,
                    layout_.token_words[agent] * sizeof(Word));
    }
}

void StateStore::compose_projection(RecordId id, Word *to) const {
    const Word *key = this->key(id);
    std::memcpy(to, key, layout_.public_words * sizeof(Word));
    for (std::size_t agent = 0; agent < layout_.agents(); ++agent) {
        if (layout_.token_words[agent] == 0)
            continue;
        const Word *tokens = nullptr;
        if (agent != layout_.self)
            tokens = foreign_[agent].tokens(index_of(key, agent));
        else if (task_.options.hardening.secure)
            tokens = foreign_[agent].tokens(0);
        else
            tokens = own_.shown_tokens(records_[id].own);
        std::memcpy(to + layout_.token_at_in_projection(agent), tokens,
                    layout_.token_words[agent] * sizeof(Word));
    }
}

const Word *StateStore::facts_behind(OpenEntry entry) {
    compose_facts(entry.record, facts_.data());
    actions_.apply(entry.action, facts_.data());
    return facts_.data();
}

bool StateStore::finishes(OpenEntry entry) {
    facts_behind(entry);
    return actions_.finish(facts_.data()) && is_goal(facts_.data());
}

bool StateStore::prune(OpenEntry entry) {
    Index own = records_[entry.record].own;
    const Word *tokens = own_.tokens(own);
    std::int32_t missing = actions_.missing_token(tokens, entry.action);
    if (missing < 0)
        return false;
    ++pruned_;
    if (!task_.options.grows)
        return true;
    for (std::int32_t token : actions_.needed_tokens(entry.action))
        if (actions_.is_missing(tokens, token) && !own_.may_support(own, token))
            return true;  // no disclosure will help this path
    deferred_.add_action(entry, missing);
    return true;
}

std::vector<OpenEntry> StateStore::disclose(const Ints &support_bits, const Ints &shown_bits) {
    own_.disclose(support_bits, shown_bits);
    std::vector<OpenEntry> freed;
    for (std::int32_t bit : support_bits)
        for (OpenEntry pruned : deferred_.take_actions(task_.support.token[bit])) {
            const Word *tokens = own_.tokens(records_[pruned.record].own);
            std::int32_t missing = actions_.missing_token(tokens, pruned.action);
            if (missing >= 0)
                deferred_.add_action(pruned, missing);
            else
                freed.push_back(pruned);
        }
    return freed;
}

void StateStore::learn(std::size_t agent, Index index, const Word *tokens) {
    if (agent != layout_.self && foreign_[agent].learn(index, tokens))
        deferred_.note_gain(agent, index);
}

RecordId StateStore::root(RecordId id) const {
    while (records_[id].parent != no_record)
        id = records_[id].parent;
    return id;
}

Segment StateStore::trace(RecordId id) const {
    Segment segment;
    if (id == no_record)
        throw std::invalid_argument("no goal was found");
    for (; records_[id].parent != no_record; id = records_[id].parent)
        segment.actions.push_back(records_[id].action);
    std::ranges::reverse(segment.actions);
    segment.g = records_[id].g;
    segment.own = records_[id].own;
    if (records_[id].action < -1) {
        segment.sender = -2 - records_[id].action;
        segment.ref = records_[id].ref;
    }
    return segment;
}

std::size_t StateStore::bytes() const {
    std::size_t sum = records_.bytes() + own_.bytes() + flags_.capacity() + deferred_.bytes() +
                      costs_.capacity() * sizeof(std::int32_t);
    for (const ForeignStateTable &foreign : foreign_)
        sum += foreign.bytes();
    return sum;
}

}  // namespace tacit::mafs
