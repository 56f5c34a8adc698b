#include "minimum/cheapest_within.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "util/pulse.hpp"

namespace tacit {

namespace {

constexpr std::int32_t largest_cost = 1 << 30;

std::uint64_t hash(const Word *words, std::size_t count) {
    std::uint64_t found = 0x9e3779b97f4a7c15;
    for (std::size_t w = 0; w < count; ++w) {
        found = (found ^ words[w]) * 0xff51afd7ed558ccd;
        found ^= found >> 32;
    }
    return found;
}

// The goal becomes what the last action needs, so that its tokens are supported as any others.
StripsTask with_finish(StripsTask task) {
    task.pre.append(task.goal);
    task.add.append(Ints{task.facts});
    task.del.append(Ints{});
    task.cost.push_back(0);
    task.group.push_back(0);
    task.goal = {task.facts++};
    return task;
}

void add_operator(StripsTask &task, const Ints &needs, std::int32_t fact) {
    task.pre.append(needs);
    task.add.append(Ints{fact});
    task.del.append(Ints{});
    task.cost.push_back(0);
    task.group.push_back(0);
}

}  // namespace

CheapestWithin::CheapestWithin(const StripsTask &task, SupportEdges edges, std::int32_t agents,
                               std::int32_t most)
    : task_(with_finish(task)), edges_(std::move(edges)), most_(most),
      fact_words_(words_for(task_.facts)),
      edge_words_(std::max<std::size_t>(1, words_for(edges_.size()))),
      node_words_(fact_words_ + 2 * edge_words_), is_token_(task_.facts), made_(node_words_),
      room_(agents) {
    if (edges_.achievers.size() != edges_.size() || edges_.agent.size() != edges_.size())
        throw std::invalid_argument("edges in rows of unequal length");
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        if (edges_.token[e] < 0 || edges_.token[e] >= task.facts || edges_.agent[e] < 0 ||
            edges_.agent[e] >= agents)
            throw std::invalid_argument("an edge of a token or agent that is not there");
        is_token_[edges_.token[e]] = 1;
    }
    make_rows();
    make_bound();
    begin();
}

void CheapestWithin::make_rows() {
    auto actions = static_cast<std::int32_t>(task_.size());
    for (std::int32_t achiever : edges_.achievers.items)
        if (achiever < -1 || achiever >= actions)
            throw std::invalid_argument("an edge of an action that is not there");
    edges_by_ = inverted(edges_.achievers, actions);
    Rows tokens;
    for (std::int32_t token : edges_.token)
        tokens.append(Ints{token});
    edges_of_ = inverted(tokens, task_.facts);
}

// Facts of the relaxation: those of the task, pending edges, disclosed edges, agents with room.
void CheapestWithin::make_bound() {
    auto edge_count = static_cast<std::int32_t>(edge_words_ * 64);
    auto first = static_cast<std::int32_t>(fact_words_ * 64);
    relaxed_.facts = first + 2 * edge_count + static_cast<std::int32_t>(room_.size());
    relaxed_.goal = task_.goal;
    Ints adds;
    for (std::size_t a = 0; a < task_.size(); ++a) {
        adds.assign(task_.add[a].begin(), task_.add[a].end());
        for (std::int32_t e : edges_by_[a])
            adds.push_back(first + e);
        relaxed_.pre.append(task_.pre[a]);
        relaxed_.add.append(adds);
        relaxed_.del.append(Ints{});
        relaxed_.cost.push_back(task_.cost[a]);
        relaxed_.group.push_back(0);
    }
    for (std::size_t i = 0; i < edges_.size(); ++i) {
        auto e = static_cast<std::int32_t>(i);
        add_operator(relaxed_, {first + e, first + edge_count + e}, edges_.token[e]);
        add_operator(relaxed_, {first + e, first + 2 * edge_count + edges_.agent[e]},
                     edges_.token[e]);
    }
    bound_ = std::make_unique<RelaxedBound>(relaxed_, relaxed_.cost, RelaxedBound::By::lm_cut);
    seen_.resize(words_for(relaxed_.facts));
}

void CheapestWithin::begin() {
    std::ranges::fill(made_, 0);
    for (std::int32_t fact : task_.init)
        if (!is_token_[fact])
            put(made_.data(), fact);
    for (std::size_t e = 0; e < edges_.size(); ++e)
        if (std::ranges::find(edges_.achievers[e], -1) != edges_.achievers[e].end())
            put(pending_in(made_.data()), e);
    admit(nobody, -1, 0);
}

bool CheapestWithin::step(std::int64_t expansions) {
    while (found_ == nobody && !open_.empty() && expansions-- > 0) {
        pulse();
        NodeId id = open_.pop();
        if (nodes_[id].action == static_cast<std::int32_t>(task_.size()) - 1)
            found_ = id;
        else
            expand(id);
    }
    return found_ != nobody || open_.empty();
}

// Of the state in `made_`.
bool CheapestWithin::holds(std::int32_t token) const {
    const Word *pending = made_.data() + fact_words_, *disclosed = pending + edge_words_;
    return std::ranges::any_of(
        edges_of_[token], [&](std::int32_t e) { return has(pending, e) && has(disclosed, e); });
}

