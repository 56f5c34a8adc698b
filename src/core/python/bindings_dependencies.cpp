#include "privacy/certain_deletes.hpp"
#include "privacy/dependencies.hpp"
#include "python/bindings.hpp"
#include "ranking/goal_order.hpp"
#include "ranking/greedy_order.hpp"

namespace tacit::python {

using namespace nb::literals;

namespace {

void bind_graph(nb::module_ &m) {
    m.attr("INIT") = DependencyGraph::init;
    nb::class_<DependencyGraph>(m, "DependencyGraph")
        .def_prop_ro("tokens", [](const DependencyGraph &g) { return view(g.tokens); })
        .def_prop_ro("static_facts", [](const DependencyGraph &g) { return view(g.static_facts); })
        .def_prop_ro("needs", [](const DependencyGraph &g) { return rows_view(g.needs); })
        .def_prop_ro("goal", [](const DependencyGraph &g) { return view(g.goal); })
        .def_prop_ro("achievers", [](const DependencyGraph &g) { return rows_view(g.achievers); })
        .def_prop_ro("achieves",
                     [](const DependencyGraph &g) {
                         auto actions = static_cast<std::int32_t>(g.needs.size());
                         return rows_view(inverted(g.achievers, actions));
                     })
        .def_prop_ro("direct", [](const DependencyGraph &g) { return rows_view(g.direct); });
    m.def(
        "edges_in_order",
        [](const DependencyGraph &graph, const Ints &number, const Ints &layer,
           const Ints &threat_starts, const Ints &threats) {
            EdgeList list = edges_in_order(graph, Rows{threat_starts, threats}, layer, number);
            return nb::make_tuple(view(list.achiever), view(list.token), view(list.positive));
        },
        "graph"_a, "number"_a, "layer"_a, "threat_starts"_a, "threats"_a);
    nb::enum_<ChainRule>(m, "ChainRule")
        .value("OBJECT", ChainRule::object)
        .value("ANY", ChainRule::any)
        .value("TIGHT", ChainRule::tight)
        .value("LAST", ChainRule::last);
    nb::class_<CertainDeletes>(m, "CertainDeletes")
        .def(nb::init<const LocalTask &>(), "task"_a, nb::call_guard<nb::gil_scoped_release>())
        .def(
            "by_action",
            [](const CertainDeletes &deletes, const LocalTask &task, const Ints &facts) {
                return rows_view(
                    inverted(deletes.of(facts), static_cast<std::int32_t>(task.actions.size())));
            },
            "task"_a, "facts"_a);
    m.def("dependencies", &dependencies, "task"_a, "group"_a, "rule"_a, "drop_noop"_a,
          "deletes"_a = nb::none(), nb::call_guard<nb::gil_scoped_release>());
    m.def(
        "relaxed_layers",
        [](const LocalTask &task, const std::vector<const Projection *> &others) {
            return view(relaxed_layers(task, others));
        },
        "task"_a, "others"_a);
}

void bind_orders(nb::module_ &m) {
    nb::class_<GreedyOrder>(m, "GreedyOrder")
        .def("__init__",
             [](GreedyOrder *self, Ints edge_token, std::vector<std::uint8_t> edge_positive,
                Ints edge_price, std::vector<double> worth, double fall, Ints group_starts,
                Ints group_tokens, Ints item_starts, Ints group_items, std::vector<double> weight) {
                 new (self) GreedyOrder(
                     std::move(edge_token), std::move(edge_positive), std::move(edge_price),
                     std::move(worth), fall, Rows{std::move(group_starts), std::move(group_tokens)},
                     Rows{std::move(item_starts), std::move(group_items)}, std::move(weight));
             })
        .def("next", &GreedyOrder::next)
        .def("score", &GreedyOrder::score, "token"_a)
        .def("publish", &GreedyOrder::publish, "token"_a)
        .def("take", &GreedyOrder::take, "edge"_a);
    nb::class_<GoalOrder>(m, "GoalOrder")
        .def(
            "__init__",
            [](GoalOrder *self, const StripsTask &task, std::int32_t turn, std::int32_t agents,
               Ints achiever, Ints token, std::vector<std::uint8_t> positive, Ints price,
               Ints inferred, const nb::tuple &after, std::vector<std::uint8_t> initially,
               bool is_exact) {
                new (self)
                    GoalOrder(task, turn, agents,
                              {std::move(achiever),
                               std::move(token),
                               std::move(positive),
                               {},
                               std::move(price)},
                              {std::move(inferred), rows(after), std::move(initially), is_exact});
            },
            "task"_a, "turn"_a, "agents"_a, "achiever"_a, "token"_a, "positive"_a, "price"_a,
            "inferred"_a, "after"_a, "initially"_a, "is_exact"_a)
        .def("saw", &GoalOrder::saw, "achiever"_a, "token"_a, "positive"_a)
        .def("planned", &GoalOrder::planned, "with_alternatives"_a = true,
             nb::call_guard<nb::gil_scoped_release>())
        .def("counted", &GoalOrder::counted)
        .def("take", &GoalOrder::take, "edge"_a);
}

}  // namespace

void bind_dependencies(nb::module_ &m) {
    bind_graph(m);
    bind_orders(m);
}

}  // namespace tacit::python
