#include <algorithm>
#include <span>
#include <stdexcept>

#include "check.hpp"
#include "heuristics/cost_queue.hpp"
#include "heuristics/remembered.hpp"
#include "search/search.hpp"
#include "tasks.hpp"
#include "util/bucket_queue.hpp"
#include "util/random.hpp"

namespace test_search {

using namespace tacit;

namespace {

const Limits no_limits{INT64_MAX, 1e9, SIZE_MAX};

// A walk from fact 0 to fact n, forwards (even actions) and back (odd ones).
StripsTask walk(int n) {
    StripsTask task;
    Rows pre, add, del;
    Ints cost, group;
    for (int i = 0; i < n; ++i)
        for (auto [from, to] : {std::pair(i, i + 1), std::pair(i + 1, i)}) {
            pre.append(Ints{from});
            add.append(Ints{to});
            del.append(Ints{from});
            cost.push_back(1);
            group.push_back(i % 2);
        }
    return {n + 1, {0}, {n}, pre, add, del, cost, group};
}

Search whole_portfolio(const StripsTask &task) {
    return {task, 1, Search::engine_names(), {"ff"}, false};
}

}  // namespace

CASE(a_task_is_tidied_and_checked) {
    StripsTask task(3, {2, 0, 0}, {1}, rows({{1, 0, 1}}), rows({{2, 2}}), rows({{0, 2}}), {4}, {0});
    CHECK(task.init == Ints{0, 2});
    CHECK(task.pre[0].size() == 2);
    CHECK(task.add[0].size() == 1);
    CHECK(task.del[0].size() == 1 && task.del[0][0] == 0);
    CHECK_THROWS(std::invalid_argument, StripsTask(1, {1}, {}, {}, {}, {}, {}, {}));
    CHECK_THROWS(std::invalid_argument, StripsTask(1, {}, {}, rows({{}}), {}, {}, {}, {}));
}

CASE(effects_are_gained_once) {
    StripsTask task = walk(3);
    CHECK(task.gain_delete(0, 3) && !task.gain_delete(0, 3));
    CHECK(!task.gain_delete(0, 1));  // it adds that
    CHECK(task.gain_add(0, 3) && !task.gain_add(0, 3));
    CHECK(task.del[0].size() == 1 && task.add[0].size() == 2);
    CHECK_THROWS(std::invalid_argument, task.gain_add(6, 0));
}

CASE(irrelevant_facts_are_left_out) {
    StripsTask task(3, {0, 1}, {2}, rows({{0}}), rows({{1, 2}}), rows({{}}), {1}, {0});
    Relevant found = without_irrelevant_facts(task);
    CHECK(found.task.facts == 2);
    CHECK(found.number == Ints{0, -1, 1});
}

CASE(states_are_kept_once) {
    States states(2, 1);
    Random random(5);
    for (Word i = 0; i < 5000; ++i) {
        Word state[2] = {i, i % 7};
        auto [id, is_new] = states.insert(state, i ? static_cast<StateId>(i - 1) : no_state, 3);
        CHECK(is_new && id == i);
        states.notes(id)[0] = ~i;
    }
    for (Word i = 0; i < 5000; ++i) {
        Word state[2] = {i, i % 7};
        CHECK(states.contains(state));
        CHECK(states.insert(state, 0, 0) ==
              std::pair<StateId, bool>(static_cast<StateId>(i), false));
        CHECK(states.notes(static_cast<StateId>(i))[0] == ~i);
    }
    Ints plan;
    states.trace(4, plan);
    CHECK(plan == Ints{3, 3, 3, 3});
    states.clear();
    Word state[2] = {1, 1};
    CHECK(states.size() == 0 && !states.contains(state));
}

CASE(the_cost_queue_sorts) {
    CostQueue queue;
    Random random(3);
    for (int round = 0; round < 3; ++round) {
        queue.clear();
        for (int i = 0; i < 1000; ++i)
            queue.push(static_cast<std::uint32_t>(random(i % 2 ? 50 : 100000)), i);
        std::uint32_t last = 0, cost = 0;
        std::size_t popped = 0;
        std::span<const std::int32_t> items;
        while (popped < (round ? 1000 : 300) && queue.pop(cost, items)) {
            CHECK(cost >= last && std::ranges::is_sorted(items));
            last = cost;
            popped += items.size();
        }
        CHECK(round == 0 || (popped == 1000 && !queue.pop(cost, items)));
    }
}

CASE(the_open_list_is_first_in_first_out) {
    BucketQueue<int> queue;
    for (int i = 0; i < 20000; ++i)
        queue.push(i % 2, i);
    for (int i = 0; i < 10000; ++i)
        CHECK(queue.pop() == 2 * i);
    for (int i = 0; i < 10000; ++i)
        CHECK(queue.pop() == 2 * i + 1);
    CHECK(queue.empty() && queue.bytes() == 0);
}

CASE(every_engine_walks) {
    StripsTask task = walk(50);
    for (const std::string &name : Search::engine_names()) {
        Search search(task, 0, {name}, {"ff"}, false);
        CHECK(search.run(no_limits) == Outcome::solved);
        CHECK(search.plan().size() == 50);
        CHECK(search.meter().evaluated > 0);
    }
}

CASE(every_heuristic_guides) {
    for (const HeuristicEntry &entry : heuristics()) {
        Search search(walk(50), 0, {"lazy"}, {entry.name, "ff"}, true);
        CHECK(search.run(no_limits) == Outcome::solved);
    }
    CHECK_THROWS(std::invalid_argument, Search(walk(1), 0, {"lazy"}, {"nonesuch"}, false));
    CHECK_THROWS(std::invalid_argument, Search(walk(1), 0, {"nonesuch"}, {"ff"}, false));
}

CASE(a_gained_delete_counts) {
    StripsTask task(3, {0}, {1, 2}, rows({{0}, {0}}), rows({{1}, {2}}), rows({{}, {}}), {1, 1},
                    {0, 0});
    Search search(task, 0, {"climb", "lazy"}, {"ff"}, false);
    CHECK(search.run(no_limits) == Outcome::solved);
    search.add_delete(0, 1);  // it adds that
    search.add_delete(0, 2);
    CHECK(search.run(no_limits) == Outcome::solved && search.plan().back() == 1);
    search.add_delete(1, 1);
    CHECK(search.run(no_limits) == Outcome::unsolvable);
}

CASE(a_forbidden_prefix_is_avoided) {
    StripsTask task = walk(2);
    Search search(task, 0, {"climb", "width", "lazy"}, {"ff"}, false);
    search.forbid(Prefixes::all_groups, {0, 2});
    CHECK(search.run(no_limits) == Outcome::solved);
    CHECK((search.plan() == Ints{0, 1, 0, 2}));
    search.forbid(0, {0});
    CHECK(search.run(no_limits) == Outcome::unsolvable);
    CHECK_THROWS(std::invalid_argument, search.forbid(1, {0}));
    CHECK_THROWS(std::invalid_argument, search.forbid(0, {17}));
}

CASE(a_search_is_resumed_where_it_stopped) {
    StripsTask task = walk(200);
    Search whole = whole_portfolio(task), parts = whole_portfolio(task);
    CHECK(whole.run(no_limits) == Outcome::solved);
    Outcome outcome = Outcome::limit;
    while (outcome == Outcome::limit)
        outcome = parts.run({7, 1e9, SIZE_MAX});
    CHECK(outcome == Outcome::solved);
    CHECK(parts.plan() == whole.plan() && parts.meter().evaluated == whole.meter().evaluated);
}

CASE(a_cancelled_search_stops_and_goes_on) {
    Search search(walk(3000), 0, {"lazy"}, {"goalcount"}, false);
    search.cancel();
    CHECK(search.run(no_limits) == Outcome::cancelled);
    CHECK(search.run({10, 1e9, SIZE_MAX}) == Outcome::limit);
    CHECK(search.run(no_limits) == Outcome::solved);
}

CASE(landmarks_are_what_no_plan_can_do_without) {
    // 0 -> 1 or 2 -> 3 -> 4: all but 1 and 2 are landmarks.
    Rows pre, add, del;
    for (auto [from, to] : {std::pair{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}}) {
        pre.append(Ints{from});
        add.append(Ints{to});
        del.append(Ints{from});
    }
    StripsTask task(5, {0}, {4}, pre, add, del, Ints(5, 1), Ints(5, 0));
    Landmarks landmarks(task);
    Word start = 1, visited = 0;
    landmarks.find(&start);
    CHECK((landmarks.facts() == Ints{0, 3, 4}));
    landmarks.visit(nullptr, &start, &visited);
    CHECK(visited == 1 && landmarks.left(&start, &visited) == 2);
    Word middle = 1 << 3, end = 1 << 4, after = 0;
    landmarks.visit(&visited, &middle, &after);
    CHECK(after == 0b1001 && landmarks.left(&middle, &after) == 1);
    landmarks.visit(&after, &end, &visited);
    CHECK(landmarks.left(&end, &visited) == 0);
    // Visited and lost again: the goal, and what alone leads to a landmark still to come.
    CHECK(landmarks.left(&start, &visited) == 1);
    Word lost = 1 << 1;
    CHECK(landmarks.left(&lost, &after) == 2);
    // Where there is no room for what comes before what, there are the goals.
    Landmarks goals(task, 0);
    goals.find(&start);
    CHECK((goals.facts() == Ints{4}));
    goals.visit(nullptr, &start, &visited);
    CHECK(visited == 0 && goals.left(&start, &visited) == 1);
    goals.visit(nullptr, &end, &visited);
    CHECK(goals.left(&end, &visited) == 0 && goals.left(&start, &visited) == 1);
}

CASE(a_remembered_heuristic_returns_the_same) {
    StripsTask task = walk(30);
    for (std::size_t bytes : {std::size_t{0}, std::size_t{1} << 20}) {
        auto plain = make_heuristic("ff", task, false);
        Remembered remembered(make_heuristic("ff", task, false), 1, bytes);
        for (int round = 0; round < 2; ++round)
            for (int place = 0; place < 31; ++place) {
                Word state = Word{1} << place;
                int value = plain->evaluate(&state);
                CHECK(remembered.evaluate(&state) == value);
                Ints ours, theirs;
                remembered.preferred(ours);
                plain->preferred(theirs);
                CHECK(ours == theirs);
            }
        remembered.adds_changed();
        Word state = 1;
        CHECK(remembered.evaluate(&state) == plain->evaluate(&state));
    }
}

}  // namespace test_search
