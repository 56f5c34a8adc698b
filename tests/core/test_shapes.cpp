#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "check.hpp"
#include "ranking/generalising.hpp"
#include "ranking/goal_order.hpp"
#include "ranking/peer_model.hpp"
#include "ranking/public_projection.hpp"
#include "ranking/shapes.hpp"
#include "tasks.hpp"
#include "util/pulse.hpp"
#include "util/random.hpp"

namespace test_shapes {

using namespace tacit;

namespace {

std::int32_t below(Random &random, std::int32_t bound) {
    return static_cast<std::int32_t>(random.next() % static_cast<std::uint64_t>(bound));
}

Ints some(Random &random, std::int32_t bound, std::int32_t one_in) {
    Ints made;
    for (std::int32_t item = 0; item < bound; ++item)
        if (below(random, one_in) == 0)
            made.push_back(item);
    return made;
}

// Three agents with a few actions at random.
PublicActions sample(Random &random) {
    PublicActions made;
    std::int32_t facts = 2 + below(random, 6), agents = 3;
    for (std::int32_t fact = 0; fact < facts; ++fact) {
        made.predicate.push_back(below(random, 2));
        Ints objects;
        for (std::int32_t n = below(random, 3); n > 0; --n)
            objects.push_back(below(random, 4));
        made.objects.append(objects);
    }
    made.first_action.push_back(0);
    made.first_token.push_back(0);
    for (std::int32_t agent = 0; agent < agents; ++agent) {
        std::int32_t tokens = below(random, 4), first = made.first_token.back();
        for (std::int32_t n = below(random, 8); n > 0; --n) {
            made.needs.append(some(random, facts, 4));
            made.adds.append(some(random, facts, 5));
            made.deletes.append(some(random, facts, 6));
            Ints needed = some(random, tokens, 3);
            for (std::int32_t &token : needed)
                token += first;
            made.tokens.append(needed);
        }
        made.first_action.push_back(static_cast<std::int32_t>(made.needs.size()));
        made.first_token.push_back(first + tokens);
    }
    return made;
}

using Place = std::tuple<int, std::int32_t, std::size_t>;

// Where an object stands in an action: rows, predicates and places, compared one by one.
std::set<Place> stands(const PublicActions &p, std::int32_t action, std::int32_t object) {
    std::set<Place> found;
    int row = 0;
    for (const Rows *rows : {&p.needs, &p.adds, &p.deletes}) {
        for (std::int32_t fact : (*rows)[action])
            for (std::size_t place = 0; place < p.objects[fact].size(); ++place)
                if (p.objects[fact][place] == object)
                    found.insert({row, p.predicate[fact], place});
        ++row;
    }
    return found;
}

std::vector<std::set<std::int32_t>> kind(const PublicActions &p, std::int32_t action) {
    std::vector<std::set<std::int32_t>> found;
    for (const Rows *rows : {&p.needs, &p.adds, &p.deletes}) {
        found.emplace_back();
        for (std::int32_t fact : (*rows)[action])
            found.back().insert(p.predicate[fact]);
    }
    return found;
}

std::multiset<std::set<Place>> parts(const Shapes &shapes, std::int32_t action,
                                     std::int32_t token) {
    std::multiset<std::set<Place>> found;
    for (std::int32_t subject : shapes.subjects(token))
        found.insert(stands(shapes.published(), action, subject));
    return found;
}

CASE(kinds_and_subjects_are_those_of_comparing) {
    Random random(1);
    for (int n = 0; n < 300; ++n) {
        Shapes shapes(sample(random));
        const PublicActions &p = shapes.published();
        auto actions = static_cast<std::int32_t>(p.needs.size());
        for (std::int32_t a = 0; a < actions; ++a)
            for (std::int32_t b = 0; b < actions; ++b)
                CHECK((shapes.kind(a) == shapes.kind(b)) == (kind(p, a) == kind(p, b)));
        for (std::int32_t token = 0; token < shapes.tokens(); ++token) {
            Ints common;
            for (std::int32_t object = 0; object < 4 && !shapes.users(token).empty(); ++object)
                if (std::ranges::all_of(shapes.users(token), [&](std::int32_t user) {
                        return !stands(p, user, object).empty();
                    }))
                    common.push_back(object);
            CHECK(std::ranges::equal(common, shapes.subjects(token)));
        }
    }
}

CASE(edges_of_one_class_are_those_of_comparing) {
    Random random(5);
    for (int n = 0; n < 300; ++n) {
        Shapes shapes(sample(random));
        const PublicActions &p = shapes.published();
        auto actions = static_cast<std::int32_t>(p.needs.size());
        if (actions == 0 || shapes.tokens() == 0)
            continue;
        auto look = [&](std::int32_t action, std::int32_t token) {
            bool is_user = std::ranges::binary_search(shapes.users(token), action);
            return std::tuple(shapes.look(token), shapes.pattern(action, token), is_user);
        };
        Ints from, to;
        std::set<std::tuple<std::int32_t, Pattern, bool>> known;
        for (int e = 0; e < 3; ++e) {
            from.push_back(below(random, actions));
            to.push_back(below(random, shapes.tokens()));
            known.insert(look(from.back(), to.back()));
        }
        Generalising made(shapes, from, to);
        CHECK(made.classes() == static_cast<std::int32_t>(known.size()));
        Rows alike = made.alike();
        for (std::int32_t token = 0; token < shapes.tokens(); ++token) {
            Ints wanted;
            std::int32_t owner = shapes.owner(token);
            for (std::int32_t a = p.first_action[owner]; a < p.first_action[owner + 1]; ++a)
                if (known.contains(look(a, token)))
                    wanted.push_back(a);
            CHECK(std::ranges::equal(alike[token], wanted));
        }
    }
}

CASE(matching_finds_the_actions_that_stand_alike) {
    Random random(2);
    for (int n = 0; n < 300; ++n) {
        Shapes shapes(sample(random));
        const PublicActions &p = shapes.published();
        auto actions = static_cast<std::int32_t>(p.needs.size());
        for (std::int32_t token = 0; token < shapes.tokens() && actions > 0; ++token) {
            std::int32_t model = below(random, shapes.tokens()), action = below(random, actions);
            Pattern pattern = shapes.pattern(action, model);
            Ints wanted;
            std::int32_t owner = shapes.owner(token);
            for (std::int32_t a = p.first_action[owner]; a < p.first_action[owner + 1]; ++a)
                if (kind(p, a) == kind(p, action) &&
                    parts(shapes, a, token) == parts(shapes, action, model))
                    wanted.push_back(a);
            CHECK(shapes.matching(std::vector{pattern}, token) == wanted);
        }
    }
}

CASE(shapes_refuse_numbers_out_of_range) {
    Random random(3);
    auto is_refused = [](PublicActions published) {
        try {
            Shapes shapes(std::move(published));
        } catch (const std::invalid_argument &) {
            return true;
        }
        return false;
    };
    PublicActions made = sample(random);
    CHECK(!is_refused(made));
    PublicActions fact = made, token = made, agent = made, object = made;
    fact.needs.append(Ints{99});
    fact.adds.append({});
    fact.deletes.append({});
    fact.tokens.append({});
    ++fact.first_action.back();
    CHECK(is_refused(fact));
    --token.first_token.back();
    token.tokens.items.push_back(made.first_token.back());
    ++token.tokens.start.back();
    CHECK(is_refused(token));
    agent.first_action.back() += 1;
    CHECK(is_refused(agent));
    object.objects.append(Ints{0});
    CHECK(is_refused(object));
}

// Two trucks and a parcel each of which goes from fact 2p to fact 2p + 1: action 2p of a truck
// takes it and achieves token p, action 2p + 1 needs that token and brings it.
PublicActions two_trucks(std::int32_t parcels) {
    PublicActions made;
    for (std::int32_t parcel = 0; parcel < parcels; ++parcel)
        for (std::int32_t predicate : {0, 1}) {
            made.predicate.push_back(predicate);
            made.objects.append(Ints{parcel});
        }
    made.first_action = {0, 2 * parcels, 4 * parcels};
    made.first_token = {0, parcels, 2 * parcels};
    for (std::int32_t truck : {0, 1})
        for (std::int32_t parcel = 0; parcel < parcels; ++parcel) {
            made.needs.append(Ints{2 * parcel});
            made.needs.append({});
            made.adds.append({});
            made.adds.append(Ints{2 * parcel + 1});
            made.deletes.append(Ints{2 * parcel});
            made.deletes.append({});
            made.tokens.append({});
            made.tokens.append(Ints{truck * parcels + parcel});
        }
    return made;
}

OwnGraph first_truck(std::int32_t parcels) {
    OwnGraph own;
    for (std::int32_t parcel = 0; parcel < parcels; ++parcel) {
        own.tokens.push_back(parcel);
        own.achiever.push_back(2 * parcel);
        own.token.push_back(parcel);
        own.is_positive.push_back(1);
        own.deleter.push_back(2 * parcel + 1);
        own.deleted.push_back(parcel);
    }
    return own;
}

CASE(a_truck_models_another_one_after_itself) {
    Shapes shapes(two_trucks(3));
    PeerModel model(shapes, first_truck(3), 0.5);
    for (std::int32_t parcel = 0; parcel < 3; ++parcel) {
        InferredToken found = model.infer(3 + parcel);
        CHECK(found.after == (Ints{6 + 2 * parcel}));
        CHECK(found.deleters == (Ints{6 + 2 * parcel + 1}));
        CHECK(!found.initially);
    }
}

CASE(without_tokens_like_it_what_speaks_of_its_subjects_may_achieve_a_token) {
    Shapes shapes(two_trucks(3));
    PeerModel model(shapes, {}, 0.5);
    InferredToken found = model.infer(4);
    CHECK(found.after == (Ints{8}));
    CHECK(!found.initially && found.deleters.empty());
}

CASE(the_projection_of_what_was_published) {
    PublicActions published = two_trucks(1);
    PublicProjection projection(published, {{0}, {1}, {1, 1, 1, 1}, {0, 1}, rows({{}, {1}})});
    const StripsTask &task = projection.indexed().task;
    CHECK(projection.facts() == (Ints{2, 3}));
    CHECK(projection.actions() == (Ints{0, 1, 2, 3}));
    CHECK(task.facts == 6);  // two public facts, two tokens, may act, has finished
    CHECK(task.size() == 5);
    CHECK(task.init == (Ints{0, 4}) && task.goal == (Ints{1, 5}));
    CHECK(std::ranges::equal(task.pre[4], Ints{3, 4}));
    CHECK(std::ranges::equal(projection.indexed().needed_by[4], Ints{2, 3, 4}));
}

CASE(agents_share_what_they_infer_if_they_infer_it_from_the_same) {
    constexpr std::int32_t parcels = 3;
    PublicRest rest{{0}, {1}, Ints(4 * parcels, 1), {0, 0}, rows({{}, {}})};
    auto made = std::make_shared<const PublicProjection>(two_trucks(parcels), rest);
    OwnGraph first = first_truck(parcels), second = first, other = first;
    for (Ints *tokens : {&second.tokens, &second.token, &second.deleted})
        for (std::int32_t &token : *tokens)
            token += parcels;
    for (Ints *actions : {&second.achiever, &second.deleter})
        for (std::int32_t &action : *actions)
            action += 2 * parcels;
    other.deleter.clear();
    other.deleted.clear();
    double alike = 0.5;
    Inferred one = infer_achievers(made, 0, first, alike);
    Inferred two = infer_achievers(made, 1, second, alike);
    CHECK(one.inference == two.inference);
    CHECK(one.inference != infer_achievers(made, 0, other, alike).inference);
    CHECK(one.inference != infer_achievers(made, 0, first, 0.4).inference);
    auto again = std::make_shared<const PublicProjection>(two_trucks(parcels), rest);
    CHECK(one.inference != infer_achievers(again, 0, first, alike).inference);
    // Each leaves out its own tokens, and has its own deletes for them.
    for (std::int32_t token = 0; token < 2 * parcels; ++token) {
        CHECK(one.is_own(made->facts()[token]) == (token < parcels));
        CHECK(two.is_own(made->facts()[token]) == (token >= parcels));
    }
    CHECK(one.deletes() == two.deletes());
}

int pulses = 0;

void count_pulses() { ++pulses; }

CASE(shapes_inference_and_plans_call_back_now_and_then) {
    constexpr std::int32_t parcels = 2000;
    auto pulses_of = [](auto &&work) {
        pulses = 0;
        work();
        return pulses;
    };
    on_pulse(count_pulses, 0.0);
    std::shared_ptr<const PublicProjection> made;
    Ints init, goal;
    for (std::int32_t parcel = 0; parcel < parcels; ++parcel) {
        init.push_back(2 * parcel);
        goal.push_back(2 * parcel + 1);
    }
    PublicRest rest{init, goal, Ints(4 * parcels, 1), {0, 0}, rows({{}, {}})};
    CHECK(pulses_of([&] { made.reset(new PublicProjection(two_trucks(parcels), rest)); }) > 0);
    OwnGraph own = first_truck(parcels);
    Inferred inferred;
    CHECK(pulses_of([&] { inferred = infer_achievers(made, 0, own, 0.5); }) > 0);
    auto task = std::make_shared<const IndexedTask>(made->indexed().task);
    OwnEdges edges{own.achiever, {}, own.is_positive, {}};
    for (std::int32_t token : own.token)
        edges.token.push_back(made->facts()[token]);
    GoalOrder order(task, 0, 2, edges, inferred);
    CHECK(pulses_of([&] { CHECK(order.planned(false) >= 0); }) > 0);
    on_pulse(nullptr, 0.0);
}

}  // namespace

}  // namespace test_shapes
