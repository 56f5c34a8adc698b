#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>

#include <memory>

#include "privacy/certain_deletes.hpp"
#include "privacy/dependencies.hpp"
#include "privacy/per_use.hpp"
#include "privacy/within_reach.hpp"
#include "python/bindings.hpp"
#include "ranking/asked_layers.hpp"
#include "ranking/generalising.hpp"
#include "ranking/goal_order.hpp"
#include "ranking/greedy_order.hpp"
#include "ranking/public_projection.hpp"

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
        "per_use",
        [](const LocalTask &task) {
            PerUse made = per_use(task);
            return nb::make_tuple(nb::cast(std::move(made.task)), view(made.user));
        },
        "task"_a);
    nb::class_<WithinReach>(m, "WithinReach")
        .def(nb::init<const LocalTask &>(), "task"_a)
        .def(
            "extend",
            [](WithinReach &reach, nb::handle facts) { return view(reach.extend(ints(facts))); },
            "facts"_a)
        .def("is_reached", &WithinReach::is_reached, "fact"_a)
        .def("layers", [](const WithinReach &reach) { return view(reach.layers()); });
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
}

OwnGraph own_graph(const nb::tuple &from) {
    if (from.size() != 6)
        throw std::invalid_argument("an own graph has six columns");
    Ints positive = ints(from[3]);
    return {ints(from[0]), ints(from[1]), ints(from[2]), {positive.begin(), positive.end()},
            ints(from[4]), ints(from[5])};
}

// Own edges in the numbers of the projection's task.
OwnEdges own_edges(const PublicProjection &projection, const OwnGraph &own, Ints price) {
    OwnEdges made{{}, {}, own.is_positive, {}, std::move(price)};
    for (std::int32_t achiever : own.achiever)
        made.achiever.push_back(achiever < 0 ? PricedRelaxation::initial
                                             : projection.actions().at(achiever));
    for (std::int32_t token : own.token)
        made.token.push_back(projection.facts().at(token));
    return made;
}

void bind_projection(nb::module_ &m) {
    nb::class_<PublicProjection>(m, "PublicProjection")
        .def(
            "__init__",
            [](PublicProjection *self, nb::handle predicate, const nb::tuple &objects,
               const nb::tuple &needs, const nb::tuple &adds, const nb::tuple &deletes,
               const nb::tuple &tokens, nb::handle first_action, nb::handle first_token,
               nb::handle init, nb::handle goal, nb::handle cost,
               std::vector<std::uint8_t> has_private_goal, const nb::tuple &goal_tokens) {
                new (self) PublicProjection({ints(predicate), rows(objects), rows(needs),
                                             rows(adds), rows(deletes), rows(tokens),
                                             ints(first_action), ints(first_token)},
                                            {ints(init), ints(goal), ints(cost),
                                             std::move(has_private_goal), rows(goal_tokens)});
            },
            "predicate"_a, "objects"_a, "needs"_a, "adds"_a, "deletes"_a, "tokens"_a,
            "first_action"_a, "first_token"_a, "init"_a, "goal"_a, "cost"_a, "has_private_goal"_a,
            "goal_tokens"_a)
        .def_prop_ro("actions", [](const PublicProjection &p) { return view(p.actions()); })
        .def_prop_ro("facts", [](const PublicProjection &p) { return view(p.facts()); })
        .def(
            "count_impossible",
            [](const PublicProjection &p, std::int32_t agent, const nb::bytearray &reached,
               nb::handle asked) {
                auto *flags = static_cast<const std::uint8_t *>(reached.data());
                return count_impossible(p, agent, {flags, reached.size()}, ints(asked));
            },
            "agent"_a, "reached"_a, "asked"_a)
        .def(
            "infer",
            [](std::shared_ptr<const PublicProjection> p, std::int32_t agent, const nb::tuple &own,
               double alike) {
                Inferred made = infer_achievers(p, agent, own_graph(own), alike);
                const InferredAchievers &all = made.all();
                InferredAchievers others;
                for (std::size_t h = 0; h < all.token.size(); ++h) {
                    if (made.is_own(all.token[h]))
                        continue;
                    others.token.push_back(all.token[h]);
                    others.after.append(all.after[h]);
                    others.is_likely_initially.push_back(all.is_likely_initially[h]);
                }
                nb::list deletes;
                for (auto pair : made.deletes())
                    deletes.append(nb::make_tuple(pair.first, pair.second));
                return nb::make_tuple(others.token, rows_view(others.after),
                                      others.is_likely_initially, deletes);
            },
            "agent"_a, "own"_a, "alike"_a);
}

