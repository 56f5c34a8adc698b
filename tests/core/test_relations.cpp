#include <map>
#include <random>
#include <set>

#include "check.hpp"
#include "grounding/relations.hpp"
#include "util/rows.hpp"

namespace test_relations {

using namespace tacit;

CASE(a_tuple_is_added_once) {
    Relations r({2, 0});
    std::int32_t pair[] = {3, 4};
    CHECK(r.find(0, pair) == Relations::none);
    auto first = r.add(0, pair);
    auto again = r.add(0, pair);
    CHECK(first.second && !again.second && first.first == again.first);
    CHECK(r.find(0, pair) == first.first);
    CHECK(r.find(1, nullptr) == Relations::none);
    CHECK(r.add(1, nullptr).second);
    CHECK(r.find(1, nullptr) == 1);
}

// Every index, made before, between and after the insertions, lists what a naive scan finds.
CASE(buckets_agree_with_a_scan) {
    std::mt19937 random(7);
    for (int round = 0; round < 40; ++round) {
        Relations r({3});
        std::vector<std::vector<std::int32_t>> all;
        int range = 1 + round % 6;
        for (int i = 0; i < 200; ++i) {
            std::int32_t t[] = {static_cast<int>(random() % range),
                                static_cast<int>(random() % range),
                                static_cast<int>(random() % range)};
            if (r.add(0, t).second)
                all.push_back({t[0], t[1], t[2]});
            if (i % 50 == 10)
                r.index(0, i / 50);
        }
        for (Relations::Mask mask = 0; mask < 8; ++mask) {
            std::int32_t key[] = {0, static_cast<int>(random() % range), 0};
            auto &index = r.index(0, mask);
            auto bucket = Relations::lookup(index, r, key);
            std::vector<int> found;
            for (auto at = bucket.first; at != Relations::none; at = Relations::next(index, at))
                found.push_back(r.tuple(0, at));
            std::vector<int> expected;
            for (std::size_t id = 0; id < all.size(); ++id) {
                bool agrees = true;
                for (int p = 0; p < 3; ++p)
                    agrees &= !(mask >> p & 1) || all[id][p] == key[p];
                if (agrees)
                    expected.push_back(static_cast<int>(id));
            }
            CHECK(found == expected);
            CHECK(bucket.count == static_cast<int>(expected.size()));
        }
    }
}

CASE(inverted_rows_are_those_that_have_a_number) {
    Rows rows;
    rows.append(Ints{2, -1, 0});
    rows.append(Ints{});
    rows.append(Ints{0, 5, 2});
    Rows made = inverted(rows, 3);
    CHECK(made.start == (Ints{0, 2, 2, 4}));
    CHECK(made.items == (Ints{0, 2, 0, 2}));
    CHECK(inverted(made, 3).items == (Ints{0, 2, 0, 2}));
    CHECK(inverted(rows, 0).size() == 0);
}

}  // namespace test_relations
