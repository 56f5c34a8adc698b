#include "analysis/unsolvability.hpp"
#include "minimum/cheapest_within.hpp"
#include "minimum/hitting_set.hpp"
#include "minimum/relaxed_cuts.hpp"
#include "python/bindings.hpp"

namespace tacit::python {

using namespace nb::literals;

namespace {

nb::tuple answer(const HittingSet::Answer &found) {
    return nb::make_tuple(found.lower, found.is_exact, found.chosen);
}

}  // namespace

void bind_minimum(nb::module_ &m) {
    nb::class_<RelaxedCuts>(m, "RelaxedCuts")
        .def(
            "__init__",
            [](RelaxedCuts *self, const StripsTask &task, Ints achiever, Ints fact, Ints price) {
                new (self)
                    RelaxedCuts(task, {std::move(achiever), std::move(fact), std::move(price)});
            },
            "task"_a, "achiever"_a, "fact"_a, "price"_a)
        .def("reaches", &RelaxedCuts::reaches, "disclosed"_a)
        .def("cut", &RelaxedCuts::cut, "disclosed"_a, "rank"_a);
    m.def(
        "lm_cut",
        [](const StripsTask &task, const RelaxedCuts &cuts, const Ints &price) {
            if (price.size() != cuts.edges().size())
                throw std::invalid_argument("not one price per edge");
            LandmarkCuts found = lm_cut(task, cuts.edges(), price);
            return nb::make_tuple(found.cuts, found.value, found.has_plan);
        },
        "task"_a, "cuts"_a, "price"_a);
    nb::class_<HittingSet>(m, "HittingSet")
        .def(nb::init<const Ints &, const Ints &>(), "group"_a, "price"_a)
        .def("add", &HittingSet::add, "cut"_a)
        .def("__len__", &HittingSet::size)
        .def(
            "least_sum",
            [](const HittingSet &self, std::int64_t branches) {
                return answer(self.least_sum(branches));
            },
            "branches"_a)
        .def(
            "least_max",
            [](const HittingSet &self, std::int64_t branches, std::int64_t lower) {
                return answer(self.least_max(branches, lower));
            },
            "branches"_a, "lower"_a)
        .def("some", &HittingSet::some, "by_group"_a);
    nb::class_<CheapestWithin>(m, "CheapestWithin")
        .def(
            "__init__",
            [](CheapestWithin *self, const StripsTask &task, const nb::tuple &achievers, Ints token,
               Ints agent, std::int32_t agents, std::int32_t most) {
                SupportEdges edges{rows(achievers), std::move(token), std::move(agent)};
                new (self) CheapestWithin(task, std::move(edges), agents, most);
            },
            "task"_a, "achievers"_a, "token"_a, "agent"_a, "agents"_a, "most"_a)
        .def("step", &CheapestWithin::step, "expansions"_a,
             nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("has_plan", &CheapestWithin::has_plan)
        .def_prop_ro("cost", &CheapestWithin::cost)
        .def_prop_ro("plan", &CheapestWithin::plan)
        .def_prop_ro("disclosed", &CheapestWithin::disclosed)
        .def_prop_ro("expanded", &CheapestWithin::expanded)
        .def_prop_ro("bytes", &CheapestWithin::bytes);
    m.attr("UNSOLVABILITY_PROOFS") =
        nb::make_tuple("none", "pairs", "terminal actions", "last action", "triples");
    m.def(
        "prove_unsolvable",
        [](const StripsTask &task, std::int32_t public_facts,
           const std::vector<std::uint8_t> &is_public, bool by_triples) {
            return static_cast<int>(prove_unsolvable(task, public_facts, is_public, by_triples));
        },
        "task"_a, "public_facts"_a, "is_public"_a, "by_triples"_a,
        nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace tacit::python
