// Frames of states: what is written is read, and everything else is refused.
#include <algorithm>
#include <string>

#include "check.hpp"
#include "mafs/wire.hpp"
#include "util/random.hpp"

namespace test_wire {

using namespace tacit;
using namespace tacit::mafs;

namespace {

const Shape shape{70, {3, 0, 65}};

struct Sample {
    std::vector<Word> tokens{0b101, 0}, facts{0x123456789abcdef0, 0b101010};
    std::vector<Index> indices{7, 0, 300};
    std::vector<std::uint32_t> descent{2, 5, 300, 1, 40, 0, 0, 9, 1, 6};
    SentState state{1, 2, 3, facts.data(), indices.data(), {9, 2, descent}};
};

Bytes sample_frame() {
    Sample sample;
    FrameWriter writer(shape);
    writer.index(0, 7, sample.tokens.data());
    std::vector<Word> many{~Word{0}, 1};
    writer.index(2, 300, many.data());
    writer.state(sample.state);
    std::vector<std::uint32_t> none{0};
    writer.state(
        {1u << 31, 130, 0xffffffff, sample.facts.data(), sample.indices.data(), {0, 0, none}});
    return writer.take();
}

void read_all(const Shape &of, std::span<const std::uint8_t> frame) {
    FrameReader reader(of, frame);
    FrameReader::SentIndex index{};
    while (reader.next_index(index)) {
    }
    SentState sent{};
    while (reader.next_state(sent)) {
    }
}

Bytes joined(std::initializer_list<Bytes> parts) {
    Bytes all;
    for (const Bytes &part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

}  // namespace

CASE(a_frame_is_read_as_it_was_written) {
    Bytes frame = sample_frame();
    FrameReader reader(shape, frame);
    FrameReader::SentIndex index{};
    CHECK(reader.next_index(index) && index.agent == 0 && index.index == 7 && index.tokens[0] == 5);
    CHECK(reader.next_index(index) && index.agent == 2 && index.index == 300);
    CHECK(index.tokens[0] == ~Word{0} && index.tokens[1] == 1);
    CHECK(!reader.next_index(index) && !reader.next_index(index));
    SentState sent{};
    Sample sample;
    CHECK(reader.next_state(sent) && sent.ref == 1 && sent.g == 2 && sent.value == 3);
    CHECK(std::equal(sample.facts.begin(), sample.facts.end(), sent.facts));
    CHECK(std::equal(sample.indices.begin(), sample.indices.end(), sent.indices));
    CHECK(sent.descent.origin == 9 && sent.descent.segments == 2 &&
          std::ranges::equal(sent.descent.numbers, sample.descent));
    CHECK(reader.next_state(sent) && sent.ref == 1u << 31 && sent.g == 130 &&
          sent.value == 0xffffffff);
    CHECK(!reader.next_state(sent) && !reader.next_state(sent));
}

CASE(a_writer_starts_afresh_after_a_frame) {
    FrameWriter writer(shape);
    Sample sample;
    CHECK(writer.empty());
    writer.state(sample.state);
    CHECK(!writer.empty());
    Bytes first = writer.take();
    CHECK(writer.empty());
    writer.state(sample.state);
    CHECK(writer.take() == first);
    read_all(shape, writer.take());  // an empty frame is one
}

CASE(random_frames_go_round) {
    Random random(11);
    for (int round = 0; round < 200; ++round) {
        Shape any{random(140), {}, false, static_cast<Costs>(random(3)), {}};
        bool has_tolls = any.costs == Costs::of_all;
        for (std::size_t agent = 0; agent < 1 + random(4); ++agent) {
            any.tokens.push_back(random(140));
            if (has_tolls)
                any.actions.push_back(random(140));
        }
        auto set = [&](std::size_t size) {
            std::vector<Word> made(3);
            for (std::size_t i = 0; i < size; ++i)
                if (random(2))
                    put(made.data(), i);
            return made;
        };
        FrameWriter writer(any), again(any);
        for (std::size_t i = random(5); i-- > 0;) {
            std::size_t agent = random(any.agents());
            Tolls tolls;
            for (std::size_t toll = random(4); has_tolls && toll-- > 0;) {
                tolls.cost.push_back(static_cast<std::int32_t>(1 + random(1 << 20)));
                Ints before;
                for (std::size_t action = 0; action < any.actions[agent]; action += 1 + random(9))
                    before.push_back(static_cast<std::int32_t>(action));
                tolls.actions.append(before);
            }
            if (has_tolls && any.tokens[agent] > 0)
                tolls.shut.push_back(static_cast<std::int32_t>(random(any.tokens[agent])));
            writer.index(agent, static_cast<Index>(random(1 << 28)), set(any.tokens[agent]).data(),
                         &tolls);
        }
        for (std::size_t i = random(5); i-- > 0;) {
            std::vector<Index> indices(any.agents());
            for (Index &index : indices)
                index = static_cast<Index>(random(1000));
            auto number = [&] { return static_cast<std::uint32_t>(random(std::size_t{1} << 32)); };
            std::vector<Word> facts = set(any.public_facts);
            std::vector<std::uint32_t> descent;
            auto segments = static_cast<std::uint32_t>(random(3));
            for (std::uint32_t segment = 0; segment <= segments; ++segment) {
                if (segment > 0)
                    descent.insert(descent.end(), {number(), number()});
                descent.push_back(static_cast<std::uint32_t>(random(4)));
                for (std::uint32_t left = descent.back(); left > 0; --left)
                    descent.push_back(number());
            }
            writer.state({number(),
                          number(),
                          number(),
                          facts.data(),
                          indices.data(),
                          {number(), segments, descent}});
        }
        Bytes frame = writer.take();
        FrameReader reader(any, frame);
        FrameReader::SentIndex index{};
        while (reader.next_index(index))
            again.index(index.agent, index.index, index.tokens, &index.tolls);
        SentState sent{};
        while (reader.next_state(sent))
            again.state(sent);
        CHECK(again.take() == frame);
    }
}

CASE(a_padded_frame_has_one_of_few_sizes) {
    Shape padded = shape;
    padded.is_padded = true;
    Sample sample;
    for (int states : {0, 1, 50, 60, 5000}) {
        FrameWriter writer(padded);
        for (int i = 0; i < states; ++i)
            writer.state(sample.state);
        Bytes frame = writer.take();
        CHECK(padded_size(frame.size()) == frame.size() && frame[0] == 4);
        read_all(padded, frame);
        CHECK_THROWS(MalformedFrame, read_all(shape, frame));
        Bytes longer = joined({frame, {0}}), dirty = frame;
        dirty.back() = 1;
        CHECK_THROWS(MalformedFrame, read_all(padded, longer));
        CHECK_THROWS(MalformedFrame, read_all(padded, dirty));
        CHECK_THROWS(MalformedFrame, read_all(padded, std::span(frame).first(frame.size() - 1)));
    }
    CHECK_THROWS(MalformedFrame, read_all(padded, sample_frame()));
    CHECK(padded_size(1) == 1024 && padded_size(1025) == 4096 &&
          padded_size((1 << 20) + 1) == 2 << 20);
}

CASE(every_truncated_frame_is_refused) {
    Bytes frame = sample_frame();
    for (std::size_t size = 0; size < frame.size(); ++size)
        CHECK_THROWS(MalformedFrame, read_all(shape, std::span(frame).first(size)));
    for (std::uint8_t extra : {0, 1, 0x80}) {
        Bytes longer = joined({frame, {extra}});
        CHECK_THROWS(MalformedFrame, read_all(shape, longer));
    }
}

CASE(a_frame_of_another_shape_is_refused) {
    Bytes frame = sample_frame();
    for (const Shape &other : {Shape{71, {3, 0, 65}}, Shape{70, {3, 0}}, Shape{70, {3, 0, 65, 0}},
                               Shape{70, {3, 1, 65}}, Shape{0, {}}})
        CHECK_THROWS(MalformedFrame, read_all(other, frame));
    Bytes newer = frame;
    newer[0] = 4;
    CHECK_THROWS(MalformedFrame, read_all(shape, newer));
}

CASE(numbers_and_sets_out_of_range_are_refused) {
    const Shape small{3, {2}};
    Bytes head{3, 1, 3, 2};
    const Bytes no_descent{0, 0, 0};
    read_all(small, joined({head, {1, 0, 5, 3}, {1, 1, 1, 1, 7, 5}, no_descent}));
    CHECK_THROWS(MalformedFrame, read_all(small, joined({head, {1, 1, 5, 3}, {0}})));  // agent 1
    CHECK_THROWS(MalformedFrame, read_all(small, joined({head, {1, 0, 5, 4}, {0}})));  // token 2
    CHECK_THROWS(MalformedFrame,
                 read_all(small, joined({head, {0}, {1, 1, 1, 1, 8, 5}, no_descent})));  // fact 3
    Bytes largest{0xff, 0xff, 0xff, 0xff, 0x0f}, too_large{0xff, 0xff, 0xff, 0xff, 0x10};
    Bytes endless(10, 0xff), overlong{0x81, 0x00};
    read_all(small, joined({head, {0, 1}, largest, {1, 1, 7, 5}, no_descent}));
    for (const Bytes &number : {too_large, endless, overlong}) {
        CHECK_THROWS(MalformedFrame,
                     read_all(small, joined({head, {0, 1}, number, {1, 1, 7, 5}, no_descent})));
        CHECK_THROWS(MalformedFrame, read_all(small, joined({head, number})));
    }
    // More items than the frame could hold.
    CHECK_THROWS(MalformedFrame, read_all(small, joined({head, largest})));
    CHECK_THROWS(MalformedFrame, read_all(small, joined({head, {0}, largest})));
    Bytes state{0, 1, 1, 1, 1, 7, 5};
    CHECK_THROWS(MalformedFrame, read_all(small, joined({head, state, {0}, largest, {0}})));
    CHECK_THROWS(MalformedFrame, read_all(small, joined({head, state, {0, 0}, largest})));
}

}  // namespace test_wire
