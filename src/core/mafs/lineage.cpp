#include "mafs/lineage.hpp"

#include <algorithm>
#include <new>

namespace tacit::mafs {

namespace {

constexpr std::uint32_t most_numbers = (1u << 31) - 1;  // an origin is twice a number

}  // namespace

Lineage::Lineage(const NodeTask &task, const Layout &layout, StateStore &states)
    : task_(task), layout_(layout), states_(states), last_sent_(layout.agents()),
      by_sender_(layout.agents()) {}

std::uint32_t Lineage::issue(std::span<const RecordId> states, Index own) {
    std::uint32_t &number = states_[states.front()].ref;
    if (number == 0 || issued_own_[number - 1] != own) {
        if (ends_.size() >= most_numbers)
            throw std::bad_alloc();
        issued_.insert(issued_.end(), states.begin(), states.end());
        ends_.push_back(static_cast<std::uint32_t>(issued_.size()));
        issued_own_.push_back(own);
        is_sent_to_.resize(is_sent_to_.size() + layout_.agents());
        number = static_cast<std::uint32_t>(ends_.size());
    }
    return number;
}

std::span<const RecordId> Lineage::issued(std::uint32_t number) const {
    std::size_t from = number == 1 ? 0 : ends_[number - 2];
    return std::span(issued_).subspan(from, ends_[number - 1] - from);
}

// Only a number beyond all before can be found by its receiver later.
void Lineage::note_sent(std::uint32_t number, std::size_t receiver) {
    if (number <= last_sent_[receiver])
        return;
    last_sent_[receiver] = number;
    is_sent_to_[(number - 1) * layout_.agents() + receiver] = true;
}

bool Lineage::is_origin(std::uint32_t number, std::size_t receiver) const {
    return number > 0 && is_sent_to_[(number - 1) * layout_.agents() + receiver];
}

Descent Lineage::descent_for(std::size_t receiver, std::uint32_t number) {
    made_.assign(1, 0);
    made_segments_ = 0;
    made_agent_ = layout_.self;
    made_count_at_ = 0;
    std::uint32_t origin = first_origin(receiver, number);
    return {origin, made_segments_, made_};
}

// The state that others have in place of this one.
RecordId Lineage::shown(RecordId id) const {
    return states_.has_any(id, StateStore::sibling) ? issued(states_[id].ref).front() : id;
}

// Climbs from an own state to the first that the receiver has, and notes what is on the way.
std::uint32_t Lineage::first_origin(std::size_t receiver, std::uint32_t number) {
    RecordId at = issued(number).front();
    for (RecordId first = at;;) {
        for (at = shown(at); states_[at].parent != no_record; at = shown(states_[at].parent)) {
            if (at != first && is_origin(states_[at].ref, receiver))
                return 2 * states_[at].ref + 1;
            std::int32_t action = task_.published[states_[at].action];
            if (action >= 0)
                add_action(static_cast<std::uint32_t>(action));
        }
        if (states_[at].action == no_action)
            return 0;
        std::uint32_t origin = 2 * states_[at].ref + 1;
        while (origin & 1) {
            const Accepted &accepted = accepted_[origin >> 1];
            Cursor cursor(accepted, numbers_of(origin >> 1));
            do {
                if (cursor.agent == receiver)
                    return 2 * cursor.number;
                begin_segment(cursor.agent, cursor.number);
                cursor.each_action([this](std::uint32_t action) { add_action(action); });
            } while (cursor.next());
            origin = accepted.origin;
        }
        if (origin == 0)
            return 0;
        if (is_origin(origin >> 1, receiver))
            return origin + 1;
        begin_segment(layout_.self, origin >> 1);
        at = issued(origin >> 1).front();
    }
}

// Of segments of the same agent in a row the last number counts.
void Lineage::begin_segment(std::size_t agent, std::uint32_t number) {
    if (agent == made_agent_)
        return;
    made_agent_ = agent;
    ++made_segments_;
    made_.push_back(static_cast<std::uint32_t>(agent));
    made_.push_back(number);
    made_count_at_ = made_.size();
    made_.push_back(0);
}

void Lineage::add_action(std::uint32_t action) {
    made_.push_back(action);
    ++made_[made_count_at_];
}

AcceptedId Lineage::find_accepted(std::size_t sender, std::uint32_t number) const {
    const std::vector<Numbered> &known = by_sender_[sender];
    if (known.empty() || number > known.back().number)
        return not_accepted;
    auto found = std::ranges::lower_bound(known, number, {}, &Numbered::number);
    return found->number == number ? found->id : not_accepted;
}

bool Lineage::find_origin(std::size_t sender, const Descent &descent, Origin &origin) const {
    std::uint32_t number = descent.origin >> 1;
    if (descent.origin == 0) {
        origin = {0, 0, 0, 0};
    } else if (descent.origin & 1) {
        AcceptedId id = find_accepted(sender, number);
        if (id == not_accepted)
            return false;
        origin = {accepted_[id].record, accepted_[id].own, accepted_[id].g, accepted_[id].cost};
    } else {
        if (!is_issued(number))
            return false;
        RecordId first = issued(number).front();
        origin = {first, issued_own_[number - 1], states_[first].g, states_.cost(first)};
    }
    return true;
}

AcceptedId Lineage::find_again(std::size_t sender, const SentState &state) const {
    AcceptedId id = find_accepted(sender, state.ref);
    if (id == not_accepted)
        return not_accepted;
    const Accepted &known = accepted_[id];
    const Word *key = states_.key(known.record);
    bool is_same = known.own == state.indices[layout_.self] &&
                   known.g == static_cast<std::int32_t>(state.g) &&
                   known.cost == static_cast<std::int32_t>(state.cost) &&
                   std::equal(key, key + layout_.public_words, state.facts);
    for (std::size_t agent = 0; is_same && agent < layout_.agents(); ++agent)
        is_same = agent == layout_.self || states_.index_of(key, agent) == state.indices[agent];
    return is_same ? id : not_accepted;
}

AcceptedId Lineage::accept(std::size_t sender, const SentState &state) {
    if (accepted_.size() >= most_numbers || numbers_.size() >= most_numbers)
        throw std::bad_alloc();
    auto id = static_cast<AcceptedId>(accepted_.size());
    std::uint32_t origin = state.descent.origin;
    if (origin & 1)
        origin = 2 * find_accepted(sender, origin >> 1) + 1;
    accepted_.push_back({state.ref, static_cast<std::uint32_t>(sender), origin,
                         static_cast<std::uint32_t>(numbers_.size()), no_record,
                         state.indices[layout_.self], static_cast<std::int32_t>(state.g),
                         static_cast<std::int32_t>(state.cost)});
    for (std::uint32_t number : state.descent.numbers)
        append_number(numbers_, number);
    std::vector<Numbered> &known = by_sender_[sender];
    if (known.empty() || known.back().number < state.ref)
        known.push_back({state.ref, id});
    return id;
}

Record Lineage::received(AcceptedId id, Index own) const {
    const Accepted &accepted = accepted_[id];
    return {
        no_record, -2 - static_cast<std::int32_t>(accepted.sender), id, own, no_record, accepted.g,
        0};
}

std::size_t Lineage::bytes() const {
    std::size_t sum =
        (issued_.capacity() + ends_.capacity() + issued_own_.capacity()) * sizeof(std::uint32_t) +
        numbers_.capacity() + is_sent_to_.capacity() / 8 + accepted_.bytes();
    for (const auto &known : by_sender_)
        sum += known.capacity() * sizeof(Numbered);
    return sum;
}

}  // namespace tacit::mafs
