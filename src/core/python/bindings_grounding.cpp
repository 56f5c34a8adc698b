#include "grounding/grounder.hpp"
#include "grounding/program.hpp"
#include "grounding/task.hpp"
#include "python/bindings.hpp"

namespace tacit::python {

using namespace nb::literals;

namespace {

void bind_grounder(nb::module_ &m) {
    nb::class_<Program>(m, "Program")
        .def(nb::init<Ints, Ints, bool>(), "owners"_a, "agents_of"_a, "only_agent"_a)
        .def("add_set", &Program::add_set, "members"_a)
        .def("add_predicate", &Program::add_predicate, "arity"_a, "agent_position"_a, "fluent"_a,
             "rank"_a)
        .def("set_fluent", &Program::set_fluent, "predicate"_a)
        .def("set_public_fluent", &Program::set_public_fluent, "predicate"_a)
        .def("set_negated", &Program::set_negated, "predicate"_a)
        .def("rank_objects", &Program::rank_objects, "ranks"_a)
        .def_rw("unit_cost", &Program::unit_cost)
        .def("add_schema", &Program::add_schema, "parameter_sets"_a, "agent_parameter"_a,
             "positive"_a, "negative"_a, "adds"_a, "deletes"_a, "equalities"_a, "cost"_a,
             "cost_terms"_a);

    nb::class_<Grounder>(m, "Grounder")
        .def(nb::init<Program, std::int64_t>(), "program"_a, "max_actions"_a)
        .def("initial", &Grounder::initial, "facts"_a)
        .def("initial_values", &Grounder::initial_values, "facts"_a, "values"_a)
        .def("learn", &Grounder::learn, "reached"_a, "falsified"_a)
        .def("run", &Grounder::run, nb::call_guard<nb::gil_scoped_release>())
        .def("take_reached", &Grounder::take_reached)
        .def("take_falsified", &Grounder::take_falsified)
        .def("negated", &Grounder::negated, "negative_goals"_a)
        .def("finish", &Grounder::finish, "goals"_a, "negative_goals"_a, "negated_elsewhere"_a,
             nb::call_guard<nb::gil_scoped_release>());
}

void bind_tasks(nb::module_ &m) {
    nb::class_<GroundTask>(m, "GroundTask")
        .def_ro("public_facts", &GroundTask::public_facts)
        .def_prop_ro("facts", [](const GroundTask &t) { return rows_view(t.facts); })
        .def_prop_ro("owner", [](const GroundTask &t) { return view(t.owner); })
        .def_prop_ro("init", [](const GroundTask &t) { return view(t.init); })
        .def_prop_ro("goal", [](const GroundTask &t) { return view(t.goal); })
        .def("local", &GroundTask::local, "agent"_a, "public_ids"_a, "public_count"_a);

    nb::class_<LocalTask>(m, "LocalTask")
        .def_ro("public_facts", &LocalTask::public_facts)
        .def_prop_ro("private_facts", [](const LocalTask &t) { return rows_view(t.private_facts); })
        .def_prop_ro("init", [](const LocalTask &t) { return view(t.init); })
        .def_prop_ro("goal", [](const LocalTask &t) { return view(t.goal); })
        .def_prop_ro("schema", [](const LocalTask &t) { return view(t.actions.schema); })
        .def_prop_ro("cost", [](const LocalTask &t) { return view(t.actions.cost); })
        .def_prop_ro("is_public", [](const LocalTask &t) { return view(t.actions.is_public); })
        .def_prop_ro("args", [](const LocalTask &t) { return rows_view(t.actions.args); })
        .def_prop_ro("pre", [](const LocalTask &t) { return rows_view(t.actions.pre); })
        .def_prop_ro("add", [](const LocalTask &t) { return rows_view(t.actions.add); })
        .def_prop_ro("del_", [](const LocalTask &t) { return rows_view(t.actions.del); })
        .def("project", &LocalTask::project);

    nb::class_<Projection>(m, "Projection")
        .def(
            "__init__",
            [](Projection *self, Ints pre_starts, Ints pre, Ints add_starts, Ints add) {
                new (self) Projection{Ints(pre_starts.size() - 1), Ints(pre_starts.size() - 1),
                                      Rows{std::move(pre_starts), std::move(pre)},
                                      Rows{std::move(add_starts), std::move(add)}, Rows{}};
            },
            "pre_starts"_a, "pre"_a, "add_starts"_a, "add"_a)
        .def_prop_ro("action", [](const Projection &p) { return view(p.action); })
        .def_prop_ro("cost", [](const Projection &p) { return view(p.cost); })
        .def_prop_ro("pre", [](const Projection &p) { return rows_view(p.pre); })
        .def_prop_ro("add", [](const Projection &p) { return rows_view(p.add); })
        .def_prop_ro("del_", [](const Projection &p) { return rows_view(p.del); });
}

}  // namespace

void bind_grounding(nb::module_ &m) {
    m.attr("PUBLIC") = public_predicate;
    m.attr("OWN") = own_predicate;
    m.attr("MAX_ARITY") = Relations::max_arity;
    m.attr("MAX_PARAMETERS") = max_variables;
    nb::exception<GroundingLimit>(m, "GroundingLimit", PyExc_RuntimeError);
    bind_grounder(m);
    bind_tasks(m);
}

}  // namespace tacit::python
