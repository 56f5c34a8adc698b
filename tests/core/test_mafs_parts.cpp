// The parts of forward search one by one: indices, records, frames.
#include <algorithm>
#include <string>

#include "check.hpp"
#include "mafs/aliases.hpp"
#include "mafs/pairs.hpp"
#include "mafs/records.hpp"
#include "mafs/wire.hpp"
#include "util/random.hpp"

using namespace tacit;
using namespace tacit::mafs;

namespace {

Rows rows(std::initializer_list<Ints> lists) {
    Rows made;
    for (const Ints &list : lists)
        made.append(list);
    return made;
}

// One agent with two private facts and two tokens. Action 0 gives mark 0 (of token 0) and shows it,
// action 1 gives mark 1 (of token 0, not disclosed) and ends mark 0, action 2 gives mark 2 (of
// token 1) and hides what was shown. Mark 2 is there at the start.
NodeTask marked(bool any_disclosed) {
    NodeTask task;
    task.public_facts = 1;
    task.private_facts = 2;
    task.token_counts = {2};
    task.view.init = {0, 64};
    task.support = {{0, 0, 1}, {1, 0, 1}, rows({{0}, {1}, {2}}), rows({{}, {0}, {}}), {2}};
    task.shown = {{0}, {1}, rows({{0}, {}, {}}), rows({{}, {}, {0}}), {}};
    task.any_disclosed = any_disclosed;
    return task;
}

Record plain_record() { return {no_record, -1, 0, 0, no_record, 0, 0}; }

const Shape shape{70, {3, 0, 65}};

struct Sample {
    std::vector<Word> tokens{0b101, 0}, facts{0x123456789abcdef0, 0b101010};
    std::vector<Index> indices{7, 0, 300};
    Told state{1, 2, 3, facts.data(), indices.data()};
};

Bytes sample_frame() {
    Sample sample;
    FrameWriter writer(shape);
    writer.index(0, 7, sample.tokens.data());
    std::vector<Word> many{~Word{0}, 1};
    writer.index(2, 300, many.data());
    writer.state(sample.state);
    writer.state({1u << 31, 130, 0xffffffff, sample.facts.data(), sample.indices.data()});
    return writer.take();
}

void read_all(const Shape &of, std::span<const std::uint8_t> frame) {
    FrameReader reader(of, frame);
    FrameReader::IndexTold index{};
    while (reader.next_index(index)) {
    }
    Told told{};
    while (reader.next_state(told)) {
    }
}

Bytes joined(std::initializer_list<Bytes> parts) {
    Bytes all;
    for (const Bytes &part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

}  // namespace

CASE(own_indices_are_interned_with_what_the_path_left) {
    OwnIndices own(marked(true));
    CHECK(own.start() == 0 && own.size() == 1);
    CHECK(own.facts(0)[0] == 1 && own.tokens(0)[0] == 0b10 && own.shown_tokens(0)[0] == 0);
    Word facts = 0b10;
    Index given = own.after(0, 0, true, &facts);
    CHECK(given == 1 && own.after(0, 0, true, &facts) == 1 && own.size() == 2);
    CHECK(own.facts(1)[0] == 0b10 && own.tokens(1)[0] == 0b11 && own.shown_tokens(1)[0] == 1);
    Index aside = own.after(1, 1, false, &facts);  // a private action leaves no mark
    CHECK(aside == 1);
    Index ended = own.after(1, 1, true, &facts);
    CHECK(own.tokens(ended)[0] == 0b10 && own.shown_tokens(ended)[0] == 1);
    CHECK(own[ended].facts == own[1].facts && own[ended].support != own[1].support);
    Index hidden = own.after(1, 2, true, &facts);
    CHECK(own.shown_tokens(hidden)[0] == 0 && own[hidden].support == own[1].support);
    CHECK(own.bytes() > 0);
}

CASE(own_indices_say_what_a_disclosure_could_support) {
    OwnIndices own(marked(true));
    Word facts = 1;
    Index with_disclosed = own.after(0, 0, true, &facts),
          with_hidden = own.after(0, 1, true, &facts);
    CHECK(own.covers(with_disclosed, 0) && !own.covers(0, with_disclosed));
    CHECK(!own.covers(with_disclosed, with_hidden) && !own.covers(with_hidden, with_disclosed));
    CHECK(!own.may_support(0, 0) && own.may_support(0, 1) && own.may_support(with_hidden, 0));
    CHECK(own.tokens(with_hidden)[0] == 0b10);
    own.disclose({1}, {});
    CHECK(own.tokens(with_hidden)[0] == 0b11 && own.tokens(0)[0] == 0b10);
    CHECK_THROWS(std::out_of_range, own.disclose({3}, {}));
}

CASE(under_pairwise_the_last_public_action_alone_counts) {
    OwnIndices own(marked(false));
    Word facts = 1;
    CHECK(own.tokens(0)[0] == 0);
    Index hidden = own.after(0, 1, true, &facts);
    CHECK(own.tokens(hidden)[0] == 0b01);  // an undisclosed edge of it holds token 0 back
    Index later = own.after(hidden, 0, true, &facts);
    CHECK(own.tokens(later)[0] == 0 && !own.covers(later, hidden) && own.covers(later, later));
    CHECK(own.may_support(later, 0));
    own.disclose({1}, {});
    CHECK(own.tokens(hidden)[0] == 0);
}

CASE(an_agent_without_private_facts_or_tokens_has_one_index) {
    NodeTask task;
    task.public_facts = 1;
    task.token_counts = {0};
    task.support.gives = task.support.ends = task.shown.gives = task.shown.ends = rows({{}});
    OwnIndices own(task);
    Word none = 0;
    CHECK(own.after(0, 0, true, &none) == 0 && own.size() == 1);
}

CASE(foreign_indices_are_known_once_told) {
    ForeignIndices foreign(2);
    Word tokens[2] = {5, 0}, more[2] = {2, 1};
    CHECK(!foreign.knows(0) && !foreign.knows(99));
    CHECK(!foreign.learn(3, tokens));
    CHECK(foreign.knows(3) && !foreign.knows(2) && !foreign.knows(4) && !foreign.knows(~Index{0}));
    CHECK(!foreign.learn(0, more));
    CHECK(foreign.learn(3, more));
    CHECK(!foreign.learn(3, more) && !foreign.learn(3, tokens));
    CHECK(foreign.tokens(3)[0] == 7 && foreign.tokens(3)[1] == 1 && foreign.tokens(0)[0] == 2);
    CHECK_THROWS(std::invalid_argument, foreign.learn(ForeignIndices::max_index, tokens));
    CHECK_THROWS(std::invalid_argument, foreign.learn(~Index{0}, tokens));
}

CASE(a_large_foreign_index_takes_little_memory) {
    ForeignIndices foreign(1);
    Word tokens = 1;
    for (Index i = 1; i <= 100; ++i)
        foreign.learn(ForeignIndices::max_index / 100 * i - 1, &tokens);
    CHECK(foreign.bytes() < std::size_t{64} << 20);
    CHECK(foreign.knows(ForeignIndices::max_index / 100 - 1) && !foreign.knows(0));
}

CASE(records_find_keys_and_chain_variants) {
    Records records(2);
    constexpr Word count = 20000;  // beyond several growths of the table
    for (Word i = 0; i < count; ++i) {
        Word key[2] = {i, i % 3};
        CHECK(records.find(key) == no_record);
        CHECK(records.add(key, plain_record()) == i);
    }
    for (Word i = 0; i < count; i += 7) {  // a second and a third variant
        Word key[2] = {i, i % 3};
        RecordId second = records.add(key, plain_record()),
                 third = records.add(key, plain_record());
        CHECK(records.find(key) == third && records[third].variant == second);
        CHECK(records[second].variant == i &&
              records[static_cast<RecordId>(i)].variant == no_record);
    }
    for (Word i = 0; i < count; ++i) {
        Word key[2] = {i, i % 3};
        RecordId found = records.find(key);
        CHECK(i % 7 == 0 ? found >= count : found == i);
        CHECK(std::equal(key, key + 2, records.key(found)));
    }
    CHECK(records.size() == count + 2 * ((count + 6) / 7));
    CHECK(records.bytes() >= records.size() * (2 * sizeof(Word) + sizeof(Record)));
}

CASE(a_frame_is_read_as_it_was_written) {
    Bytes frame = sample_frame();
    FrameReader reader(shape, frame);
    FrameReader::IndexTold index{};
    CHECK(reader.next_index(index) && index.agent == 0 && index.index == 7 && index.tokens[0] == 5);
    CHECK(reader.next_index(index) && index.agent == 2 && index.index == 300);
    CHECK(index.tokens[0] == ~Word{0} && index.tokens[1] == 1);
    CHECK(!reader.next_index(index) && !reader.next_index(index));
    Told told{};
    Sample sample;
    CHECK(reader.next_state(told) && told.ref == 1 && told.g == 2 && told.value == 3);
    CHECK(std::equal(sample.facts.begin(), sample.facts.end(), told.facts));
    CHECK(std::equal(sample.indices.begin(), sample.indices.end(), told.indices));
    CHECK(reader.next_state(told) && told.ref == 1u << 31 && told.g == 130 &&
          told.value == 0xffffffff);
    CHECK(!reader.next_state(told) && !reader.next_state(told));
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
        Shape any{random(140), {}};
        for (std::size_t agent = 0; agent < 1 + random(4); ++agent)
            any.tokens.push_back(random(140));
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
            writer.index(agent, static_cast<Index>(random(1 << 28)), set(any.tokens[agent]).data());
        }
        for (std::size_t i = random(5); i-- > 0;) {
            std::vector<Index> indices(any.agents());
            for (Index &index : indices)
                index = static_cast<Index>(random(1000));
            auto number = [&] { return static_cast<std::uint32_t>(random(std::size_t{1} << 32)); };
            std::vector<Word> facts = set(any.public_facts);
            writer.state({number(), number(), number(), facts.data(), indices.data()});
        }
        Bytes frame = writer.take();
        FrameReader reader(any, frame);
        FrameReader::IndexTold index{};
        while (reader.next_index(index))
            again.index(index.agent, index.index, index.tokens);
        Told told{};
        while (reader.next_state(told))
            again.state(told);
        CHECK(again.take() == frame);
    }
}

