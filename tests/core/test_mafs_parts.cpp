// The parts of forward search one by one: indices, records, pseudonyms, send-once, siblings.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "check.hpp"
#include "mafs/pseudonyms.hpp"
#include "mafs/records.hpp"
#include "mafs/send_once.hpp"
#include "mafs/siblings.hpp"
#include "tasks.hpp"
#include "util/random.hpp"

namespace test_mafs_parts {

using namespace tacit;
using namespace tacit::mafs;

namespace {

// One agent with two private facts and two tokens. Action 0 sets bit 0 (of token 0) and shows it,
// action 1 sets bit 1 (of token 0, not disclosed) and clears bit 0, action 2 sets bit 2 (of token
// 1) and hides what was shown. Bit 2 is set initially.
NodeTask with_bits(bool any_disclosed) {
    NodeTask task;
    task.public_facts = 1;
    task.private_facts = 2;
    task.token_counts = {2};
    task.view.init = {0, 64};
    task.support = {{0, 0, 1}, {1, 0, 1}, rows({{0}, {1}, {2}}), rows({{}, {0}, {}}), {2}};
    task.shown = {{0}, {1}, rows({{0}, {}, {}}), rows({{}, {}, {0}}), {}};
    task.options.any_disclosed = any_disclosed;
    return task;
}

Record plain_record() { return {no_record, -1, 0, 0, no_record, 0, 0}; }

}  // namespace

CASE(own_indices_are_interned_with_what_the_path_left) {
    PrivateStateTable own(with_bits(true));
    CHECK(own.initial() == 0 && own.size() == 1);
    CHECK(own.facts(0)[0] == 1 && own.tokens(0)[0] == 0b10 && own.shown_tokens(0)[0] == 0);
    Word facts = 0b10;
    Index given = own.after(0, 0, true, &facts);
    CHECK(given == 1 && own.after(0, 0, true, &facts) == 1 && own.size() == 2);
    CHECK(own.facts(1)[0] == 0b10 && own.tokens(1)[0] == 0b11 && own.shown_tokens(1)[0] == 1);
    Index aside = own.after(1, 1, false, &facts);  // a private action sets no bit
    CHECK(aside == 1);
    Index cleared = own.after(1, 1, true, &facts);
    CHECK(own.tokens(cleared)[0] == 0b10 && own.shown_tokens(cleared)[0] == 1);
    CHECK(own[cleared].facts == own[1].facts && own[cleared].support != own[1].support);
    Index hidden = own.after(1, 2, true, &facts);
    CHECK(own.shown_tokens(hidden)[0] == 0 && own[hidden].support == own[1].support);
    CHECK(own.bytes() > 0);
}

CASE(own_indices_know_what_a_disclosure_could_support) {
    PrivateStateTable own(with_bits(true));
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
    PrivateStateTable own(with_bits(false));
    Word facts = 1;
    CHECK(own.tokens(0)[0] == 0);
    Index hidden = own.after(0, 1, true, &facts);
    CHECK(own.tokens(hidden)[0] == 0b01);  // an undisclosed edge of it prunes by token 0
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
    task.support.sets = task.support.clears = task.shown.sets = task.shown.clears = rows({{}});
    PrivateStateTable own(task);
    Word none = 0;
    CHECK(own.after(0, 0, true, &none) == 0 && own.size() == 1);
}

CASE(foreign_indices_are_known_once_sent) {
    ForeignStateTable foreign(2);
    Word tokens[2] = {5, 0}, more[2] = {2, 1};
    CHECK(!foreign.knows(0) && !foreign.knows(99));
    CHECK(!foreign.learn(3, tokens));
    CHECK(foreign.knows(3) && !foreign.knows(2) && !foreign.knows(4) && !foreign.knows(~Index{0}));
    CHECK(!foreign.learn(0, more));
    CHECK(foreign.learn(3, more));
    CHECK(!foreign.learn(3, more) && !foreign.learn(3, tokens));
    CHECK(foreign.tokens(3)[0] == 7 && foreign.tokens(3)[1] == 1 && foreign.tokens(0)[0] == 2);
    CHECK_THROWS(std::invalid_argument, foreign.learn(ForeignStateTable::max_index, tokens));
    CHECK_THROWS(std::invalid_argument, foreign.learn(~Index{0}, tokens));
}

CASE(a_large_foreign_index_takes_little_memory) {
    ForeignStateTable foreign(1);
    Word tokens = 1;
    for (Index i = 1; i <= 100; ++i)
        foreign.learn(ForeignStateTable::max_index / 100 * i - 1, &tokens);
    CHECK(foreign.bytes() < std::size_t{64} << 20);
    CHECK(foreign.knows(ForeignStateTable::max_index / 100 - 1) && !foreign.knows(0));
}

CASE(records_find_keys_and_chain_variants) {
    Records records(2);
    constexpr Word count = 20000;  // beyond several growths of the table
    auto number = [&records](Word i) {
        Word key[2] = {i, i % 3};
        return records.number(key);
    };
    for (Word i = 0; i < count; ++i) {
        CHECK(records.latest(number(i)) == no_record);
        CHECK(records.add(number(i), plain_record()) == i);
    }
    for (Word i = 0; i < count; i += 7) {  // a second and a third variant
        RecordId second = records.add(number(i), plain_record()),
                 third = records.add(number(i), plain_record());
        CHECK(records.latest(number(i)) == third && records[third].variant == second);
        CHECK(records[second].variant == i &&
              records[static_cast<RecordId>(i)].variant == no_record);
    }
    for (Word i = 0; i < count; ++i) {
        Word key[2] = {i, i % 3}, copied[2] = {};
        RecordId found = records.latest(number(i));
        CHECK(i % 7 == 0 ? found >= count : found == i);
        records.copy_key(found, 0, 2, copied);
        CHECK(std::equal(key, key + 2, copied));
    }
    CHECK(records.size() == count + 2 * ((count + 6) / 7));
    CHECK(records.bytes() >= records.size() * sizeof(Record) + count * 2 * sizeof(Word));
}

CASE(a_key_tree_keeps_each_key_once) {
    for (std::size_t words : {1, 7, 8, 9, 16, 105, 128, 129, 2100}) {
        KeyTree tree(words);
        std::map<std::vector<Word>, KeyId> numbers;
        std::vector<std::vector<Word>> keys;
        Random random(words);
        std::vector<Word> key(words), copied(words);
        for (int n = 0; n < 300; ++n) {
            if (!keys.empty())
                key = keys[random(keys.size())];
            key[random(words)] ^= Word{1} << random(3);
            auto [known, is_new] = numbers.try_emplace(key, static_cast<KeyId>(keys.size()));
            CHECK(tree.insert(key.data()) == std::pair(known->second, is_new));
            if (is_new)
                keys.push_back(key);
        }
        CHECK(tree.size() == keys.size());
        for (KeyId id = 0; id < keys.size(); ++id) {
            std::size_t from = random(words), count = random(words - from + 1);
            tree.copy(id, from, count, copied.data());
            CHECK(std::equal(copied.begin(), copied.begin() + static_cast<std::ptrdiff_t>(count),
                             keys[id].begin() + static_cast<std::ptrdiff_t>(from)));
        }
    }
}

// States that come one from the other take as much where there are a hundred times as many facts.
CASE(what_a_key_takes_does_not_grow_with_its_length) {
    auto bytes_per_key = [](std::size_t words) {
        KeyTree tree(words);
        std::vector<Word> key(words);
        Random random(1);
        for (Word n = 0; n < 20000; ++n) {
            key[random(words)] ^= Word{1} << random(64);
            tree.insert(key.data());
        }
        return tree.bytes() / tree.size();
    };
    CHECK(bytes_per_key(1600) < 3 * bytes_per_key(16) &&
          bytes_per_key(1600) < 1600 * sizeof(Word) / 16);
}

CASE(own_numbers_are_indices_unless_hardened) {
    PrivateStateTable own(with_bits(true));
    Word facts = 0b10, here = 1, there = 2;
    std::vector<Index> initial{0}, next{own.after(0, 0, true, &facts)}, both{0, next[0]};
    Pseudonyms plain(own, {}, 1), fresh(own, {.fresh = true}, 1), grouped(own, {.once = true}, 1);
    CHECK(plain.name(&here, next) == next[0] && plain.members(next[0])[0] == next[0]);
    CHECK(plain.knows(1) && !plain.knows(2));
    CHECK(fresh.name(&here, initial) == 0 && fresh.name(&here, next) == 1);
    CHECK(fresh.name(&there, next) == 2 && fresh.name(&there, initial) == 3);
    CHECK(fresh.name(&here, next) == 1 && fresh.size() == 4 && !fresh.knows(4));
    CHECK(std::ranges::equal(fresh.members(2), next) &&
          std::ranges::equal(fresh.members(0), initial));
    CHECK(grouped.name(&here, initial) == 0 && grouped.name(&there, both) == 1);
    CHECK(grouped.name(&here, both) == 1 && grouped.name(&there, initial) == 0);
    CHECK(std::ranges::equal(grouped.members(1), both) && grouped.bytes() > 0);
}

CASE(a_pair_is_sent_once_until_it_is_asked_for_again) {
    SendOnce pairs(1);
    std::vector<std::vector<RecordId>> out;
    auto take = [&] {
        out.clear();
        pairs.take([&](const std::vector<RecordId> &records) { out.push_back(records); });
        return out.size();
    };
    Word one = 1, two = 2;
    CHECK(take() == 0 && !pairs.withholds_any() && pairs.bytes() == 0);
    pairs.add(&one, 10);
    pairs.add(&two, 11);
    pairs.add(&one, 12);
    CHECK(pairs.withholds_any() && take() == 2 && !pairs.withholds_any());
    CHECK((out[0] == std::vector<RecordId>{10, 12}) && out[1] == std::vector<RecordId>{11});
    pairs.add(&one, 13);
    CHECK(pairs.withholds_any() && take() == 0);
    pairs.send_again();
    pairs.send_again();
    pairs.add(&one, 14);
    CHECK(take() == 1 && (out[0] == std::vector<RecordId>{13, 14}));
    pairs.send_again();
    CHECK(take() == 0 && pairs.bytes() > 0);
}

CASE(the_first_of_a_pair_is_sent_and_the_others_are_siblings) {
    Siblings siblings(1);
    Word initial = 0, one = 1, two = 2;
    auto joined = [&](const Word *pair, RecordId id) {
        auto [number, is_first] = siblings.join(pair, id);
        return std::pair(number, is_first);
    };
    auto members = [&](std::uint32_t pair) {
        std::vector<RecordId> found;
        siblings.each_member(pair, [&](RecordId id) { found.push_back(id); });
        return found;
    };
    auto arrivals = [&](std::uint32_t pair) {
        std::vector<AcceptedId> found;
        siblings.each_arrival(pair, [&](AcceptedId id) { found.push_back(id); });
        return found;
    };
    CHECK(siblings.bytes() == 0);
    CHECK(joined(&initial, 7) == std::pair(0u, true));
    CHECK(joined(&one, 8) == std::pair(1u, true) && siblings.newest() == 1);
    CHECK(joined(&two, 9) == std::pair(2u, true) && siblings.newest() == 2);
    CHECK(joined(&one, 10) == std::pair(1u, false) && joined(&one, 11) == std::pair(1u, false));
    CHECK(siblings.newest() == 2 && siblings.first(1) == 8 && siblings.first(2) == 9);
    CHECK((members(1) == std::vector<RecordId>{8, 11, 10}));
    CHECK(members(2) == std::vector<RecordId>{9} && members(0) == std::vector<RecordId>{7});
    siblings.add_arrival(1, 3);
    siblings.add_arrival(2, 4);
    siblings.add_arrival(1, 5);
    CHECK((arrivals(1) == std::vector<AcceptedId>{5, 3}));
    CHECK(arrivals(2) == std::vector<AcceptedId>{4} && arrivals(0).empty());
    CHECK(siblings.bytes() > 0);
}

CASE(where_all_tokens_hold_no_index_says_less) {
    ForeignStateTable foreign(std::vector<Word>{7, 1});
    Word none[2] = {0, 0};
    CHECK(!foreign.knows(0));
    for (Index index : {0u, 5u, 100000u}) {
        CHECK(!foreign.learn(index, none) && foreign.knows(index));
        CHECK(foreign.tokens(index)[0] == 7 && foreign.tokens(index)[1] == 1);
    }
    CHECK(!foreign.knows(6));
    foreign.prove(5, none);
    CHECK_THROWS(std::invalid_argument, foreign.learn(ForeignStateTable::max_index, none));
}

}  // namespace test_mafs_parts
