#include "mafs/own_tolls.hpp"

#include <algorithm>
#include <utility>

namespace tacit::mafs {

namespace {

bool contains(Row row, std::int32_t item) { return std::ranges::find(row, item) != row.end(); }

// Is it known what the token stands for, and do all actions that need it need that?
bool is_faithful(const NodeTask &task, std::int32_t token) {
    if (static_cast<std::size_t>(token) >= task.token_facts.size())
        return false;
    for (std::int32_t action = 0; action < task.own_actions; ++action)
        if (action != task.finish_action && contains(task.needed_tokens[action], token) &&
            !contains(task.view.pre[action], task.token_facts[token]))
            return false;
    return true;
}

}  // namespace

OwnTolls::OwnTolls(const NodeTask &task, const Layout &layout)
    : facts_(task.private_facts), published_(task.gates_in_projection[layout.self].actions),
      cuts_(relaxed(task, layout)), is_reached_(static_cast<std::size_t>(facts_ + published_)) {
    needed_by_ = inverted(needs_, facts_ + published_);
    note_tokens(task, layout);
}

LmCut OwnTolls::relaxed(const NodeTask &task, const Layout &layout) {
    auto first = static_cast<std::int32_t>(layout.public_words * 64);
    Ints row;
    auto privates = [&](Row facts) -> Ints & {
        row.clear();
        for (std::int32_t fact : facts)
            if (fact >= first && fact < first + task.private_facts)
                row.push_back(fact - first);
        return row;
    };
    for (std::int32_t action = 0; action < task.own_actions; ++action) {
        needs_.append(privates(task.view.pre[action]));
        privates(task.view.add[action]);
        if (task.is_public[action])
            row.push_back(facts_ + task.published[action]);
        adds_.append(row);
        cost_.push_back(task.is_public[action] ? 0 : task.view.cost[action]);
    }
    return LmCut(facts_ + published_, {}, needs_, adds_, cost_);
}

void OwnTolls::note_tokens(const NodeTask &task, const Layout &layout) {
    auto first = static_cast<std::int32_t>(layout.public_words * 64);
    auto [first_token, first_row, rows] = task.gates_in_projection[layout.self];
    for (std::int32_t token = 0; token < task.token_counts[task.self]; ++token) {
        tokens_.push_back(is_faithful(task, token) ? task.token_facts[token] - first : -1);
        is_hidden_.emplace_back();
        for (std::int32_t action = 0; action < task.own_actions; ++action)
            is_hidden_.back().push_back(
                !task.is_public[action] ||
                !contains(task.projection->add[first_row + task.published[action]],
                          first_token + token));
    }
}

const Tolls &OwnTolls::at(std::uint32_t number, const Word *private_facts) {
    auto found = made_.find(number);
    if (found != made_.end())
        return found->second;
    holds_.clear();
    each_in(private_facts, words_for(static_cast<std::size_t>(facts_)),
            [this](std::size_t fact) { holds_.push_back(static_cast<std::int32_t>(fact)); });
    const Tolls &made = made_[number] = make();
    bytes_ += sizeof(Tolls) + 64 +
              sizeof(std::int32_t) * (made.shut.size() + 2 * made.cost.size() +
                                      2 * made.actions.items.size() + made.at.size());
    return made;
}

Tolls OwnTolls::make() {
    Tolls made;
    for (std::size_t token = 0; token < tokens_.size(); ++token) {
        if (tokens_[token] < 0)
            continue;
        reach([&](std::int32_t op) { return is_hidden_[token][op] != 0; });
        if (!is_reached_[tokens_[token]])
            made.shut.push_back(static_cast<std::int32_t>(token));
    }
    std::map<Ints, std::int32_t> cost_before;
    cuts_.set_costs(rest_ = cost_);
    cuts_.evaluate_max(holds_);
    for (std::int32_t action = 0; action < published_; ++action) {
        std::int64_t cost = cuts_.max_cost(facts_ + action);
        if (cost > 0 && cost != LmCut::no_limit)
            add_tolls(action, cost_before);
    }
    for (const auto &[actions, cost] : cost_before) {
        made.cost.push_back(cost);
        made.actions.append(actions);
    }
    made.complete(published_);
    return made;
}

// The cuts before this action, and before which others they are.
void OwnTolls::add_tolls(std::int32_t published, std::map<Ints, std::int32_t> &to) {
    std::vector<std::pair<Ints, std::int32_t>> cuts;
    cuts_.aim(facts_ + published);
    cuts_.evaluate(holds_, LmCut::no_limit,
                   [&](std::span<const std::int32_t> cut, std::int64_t cost) {
                       auto least = static_cast<std::int32_t>(cost);
                       cuts.emplace_back(Ints(cut.begin(), cut.end()), least);
                       for (std::int32_t op : cut)
                           rest_[op] -= least;
                   });
    for (auto &[cut, cost] : cuts) {
        std::ranges::sort(cut);
        reach([&](std::int32_t op) { return !std::ranges::binary_search(cut, op); });
        Ints behind;
        for (std::int32_t other = 0; other < published_; ++other)
            if (!is_reached_[facts_ + other])
                behind.push_back(other);
        to[behind] += cost;
    }
    cuts_.set_costs(rest_);
    cuts_.evaluate_max(holds_);
}

// Marks what can be reached by the operators that `takes` admits.
template <typename Takes>
void OwnTolls::reach(Takes takes) {
    std::ranges::fill(is_reached_, 0);
    missing_.clear();
    queue_.clear();
    auto hold = [&](std::int32_t fact) {
        if (!std::exchange(is_reached_[fact], 1))
            queue_.push_back(fact);
    };
    auto take = [&](std::int32_t op) {
        if (takes(op))
            std::ranges::for_each(adds_[op], hold);
    };
    std::ranges::for_each(holds_, hold);
    for (std::size_t op = 0; op < needs_.size(); ++op) {
        missing_.push_back(static_cast<std::int32_t>(needs_[op].size()));
        if (missing_.back() == 0)
            take(static_cast<std::int32_t>(op));
    }
    while (!queue_.empty()) {
        std::int32_t fact = queue_.back();
        queue_.pop_back();
        for (std::int32_t op : needed_by_[fact])
            if (--missing_[op] == 0)
                take(op);
    }
}

}  // namespace tacit::mafs
