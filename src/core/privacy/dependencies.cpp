#include "privacy/dependencies.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tacit {

namespace {

class GraphBuilder {
  public:
    GraphBuilder(const LocalTask &task, Achievers achievers)
        : task_(task), achievers_(std::move(achievers)),
          facts_(task.public_facts + task.private_facts.size()), needed_(facts_, 0),
          token_(facts_, -1) {}

    DependencyGraph build() {
        mark_needed();
        for (std::size_t f = task_.public_facts; f < facts_; ++f)
            if (needed_[f])
                add_fact(static_cast<std::int32_t>(f));
        find_direct_threats();
        write_needs();
        return std::move(graph_);
    }

  private:
    bool is_private(std::int32_t fact) const { return fact >= task_.public_facts; }

    void mark_needed() {
        for (std::size_t a = 0; a < task_.actions.size(); ++a)
            if (task_.actions.is_public[a])
                for (std::int32_t fact : task_.actions.pre[a])
                    needed_[fact] |= is_private(fact);
        for (std::int32_t fact : task_.goal)
            needed_[fact] |= is_private(fact);
    }

    void add_fact(std::int32_t fact) {
        Ints achievers = achievers_.of(fact);
        if (achievers.empty()) {
            graph_.static_facts.push_back(fact);
            return;
        }
        token_[fact] = static_cast<std::int32_t>(graph_.tokens.size());
        graph_.tokens.push_back(fact);
        if (achievers_.from_init(fact))
            graph_.achievers.push(DependencyGraph::init);
        graph_.achievers.append(achievers);
    }

    void find_direct_threats() {
        std::vector<Ints> deleters(graph_.tokens.size());
        for (std::size_t a = 0; a < task_.actions.size(); ++a)
            if (task_.actions.is_public[a])
                for (std::int32_t fact : task_.actions.del[a])
                    if (token_[fact] >= 0)
                        deleters[token_[fact]].push_back(static_cast<std::int32_t>(a));
        for (std::size_t t = 0; t < deleters.size(); ++t) {
            Row achievers = graph_.achievers[t];
            for (std::int32_t a : deleters[t])
                if (!std::binary_search(achievers.begin(), achievers.end(), a))
                    graph_.direct.push(a);
            graph_.direct.close();
        }
    }

    void write_needs() {
        for (std::size_t a = 0; a < task_.actions.size(); ++a) {
            if (task_.actions.is_public[a])
                for (std::int32_t fact : task_.actions.pre[a])
                    if (token_[fact] >= 0)
                        graph_.needs.push(token_[fact]);
            graph_.needs.close();
        }
        for (std::int32_t fact : task_.goal)
            if (token_[fact] >= 0)
                graph_.goal.push_back(token_[fact]);
    }

    const LocalTask &task_;
    Achievers achievers_;
    const std::size_t facts_;
    std::vector<std::uint8_t> needed_;
    Ints token_;
    DependencyGraph graph_;
};

}  // namespace

DependencyGraph dependencies(const LocalTask &task, const Ints &group, ChainRule rule,
                             bool drop_noop, const CertainDeletes *deletes) {
    return GraphBuilder(task, Achievers(task, group, rule, drop_noop, deletes)).build();
}

EdgeList edges_in_order(const DependencyGraph &graph, const Rows &threats, const Ints &layer,
                        const Ints &number) {
    struct Entry {
        std::int32_t layer, achiever, negative, token;
        auto operator<=>(const Entry &) const = default;
    };
    Ints first(number.size() + 1, std::numeric_limits<std::int32_t>::max());
    for (std::size_t a = 0; a < number.size(); ++a)
        if (number[a] >= 0)
            first.at(number[a]) = std::min(first.at(number[a]), layer.at(a));
    std::vector<Entry> entries;
    auto enter = [&](const Rows &rows, bool negative) {
        for (std::size_t t = 0; t < rows.size(); ++t)
            for (std::int32_t a : rows[t]) {
                auto token = static_cast<std::int32_t>(t);
                if (a == DependencyGraph::init)
                    entries.push_back({-2, DependencyGraph::init, negative, token});
                else
                    entries.push_back({first.at(number.at(a)), number.at(a), negative, token});
            }
    };
    enter(graph.achievers, false);
    enter(threats, true);
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    EdgeList list;
    for (const Entry &entry : entries) {
        list.achiever.push_back(entry.achiever);
        list.token.push_back(entry.token);
        list.positive.push_back(!entry.negative);
    }
    return list;
}

}  // namespace tacit
