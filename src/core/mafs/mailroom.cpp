#include "mafs/mailroom.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace tacit::mafs {

namespace {

constexpr std::uint32_t max_steps = 1u << 30;

}  // namespace

Mailroom::Mailroom(const NodeTask &task, const Layout &layout, StateStore &states)
    : task_(task), layout_(layout), states_(states),
      pseudonyms_(states.own(), task.options.hardening, layout.projection_words),
      send_once_(states.key_words()), outbox_(task, layout), projected_(layout.projection_words),
      pair_(states.key_words()), indices_(layout.agents()) {}

void Mailroom::name_initial(RecordId initial) {
    states_.compose_projection(initial, projected_.data());
    pseudonyms_.name(projected_.data(), std::vector<Index>{states_[initial].own});
}

void Mailroom::send(RecordId id, int value) {
    states_.compose_projection(id, projected_.data());
    const Ints &receivers = outbox_.relevant(projected_.data());
    if (receivers.empty())
        return;
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
    std::memcpy(pair_.data(), states_.key(id), pair_.size() * sizeof(Word));
    states_.set_index(pair_.data(), layout_.self, 0);
    send_once_.add(pair_.data(), id);
}

void Mailroom::send_waiting(bool is_exhausted) {
    if (is_exhausted && std::exchange(must_send_again_, false))
        send_once_.send_again();
    send_once_.take([this](const std::vector<RecordId> &states) {
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

// States with the same public facts and the same indices of others, projected by now.
void Mailroom::send_as_one(std::span<const RecordId> states, const Ints &receivers, int value) {
    const Word *key = states_.key(states.front());
    for (std::size_t agent = 0; agent < layout_.agents(); ++agent)
        indices_[agent] = states_.index_of(key, agent);
    members_.clear();
    std::int32_t g = states_[states.front()].g;
    for (RecordId id : states) {
        members_.push_back(states_[id].own);
        g = std::min(g, states_[id].g);
    }
    std::ranges::sort(members_);
    indices_[layout_.self] = pseudonyms_.name(projected_.data(), members_);
    SentState state{number_of(states), static_cast<std::uint32_t>(g),
                    static_cast<std::uint32_t>(value), key, indices_.data()};
    for (std::int32_t receiver : receivers) {
        outbox_.send(static_cast<std::size_t>(receiver), state, projected_.data());
        ++sent_;
    }
}

// The number under which states are sent as one.
std::uint32_t Mailroom::number_of(std::span<const RecordId> states) {
    std::uint32_t &ref = states_[states.front()].ref;
    if (ref == 0) {
        sent_records_.insert(sent_records_.end(), states.begin(), states.end());
        sent_ends_.push_back(static_cast<std::uint32_t>(sent_records_.size()));
        ref = static_cast<std::uint32_t>(sent_ends_.size());
    }
    return ref;
}

void Mailroom::resend_tokens() {
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

void Mailroom::check(const SentState &state) const {
    for (std::size_t agent = 0; agent < layout_.agents(); ++agent) {
        Index given = state.indices[agent];
        bool is_known =
            agent == layout_.self ? pseudonyms_.knows(given) : states_.foreign(agent).knows(given);
        if (!is_known)
            throw MalformedFrame("a frame of states has an unknown index");
    }
    if (state.ref == 0 || state.g > max_steps || state.value > INT32_MAX)
        throw MalformedFrame("a frame of states has a number out of range");
}

RecordId Mailroom::find_sent(std::uint32_t ref, std::int64_t own) const {
    if (ref == 0 || ref > sent_ends_.size())
        throw std::invalid_argument("no such state was sent");
    std::size_t from = ref == 1 ? 0 : sent_ends_[ref - 2];
    auto states = std::span(sent_records_).subspan(from, sent_ends_[ref - 1] - from);
    if (own < 0 || states.size() == 1)
        return states.front();
    auto found = std::ranges::find_if(states, [&](RecordId id) { return states_[id].own == own; });
    if (found == states.end())
        throw std::invalid_argument("no such state was sent");
    return *found;
}

std::size_t Mailroom::bytes() const {
    return pseudonyms_.bytes() + send_once_.bytes() + outbox_.bytes() +
           (sent_records_.capacity() + sent_ends_.capacity()) * sizeof(RecordId);
}

}  // namespace tacit::mafs
