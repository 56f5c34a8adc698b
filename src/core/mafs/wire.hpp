// The one place where states are written for others to read, and read from others.
//
// A frame: version, number of agents, of public facts, of tokens per agent; then what indices mean
// (agent, index, tokens that hold there); then states (the sender's number of it, public steps so
// far, value, public facts, an index per agent, and its descent from a state that its receiver
// has). Numbers are unsigned LEB128, the shortest there is; sets are bytes with
// the lowest number in the lowest bit. A padded frame has another version, and zeros behind it up
// to one of few sizes. Where costs count (`AstarNode`), versions are others again, and the cost of
// the way to a state follows its value; with costs of private actions, an index also means tolls
// (`OwnTolls`). `tacit.public.protocol.states` reads the same in Python.
//
// Nothing but public facts, tokens, interned indices, tolls and published actions can be written:
// there is no other method.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "heuristics/tolls.hpp"
#include "mafs/private_state_table.hpp"

namespace tacit::mafs {

using Bytes = std::vector<std::uint8_t>;

struct Shape {
    std::size_t public_facts;
    std::vector<std::size_t> tokens;  // per agent
    bool is_padded = false;
    Costs costs = Costs::none;
    std::vector<std::size_t> actions = {};  // published, per agent, where all costs count
    std::size_t agents() const { return tokens.size(); }
};

struct MalformedFrame : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// Values that are sent instead of a heuristic one: the goal seems unreachable, though that is no
// proof; the state was not evaluated before it was sent.
inline constexpr int unreachable_value = 1 << 24;
inline constexpr int unevaluated = unreachable_value + 1;
// Of a way, of what is left, of both.
inline constexpr std::uint32_t largest_cost = 1u << 29;

// How a state came about since one that its receiver has: the public actions of others, the last
// first, in segments of one agent each. `origin` is twice the receiver's number of its own last
// state (0 is the initial one), or twice the sender's number of a state that it sent this receiver
// before, plus 1. `numbers` are those of the sender's own segment, how many actions and which; then
// of `segments` more, each with its agent and that agent's number of the state behind it in front.
struct Descent {
    std::uint32_t origin = 0, segments = 0;
    std::span<const std::uint32_t> numbers;
};

// One state as it is sent.
struct SentState {
    std::uint32_t ref;
    std::uint32_t g, value;
    const Word *facts;
    const Index *indices;
    Descent descent;
    std::uint32_t cost = 0;  // of the way to it, where costs count
};

// A number, as frames have it; reading takes for granted that there is one.
void append_number(Bytes &out, std::size_t value);
inline std::uint32_t take_number(const std::uint8_t *&at) {
    std::uint32_t value = *at & 0x7fu;
    for (unsigned shift = 7; *at++ & 0x80; shift += 7)
        value |= (*at & 0x7fu) << shift;
    return value;
}

// The size of a padded frame that would else have this one: 1 KiB, four times as much until 1 MiB,
// and then whole MiB.
std::size_t padded_size(std::size_t size);

class FrameWriter {
  public:
    explicit FrameWriter(const Shape &shape) : shape_(&shape) {}

    // Tolls are those of the agent there, where private costs count; null if it has none. Only
    // those of the tokens are said to be shut.
    void index(std::size_t agent, Index index, const Word *tokens, const Tolls *tolls = nullptr);
    void state(const SentState &state);
    bool empty() const { return indices_ == 0 && states_ == 0; }
    std::size_t bytes() const {
        return index_part_.bytes.capacity() + state_part_.bytes.capacity();
    }
    // The frame; the next one begins empty.
    Bytes take();

  private:
    // Bytes of which the first `size` are written.
    struct Part {
        Bytes bytes;
        std::size_t size = 0;
        // Where the next are written, at most so many.
        std::uint8_t *room(std::size_t most);
        void end_at(const std::uint8_t *end) {
            size = static_cast<std::size_t>(end - bytes.data());
        }
    };

    const Shape *shape_;
    std::uint32_t indices_ = 0, states_ = 0;
    Part index_part_, state_part_;

    void tolls(std::size_t agent, const Word *tokens, const Tolls &tolls);
    void numbers(Row numbers, std::size_t count);
};

// Reads frames of a shape; throws MalformedFrame on anything else.
class FrameReader {
  public:
    FrameReader(const Shape &shape, std::span<const std::uint8_t> frame);

    struct SentIndex {
        std::size_t agent;
        Index index;
        const Word *tokens;  // good until the next call
        Tolls tolls;
    };
    // Both return false at the end of their part; indices come first, all of them.
    bool next_index(SentIndex &sent);
    bool next_state(SentState &sent);

  private:
    const Shape &shape_;
    const std::uint8_t *at_, *end_;
    std::size_t size_;
    std::uint32_t indices_ = 0, states_ = 0;
    bool in_states_ = false;
    std::vector<Word> set_, tokens_;
    Ints row_;
    std::vector<Index> index_row_;
    std::vector<std::uint32_t> descent_;

    std::uint32_t number() { return at_ != end_ && *at_ < 0x80 ? *at_++ : long_number(); }
    std::uint32_t long_number();
    void actions();
    Descent descent();
    std::uint32_t cost();
    void tolls(std::size_t agent, Tolls &to);
    void set(std::size_t size);
    bool is_at_end() const;
};

}  // namespace tacit::mafs
