// The cheapest choice of edges that has one of every cut, exactly, by branch and bound.
//
// Each edge has a price and belongs to a group (its agent). Two things can be made small: the sum
// of all prices, and the largest sum of one group. Both are the same question asked again and again
// with more room: is there a choice whose groups stay within their capacities (`Room`)? There is
// one step more each time, or, if prices are large, growing steps and then halves. For the sum
// there is one group, and parts that share no edge are answered apart.
//
// Edges of one group and price that are in the same cuts are one *kind*: there may be a hundred
// thousand edges, but there are few kinds. A new cut splits the kinds that it has only a part of.
#pragma once

#include <cstdint>
#include <vector>

#include "minimum/room.hpp"
#include "util/rows.hpp"

namespace tacit {

class HittingSet {
  public:
    struct Answer {
        std::int64_t lower = 0;  // no choice is cheaper
        bool is_exact = false;   // `chosen` costs just that
        Ints chosen;             // if not exact, a choice all the same
    };

    HittingSet(const Ints &group, const Ints &price);

    // One of these edges has to be chosen. Throws std::invalid_argument if there is none.
    void add(const Ints &cut);
    std::size_t size() const { return cuts_; }

    // Gives up after so many branches, and returns what is known then.
    Answer least_sum(std::int64_t branches) const;
    // It is known that no group can do with less than `lower`.
    Answer least_max(std::int64_t branches, std::int64_t lower) const;
    // Some choice, quickly; `by_group` minimises the largest group and not the sum.
    Ints some(bool by_group) const;

  private:
    struct Kind {
        std::int32_t group, price;
        Ints edges;  // the first stands for all
        Bits cuts;
    };

    std::int32_t groups_ = 0;
    std::size_t cuts_ = 0;
    bool has_large_prices_ = false;
    std::vector<Kind> kinds_;
    Ints kind_of_;

    std::vector<Column> columns(bool by_group) const;
    Answer least_of_large(Room &room, std::int32_t groups, std::int64_t lower,
                          std::int64_t branches) const;
    std::int64_t largest_load(const Ints &chosen) const;
};

}  // namespace tacit
