#include "mafs/mailroom.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace tacit::mafs {

namespace {

constexpr std::uint32_t max_steps = 1u << 30;

}  // namespace

Mailroom::Mailroom(const NodeTask &task, const Layout &layout, StateStore &states, TollBook *tolls)
    : task_(task), layout_(layout), states_(states), tolls_(tolls),
      pseudonyms_(states.own(), task.options.hardening, layout.projection_words),
      send_once_(states.key_words()), siblings_(states.key_words()), outbox_(task, layout),
      lineage_(task, layout, states), descent_check_(task, layout, states, lineage_),
      projected_(layout.projection_words), pair_(states.key_words()), sent_key_(states.key_words()),
      indices_(layout.agents()) {}

void Mailroom::name_initial(RecordId initial) {
    states_.compose_projection(initial, projected_.data());
    pseudonyms_.name(projected_.data(), std::vector<Index>{states_[initial].own});
    if (!task_.options.hardening.secure)
        return;
    fill_pair(initial);
    states_.set_index(pair_.data(), layout_.self, 1);  // no state that is sent has this pair
    siblings_.join(pair_.data(), initial);
}

void Mailroom::send_initial_tolls(RecordId initial) {
    outbox_.resend_index(0, states_.own().shown_tokens(states_[initial].own),
                         tolls_->in(states_, initial, true)[layout_.self]);
}

void Mailroom::send(RecordId id, int value) {
    states_.compose_projection(id, projected_.data());
    const Ints &receivers = outbox_.relevant(projected_.data());
    if (receivers.empty())
        return;
    if (task_.options.hardening.secure)
        return send_first(id, receivers, value);
    if (task_.options.hardening.once) {
        wait(id);
        return;
    }
    states_.set(id, value == unevaluated ? StateStore::sent_state : StateStore::sent_value);
    if (!task_.options.sends_own_value && value != unevaluated)
        value = 0;
    send_as_one({&id, 1}, receivers, value);
}

void Mailroom::wait(RecordId id) {
    states_.set(id, StateStore::sent_state | StateStore::sent_value);
    fill_pair(id);
    send_once_.add(pair_.data(), id);
}

// What others see of a state.
void Mailroom::fill_pair(RecordId id) {
    std::memcpy(pair_.data(), states_.key(id), pair_.size() * sizeof(Word));
    states_.set_index(pair_.data(), layout_.self, 0);
}

// A sibling of a state that was sent counts its steps and has its number.
void Mailroom::send_first(RecordId id, const Ints &receivers, int value) {
    states_.set(id, StateStore::sent_state | StateStore::sent_value);
    fill_pair(id);
    auto [pair, is_first] = siblings_.join(pair_.data(), id);
    if (is_first) {
        send_as_one({&id, 1}, receivers, task_.options.sends_own_value ? value : 0);
        return;
    }
    states_.set(id, StateStore::sibling);
    states_[id].ref = pair;
    states_[id].g = states_[siblings_.first(pair)].g;
}

std::span<const Mailroom::Returned> Mailroom::returned_for(RecordId id) {
    returned_.clear();
    if (states_.has_any(id, StateStore::sibling))
        siblings_.each_arrival(states_[id].ref, [&](AcceptedId accepted) {
            returned_.push_back(
                {lineage_.record(accepted), lineage_.received(accepted, states_[id].own)});
        });
    return returned_;
}

std::span<const Index> Mailroom::own_states(const SentState &state) {
    Index own = state.indices[layout_.self];
    if (!task_.options.hardening.secure)
        return pseudonyms_.members(own);
    members_.clear();
    siblings_.each_member(own, [&](RecordId id) { members_.push_back(states_[id].own); });
    return members_;
}

void Mailroom::send_waiting(bool is_exhausted) {
    if (is_exhausted && std::exchange(must_send_again_, false))
        send_once_.send_again();
    send_once_.take([this](std::vector<RecordId> &states) {
        auto steps = [this](RecordId id) { return states_[id].g; };
        std::iter_swap(states.begin(), std::ranges::min_element(states, {}, steps));
        states_.compose_projection(states.front(), projected_.data());
        for (RecordId id : states)
            add_shown_tokens(id);
        int value = task_.options.sends_own_value ? states_[states.front()].value : 0;
        send_as_one(states, outbox_.relevant(projected_.data()), value);
    });
}

// Of a state that is sent as one with that of the projection: what it shows besides.
void Mailroom::add_shown_tokens(RecordId id) {
    const Word *tokens = states_.own().shown_tokens(states_[id].own);
    for (std::size_t w = 0; w < layout_.token_words[layout_.self]; ++w)
        projected_[layout_.token_at_in_projection(layout_.self) + w] |= tokens[w];
}

