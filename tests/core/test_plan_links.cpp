#include "check.hpp"
#include "ranking/plan_links.hpp"
#include "tasks.hpp"

namespace test_plan_links {

using namespace tacit;

namespace {

// 0 gives token 0, 1 gives token 0, too; 2 needs it and deletes it, and gives the goal 1; 3 does
// nothing of use. Nothing is needed else.
StripsTask whole() {
    return StripsTask(3, {}, {1}, rows({{}, {}, {0}, {}}), rows({{0}, {0}, {1}, {2}}),
                      rows({{}, {}, {0}, {}}), {1, 1, 1, 1}, {0, 0, 0, 0});
}

StripsTask known() {
    return StripsTask(3, {}, {1}, rows({{}, {}, {0}, {}}), rows({{}, {0}, {1}, {2}}),
                      rows({{}, {}, {0}, {}}), {1, 1, 1, 1}, {0, 0, 0, 0});
}

CASE(steps_that_nothing_needs_are_left_out) {
    CHECK(without_useless_steps(whole(), {3, 0, 2, 3}) == (Ints{0, 2}));
    CHECK(without_useless_steps(whole(), {0, 2, 1, 2}) == (Ints{1, 2}));
}

CASE(links_are_those_that_are_not_known) {
    PlanLinks found = links_of(whole(), known(), {0, 2});
    CHECK(found.steps == 2);
    CHECK(found.links == (std::vector<PlanLink>{{0, 0}}));
    CHECK(links_of(whole(), known(), {1, 2}).links.empty());
    // What is achieved by a known edge as well is no further link; once deleted, it is one again.
    CHECK(links_of(whole(), known(), {0, 1, 2}).links.empty());
    CHECK(links_of(whole(), known(), {1, 2, 0, 2}).links == (std::vector<PlanLink>{{0, 0}}));
    CHECK(links_of(whole(), known(), {0, 2, 0, 2}).links.size() == 1);
}

CASE(own_edges_among_the_links) {
    OwnEdges edges{{1, 0, 0}, {0, 0, 0}, {1, 1, 0}, {0, 0, 0}};
    PlanLinks plan = links_of(whole(), known(), {0, 2});
    CHECK(own_edges(plan, edges) == (Ints{1}));
    edges.is_published[1] = 1;
    CHECK(own_edges(plan, edges).empty());
}

}  // namespace

}  // namespace test_plan_links