void CheapestWithin::expand(NodeId id) {
    ++expanded_;
    std::vector<Word> from(words(id), words(id) + node_words_);
    for (std::int32_t &room : room_)
        room = most_;
    each_in(from.data() + fact_words_ + edge_words_, edge_words_,
            [&](std::size_t e) { --room_[edges_.agent[e]]; });
    for (std::size_t a = 0; a < task_.size(); ++a) {
        bool is_applicable = std::ranges::all_of(task_.pre[a], [&](std::int32_t fact) {
            return is_token_[fact] || has(from.data(), fact);
        });
        if (!is_applicable)
            continue;
        made_ = from;
        wanted_.clear();
        for (std::int32_t fact : task_.pre[a])
            if (is_token_[fact] && !holds(fact))
                wanted_.push_back(fact);
        support(0, id, static_cast<std::int32_t>(a));
    }
}

// Tries every way to disclose edges for the tokens that are wanted, from one of them on.
void CheapestWithin::support(std::size_t from, NodeId parent, std::int32_t action) {
    if (from == wanted_.size())
        return apply(parent, action);
    for (std::int32_t e : edges_of_[wanted_[from]]) {
        std::int32_t &room = room_[edges_.agent[e]];
        if (!has(pending_in(made_.data()), e) || room == 0)
            continue;
        --room;
        put(disclosed_in(made_.data()), e);
        support(from + 1, parent, action);
        drop(disclosed_in(made_.data()), e);
        ++room;
    }
}

void CheapestWithin::apply(NodeId parent, std::int32_t action) {
    std::vector<Word> before = made_;
    for (std::int32_t fact : task_.del[action])
        if (is_token_[fact])
            for (std::int32_t e : edges_of_[fact])
                drop(pending_in(made_.data()), e);
        else
            drop(made_.data(), fact);
    for (std::int32_t fact : task_.add[action])
        put(made_.data(), fact);
    for (std::int32_t e : edges_by_[action])
        put(pending_in(made_.data()), e);
    std::int64_t cost = std::int64_t{nodes_[parent].cost} + task_.cost[action];
    if (cost > largest_cost)
        throw std::overflow_error("plans of this problem cost more than can be counted");
    admit(parent, action, static_cast<std::int32_t>(cost));
    made_ = std::move(before);
}

// The state in `made_`.
void CheapestWithin::admit(NodeId parent, std::int32_t action, std::int32_t cost) {
    std::uint64_t key = hash(made_.data(), fact_words_);
    auto [place, is_new] = newest_.try_emplace(key, nobody);
    if (!is_new && is_superfluous(place->second, cost))
        return;
    std::ranges::fill(seen_, 0);
    std::ranges::copy(made_, seen_.begin());
    Ints left(room_.size(), most_);
    each_in(disclosed_in(made_.data()), edge_words_,
            [&](std::size_t e) { --left[edges_.agent[e]]; });
    for (std::size_t agent = 0; agent < left.size(); ++agent)
        if (left[agent] > 0)
            put(seen_.data(), node_words_ * 64 + agent);
    int value = bound_->evaluate(seen_.data(), largest_cost);
    if (value == dead_end)
        return;
    if (nodes_.size() >= nobody)
        throw std::bad_alloc();
    auto id = static_cast<NodeId>(nodes_.size());
    nodes_.push_back({parent, place->second, action, cost});
    words_.insert(words_.end(), made_.begin(), made_.end());
    place->second = id;
    open_.push(cost + value, value, id);
}

bool CheapestWithin::is_superfluous(NodeId first, std::int32_t cost) const {
    const Word *pending = made_.data() + fact_words_, *disclosed = pending + edge_words_;
    for (NodeId id = first; id != nobody; id = nodes_[id].same) {
        const Word *known = words(id);
        if (nodes_[id].cost <= cost && std::equal(known, known + fact_words_, made_.begin()) &&
            is_subset(pending, known + fact_words_, edge_words_) &&
            is_subset(known + fact_words_ + edge_words_, disclosed, edge_words_))
            return true;
    }
    return false;
}

std::int64_t CheapestWithin::cost() const {
    if (found_ != nobody)
        return nodes_[found_].cost;
    return open_.empty() ? -1 : open_.lowest();
}

Ints CheapestWithin::plan() const {
    Ints actions;
    if (found_ == nobody)
        return actions;
    for (NodeId id = nodes_[found_].parent; nodes_[id].parent != nobody; id = nodes_[id].parent)
        actions.push_back(nodes_[id].action);
    std::ranges::reverse(actions);
    return actions;
}

Ints CheapestWithin::disclosed() const {
    Ints edges;
    if (found_ != nobody)
        each_in(words(found_) + fact_words_ + edge_words_, edge_words_,
                [&](std::size_t e) { edges.push_back(static_cast<std::int32_t>(e)); });
    return edges;
}

std::size_t CheapestWithin::bytes() const {
    return words_.capacity() * sizeof(Word) + nodes_.capacity() * sizeof(Node) + open_.bytes() +
           newest_.size() * 48;
}

}  // namespace tacit