CASE(own_numbers_are_indices_unless_hardened) {
    OwnIndices own(marked(true));
    Word facts = 0b10, here = 1, there = 2;
    std::vector<Index> start{0}, next{own.after(0, 0, true, &facts)}, both{0, next[0]};
    Aliases plain(own, {}, 1), fresh(own, {.fresh = true}, 1), grouped(own, {.once = true}, 1);
    CHECK(plain.name(&here, next) == next[0] && plain.members(next[0])[0] == next[0]);
    CHECK(plain.knows(1) && !plain.knows(2));
    CHECK(fresh.name(&here, start) == 0 && fresh.name(&here, next) == 1);
    CHECK(fresh.name(&there, next) == 2 && fresh.name(&there, start) == 3);
    CHECK(fresh.name(&here, next) == 1 && fresh.size() == 4 && !fresh.knows(4));
    CHECK(std::ranges::equal(fresh.members(2), next) &&
          std::ranges::equal(fresh.members(0), start));
    CHECK(grouped.name(&here, start) == 0 && grouped.name(&there, both) == 1);
    CHECK(grouped.name(&here, both) == 1 && grouped.name(&there, start) == 0);
    CHECK(std::ranges::equal(grouped.members(1), both) && grouped.bytes() > 0);
}

CASE(a_pair_goes_out_once_until_it_is_called_for) {
    Pairs pairs(1);
    std::vector<std::vector<RecordId>> out;
    auto take = [&] {
        out.clear();
        pairs.take([&](const std::vector<RecordId> &records) { out.push_back(records); });
        return out.size();
    };
    Word one = 1, two = 2;
    CHECK(take() == 0 && !pairs.keeps_any() && pairs.bytes() == 0);
    pairs.add(&one, 10);
    pairs.add(&two, 11);
    pairs.add(&one, 12);
    CHECK(pairs.keeps_any() && take() == 2 && !pairs.keeps_any());
    CHECK((out[0] == std::vector<RecordId>{10, 12}) && out[1] == std::vector<RecordId>{11});
    pairs.add(&one, 13);
    CHECK(pairs.keeps_any() && take() == 0);
    pairs.again();
    pairs.again();
    pairs.add(&one, 14);
    CHECK(take() == 1 && (out[0] == std::vector<RecordId>{13, 14}));
    pairs.again();
    CHECK(take() == 0 && pairs.bytes() > 0);
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
        CHECK(padded_size(frame.size()) == frame.size() && frame[0] == 2);
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
    newer[0] = 2;
    CHECK_THROWS(MalformedFrame, read_all(shape, newer));
}

