#include <nanobind/stl/string.h>

#include <atomic>
#include <stdexcept>

#include "analysis/dead_actions.hpp"
#include "extension/response.hpp"
#include "heuristics/heuristic.hpp"
#include "python/bindings.hpp"
#include "search/search.hpp"

namespace tacit::python {

using namespace nb::literals;

namespace {

// A search that refuses to be used by two threads at once, but for `cancel`.
class SharedSearch {
  public:
    SharedSearch(const StripsTask &task, std::uint64_t seed,
                 const std::vector<std::string> &engines, const std::vector<std::string> &names,
                 bool use_costs)
        : search_(task, seed, engines, names, use_costs) {}

    Outcome run(std::int64_t evaluations, double seconds, std::size_t bytes) {
        Use use(*this);
        nb::gil_scoped_release release;
        return search_.run({evaluations, seconds, bytes});
    }
    template <auto Method, typename... Args>
    void change(Args... args) {
        Use use(*this);
        (search_.*Method)(args...);
    }
    template <auto Method>
    auto ask() {
        Use use(*this);
        return (search_.*Method)();
    }
    void cancel() { search_.cancel(); }
    // May be read while the search is at work.
    const Meter &meter() const { return search_.meter(); }

  private:
    struct Use {
        explicit Use(SharedSearch &shared) : busy(shared.is_busy_) {
            if (busy.exchange(true))
                throw std::runtime_error("this search is at work in another thread");
        }
        ~Use() { busy = false; }
        std::atomic<bool> &busy;
    };

    Search search_;
    std::atomic<bool> is_busy_{false};
};

nb::list heuristic_list() {
    nb::list found;
    for (const HeuristicEntry &entry : heuristics())
        found.append(nb::make_tuple(entry.name, entry.about));
    return found;
}

nb::list admissible_list() {
    nb::list found;
    for (const HeuristicEntry &entry : heuristics())
        if (entry.make_admissible)
            found.append(nb::str(entry.name.c_str()));
    return found;
}

// The value of one state, given by the facts that hold, and the actions preferred there.
nb::tuple evaluate(const StripsTask &task, const std::string &name, nb::handle facts,
                   bool use_costs) {
    StripsTask there = task;
    there.init = ints(facts);
    Space space(there);
    std::vector<Word> state(space.words());
    space.initial(state.data());
    auto heuristic = make_heuristic(name, space.task, use_costs);
    int value = heuristic->evaluate(state.data());
    Ints preferred;
    if (value != dead_end)
        heuristic->preferred(preferred);
    return nb::make_tuple(value == dead_end ? nb::none() : nb::object(nb::int_(value)), preferred);
}

void bind_response(nb::module_ &m) {
    m.def(
        "supported_task",
        [](const LocalTask &local, const DependencyGraph &graph, const CertainDeletes &deletes,
           nb::handle achiever, nb::handle token, nb::handle cost) {
            return supported_task(local, graph, deletes, {ints(achiever), ints(token)}, ints(cost));
        },
        "local"_a, "graph"_a, "deletes"_a, "achiever"_a, "token"_a, "cost"_a);
    m.def(
        "response",
        [](const StripsTask &own, const nb::tuple &needs, const nb::tuple &adds,
           const nb::tuple &deletes, nb::handle cost) {
            Response made = response(own, {rows(needs), rows(adds), rows(deletes), ints(cost)});
            return nb::make_tuple(nb::cast(std::move(made.task)), view(std::move(made.meaning)));
        },
        "own"_a, "needs"_a, "adds"_a, "deletes"_a, "cost"_a);
}

}  // namespace

void bind_search(nb::module_ &m) {
    nb::class_<StripsTask>(m, "StripsTask")
        .def(
            "__init__",
            [](StripsTask *self, int facts, nb::handle init, nb::handle goal, const nb::tuple &pre,
               const nb::tuple &add, const nb::tuple &del, nb::handle cost, nb::handle group) {
                new (self) StripsTask(facts, ints(init), ints(goal), rows(pre), rows(add),
                                      rows(del), ints(cost), ints(group));
            },
            "facts"_a, "init"_a, "goal"_a, "pre"_a, "add"_a, "del_"_a, "cost"_a, "group"_a)
        .def_ro("facts", &StripsTask::facts)
        .def("__len__", &StripsTask::size)
        .def("without_dead_actions", &without_dead_actions,
             nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("init", [](const StripsTask &t) { return view(t.init); })
        .def_prop_ro("goal", [](const StripsTask &t) { return view(t.goal); })
        .def_prop_ro("cost", [](const StripsTask &t) { return view(t.cost); })
        .def_prop_ro("pre", [](const StripsTask &t) { return rows_view(t.pre); })
        .def_prop_ro("add", [](const StripsTask &t) { return rows_view(t.add); })
        .def_prop_ro("del_", [](const StripsTask &t) { return rows_view(t.del); });

    nb::class_<SharedSearch>(m, "Search")
        .def(nb::init<const StripsTask &, std::uint64_t, const std::vector<std::string> &,
                      const std::vector<std::string> &, bool>(),
             "task"_a, "seed"_a, "engines"_a, "heuristics"_a, "use_costs"_a)
        .def(
            "run",
            [](SharedSearch &s, std::int64_t evaluations, double seconds, std::size_t bytes) {
                return static_cast<int>(s.run(evaluations, seconds, bytes));
            },
            "max_evaluations"_a, "time_limit"_a, "memory_limit"_a)
        .def("cancel", &SharedSearch::cancel)
        .def("add_delete", &SharedSearch::change<&Search::add_delete, std::int32_t, std::int32_t>,
             "action"_a, "fact"_a)
        .def("forbid", &SharedSearch::change<&Search::forbid, std::int32_t, Ints>, "group"_a,
             "actions"_a)
        .def("bound", &SharedSearch::change<&Search::bound, std::int64_t>, "cost"_a)
        .def("restart", &SharedSearch::change<&Search::restart>)
        .def_prop_ro("plan", [](SharedSearch &s) { return Ints(s.ask<&Search::plan>()); })
        .def_prop_ro("expanded", [](const SharedSearch &s) { return s.meter().expanded; })
        .def_prop_ro("evaluated", [](const SharedSearch &s) { return s.meter().evaluated; })
        .def_prop_ro("generated", [](const SharedSearch &s) { return s.meter().generated; })
        .def_prop_ro("bytes", [](SharedSearch &s) { return s.ask<&Search::bytes>(); });

    m.attr("OUTCOMES") =
        nb::make_tuple("solved", "unsolvable", "limit", "time", "memory", "cancelled");
    m.attr("ENGINES") = nb::cast(Search::engine_names());
    m.attr("ALL_GROUPS") = Prefixes::all_groups;
    m.def("heuristics", &heuristic_list);
    m.def("admissible_heuristics", &admissible_list);
    m.def("evaluate", &evaluate, "task"_a, "heuristic"_a, "facts"_a, "use_costs"_a);
    bind_response(m);
}

}  // namespace tacit::python
