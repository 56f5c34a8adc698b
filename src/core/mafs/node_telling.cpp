// What a node tells the others and takes in from them, and how it looks up the way to a state.
#include "mafs/node.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace tacit::mafs {

// Was the state reached by an own action that shows?
bool Node::is_telling(RecordId id) const {
    return records_[id].action >= 0 && task_.is_told[records_[id].action];
}

// Sends a state to those who can go on from it; under `once`, together with others that look alike.
void Node::tell(RecordId id, int value) {
    compose_projection(id);
    const Ints &receivers = outbox_.relevant(projected_.data());
    if (receivers.empty())
        return;
    if (task_.hardening.once) {
        taken_[id] |= told_state | told_value;
        std::memcpy(pair_.data(), records_.key(id), pair_.size() * sizeof(Word));
        set_index(pair_.data(), static_cast<std::size_t>(task_.self), 0);
        pairs_.add(pair_.data(), id);
        return;
    }
    taken_[id] |= value == not_valued ? told_state : told_value;
    if (!task_.sends_own_value && value != not_valued)
        value = 0;
    send({&id, 1}, receivers, value);
}

void Node::send_due() {
    if (has_no_entries() && std::exchange(is_called_, false))
        pairs_.again();
    pairs_.take([this](const std::vector<RecordId> &states) {
        compose_projection(states.front());
        for (RecordId id : states)
            add_shown_tokens(id);
        int value = task_.sends_own_value ? records_[states.front()].value : 0;
        send(states, outbox_.relevant(projected_.data()), value);
    });
}

// How near the search has come, by a value that may be shown.
void Node::note_best(RecordId id, int value) {
    if (!task_.sends_own_value) {
        compose_projection(id);
        value = shown_value();
    }
    best_shown_ = std::min(best_shown_, value);
}

// The value of the state as projected, which everybody could compute.
int Node::shown_value() {
    ++work_;
    ++counters_.evaluated;
    if (!shown_heuristic_)
        shown_heuristic_ = make_heuristic(heuristic_name_, task_.projection, false);
    int value = shown_heuristic_->evaluate(projected_.data());
    return value == dead_end ? hopeless : value;
}

// States with the same public facts and the same indices of others go as one, projected by now.
void Node::send(std::span<const RecordId> states, const Ints &receivers, int value) {
    const Word *key = records_.key(states.front());
    for (std::size_t agent = 0; agent < agents(); ++agent)
        indices_[agent] = index_of(key, agent);
    members_.clear();
    std::int32_t g = records_[states.front()].g;
    for (RecordId id : states) {
        members_.push_back(records_[id].own);
        g = std::min(g, records_[id].g);
    }
    std::ranges::sort(members_);
    indices_[task_.self] = aliases_.name(projected_.data(), members_);
    Told told{number_of(states), static_cast<std::uint32_t>(g), static_cast<std::uint32_t>(value),
              key, indices_.data()};
    for (std::int32_t receiver : receivers) {
        outbox_.send(static_cast<std::size_t>(receiver), told, projected_.data());
        ++counters_.sent;
    }
}

// The number under which states are sent as one, by which the way to them is asked for later.
std::uint32_t Node::number_of(std::span<const RecordId> states) {
    std::uint32_t &ref = records_[states.front()].ref;
    if (ref == 0) {
        sent_.insert(sent_.end(), states.begin(), states.end());
        sent_ends_.push_back(static_cast<std::uint32_t>(sent_.size()));
        ref = static_cast<std::uint32_t>(sent_ends_.size());
    }
    return ref;
}

void Node::receive(std::size_t sender, std::span<const std::uint8_t> frame) {
    auto self = static_cast<std::size_t>(task_.self);
    if (sender >= agents() || sender == self)
        throw MalformedFrame("a frame of states comes from nobody else");
    FrameReader reader(outbox_.shape(), frame);
    FrameReader::IndexTold index{};
    while (reader.next_index(index))
        if (index.agent != self && foreign_[index.agent].learn(index.index, index.tokens) &&
            !dead_.empty())
            gained_[index.agent].push_back(index.index);
    if (std::ranges::any_of(gained_,
                            [](const std::vector<Index> &gained) { return !gained.empty(); }))
        revive_where_gained();
    Told told{};
    while (reader.next_state(told)) {
        std::memcpy(key_.data(), told.facts, layout_.public_words * sizeof(Word));
        for (std::size_t agent = 0; agent < agents(); ++agent) {
            Index given = told.indices[agent];
            bool is_known = agent == self ? aliases_.knows(given) : foreign_[agent].knows(given);
            if (!is_known)
                throw MalformedFrame("a frame of states has an index that means nothing");
            set_index(key_.data(), agent, given);
        }
        if (told.ref == 0 || told.g > max_steps || told.value > INT32_MAX)
            throw MalformedFrame("a frame of states has a number out of range");
        ++counters_.received;
        auto value = static_cast<std::int32_t>(told.value);
        for (Index own : aliases_.members(told.indices[self])) {
            set_index(key_.data(), self, own_[own].facts);
            Record record{no_record,
                          -2 - static_cast<std::int32_t>(sender),
                          told.ref,
                          own,
                          no_record,
                          static_cast<std::int32_t>(told.g),
                          value == not_valued ? 0 : value};
            RecordId id = admit(record, {no_record, -1});
            reopen(id, record);
            if (value != not_valued && !(taken_[id] & by_value))
                arrived_.push_back(id);
        }
    }
}

Segment Node::trace_sent(std::uint32_t ref, std::int64_t own) const {
    if (ref == 0 || ref > sent_ends_.size())
        throw std::invalid_argument("no such state was sent");
    std::size_t from = ref == 1 ? 0 : sent_ends_[ref - 2];
    auto states = std::span(sent_).subspan(from, sent_ends_[ref - 1] - from);
    if (own < 0 || states.size() == 1)
        return trace_record(states.front());
    auto found = std::ranges::find_if(states, [&](RecordId id) { return records_[id].own == own; });
    if (found == states.end())
        throw std::invalid_argument("no such state was sent");
    return trace_record(*found);
}

Segment Node::trace_record(RecordId id) const {
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

}  // namespace tacit::mafs
