#include <nanobind/stl/string.h>

#include <atomic>
#include <stdexcept>

#include "bindings.hpp"
#include "mafs/node.hpp"

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
    return nb::make_tuple(found.actions, found.sender, found.ref);
}

// A node that refuses to be used by two threads at once.
class SharedNode {
  public:
    SharedNode(mafs::NodeTask task, const std::string &heuristic) : node_(std::move(task), heuristic) {}

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

void make(SharedNode *self, int agent, int public_facts, int private_facts, nb::handle token_counts,
          const StripsTask &view, const StripsTask &projection, nb::handle groups, nb::handle is_public,
          const nb::tuple &needed_tokens, const nb::tuple &support, const nb::tuple &shown,
          bool any_disclosed, bool grows, bool is_exact, bool sends_own_value,
          const std::string &heuristic) {
    mafs::NodeTask task;
    task.self = agent;
    task.public_facts = public_facts;
    task.private_facts = private_facts;
    task.token_counts = ints(token_counts);
    task.view = view;
    task.projection = projection;
    task.groups = ints(groups);
    task.is_public = flags(is_public);
    task.own_actions = static_cast<std::int32_t>(task.is_public.size());
    task.needed_tokens = rows(needed_tokens);
    task.support = marks(support);
    task.shown = marks(shown);
    task.any_disclosed = any_disclosed;
    task.grows = grows;
    task.is_exact = is_exact;
    task.sends_own_value = sends_own_value;
    new (self) SharedNode(std::move(task), heuristic);
}

void step(SharedNode &shared, std::int64_t evaluations) {
    shared.with([&](mafs::Node &node) {
        nb::gil_scoped_release release;
        node.step(evaluations);
    });
}

void receive(SharedNode &shared, std::size_t sender, const nb::bytes &frame) {
    std::span<const std::uint8_t> bytes(static_cast<const std::uint8_t *>(frame.data()), frame.size());
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
    nb::class_<SharedNode>(m, "MafsNode")
        .def("__init__", &make, "agent"_a, "public_facts"_a, "private_facts"_a, "token_counts"_a,
             "view"_a, "projection"_a, "groups"_a, "is_public"_a, "needed_tokens"_a, "support"_a,
             "shown"_a, "any_disclosed"_a, "grows"_a, "is_exact"_a, "sends_own_value"_a,
             "heuristic"_a)
        .def("step", &step, "evaluations"_a)
        .def("receive", &receive, "sender"_a, "frame"_a)
        .def("take_outbox", &take_outbox, "agents"_a)
        .def(
            "grow",
            [](SharedNode &s, const Ints &support, const Ints &shown, const Ints &view,
               const Ints &projection) {
                s.with([&](mafs::Node &node) { node.grow(support, shown, view, projection); });
            },
            "support_marks"_a, "shown_marks"_a, "view_gains"_a, "projection_gains"_a)
        .def_prop_ro("is_idle",
                     [](SharedNode &s) { return s.with([](mafs::Node &n) { return n.is_idle(); }); })
        .def_prop_ro("has_found",
                     [](SharedNode &s) { return s.with([](mafs::Node &n) { return n.has_found(); }); })
        .def("trace_found",
             [](SharedNode &s) {
                 return s.with([](mafs::Node &n) { return segment(n.trace_found()); });
             })
        .def(
            "trace_sent",
            [](SharedNode &s, std::uint32_t ref) {
                return s.with([ref](mafs::Node &n) { return segment(n.trace_sent(ref)); });
            },
            "ref"_a)
        .def("counters", &counters);
}

}  // namespace tacit::python
