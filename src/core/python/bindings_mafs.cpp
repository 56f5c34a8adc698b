#include <nanobind/stl/string.h>

#include <atomic>
#include <stdexcept>

#include "mafs/assemble.hpp"
#include "mafs/astar_node.hpp"
#include "mafs/node.hpp"
#include "python/bindings.hpp"

namespace tacit::python {

using namespace nb::literals;

namespace {

std::vector<std::uint8_t> flags(nb::handle from) {
    Ints given = ints(from);
    return {given.begin(), given.end()};
}

// (tokens, disclosed, sets, clears, initial)
mafs::SupportBits support_bits(const nb::tuple &from) {
    if (from.size() != 5)
        throw std::invalid_argument("support bits have five parts");
    return {ints(from[0]), flags(from[1]), rows(nb::cast<nb::tuple>(from[2])),
            rows(nb::cast<nb::tuple>(from[3])), ints(from[4])};
}

nb::bytes as_bytes(const mafs::Bytes &bytes) { return nb::bytes(bytes.data(), bytes.size()); }

nb::tuple segment(const mafs::Segment &found) {
    return nb::make_tuple(found.actions, found.sender, found.ref, found.g, found.own);
}

// A node that refuses to be used by two threads at once.
template <typename Node>
class Shared {
  public:
    Shared(mafs::Assembled made, const std::string &heuristic)
        : view_row(std::move(made.view_row)), projection_row(std::move(made.projection_row)),
          layout(made.layout), self(static_cast<std::size_t>(made.task.self)),
          node_(std::move(made.task), heuristic) {}

    Ints view_row, projection_row;
    mafs::Layout layout;
    std::size_t self;

    template <typename Use>
    auto with(Use use) {
        Guard guard(is_busy_);
        return use(node_);
    }

