// The one place where states are written for others to read, and read from others.
//
// A frame: version, number of agents, of public facts, of tokens per agent; then what indices mean
// (agent, index, tokens that hold there); then states (the sender's number of it, public steps so
// far, value, public facts, an index per agent). Numbers are unsigned LEB128, the shortest there
// is; sets are bytes with the lowest number in the lowest bit. A padded frame has another version,
// and zeros behind it up to one of few sizes. `tacit.public.protocol.states` reads the same in
// Python.
//
// Nothing but public facts, tokens and interned indices can be written: there is no other method.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "mafs/private_state_table.hpp"

namespace tacit::mafs {

using Bytes = std::vector<std::uint8_t>;

struct Shape {
    std::size_t public_facts;
    std::vector<std::size_t> tokens;  // per agent
    bool is_padded = false;
    std::size_t agents() const { return tokens.size(); }
};

struct MalformedFrame : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// Values that are sent instead of a heuristic one: the goal seems unreachable, though that is no
// proof; the state was not evaluated before it was sent.
inline constexpr int unreachable_value = 1 << 24;
inline constexpr int unevaluated = unreachable_value + 1;

// One state as it is sent.
struct SentState {
    std::uint32_t ref;
    std::uint32_t g, value;
    const Word *facts;
    const Index *indices;
};

// The size of a padded frame that would else have this one: 1 KiB, four times as much until 1 MiB,
// and then whole MiB.
std::size_t padded_size(std::size_t size);

class FrameWriter {
  public:
    explicit FrameWriter(const Shape &shape) : shape_(&shape) {}

    void index(std::size_t agent, Index index, const Word *tokens);
    void state(const SentState &state);
    bool empty() const { return indices_ == 0 && states_ == 0; }
    std::size_t bytes() const { return index_part_.capacity() + state_part_.capacity(); }
    // The frame; the next one begins empty.
    Bytes take();

  private:
    const Shape *shape_;
    std::uint32_t indices_ = 0, states_ = 0;
    Bytes index_part_, state_part_;
};

// Reads frames of a shape; throws MalformedFrame on anything else.
class FrameReader {
  public:
    FrameReader(const Shape &shape, std::span<const std::uint8_t> frame);

    struct SentIndex {
        std::size_t agent;
        Index index;
        const Word *tokens;  // good until the next call
    };
    // Both return false at the end of their part; indices come first, all of them.
    bool next_index(SentIndex &sent);
    bool next_state(SentState &sent);

  private:
    const Shape &shape_;
    std::span<const std::uint8_t> rest_;
    std::size_t size_;
    std::uint32_t indices_ = 0, states_ = 0;
    bool in_states_ = false;
    std::vector<Word> set_;
    std::vector<Index> index_row_;

    std::uint32_t number();
    void set(std::size_t size);
    bool is_at_end() const;
};

}  // namespace tacit::mafs