void bind_shapes(nb::module_ &m) {
    nb::class_<Shapes>(m, "Shapes")
        .def(
            "__init__",
            [](Shapes *self, nb::handle predicate, const nb::tuple &objects, const nb::tuple &needs,
               const nb::tuple &adds, const nb::tuple &deletes, const nb::tuple &tokens,
               nb::handle first_action, nb::handle first_token) {
                new (self)
                    Shapes({ints(predicate), rows(objects), rows(needs), rows(adds), rows(deletes),
                            rows(tokens), ints(first_action), ints(first_token)});
            },
            "predicate"_a, "objects"_a, "needs"_a, "adds"_a, "deletes"_a, "tokens"_a,
            "first_action"_a, "first_token"_a)
        .def("look", &Shapes::look, "token"_a)
        .def(
            "classes",
            [](const Shapes &shapes, nb::handle actions, nb::handle tokens) {
                return Generalising(shapes, ints(actions), ints(tokens)).classes();
            },
            "actions"_a, "tokens"_a)
        .def(
            "alike",
            [](const Shapes &shapes, nb::handle actions, nb::handle tokens) {
                return rows_view(Generalising(shapes, ints(actions), ints(tokens)).alike());
            },
            "actions"_a, "tokens"_a)
        .def("speaking_of_subjects", [](const Shapes &shapes) {
            Rows made;
            for (std::int32_t token = 0; token < shapes.tokens(); ++token)
                made.append(shapes.speaking_of_subjects(token));
            return rows_view(made);
        });
}

// The task of a projection, which keeps the projection alive.
std::shared_ptr<const IndexedTask> task_of(std::shared_ptr<const PublicProjection> projection) {
    const IndexedTask *task = &projection->indexed();
    return {std::move(projection), task};
}

void bind_goal_order(nb::module_ &m) {
    nb::class_<GoalOrder>(m, "GoalOrder")
        .def(
            "__init__",
            [](GoalOrder *self, std::shared_ptr<const PublicProjection> projection,
               std::int32_t agent, const nb::tuple &own, nb::handle price, double alike) {
                auto agents = static_cast<std::int32_t>(projection->shapes().published().agents());
                if (agent < 0 || agent >= agents)
                    throw std::invalid_argument("there is no such agent");
                OwnGraph graph = own_graph(own);
                OwnEdges edges = own_edges(*projection, graph, ints(price));
                nb::gil_scoped_release release;
                Inferred inferred = infer_achievers(projection, agent, graph, alike);
                new (self) GoalOrder(task_of(std::move(projection)), agent, agents,
                                     std::move(edges), std::move(inferred));
            },
            "projection"_a, "agent"_a, "own"_a, "price"_a, "alike"_a)
        .def("saw", &GoalOrder::saw, "achiever"_a, "token"_a, "positive"_a, "is_recalled"_a = false)
        .def("planned", &GoalOrder::planned, "is_anew"_a = true,
             nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("has_skipped", &GoalOrder::has_skipped)
        .def("counted", &GoalOrder::counted)
        .def("take", &GoalOrder::take, "edge"_a)
        .def("recall", &GoalOrder::recall, "edge"_a)
        .def("reprice", &GoalOrder::reprice, "edge"_a, "price"_a)
        .def("hide_order", &GoalOrder::hide_order)
        .def_prop_ro("supposed", [](const GoalOrder &self) {
            Disclosed made = self.supposed();
            return std::pair(made.achieves, made.deletes);
        });
}

}  // namespace

void bind_dependencies(nb::module_ &m) {
    bind_graph(m);
    bind_orders(m);
    bind_projection(m);
    bind_shapes(m);
    bind_goal_order(m);
}

}  // namespace tacit::python
