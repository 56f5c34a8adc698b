#include <nanobind/stl/string.h>

#include <atomic>
#include <stdexcept>

#include "mafs/assemble.hpp"
#include "mafs/node.hpp"
#include "python/bindings.hpp"

namespace tacit::python {

using namespace nb::literals;

namespace {

std::vector<std::uint8_t> flags(nb::handle from) {
    Ints given = ints(from);
    return {given.begin(), given.end()};
}

// (tokens, disclosed, gives, ends, initial)
mafs::Marks marks(const nb::tuple &from) {
    if (from.size() != 5)
        throw std::invalid_argument("marks have five parts");
    return {ints(from[0]), flags(from[1]), rows(nb::cast<nb::tuple>(from[2])),
            rows(nb::cast<nb::tuple>(from[3])), ints(from[4])};
}

nb::bytes as_bytes(const mafs::Bytes &bytes) { return nb::bytes(bytes.data(), bytes.size()); }

nb::tuple segment(const mafs::Segment &found) {
    return nb::make_tuple(found.actions, found.sender, found.ref, found.g, found.own);
}

// A node that refuses to be used by two threads at once.
class SharedNode {
  public:
    SharedNode(mafs::Assembled made, const std::string &heuristic)
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
    mafs::Node node_;
    std::atomic<bool> is_busy_{false};
};

mafs::Shown shown_part(const nb::tuple &needs, const nb::tuple &tokens, const nb::tuple &adds,
                       const nb::tuple &deletes, int token_count, bool has_private_goal,
                       nb::handle goal_tokens, bool looks) {
    mafs::Shown made;
    made.needs = rows(needs);
    made.tokens = rows(tokens);
    made.adds = rows(adds);
    made.deletes = rows(deletes);
    made.token_count = token_count;
    made.has_private_goal = has_private_goal;
    made.goal_tokens = ints(goal_tokens);
    made.looks = looks;
    return made;
}

void make(SharedNode *self, int agent, const LocalTask &local,
          const std::vector<const mafs::Shown *> &shown, const std::vector<nb::tuple> &disclosed,
          const nb::tuple &needed_tokens, nb::handle own_gains, const nb::tuple &support,
          const nb::tuple &shown_marks, bool any_disclosed, bool grows, bool is_exact,
          bool sends_own_value, const std::string &heuristic, bool fresh, bool once, bool pad,
          bool tells_all) {
    if (disclosed.size() != shown.size())
        throw std::invalid_argument("not one part per agent");
    mafs::Parts parts{agent, local, {}, rows(needed_tokens), ints(own_gains), any_disclosed};
    for (std::size_t i = 0; i < shown.size(); ++i) {
        parts.shown.push_back(*shown[i]);
        parts.shown.back().gains = ints(disclosed[i][0]);
        parts.shown.back().start_gains = ints(disclosed[i][1]);
    }
    mafs::Assembled made = mafs::assemble(parts);
    mafs::NodeTask &task = made.task;
    task.support = marks(support);
    task.shown = marks(shown_marks);
    task.any_disclosed = any_disclosed;
    task.grows = grows;
    task.is_exact = is_exact;
    task.sends_own_value = sends_own_value;
    task.hardening = {fresh, once, pad, tells_all};
    new (self) SharedNode(std::move(made), heuristic);
}

// Gains are triples: agent, published action or (for the agent itself) own action, token.
void grow(SharedNode &shared, const Ints &support, const Ints &shown_marks, const Ints &own_gains,
          const Ints &shown_gains) {
    Ints view, projection;
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
    shared.with([&](mafs::Node &node) { node.grow(support, shown_marks, view, projection); });
}

// The plan is pairs: agent, published action.
void follow(SharedNode &shared, const Ints &plan) {
    Ints actions;
    for (std::size_t i = 0; i + 1 < plan.size(); i += 2)
        actions.push_back(shared.projection_row.at(static_cast<std::size_t>(plan[i])) +
                          plan[i + 1]);
    shared.with([&](mafs::Node &node) { node.follow_plan(actions); });
}

void step(SharedNode &shared, std::int64_t evaluations) {
    shared.with([&](mafs::Node &node) {
        nb::gil_scoped_release release;
        node.step(evaluations);
    });
}

void receive(SharedNode &shared, std::size_t sender, const nb::bytes &frame) {
    std::span<const std::uint8_t> bytes(static_cast<const std::uint8_t *>(frame.data()),
                                        frame.size());
    shared.with([&](mafs::Node &node) {
        nb::gil_scoped_release release;
        node.receive(sender, bytes);
    });
}

// (receiver, frame) for everybody there is something for.
nb::list take_outbox(SharedNode &shared, std::size_t agents) {
    return shared.with([&](mafs::Node &node) {
        nb::list frames;
        for (std::size_t receiver = 0; receiver < agents; ++receiver)
            if (node.has_outgoing(receiver))
                frames.append(nb::make_tuple(receiver, as_bytes(node.take_outgoing(receiver))));
        return frames;
    });
}

nb::dict counters(SharedNode &shared) {
    return shared.with([](mafs::Node &node) {
        const mafs::Counters &count = node.counters();
        nb::dict found;
        found["expanded"] = count.expanded;
        found["evaluated"] = count.evaluated;
        found["generated"] = count.generated;
        found["sent"] = count.sent;
        found["received"] = count.received;
        found["parked"] = count.parked;
        found["stored"] = node.stored();
        found["memory"] = node.bytes();
        found["best"] = node.best_shown_value();
        return found;
    });
}

}  // namespace

void bind_mafs(nb::module_ &m) {
    nb::class_<mafs::Shown>(m, "ShownActions")
        .def(
            "__init__",
            [](mafs::Shown *self, const nb::tuple &needs, const nb::tuple &tokens,
               const nb::tuple &adds, const nb::tuple &deletes, int token_count,
               bool has_private_goal, nb::handle goal_tokens, bool looks) {
                new (self) mafs::Shown(shown_part(needs, tokens, adds, deletes, token_count,
                                                  has_private_goal, goal_tokens, looks));
            },
            "needs"_a, "tokens"_a, "adds"_a, "deletes"_a, "token_count"_a, "has_private_goal"_a,
            "goal_tokens"_a, "looks"_a);
    nb::class_<SharedNode>(m, "MafsNode")
        .def("__init__", &make, "agent"_a, "local"_a, "shown"_a, "disclosed"_a, "needed_tokens"_a,
             "own_gains"_a, "support"_a, "shown_marks"_a, "any_disclosed"_a, "grows"_a,
             "is_exact"_a, "sends_own_value"_a, "heuristic"_a, "fresh"_a, "once"_a, "pad"_a,
             "tells_all"_a)
        .def("step", &step, "evaluations"_a)
        .def("receive", &receive, "sender"_a, "frame"_a)
        .def("take_outbox", &take_outbox, "agents"_a)
        .def("grow", &grow, "support_marks"_a, "shown_marks"_a, "own_gains"_a, "shown_gains"_a)
        .def("follow", &follow, "plan"_a)
        .def_prop_ro(
            "is_idle",
            [](SharedNode &s) { return s.with([](mafs::Node &n) { return n.is_idle(); }); })
        .def_prop_ro(
            "has_found",
            [](SharedNode &s) { return s.with([](mafs::Node &n) { return n.has_found(); }); })
        .def("trace_found",
             [](SharedNode &s) {
                 return s.with([](mafs::Node &n) { return segment(n.trace_found()); });
             })
        .def(
            "trace_sent",
            [](SharedNode &s, std::uint32_t ref, std::int64_t own) {
                return s.with([&](mafs::Node &n) { return segment(n.trace_sent(ref, own)); });
            },
            "ref"_a, "own"_a = -1)
        .def("send_again", [](SharedNode &s) { s.with([](mafs::Node &n) { n.send_again(); }); })
        .def("counters", &counters);
}

}  // namespace tacit::python
