// A greedy order of edges in which all edges into one token score alike.
//
// The score of a token is what it is worth by itself, minus `fall` for every edge published into
// it, plus what an edge into it would *enable*. A group of actions needs some tokens and is good
// for some items; an edge into t enables a group that needs t if every other token of the group
// has been achieved before. An item counted c times before is worth its weight / (c + 1). Negative
// edges score 0 minus the negative edges published on their token before.
//
// Where edges have prices, what counts is the score per price; a score that is not positive is
// the worse the more the edge costs.
//
// Ties go to the cheaper edge, then to the one that comes first. Scores are compared in units of
// 1e-9, so that sums that are equal on paper are equal here.
#pragma once

#include <cstdint>
#include <vector>

#include "util/rows.hpp"

namespace tacit {

class GreedyOrder {
  public:
    // `edge_price` is empty if each edge costs 1.
    GreedyOrder(Ints edge_token, std::vector<std::uint8_t> edge_positive, Ints edge_price,
                std::vector<double> worth, double fall, Rows group_tokens, Rows group_items,
                std::vector<double> weight);

    // The position of the edge to publish next, -1 when all are published.
    std::int32_t next();
    double score(std::int32_t token) const { return score_[token]; }
    // As if an edge into the token were published.
    void publish(std::int32_t token);
    // The edge at this position is published, for other reasons.
    void take(std::int32_t edge);

  private:
    // Edges that score alike: of one token, sign and price.
    struct Queue {
        std::int32_t token, price;
        bool is_positive;
        Ints edges;  // those left, the first one last
    };

    void make_queues(const Ints &token, const std::vector<std::uint8_t> &positive,
                     const Ints &price);
    void enable(std::size_t group, std::int32_t token);
    void achieve(std::int32_t token);
    std::int64_t rank(const Queue &queue) const;

    Ints edge_token_;
    std::vector<std::uint8_t> edge_positive_, is_taken_;
    Rows group_tokens_, group_items_;
    std::vector<double> weight_, score_;
    double fall_;
    std::vector<Queue> queues_;
    Ints published_, threatened_, missing_, counted_;
    std::vector<Ints> groups_of_, items_of_, tokens_of_item_;
    std::vector<std::vector<std::uint8_t>> has_item_;
};

}  // namespace tacit
