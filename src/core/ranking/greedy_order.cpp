#include "ranking/greedy_order.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "util/pulse.hpp"

namespace tacit {

namespace {

constexpr double nothing = 1e-3;  // what a price of 0 counts
constexpr double most = 9e18;

}  // namespace

GreedyOrder::GreedyOrder(Ints edge_token, std::vector<std::uint8_t> edge_positive, Ints edge_price,
                         std::vector<double> worth, double fall, Rows group_tokens,
                         Rows group_items, std::vector<double> weight)
    : edge_token_(std::move(edge_token)), edge_positive_(std::move(edge_positive)),
      is_taken_(edge_token_.size(), 0), group_tokens_(std::move(group_tokens)),
      group_items_(std::move(group_items)), weight_(std::move(weight)), score_(std::move(worth)),
      fall_(fall), published_(score_.size(), 0), threatened_(score_.size(), 0),
      counted_(weight_.size(), 0), groups_of_(score_.size()), items_of_(score_.size()),
      tokens_of_item_(weight_.size()) {
    if (edge_price.empty())
        edge_price.assign(edge_token_.size(), 1);
    if (edge_token_.size() != edge_positive_.size() || edge_token_.size() != edge_price.size() ||
        group_tokens_.size() != group_items_.size())
        throw std::invalid_argument("edges or groups of different lengths");
    make_queues(edge_token_, edge_positive_, edge_price);
    for (std::size_t token = 0; token < score_.size(); ++token, pulse())
        has_item_.emplace_back(weight_.size());
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

void GreedyOrder::make_queues(const Ints &token, const std::vector<std::uint8_t> &positive,
                              const Ints &price) {
    std::map<std::tuple<std::int32_t, bool, std::int32_t>, std::size_t> number;
    for (std::size_t e = token.size(); e-- > 0;) {
        bool is_positive = positive[e] != 0;
        if (token[e] < 0 || static_cast<std::size_t>(token[e]) >= score_.size() || price[e] < 0)
            throw std::invalid_argument("an edge into no token, or with a negative price");
        auto [at, is_new] = number.try_emplace({token[e], is_positive, price[e]}, queues_.size());
        if (is_new)
            queues_.push_back({token[e], price[e], is_positive, {}});
        queues_[at->second].edges.push_back(static_cast<std::int32_t>(e));
    }
}

std::int32_t GreedyOrder::next() {
    Queue *best = nullptr;
    std::int64_t best_rank = 0;
    for (Queue &queue : queues_) {
        while (!queue.edges.empty() && is_taken_[queue.edges.back()])
            queue.edges.pop_back();
        if (queue.edges.empty())
            continue;
        std::int64_t here = rank(queue);
        if (!best || here > best_rank ||
            (here == best_rank && std::pair(queue.price, queue.edges.back()) <
                                      std::pair(best->price, best->edges.back()))) {
            best = &queue;
            best_rank = here;
        }
    }
    if (!best)
        return -1;
    std::int32_t edge = best->edges.back();
    take(edge);
    return edge;
}

void GreedyOrder::take(std::int32_t edge) {
    is_taken_.at(edge) = 1;
    if (edge_positive_[edge])
        publish(edge_token_[edge]);
    else
        ++threatened_[edge_token_[edge]];
}

std::int64_t GreedyOrder::rank(const Queue &queue) const {
    double score =
        queue.is_positive ? score_[queue.token] : -static_cast<double>(threatened_[queue.token]);
    double price = queue.price > 0 ? queue.price : nothing;
    double value = score > 0 ? score * 1e9 / price : score * 1e9 * price;
    return std::llround(std::clamp(value, -most, most));
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
        achieve(token);
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

// The token is achieved from now on: a group that misses one other token waits for that one, and a
// group that misses none is enabled anew by an edge into any of its tokens.
void GreedyOrder::achieve(std::int32_t token) {
    for (std::int32_t group : groups_of_[token]) {
        int missing = --missing_[group];
        for (std::int32_t other : group_tokens_[group])
            if (other != token && (missing == 0 || (missing == 1 && !published_[other])))
                enable(group, other);
    }
}

}  // namespace tacit