  private:
    struct Guard {
        explicit Guard(std::atomic<bool> &flag) : busy(flag) {
            if (busy.exchange(true))
                throw std::runtime_error("this node is at work in another thread");
        }
        ~Guard() { busy = false; }
        std::atomic<bool> &busy;
    };
    Node node_;
    std::atomic<bool> is_busy_{false};
};
using SharedNode = Shared<mafs::Node>;
using SharedAstar = Shared<mafs::AstarNode>;

// What agents that search together have in common.
struct Projections {
    std::shared_ptr<SharedTasks> tasks = std::make_shared<SharedTasks>();
};

// (published actions, disclosed tokens that they achieve, tokens that hold initially) per agent
std::vector<mafs::Shown> disclosed_parts(const std::vector<const mafs::Shown *> &shown,
                                         const std::vector<nb::tuple> &disclosed) {
    if (disclosed.size() != shown.size())
        throw std::invalid_argument("not one part per agent");
    std::vector<mafs::Shown> made;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        made.push_back(*shown[i]);
        made.back().gains = ints(disclosed[i][0]);
        made.back().initial_gains = ints(disclosed[i][1]);
    }
    return made;
}

template <typename Node>
void make(Shared<Node> *self, int agent, const LocalTask &local,
          const std::vector<const mafs::Shown *> &shown, const std::vector<nb::tuple> &disclosed,
          const nb::tuple &needed_tokens, nb::handle published, nb::handle own_gains,
          nb::handle token_facts, const nb::tuple &support, const nb::tuple &shown_bits,
          const std::string &heuristic, const mafs::NodeOptions &options,
          const Projections &projections) {
    mafs::Parts parts{agent,
                      local,
                      disclosed_parts(shown, disclosed),
                      rows(needed_tokens),
                      ints(published),
                      ints(own_gains),
                      ints(token_facts),
                      options.any_disclosed,
                      options.costs,
                      projections.tasks};
    mafs::Assembled made = mafs::assemble(parts);
    made.task.support = support_bits(support);
    made.task.shown = support_bits(shown_bits);
    made.task.options = options;
    new (self) Shared<Node>(std::move(made), heuristic);
}

// Gains are triples: agent, published action or (for the agent itself) own action, token; initial
// ones are pairs: agent, token.
void grow(SharedNode &shared, const Ints &support, const Ints &shown_bits, const Ints &own_gains,
          const Ints &shown_gains, const Ints &initial_gains) {
    Ints view, projection, initial;
    const mafs::Layout &layout = shared.layout;
    for (std::size_t i = 0; i + 1 < own_gains.size(); i += 2) {
        view.push_back(own_gains[i]);
        view.push_back(own_gains[i + 1] + static_cast<int>(layout.token_at[shared.self] * 64));
    }
    for (std::size_t i = 0; i + 2 < shown_gains.size(); i += 3) {
        auto agent = static_cast<std::size_t>(shown_gains[i]);
        std::int32_t action = shown_gains[i + 1], token = shown_gains[i + 2];
        if (agent != shared.self) {
            view.push_back(shared.view_row.at(agent) + action);
            view.push_back(token + static_cast<int>(layout.token_at[agent] * 64));
        }
        projection.push_back(shared.projection_row.at(agent) + action);
        projection.push_back(token + static_cast<int>(layout.token_at_in_projection(agent) * 64));
    }
    for (std::size_t i = 0; i + 1 < initial_gains.size(); i += 2) {
        std::size_t at = layout.token_at_in_projection(static_cast<std::size_t>(initial_gains[i]));
        initial.push_back(initial_gains[i + 1] + static_cast<int>(at * 64));
    }
    shared.with(
        [&](mafs::Node &node) { node.grow(support, shown_bits, view, projection, initial); });
}

// The plan is pairs: agent, published action.
void follow(SharedNode &shared, const Ints &plan) {
    Ints actions;
    for (std::size_t i = 0; i + 1 < plan.size(); i += 2)
        actions.push_back(shared.projection_row.at(static_cast<std::size_t>(plan[i])) +
                          plan[i + 1]);
    shared.with([&](mafs::Node &node) { node.follow_plan(actions); });
}

template <typename Node>
void step(Shared<Node> &shared, std::int64_t evaluations) {
    shared.with([&](Node &node) {
        nb::gil_scoped_release release;
        node.step(evaluations);
    });
}

template <typename Node>
void receive(Shared<Node> &shared, std::size_t sender, const nb::bytes &frame) {
    std::span<const std::uint8_t> bytes(static_cast<const std::uint8_t *>(frame.data()),
                                        frame.size());
    shared.with([&](Node &node) {
        nb::gil_scoped_release release;
        node.receive(sender, bytes);
    });
}

// (receiver, frame) for everybody there is something for.
template <typename Node>
nb::list take_outbox(Shared<Node> &shared, std::size_t agents) {
    return shared.with([&](Node &node) {
        nb::list frames;
        for (std::size_t receiver = 0; receiver < agents; ++receiver)
            if (node.has_outgoing(receiver))
                frames.append(nb::make_tuple(receiver, as_bytes(node.take_outgoing(receiver))));
        return frames;
    });
}

int best_of(const mafs::Node &node) { return node.best_shown_value(); }
int best_of(const mafs::AstarNode &) { return INT32_MAX; }

template <typename Node>
nb::dict counters(Shared<Node> &shared) {
    return shared.with([](Node &node) {
        mafs::Counters count = node.counters();
        nb::dict found;
        found["expanded"] = count.expanded;
        found["evaluated"] = count.evaluated;
        found["generated"] = count.generated;
        found["sent"] = count.sent;
        found["received"] = count.received;
        found["deferred"] = count.deferred;
        found["stored"] = node.stored();
        found["memory"] = node.bytes();
        found["best"] = best_of(node);
        return found;
    });
}

void bind_parts(nb::module_ &m) {
    nb::class_<Projections>(m, "SharedTasks").def(nb::init<>());
    nb::class_<mafs::Shown>(m, "ShownActions")
        .def(
            "__init__",
            [](mafs::Shown *self, const nb::tuple &needs, const nb::tuple &tokens,
               const nb::tuple &adds, const nb::tuple &deletes, int token_count,
               bool has_private_goal, nb::handle goal_tokens, bool has_public_preconditions,
               nb::handle cost) {
                new (self) mafs::Shown{.needs = rows(needs),
                                       .tokens = rows(tokens),
                                       .adds = rows(adds),
                                       .deletes = rows(deletes),
                                       .token_count = token_count,
                                       .has_private_goal = has_private_goal,
                                       .has_public_preconditions = has_public_preconditions,
                                       .goal_tokens = ints(goal_tokens),
                                       .gains = {},
                                       .initial_gains = {},
                                       .cost = ints(cost)};
            },
            "needs"_a, "tokens"_a, "adds"_a, "deletes"_a, "token_count"_a, "has_private_goal"_a,
            "goal_tokens"_a, "has_public_preconditions"_a, "cost"_a);
    nb::class_<mafs::NodeOptions>(m, "MafsOptions")
        .def(
            "__init__",
            [](mafs::NodeOptions *self, bool any_disclosed, bool grows, bool expects_disclosures,
               bool is_exact, bool sends_own_value, bool fresh, bool once, bool pad,
               bool sends_to_all, bool secure, int costs) {
                new (self) mafs::NodeOptions{.any_disclosed = any_disclosed,
                                             .grows = grows,
                                             .expects_disclosures = expects_disclosures,
                                             .is_exact = is_exact,
                                             .sends_own_value = sends_own_value,
                                             .hardening = {.fresh = fresh,
                                                           .once = once,
                                                           .pad = pad,
                                                           .sends_to_all = sends_to_all,
                                                           .secure = secure},
                                             .costs = static_cast<mafs::Costs>(costs)};
            },
            nb::kw_only(), "any_disclosed"_a, "grows"_a, "expects_disclosures"_a, "is_exact"_a,
            "sends_own_value"_a, "fresh"_a, "once"_a, "pad"_a, "sends_to_all"_a, "secure"_a,
            "costs"_a = 0);
}

// What both kinds of nodes can.
template <typename Node>
nb::class_<Shared<Node>> bind_node(nb::module_ &m, const char *name) {
    using Self = Shared<Node>;
    return nb::class_<Self>(m, name)
        .def("__init__", &make<Node>, nb::kw_only(), "agent"_a, "local"_a, "shown"_a, "disclosed"_a,
             "needed_tokens"_a, "published"_a, "own_gains"_a, "token_facts"_a, "support_bits"_a,
             "shown_bits"_a, "heuristic"_a, "options"_a, "projections"_a)
        .def("step", &step<Node>, "evaluations"_a)
        .def("receive", &receive<Node>, "sender"_a, "frame"_a)
        .def("take_outbox", &take_outbox<Node>, "agents"_a)
        .def_prop_ro("is_idle", [](Self &s) { return s.with([](Node &n) { return n.is_idle(); }); })
        .def_prop_ro("has_found",
                     [](Self &s) { return s.with([](Node &n) { return n.has_found(); }); })
        .def("trace_found",
             [](Self &s) { return s.with([](Node &n) { return segment(n.trace_found()); }); })
        .def(
            "trace_sent",
            [](Self &s, std::uint32_t ref, std::int64_t own) {
                return s.with([&](Node &n) { return segment(n.trace_sent(ref, own)); });
            },
            "ref"_a, "own"_a = -1)
        .def("counters", &counters<Node>);
}

}  // namespace

