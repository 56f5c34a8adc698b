#include <algorithm>
#include <random>

#include "check.hpp"
#include "grounding/grounder.hpp"
#include "util/pulse.hpp"

namespace test_grounder {

using namespace tacit;

namespace {

int pulses = 0;

struct Stop {};

void stop_at_third() {
    if (++pulses == 3)
        throw Stop{};
}

// One agent (object 0) walks a chain of nodes 1..n: at(x), next(x, y).
Program chain(int nodes) {
    Ints owners(nodes + 1, -1), agents(nodes + 1, -1);
    owners[0] = agents[0] = 0;
    Program p(owners, agents, false);
    Ints all;
    for (int i = 1; i <= nodes; ++i)
        all.push_back(i);
    int agent = p.add_set({0}), places = p.add_set(all);
    int at = p.add_predicate(1, public_predicate, true, 0);
    int next = p.add_predicate(2, public_predicate, false, 1);
    p.set_public_fluent(at);
    p.add_schema({agent, places, places}, true, {at, 1, next, 1, 2}, {}, {at, 2}, {at, 1}, {}, 1,
                 {});
    return p;
}

Ints chain_start(int nodes) {
    Ints facts{0, ~1};
    for (int i = 1; i < nodes; ++i)
        facts.insert(facts.end(), {1, ~i, ~(i + 1)});
    return facts;
}

}  // namespace

CASE(a_chain_is_walked_to_its_end) {
    Grounder g(chain(1000), 1 << 20);
    g.initial(chain_start(1000));
    g.run();
    CHECK(g.actions() == 999);
    GroundTask task = g.finish({0, ~1000}, {}, {});
    CHECK(task.public_facts == 1000);
    CHECK(task.goal.size() == 1);
    CHECK(task.init.size() == 1);
    LocalTask local = task.local(0, {}, -1);
    CHECK(local.actions.size() == 999);
    for (std::size_t a = 0; a < local.actions.size(); ++a)
        CHECK(local.actions.pre[a].size() == 1 && local.actions.is_public[a]);
    CHECK(local.project().action.size() == 999);
}

CASE(the_number_of_actions_is_bounded) {
    Grounder g(chain(1000), 10);
    g.initial(chain_start(1000));
    CHECK_THROWS(GroundingLimit, g.run());
}

CASE(feeding_facts_from_outside_goes_on) {
    Grounder g(chain(10), 1 << 20);
    Ints facts;
    for (int i = 1; i < 10; ++i)
        facts.insert(facts.end(), {1, ~i, ~(i + 1)});
    g.initial(facts);
    g.run();
    CHECK(g.actions() == 0);
    g.learn({0, ~5}, {});
    g.run();
    CHECK(g.actions() == 5);
    CHECK(g.take_reached().size() == 10);
    CHECK(g.take_reached().empty());
}

CASE(an_interrupted_run_ends) {
    Program p = chain(3);
    p.add_schema({0, 1, 1, 1, 1}, true, {}, {}, {0, 1}, {}, {}, 1, {});
    Ints owners(200, -1), agents(200, -1);
    agents[0] = 0;
    Program wide(owners, agents, false);
    Ints all(200);
    for (int i = 0; i < 200; ++i)
        all[i] = i;
    int agent = wide.add_set({0}), any = wide.add_set(all);
    int at = wide.add_predicate(1, public_predicate, true, 0);
    Ints never{~0, ~1, 1};  // equality of two different objects: no instance, but a long search
    wide.add_schema({agent, any, any, any, any}, true, {}, {}, {at, 1}, {}, never, 1, {});
    Grounder g(std::move(wide), 1 << 20);
    on_pulse(stop_at_third, 0.0);
    pulses = 0;
    CHECK_THROWS(Stop, g.run());
    on_pulse(nullptr, 0.0);
    CHECK(pulses == 3);
}

CASE(actions_of_many_parameters_end_sooner) {
    auto found = [](int parameters) {
        int objects = 12;
        Ints owners(objects, -1), agents(objects, -1), all(objects);
        agents[0] = 0;
        for (int i = 0; i < objects; ++i)
            all[i] = i;
        Program loose(owners, agents, false);
        int agent = loose.add_set({0}), any = loose.add_set(all);
        int at = loose.add_predicate(1, public_predicate, true, 0);
        Ints sets(parameters, any);
        sets[0] = agent;
        loose.add_schema(sets, true, {}, {}, {at, 1}, {}, {}, 1, {});
        Grounder g(std::move(loose), 1 << 20);
        CHECK_THROWS(GroundingLimit, g.run());
        return g.actions();
    };
    CHECK(found(8) < 1 << 19);
    CHECK(found(20) < found(8) / 3 * 2);
}

CASE(nonsense_is_refused) {
    Program p({-1, -1}, {0, -1}, false);
    CHECK_THROWS(std::invalid_argument, p.add_set({5}));
    CHECK_THROWS(std::invalid_argument, p.add_predicate(40, public_predicate, false, 0));
    CHECK_THROWS(std::invalid_argument, p.add_predicate(1, 1, false, 0));
    int set = p.add_set({0, 1});
    int at = p.add_predicate(1, public_predicate, true, 0);
    CHECK_THROWS(std::invalid_argument, p.add_schema({set}, true, {at}, {}, {}, {}, {}, 0, {}));
    CHECK_THROWS(std::invalid_argument, p.add_schema({set}, true, {at, 3}, {}, {}, {}, {}, 0, {}));
    CHECK_THROWS(std::invalid_argument, p.add_schema({set}, true, {7, 0}, {}, {}, {}, {}, 0, {}));
    CHECK_THROWS(std::invalid_argument, p.add_schema({set}, false, {}, {}, {}, {}, {}, 0, {}));
    CHECK_THROWS(std::invalid_argument, p.add_schema({set}, true, {}, {}, {}, {}, {0, 0}, 0, {}));
    Grounder g(p, 100);
    CHECK_THROWS(std::invalid_argument, g.initial({at, ~9}));
    CHECK_THROWS(std::invalid_argument, g.initial({at, 0}));
    CHECK_THROWS(std::invalid_argument, g.initial_values({at, ~0}, {}));
}

// Random programs: the order of the initial facts leaves no trace in the task.
CASE(the_order_of_facts_leaves_no_trace) {
    std::mt19937 random(11);
    for (int round = 0; round < 200; ++round) {
        auto pick = [&](int n) { return static_cast<int>(random() % n); };
        Program p({0, 1, -1, -1, 0}, {0, 1, -1, -1, -1}, false);
        int agents = p.add_set({0, 1}), any = p.add_set({0, 1, 2, 3, 4});
        for (int predicate = 0; predicate < 3; ++predicate)
            p.add_predicate(predicate, predicate == 1 && pick(2) ? 0 : public_predicate,
                            predicate != 2, predicate);
        p.set_public_fluent(0);
        p.set_public_fluent(1);
        auto atoms = [&](int most) {
            Ints flat;
            for (int i = pick(most + 1); i > 0; --i) {
                int predicate = pick(3);
                flat.push_back(predicate);
                for (int a = 0; a < predicate; ++a)
                    flat.push_back(pick(4) ? pick(3) : ~pick(5));
            }
            return flat;
        };
        auto fluents = [&](int most) {
            Ints flat;
            for (int i = pick(most + 1); i > 0; --i) {
                int predicate = pick(2);
                flat.push_back(predicate);
                if (predicate)
                    flat.push_back(pick(3));
            }
            return flat;
        };
        for (int s = 0; s < 2; ++s)
            p.add_schema({agents, any, any}, true, atoms(3), atoms(1), fluents(2), fluents(2), {},
                         1, {});
        std::vector<Ints> facts{{0}};
        for (int i = 0; i < 4; ++i) {
            facts.push_back({1, ~pick(5)});
            facts.push_back({2, ~pick(5), ~pick(5)});
        }
        GroundTask tasks[2];
        for (GroundTask &task : tasks) {
            Grounder g(p, 1 << 20);
            std::shuffle(facts.begin(), facts.end(), random);
            for (const Ints &fact : facts)
                g.initial(fact);
            g.run();
            task = g.finish({1, ~2}, {0}, {});
        }
        CHECK(tasks[0].facts.items == tasks[1].facts.items);
        CHECK(tasks[0].owner == tasks[1].owner);
        CHECK(tasks[0].init == tasks[1].init && tasks[0].goal == tasks[1].goal);
        CHECK(tasks[0].actions.args.items == tasks[1].actions.args.items);
        CHECK(tasks[0].actions.pre.items == tasks[1].actions.pre.items);
        CHECK(tasks[0].actions.add.items == tasks[1].actions.add.items);
        CHECK(tasks[0].actions.del.items == tasks[1].actions.del.items);
        CHECK(tasks[0].actions.is_public == tasks[1].actions.is_public);
        for (int agent = 0; agent < 2; ++agent)
            CHECK(tasks[0].local(agent, {}, -1).actions.schema ==
                  tasks[1].local(agent, {}, -1).actions.schema);
    }
}

}  // namespace test_grounder
