#include "mafs/wire.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace tacit::mafs {

namespace {

constexpr std::uint32_t version = 3;
constexpr std::size_t smallest = std::size_t{1} << 10, largest = std::size_t{1} << 20;

// 3, and 1 more if it is padded; 2 more if costs of public actions count, 4 if all do.
std::uint32_t version_of(const Shape &shape) {
    return version + shape.is_padded + 2 * static_cast<std::uint32_t>(shape.costs);
}

constexpr std::size_t longest_number = 5;

std::uint8_t *put_number(std::uint8_t *to, std::uint32_t value) {
    for (; value >= 0x80; value >>= 7)
        *to++ = static_cast<std::uint8_t>(value | 0x80);
    *to++ = static_cast<std::uint8_t>(value);
    return to;
}

std::size_t set_bytes(std::size_t size) { return (size + 7) / 8; }

// Words are in memory as sets are in frames.
static_assert(std::endian::native == std::endian::little);

std::uint8_t *put_set(std::uint8_t *to, const Word *set, std::size_t size) {
    std::memcpy(to, set, set_bytes(size));
    return to + set_bytes(size);
}

}  // namespace

void append_number(Bytes &out, std::size_t value) {
    std::uint8_t number[longest_number];
    out.insert(out.end(), number, put_number(number, static_cast<std::uint32_t>(value)));
}

std::size_t padded_size(std::size_t size) {
    std::size_t fixed = smallest;
    while (fixed < size && fixed < largest)
        fixed *= 4;
    return fixed >= size ? fixed : (size + largest - 1) / largest * largest;
}

std::uint8_t *FrameWriter::Part::room(std::size_t most) {
    if (bytes.size() < size + most)
        bytes.resize(2 * bytes.size() + most);
    return bytes.data() + size;
}

void FrameWriter::index(std::size_t agent, Index index, const Word *tokens, const Tolls *tolls) {
    std::size_t count = shape_->tokens[agent];
    std::uint8_t *at = index_part_.room(2 * longest_number + set_bytes(count));
    at = put_number(at, static_cast<std::uint32_t>(agent));
    at = put_number(at, index);
    index_part_.end_at(put_set(at, tokens, count));
    if (shape_->costs == Costs::of_all)
        this->tolls(agent, tokens, tolls == nullptr ? Tolls{} : *tolls);
    ++indices_;
}

void FrameWriter::tolls(std::size_t agent, const Word *tokens, const Tolls &tolls) {
    Ints shut;
    for (std::int32_t token : tolls.shut)
        if (has(tokens, static_cast<std::size_t>(token)))
            shut.push_back(token);
    numbers(shut, shape_->tokens[agent]);
    std::uint8_t *at = index_part_.room(longest_number);
    index_part_.end_at(put_number(at, static_cast<std::uint32_t>(tolls.cost.size())));
    for (std::size_t toll = 0; toll < tolls.cost.size(); ++toll) {
        at = index_part_.room(longest_number);
        index_part_.end_at(put_number(at, static_cast<std::uint32_t>(tolls.cost[toll])));
        numbers(tolls.actions[toll], shape_->actions[agent]);
    }
}

void FrameWriter::numbers(Row numbers, std::size_t count) {
    std::vector<Word> set(words_for(count) + 1);
    for (std::int32_t number : numbers)
        put(set.data(), static_cast<std::size_t>(number));
    index_part_.end_at(put_set(index_part_.room(set_bytes(count)), set.data(), count));
}

void FrameWriter::state(const SentState &state) {
    std::size_t numbers = 6 + shape_->agents() + state.descent.numbers.size();
    std::uint8_t *at = state_part_.room(numbers * longest_number + set_bytes(shape_->public_facts));
    at = put_number(at, state.ref);
    at = put_number(at, state.g);
    at = put_number(at, state.value);
    if (shape_->costs != Costs::none)
        at = put_number(at, state.cost);
    at = put_set(at, state.facts, shape_->public_facts);
    for (std::size_t agent = 0; agent < shape_->agents(); ++agent)
        at = put_number(at, state.indices[agent]);
    at = put_number(at, state.descent.origin);
    at = put_number(at, state.descent.segments);
    for (std::uint32_t number : state.descent.numbers)
        at = put_number(at, number);
    state_part_.end_at(at);
    ++states_;
}

