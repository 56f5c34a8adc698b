// What a node tells the others and takes in from them, and how it looks up the way to a state.
#include "mafs/node.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace tacit::mafs {

// Was the state reached by an own action that shows?
bool Node::is_telling(RecordId id) const {
    return records_[id].action >= 0 && task_.is_told[records_[id].action];
}

// Sends a state to those who can go on from it.
void Node::tell(RecordId id, int value) {
    compose_projection(id);
    const Ints &receivers = outbox_.relevant(projected_.data());
    if (receivers.empty())
        return;
    taken_[id] |= value == not_valued ? told : told_value;
    if (!task_.sends_own_value && value != not_valued) {
        ++work_;
        ++counters_.evaluated;
        value = shown_heuristic_->evaluate(projected_.data());
        if (value == dead_end)
            value = hopeless;
    }
    best_shown_ = std::min(best_shown_, value);
    if (records_[id].ref == 0) {
        sent_.push_back(id);
        records_[id].ref = static_cast<std::uint32_t>(sent_.size());
    }
    const Word *key = records_.key(id);
    for (std::size_t agent = 0; agent < agents(); ++agent)
        indices_[agent] = index_of(key, agent);
    indices_[task_.self] = records_[id].own;
    Told told{records_[id].ref, static_cast<std::uint32_t>(records_[id].g),
              static_cast<std::uint32_t>(value), key, indices_.data()};
    for (std::int32_t receiver : receivers) {
        outbox_.send(static_cast<std::size_t>(receiver), told, projected_.data());
        ++counters_.sent;
    }
}

void Node::receive(std::size_t sender, std::span<const std::uint8_t> frame) {
    auto self = static_cast<std::size_t>(task_.self);
    if (sender >= agents() || sender == self)
        throw MalformedFrame("a frame of states comes from nobody else");
    FrameReader reader(outbox_.shape(), frame);
    FrameReader::IndexTold index{};
    while (reader.next_index(index))
        if (index.agent != self)
            foreign_[index.agent].learn(index.index, index.tokens);
    Told told{};
    while (reader.next_state(told)) {
        std::memcpy(key_.data(), told.facts, layout_.public_words * sizeof(Word));
        for (std::size_t agent = 0; agent < agents(); ++agent) {
            Index given = told.indices[agent];
            bool is_known = agent == self ? given < own_.size() : foreign_[agent].knows(given);
            if (!is_known)
                throw MalformedFrame("a frame of states has an index that means nothing");
            set_index(key_.data(), agent, agent == self ? own_[given].facts : given);
        }
        if (told.ref == 0 || told.g > max_steps || told.value > INT32_MAX)
            throw MalformedFrame("a frame of states has a number out of range");
        ++counters_.received;
        auto value = static_cast<std::int32_t>(told.value);
        best_shown_ = std::min(best_shown_, value);
        Record record{no_record, -2 - static_cast<std::int32_t>(sender), told.ref, told.indices[self],
                      no_record, static_cast<std::int32_t>(told.g), value == not_valued ? 0 : value};
        RecordId id = admit(record, {no_record, -1});
        if (value != not_valued && !(taken_[id] & by_value))
            push(value, {id, -1}, true);
    }
}

Segment Node::trace_sent(std::uint32_t ref) const {
    if (ref == 0 || ref > sent_.size())
        throw std::invalid_argument("no such state was sent");
    return trace_record(sent_[ref - 1]);
}

Segment Node::trace_record(RecordId id) const {
    Segment segment;
    if (id == no_record)
        throw std::invalid_argument("no goal was found");
    for (; records_[id].parent != no_record; id = records_[id].parent)
        segment.actions.push_back(records_[id].action);
    std::ranges::reverse(segment.actions);
    segment.g = records_[id].g;
    if (records_[id].action < -1) {
        segment.sender = -2 - records_[id].action;
        segment.ref = records_[id].ref;
    }
    return segment;
}

}  // namespace tacit::mafs
