#include "mafs/wire.hpp"

#include <algorithm>
#include <utility>

namespace tacit::mafs {

namespace {

constexpr std::uint32_t version = 1, padded_version = 2;
constexpr std::size_t smallest = std::size_t{1} << 10, largest = std::size_t{1} << 20;

std::uint32_t version_of(const Shape &shape) { return shape.is_padded ? padded_version : version; }

void put_number(Bytes &out, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        out.push_back(static_cast<std::uint8_t>(value | 0x80));
    out.push_back(static_cast<std::uint8_t>(value));
}

void put_set(Bytes &out, const Word *set, std::size_t size) {
    for (std::size_t byte = 0; byte < (size + 7) / 8; ++byte)
        out.push_back(static_cast<std::uint8_t>(set[byte / 8] >> (byte % 8 * 8)));
}

}  // namespace

std::size_t padded_size(std::size_t size) {
    std::size_t fixed = smallest;
    while (fixed < size && fixed < largest)
        fixed *= 4;
    return fixed >= size ? fixed : (size + largest - 1) / largest * largest;
}

void FrameWriter::index(std::size_t agent, Index index, const Word *tokens) {
    put_number(index_part_, agent);
    put_number(index_part_, index);
    put_set(index_part_, tokens, shape_->tokens[agent]);
    ++indices_;
}

void FrameWriter::state(const SentState &state) {
    put_number(state_part_, state.ref);
    put_number(state_part_, state.g);
    put_number(state_part_, state.value);
    put_set(state_part_, state.facts, shape_->public_facts);
    for (std::size_t agent = 0; agent < shape_->agents(); ++agent)
        put_number(state_part_, state.indices[agent]);
    ++states_;
}

Bytes FrameWriter::take() {
    Bytes frame;
    put_number(frame, version_of(*shape_));
    put_number(frame, shape_->agents());
    put_number(frame, shape_->public_facts);
    for (std::size_t count : shape_->tokens)
        put_number(frame, count);
    put_number(frame, indices_);
    frame.insert(frame.end(), index_part_.begin(), index_part_.end());
    put_number(frame, states_);
    frame.insert(frame.end(), state_part_.begin(), state_part_.end());
    if (shape_->is_padded)
        frame.resize(padded_size(frame.size()));
    index_part_.clear();
    state_part_.clear();
    indices_ = states_ = 0;
    return frame;
}

FrameReader::FrameReader(const Shape &shape, std::span<const std::uint8_t> frame)
    : shape_(shape), rest_(frame), size_(frame.size()), index_row_(shape.agents()) {
    std::size_t most = shape.public_facts;
    for (std::size_t count : shape.tokens)
        most = std::max(most, count);
    set_.resize(std::max<std::size_t>(1, words_for(most)));
    bool fits = number() == version_of(shape) && number() == shape.agents() &&
                number() == shape.public_facts;
    for (std::size_t agent = 0; fits && agent < shape.agents(); ++agent)
        fits = number() == shape.tokens[agent];
    if (!fits)
        throw MalformedFrame("a frame of states is of another problem");
    indices_ = number();
}

bool FrameReader::next_index(SentIndex &sent) {
    if (in_states_)
        return false;
    if (indices_ == 0) {
        in_states_ = true;
        states_ = number();
        return false;
    }
    --indices_;
    sent.agent = number();
    if (sent.agent >= shape_.agents())
        throw MalformedFrame("a frame of states names an unknown agent");
    sent.index = number();
    set(shape_.tokens[sent.agent]);
    sent.tokens = set_.data();
    return true;
}

bool FrameReader::next_state(SentState &sent) {
    if (states_ == 0) {
        if (!is_at_end())
            throw MalformedFrame("a frame of states goes on behind its end");
        return false;
    }
    --states_;
    sent.ref = number();
    sent.g = number();
    sent.value = number();
    set(shape_.public_facts);
    sent.facts = set_.data();
    for (Index &index : index_row_)
        index = number();
    sent.indices = index_row_.data();
    return true;
}

// Nothing follows but, where frames are padded, as many zeros as there must be.
bool FrameReader::is_at_end() const {
    if (!shape_.is_padded)
        return rest_.empty();
    return padded_size(size_ - rest_.size()) == size_ &&
           std::ranges::all_of(rest_, [](std::uint8_t byte) { return byte == 0; });
}

std::uint32_t FrameReader::number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
        if (rest_.empty())
            break;
        std::uint8_t byte = rest_.front();
        rest_ = rest_.subspan(1);
        value |= std::uint64_t{byte & 0x7fu} << shift;
        if (byte < 0x80) {
            if (value >> 32 || (byte == 0 && shift > 0))  // too large, or not the shortest
                break;
            return static_cast<std::uint32_t>(value);
        }
    }
    throw MalformedFrame("a frame of states ends early or has a malformed number");
}

void FrameReader::set(std::size_t size) {
    std::size_t bytes = (size + 7) / 8;
    if (rest_.size() < bytes)
        throw MalformedFrame("a frame of states ends early");
    std::ranges::fill(set_, 0);
    for (std::size_t byte = 0; byte < bytes; ++byte)
        set_[byte / 8] |= Word{rest_[byte]} << (byte % 8 * 8);
    if (size % 8 != 0 && rest_[bytes - 1] >> (size % 8) != 0)
        throw MalformedFrame("a frame of states has unknown facts");
    rest_ = rest_.subspan(bytes);
}

}  // namespace tacit::mafs