Bytes FrameWriter::take() {
    Bytes frame;
    frame.reserve(index_part_.size + state_part_.size +
                  (5 + 2 * shape_->agents()) * longest_number);
    auto append = [&frame](Part &part) {
        frame.insert(frame.end(), part.bytes.begin(),
                     part.bytes.begin() + static_cast<std::ptrdiff_t>(part.size));
        part = {};
    };
    append_number(frame, version_of(*shape_));
    append_number(frame, shape_->agents());
    append_number(frame, shape_->public_facts);
    for (const auto &counts : {shape_->tokens, shape_->actions})
        for (std::size_t count : counts)
            append_number(frame, count);
    append_number(frame, indices_);
    append(index_part_);
    append_number(frame, states_);
    append(state_part_);
    if (shape_->is_padded)
        frame.resize(padded_size(frame.size()));
    indices_ = states_ = 0;
    return frame;
}

FrameReader::FrameReader(const Shape &shape, std::span<const std::uint8_t> frame)
    : shape_(shape), at_(frame.data()), end_(at_ + frame.size()), size_(frame.size()),
      index_row_(shape.agents()) {
    std::size_t most = shape.public_facts;
    for (const auto &counts : {shape.tokens, shape.actions})
        for (std::size_t count : counts)
            most = std::max(most, count);
    set_.resize(std::max<std::size_t>(1, words_for(most)));
    bool fits = number() == version_of(shape) && number() == shape.agents() &&
                number() == shape.public_facts;
    for (std::size_t agent = 0; fits && agent < shape.agents(); ++agent)
        fits = number() == shape.tokens[agent];
    for (std::size_t agent = 0; fits && agent < shape.actions.size(); ++agent)
        fits = number() == shape.actions[agent];
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
    sent.tolls = {};
    if (shape_.costs == Costs::of_all) {
        tokens_.assign(set_.begin(), set_.end());
        sent.tokens = tokens_.data();
        tolls(sent.agent, sent.tolls);
    }
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
    sent.cost = shape_.costs == Costs::none ? 0 : cost();
    set(shape_.public_facts);
    sent.facts = set_.data();
    for (Index &index : index_row_)
        index = number();
    sent.indices = index_row_.data();
    sent.descent = descent();
    return true;
}

std::uint32_t FrameReader::cost() {
    std::uint32_t read = number();
    if (read > largest_cost)
        throw MalformedFrame("a frame of states has a cost out of range");
    return read;
}

void FrameReader::tolls(std::size_t agent, Tolls &to) {
    auto take = [this](std::size_t item) { row_.push_back(static_cast<std::int32_t>(item)); };
    set(shape_.tokens[agent]);
    each_in(set_.data(), set_.size(), take);
    to.shut = std::exchange(row_, {});
    for (std::uint32_t left = number(); left > 0; --left) {
        to.cost.push_back(static_cast<std::int32_t>(cost()));
        if (to.cost.back() == 0)
            throw MalformedFrame("a frame of states has a toll of nothing");
        set(shape_.actions[agent]);
        each_in(set_.data(), set_.size(), take);
        to.actions.append(std::exchange(row_, {}));
    }
    to.complete(static_cast<std::int32_t>(shape_.actions[agent]));
}

Descent FrameReader::descent() {
    Descent read{number(), number(), {}};
    descent_.clear();
    actions();
    for (std::uint32_t segment = 0; segment < read.segments; ++segment) {
        descent_.push_back(number());
        descent_.push_back(number());
        actions();
    }
    read.numbers = descent_;
    return read;
}

void FrameReader::actions() {
    descent_.push_back(number());
    for (std::uint32_t left = descent_.back(); left > 0; --left)
        descent_.push_back(number());
}

// Nothing follows but, where frames are padded, as many zeros as there must be.
bool FrameReader::is_at_end() const {
    if (!shape_.is_padded)
        return at_ == end_;
    return padded_size(size_ - static_cast<std::size_t>(end_ - at_)) == size_ &&
           std::all_of(at_, end_, [](std::uint8_t byte) { return byte == 0; });
}

std::uint32_t FrameReader::long_number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
        if (at_ == end_)
            break;
        std::uint8_t byte = *at_++;
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
    std::size_t bytes = set_bytes(size);
    if (static_cast<std::size_t>(end_ - at_) < bytes)
        throw MalformedFrame("a frame of states ends early");
    if (size % 8 != 0 && at_[bytes - 1] >> (size % 8) != 0)
        throw MalformedFrame("a frame of states has unknown facts");
    std::ranges::fill(set_, 0);
    std::memcpy(set_.data(), at_, bytes);
    at_ += bytes;
}

}  // namespace tacit::mafs