void bind_mafs(nb::module_ &m) {
    bind_parts(m);
    bind_node<mafs::Node>(m, "MafsNode")
        .def("grow", &grow, "support_bits"_a, "shown_bits"_a, "own_gains"_a, "shown_gains"_a,
             "initial_gains"_a)
        .def("follow", &follow, "plan"_a)
        .def("send_again", [](SharedNode &s) { s.with([](mafs::Node &n) { n.send_again(); }); })
        .def(
            "wish",
            [](SharedNode &s, const std::vector<std::uint8_t> &is_available) {
                auto found = s.with([&](mafs::Node &n) { return n.wish(is_available); });
                return nb::make_tuple(found.bit, found.is_promising);
            },
            "is_available"_a);
    bind_node<mafs::AstarNode>(m, "AstarNode")
        .def(
            "limit",
            [](SharedAstar &s, int bound, int horizon) {
                s.with([&](mafs::AstarNode &n) { n.limit(bound, horizon); });
            },
            "bound"_a, "horizon"_a)
        .def_prop_ro(
            "lowest",
            [](SharedAstar &s) { return s.with([](mafs::AstarNode &n) { return n.lowest(); }); })
        .def_prop_ro("cost", [](SharedAstar &s) {
            return s.with([](mafs::AstarNode &n) { return n.cost(); });
        });
}

}  // namespace tacit::python