// States with the same public facts and the same indices of others, projected by now; the first
// has fewest steps.
void Mailroom::send_as_one(std::span<const RecordId> states, const Ints &receivers, int value) {
    std::memcpy(sent_key_.data(), states_.key(states.front()), sent_key_.size() * sizeof(Word));
    for (std::size_t agent = 0; agent < layout_.agents(); ++agent)
        indices_[agent] = states_.index_of(sent_key_.data(), agent);
    members_.clear();
    for (RecordId id : states)
        members_.push_back(states_[id].own);
    std::ranges::sort(members_);
    Index own = indices_[layout_.self] = task_.options.hardening.secure
                                             ? siblings_.newest()
                                             : pseudonyms_.name(projected_.data(), members_);
    std::uint32_t number = lineage_.issue(states, own);
    auto steps = static_cast<std::uint32_t>(states_[states.front()].g);
    RecordId first = states.front();
    SentState state{number,
                    steps,
                    static_cast<std::uint32_t>(value),
                    sent_key_.data(),
                    indices_.data(),
                    {},
                    static_cast<std::uint32_t>(states_.cost(first))};
    std::span<const Tolls *const> tolls;
    if (tolls_ != nullptr)
        tolls = tolls_->in(states_, first, true);
    for (std::int32_t to : receivers) {
        auto receiver = static_cast<std::size_t>(to);
        state.descent = lineage_.descent_for(receiver, number);
        outbox_.send(receiver, state, projected_.data(), tolls);
        lineage_.note_sent(number, receiver);
        ++sent_;
    }
}

void Mailroom::resend_tokens() {
    if (task_.options.hardening.secure)
        return;
    std::vector<Word> tokens(layout_.token_words[layout_.self]);
    for (Index number = 0; number < pseudonyms_.size(); ++number) {
        std::ranges::fill(tokens, 0);
        for (Index member : pseudonyms_.members(number))
            for (std::size_t w = 0; w < tokens.size(); ++w)
                tokens[w] |= states_.own().shown_tokens(member)[w];
        outbox_.resend_index(number, tokens.data());
    }
}

FrameReader Mailroom::open(std::size_t sender, std::span<const std::uint8_t> frame) const {
    if (sender >= layout_.agents() || sender == layout_.self)
        throw MalformedFrame("a frame of states must come from another agent");
    return FrameReader(outbox_.shape(), frame);
}

void Mailroom::learn(std::size_t sender, const FrameReader::SentIndex &sent) {
    if (descent_check_.check(sender, sent))
        states_.learn(sent.agent, sent.index, sent.tokens);
    bool is_own_to_tell = sent.index > 0 || sender == sent.agent;
    if (tolls_ != nullptr && is_own_to_tell)
        tolls_->learn(sent.agent, sent.index, sent.tolls);
}

AcceptedId Mailroom::accept(std::size_t sender, const SentState &state) {
    check_numbers(state);
    AcceptedId known = lineage_.find_again(sender, state);
    if (known != not_accepted)
        return known;
    descent_check_.check(sender, state);
    AcceptedId accepted = lineage_.accept(sender, state);
    if (task_.options.hardening.secure)
        siblings_.add_arrival(state.indices[layout_.self], accepted);
    return accepted;
}

void Mailroom::check_numbers(const SentState &state) const {
    for (std::size_t agent = 0; agent < layout_.agents(); ++agent)
        if (agent != layout_.self && !states_.foreign(agent).knows(state.indices[agent]))
            throw MalformedFrame("a frame of states has an unknown index");
    if (state.ref == 0 || state.g > max_steps || state.value > INT32_MAX)
        throw MalformedFrame("a frame of states has a number out of range");
}

RecordId Mailroom::find_sent(std::uint32_t ref, std::int64_t own) const {
    if (!lineage_.is_issued(ref))
        throw std::invalid_argument("no such state was sent");
    std::span<const RecordId> states = lineage_.issued(ref);
    bool is_secure = task_.options.hardening.secure;
    if (own < 0 || (states.size() == 1 && !is_secure))
        return states.front();
    RecordId found = no_record;
    auto look_at = [&](RecordId id) { found = states_[id].own == own ? id : found; };
    if (is_secure)
        siblings_.each_member(ref, look_at);
    else
        std::ranges::for_each(states, look_at);
    if (found == no_record)
        throw std::invalid_argument("no such state was sent");
    return found;
}

std::size_t Mailroom::bytes() const {
    return pseudonyms_.bytes() + send_once_.bytes() + siblings_.bytes() + outbox_.bytes() +
           lineage_.bytes();
}

}  // namespace tacit::mafs
