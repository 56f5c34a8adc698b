// Nodes of the relay that search together, by hand and on threads.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "check.hpp"
#include "relay.hpp"

namespace relay {

using namespace tacit;
using namespace tacit::mafs;

using Nodes = std::vector<std::unique_ptr<Node>>;
inline constexpr int many_rounds = 100000;

inline Nodes nodes_of(const Problem &problem, const char *heuristic = "ff") {
    Nodes nodes;
    for (std::size_t agent = 0; agent < problem.agents(); ++agent)
        nodes.push_back(std::make_unique<Node>(problem.assembled(agent).task, heuristic));
    return nodes;
}

// Lets one agent work until it has nothing to do; what it would send is lost.
inline void work_alone(Node &node, std::size_t agents) {
    for (int round = 0; round < many_rounds && !node.is_idle(); ++round) {
        node.step(10);
        for (std::size_t other = 0; other < agents; ++other)
            if (node.has_outgoing(other))
                node.take_outgoing(other);
    }
}

// Lets everybody work in turn; the agent that found a goal, or -1 once nobody can go on.
inline int search(Nodes &nodes, std::int64_t slice = 3) {
    bool called = false;
    for (int round = 0; round < many_rounds; ++round) {
        bool is_quiet = true;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            nodes[i]->step(slice);
            for (std::size_t other = 0; other < nodes.size(); ++other)
                if (nodes[i]->has_outgoing(other))
                    nodes[other]->receive(i, nodes[i]->take_outgoing(other));
        }
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (nodes[i]->has_found())
                return static_cast<int>(i);
            is_quiet &= nodes[i]->is_idle();
        }
        if (is_quiet && !called)
            for (const auto &node : nodes)
                node->send_again();
        if (is_quiet && std::exchange(called, true))
            return -1;
        called &= is_quiet;
    }
    CHECK(!"a search that ends");
    return -1;
}

// Traces the plan from agent to agent and does it step by step; whether it reaches all goals.
inline bool holds(const Problem &problem, const Nodes &nodes, int finder) {
    std::vector<std::pair<std::size_t, Segment>> segments;
    Segment segment = nodes[static_cast<std::size_t>(finder)]->trace_found();
    std::int32_t agent = finder;
    for (int i = 0; i < many_rounds; ++i) {
        segments.insert(segments.begin(), {static_cast<std::size_t>(agent), segment});
        agent = segment.sender;
        if (agent < 0)
            break;
        auto last = std::ranges::find_if(segments, [&](const auto &part) {
            return static_cast<std::int32_t>(part.first) == agent;
        });
        std::int64_t own =
            last == segments.end() ? -1 : static_cast<std::int64_t>(last->second.own);
        segment = nodes[static_cast<std::size_t>(agent)]->trace_sent(segment.ref, own);
    }
    std::vector<LocalTask> locals;
    std::vector<std::set<std::int32_t>> own;
    std::set<std::int32_t> shared;
    for (std::size_t i = 0; i < problem.agents(); ++i) {
        locals.push_back(problem.local(i));
        own.emplace_back();
        for (std::int32_t fact : locals[i].init)
            (fact < problem.public_facts() ? shared : own[i]).insert(fact);
    }
    auto in = [&](std::size_t i, std::int32_t fact) -> std::set<std::int32_t> & {
        return fact < problem.public_facts() ? shared : own[i];
    };
    auto all = [&](std::size_t i, Row facts) {
        return std::ranges::all_of(facts, [&](int fact) { return in(i, fact).contains(fact); });
    };
    std::int32_t steps = 0;
    for (const auto &[i, part] : segments) {
        bool is_counted = part.g == steps || (part.g < steps && problem.merges());
        if (!is_counted && !problem.has_siblings())
            return false;
        for (std::int32_t action : part.actions) {
            const Actions &table = locals[i].actions;
            bool is_last = static_cast<std::size_t>(action) == table.size();
            steps += is_last || table.is_public[static_cast<std::size_t>(action)];
            if (is_last) {  // its private goal is reached
                if (!all(i, Row(locals[i].goal).last(1)))
                    return false;
                continue;
            }
            if (!all(i, table.pre[static_cast<std::size_t>(action)]))
                return false;
            for (std::int32_t fact : table.del[static_cast<std::size_t>(action)])
                in(i, fact).erase(fact);
            for (std::int32_t fact : table.add[static_cast<std::size_t>(action)])
                in(i, fact).insert(fact);
        }
    }
    for (std::size_t i = 0; i < problem.agents(); ++i)
        if (!all(i, locals[i].goal))
            return false;
    return true;
}

// Mailboxes that threads share, and how many nodes still have something to do.
class Post {
  public:
    explicit Post(std::size_t nodes) : boxes_(nodes), active_(nodes) {}

    void send(std::size_t from, std::size_t to, Bytes frame) {
        std::lock_guard lock(mutex_);
        boxes_[to].emplace_back(from, std::move(frame));
        changed_.notify_all();
    }
    void stop() {
        std::lock_guard lock(mutex_);
        is_over_ = true;
        changed_.notify_all();
    }
    // What arrived for a node; an idle one waits for it. False at the end.
    bool collect(std::size_t node, bool is_idle, std::deque<std::pair<std::size_t, Bytes>> &mail) {
        std::unique_lock lock(mutex_);
        if (is_idle && boxes_[node].empty()) {
            bool is_quiet =
                std::ranges::all_of(boxes_, [](const auto &box) { return box.empty(); });
            if (--active_ == 0 && is_quiet) {
                is_over_ = true;
                changed_.notify_all();
            }
            changed_.wait(lock, [&] { return is_over_ || !boxes_[node].empty(); });
            ++active_;
        }
        mail = std::move(boxes_[node]);
        boxes_[node].clear();
        return !is_over_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::deque<std::pair<std::size_t, Bytes>>> boxes_;
    std::size_t active_;
    bool is_over_ = false;
};

inline int search_on_threads(Nodes &nodes) {
    Post post(nodes.size());
    std::vector<std::thread> threads;
    for (std::size_t self = 0; self < nodes.size(); ++self)
        threads.emplace_back([&, self] {
            Node &node = *nodes[self];
            std::deque<std::pair<std::size_t, Bytes>> mail;
            while (post.collect(self, node.is_idle(), mail)) {
                for (const auto &[sender, frame] : mail)
                    node.receive(sender, frame);
                node.step(2);
                for (std::size_t other = 0; other < nodes.size(); ++other)
                    if (node.has_outgoing(other))
                        post.send(self, other, node.take_outgoing(other));
                if (node.has_found())
                    post.stop();
            }
        });
    for (std::thread &thread : threads)
        thread.join();
    auto found = std::ranges::find_if(nodes, [](const auto &node) { return node->has_found(); });
    return found == nodes.end() ? -1 : static_cast<int>(found - nodes.begin());
}

inline std::int64_t stored(const Nodes &nodes) {
    std::int64_t sum = 0;
    for (const auto &node : nodes)
        sum += static_cast<std::int64_t>(node->stored());
    return sum;
}

}  // namespace relay