CASE(numbers_and_sets_out_of_range_are_refused) {
    const Shape small{3, {2}};
    Bytes head{1, 1, 3, 2};
    read_all(small, joined({head, {1, 0, 5, 3}, {1, 1, 1, 1, 7, 5}}));
    CHECK_THROWS(MalformedFrame, read_all(small, joined({head, {1, 1, 5, 3}, {0}})));  // agent 1
    CHECK_THROWS(MalformedFrame, read_all(small, joined({head, {1, 0, 5, 4}, {0}})));  // token 2
    CHECK_THROWS(MalformedFrame,
                 read_all(small, joined({head, {0}, {1, 1, 1, 1, 8, 5}})));  // fact 3
    Bytes largest{0xff, 0xff, 0xff, 0xff, 0x0f}, too_large{0xff, 0xff, 0xff, 0xff, 0x10};
    Bytes endless(10, 0xff), overlong{0x81, 0x00};
    read_all(small, joined({head, {0, 1}, largest, {1, 1, 7, 5}}));
    for (const Bytes &number : {too_large, endless, overlong}) {
        CHECK_THROWS(MalformedFrame, read_all(small, joined({head, {0, 1}, number, {1, 1, 7, 5}})));
        CHECK_THROWS(MalformedFrame, read_all(small, joined({head, number})));
    }
    // More items than the frame could hold.
    CHECK_THROWS(MalformedFrame, read_all(small, joined({head, largest})));
    CHECK_THROWS(MalformedFrame, read_all(small, joined({head, {0}, largest})));
}
