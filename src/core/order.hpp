// A greedy order of edges in which all edges into one token score alike.
//
// The score of a token is what it is worth by itself, minus `fall` for every edge published into
// it, plus what an edge into it would *enable*. A group of actions needs some tokens and is good
// for some items; an edge into t enables a group that needs t if every other token of the group
// has been given before. An item counted c times before is worth its weight / (c + 1). Negative
// edges score 0 minus the negative edges published on their token before.
//
// Ties go to the edge that comes first. Scores are compared in units of 1e-9, so that sums that
// are equal on paper are equal here.
#pragma once

#include <cstdint>
#include <vector>

#include "rows.hpp"

namespace tacit {

class GreedyOrder {
public:
    GreedyOrder(Ints edge_token, std::vector<std::uint8_t> edge_positive,
                std::vector<double> worth, double fall, Rows group_tokens, Rows group_items,
                std::vector<double> weight);

    // The position of the edge to publish next, -1 when all are published.
    std::int32_t next();
    double score(std::int32_t token) const { return score_[token]; }
    // As if an edge into the token were published.
    void publish(std::int32_t token);

private:
    void enable(std::size_t group, std::int32_t token);
    void give(std::int32_t token);
    std::int64_t rank(std::size_t queue) const;

    Rows group_tokens_, group_items_;
    std::vector<double> weight_, score_;
    double fall_;
    std::vector<Ints> queues_;  // 2 * token + positive: edges left, the first one last
    Ints published_, ended_, missing_, counted_;
    std::vector<Ints> groups_of_, items_of_, tokens_of_item_;
    std::vector<std::vector<std::uint8_t>> has_item_;
};

}  // namespace tacit
