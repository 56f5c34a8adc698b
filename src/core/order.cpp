#include "order.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace tacit {

GreedyOrder::GreedyOrder(Ints edge_token, std::vector<std::uint8_t> edge_positive,
                         std::vector<double> worth, double fall, Rows group_tokens,
                         Rows group_items, std::vector<double> weight)
    : group_tokens_(std::move(group_tokens)),
      group_items_(std::move(group_items)),
      weight_(std::move(weight)),
      score_(std::move(worth)),
      fall_(fall),
      queues_(2 * score_.size()),
      published_(score_.size(), 0),
      ended_(score_.size(), 0),
      counted_(weight_.size(), 0),
      groups_of_(score_.size()),
      items_of_(score_.size()),
      tokens_of_item_(weight_.size()),
      has_item_(score_.size(), std::vector<std::uint8_t>(weight_.size(), 0)) {
    if (edge_token.size() != edge_positive.size() || group_tokens_.size() != group_items_.size())
        throw std::invalid_argument("edges or groups of different lengths");
    for (std::size_t e = edge_token.size(); e-- > 0;)
        queues_.at(2 * edge_token[e] + (edge_positive[e] != 0)).push_back(static_cast<int>(e));
    for (std::size_t group = 0; group < group_tokens_.size(); ++group) {
        Row tokens = group_tokens_[group];
        missing_.push_back(static_cast<int>(tokens.size()));
        for (std::int32_t token : tokens)
            groups_of_.at(token).push_back(static_cast<int>(group));
        for (std::int32_t item : group_items_[group])
            tokens_of_item_.at(item);
        if (tokens.size() == 1)
            enable(group, tokens[0]);
    }
}

std::int32_t GreedyOrder::next() {
    std::size_t best = queues_.size();
    std::int64_t best_rank = std::numeric_limits<std::int64_t>::min();
    for (std::size_t queue = 0; queue < queues_.size(); ++queue) {
        if (queues_[queue].empty())
            continue;
        std::int64_t here = rank(queue);
        if (here > best_rank ||
            (here == best_rank && queues_[queue].back() < queues_[best].back())) {
            best = queue;
            best_rank = here;
        }
    }
    if (best == queues_.size())
        return -1;
    std::int32_t edge = queues_[best].back();
    queues_[best].pop_back();
    if (best % 2)
        publish(static_cast<std::int32_t>(best / 2));
    else
        ++ended_[best / 2];
    return edge;
}

std::int64_t GreedyOrder::rank(std::size_t queue) const {
    double score = queue % 2 ? score_[queue / 2] : -static_cast<double>(ended_[queue / 2]);
    return std::llround(score * 1e9);
}

void GreedyOrder::publish(std::int32_t token) {
    for (std::int32_t item : items_of_[token]) {
        int times = counted_[item]++;
        double lost = weight_[item] * (1.0 / (times + 1) - 1.0 / (times + 2));
        for (std::int32_t other : tokens_of_item_[item])
            score_[other] -= lost;
    }
    score_[token] -= fall_;
    if (++published_[token] == 1)
        give(token);
}

// From now on an edge into the token enables the group.
void GreedyOrder::enable(std::size_t group, std::int32_t token) {
    for (std::int32_t item : group_items_[group]) {
        if (std::exchange(has_item_[token][item], 1))
            continue;
        items_of_[token].push_back(item);
        tokens_of_item_[item].push_back(token);
        score_[token] += weight_[item] / (counted_[item] + 1);
    }
}

// The token is given from now on: a group that misses one other token waits for that one, and a
// group that misses none is enabled anew by an edge into any of its tokens.
void GreedyOrder::give(std::int32_t token) {
    for (std::int32_t group : groups_of_[token]) {
        int missing = --missing_[group];
        for (std::int32_t other : group_tokens_[group])
            if (other != token && (missing == 0 || (missing == 1 && !published_[other])))
                enable(group, other);
    }
}

}  // namespace tacit
