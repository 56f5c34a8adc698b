// A task in parts: the ranking by goals chooses the same edges whether or not it knows of them.
#include <memory>
#include <vector>

#include "check.hpp"
#include "ranking/goal_order.hpp"
#include "ranking/parts.hpp"
#include "tasks.hpp"
#include "util/random.hpp"

namespace test_parts {

using namespace tacit;

namespace {

// Parts at random that share nothing, each with own and others' actions, tokens and edges. One more
// token that nobody needs joins all actions if one agent takes them to achieve it.
class Sample {
  public:
    static constexpr std::int32_t facts_per_part = 9, actions_per_part = 9;

    Sample(Random &random, std::int32_t parts) : random_(random), parts_(parts) {
        for (std::int32_t part = 0; part < parts; ++part)
            add_part(part * facts_per_part, part * actions_per_part);
    }

    std::shared_ptr<const IndexedTask> task() const {
        auto actions = static_cast<std::int32_t>(needs_.size());
        return std::make_shared<const IndexedTask>(
            StripsTask(unused_token() + 1, init_, goal_, rows(needs_), rows(adds_),
                       rows(std::vector<Ints>(actions)), Ints(actions, 1), group_));
    }
    OwnEdges edges() const { return edges_; }
    Inferred inferred(bool is_joined) const {
        std::vector<Ints> after = after_;
        after.push_back(Ints(is_joined ? needs_.size() : 1, 0));
        for (std::size_t n = 0; n < after.back().size(); ++n)
            after.back()[n] = static_cast<std::int32_t>(n);
        Ints tokens = tokens_;
        tokens.push_back(unused_token());
        return InferredAchievers{tokens, rows(after), std::vector<std::uint8_t>(tokens.size(), 0)};
    }
    std::int32_t unused_token() const { return parts_ * facts_per_part; }
    std::int32_t below(std::int32_t bound) {
        return static_cast<std::int32_t>(random_.next() % static_cast<std::uint64_t>(bound));
    }
    // An edge of another agent: an action, and a token of the same part.
    std::pair<std::int32_t, std::int32_t> edge_of_others() {
        std::int32_t part = below(parts_);
        return {part * actions_per_part + 6 + below(3), part * facts_per_part + 7 + below(2)};
    }

  private:
    Random &random_;
    std::int32_t parts_;
    std::vector<Ints> needs_, adds_, after_;
    Ints init_, goal_, group_, tokens_;
    OwnEdges edges_;

    // Facts 0 to 4 are public: 0 holds, 3 and 4 are goals. 5 and 6 are own tokens, 7 and 8 those of
    // others. The first six actions are own ones.
    void add_part(std::int32_t fact, std::int32_t action) {
        init_.push_back(fact);
        goal_.push_back(fact + 3);
        goal_.push_back(fact + 4);
        for (std::int32_t n = 0; n < actions_per_part; ++n) {
            bool is_own = n < 6;
            Ints needs{fact + below(5)}, adds;
            if (below(2))
                needs.push_back(fact + (is_own ? 5 : 7) + below(2));
            if (below(2))
                adds.push_back(fact + 1 + below(4));
            needs_.push_back(needs);
            adds_.push_back(adds);
            group_.push_back(is_own ? 0 : 1);
        }
        for (std::int32_t n = 0; n < 6; ++n)
            if (below(3)) {
                edges_.achiever.push_back(below(6) ? action + below(6) : PricedRelaxation::initial);
                edges_.token.push_back(fact + 5 + below(2));
                edges_.is_positive.push_back(1);
            }
        for (std::int32_t token : {7, 8}) {
            tokens_.push_back(fact + token);
            after_.push_back(below(3) ? Ints{action + 6 + below(3)} : Ints());
        }
    }
};

CASE(parts_are_found) {
    Random random(5);
    Sample sample(random, 4);
    auto task = sample.task();
    Parts divided(*task, sample.inferred(false).all()), joined(*task, sample.inferred(true).all());
    CHECK(divided.size() > 4);  // a goal may be in a part of its own
    CHECK(joined.size() < divided.size());
    CHECK(Parts::whole(*task, {}).size() == 1);
    for (std::int32_t part = 0; part < divided.size(); ++part)
        for (std::int32_t action : divided.actions(part))
            for (std::int32_t fact : task->task.pre[action])
                CHECK(divided.of_fact(fact) == part);
}

CASE(parts_change_no_choice) {
    Random random(6);
    int found = 0;
    for (int n = 0; n < 400; ++n) {
        Sample sample(random, 1 + n % 5);
        GoalOrder divided(sample.task(), 0, 2, sample.edges(), sample.inferred(false));
        GoalOrder joined(sample.task(), 0, 2, sample.edges(), sample.inferred(true));
        for (int turn = 0; turn < 25; ++turn) {
            bool is_anew = sample.below(6) == 0;
            std::int32_t edge = divided.planned(is_anew);
            CHECK(edge == joined.planned(is_anew));
            found += edge >= 0;
            for (int news = sample.below(3); news > 0; --news) {
                auto [achiever, token] = sample.edge_of_others();
                divided.saw(achiever, token, true);
                joined.saw(achiever, token, true);
            }
        }
    }
    CHECK(found > 100);
}

CASE(an_edge_between_parts_makes_one_of_all) {
    // Tokens 2 and 3 of another agent lead to goals 4 and 5; that fact 0 leads on to the latter,
    // too, is disclosed later.
    StripsTask task(6, {0, 1}, {4, 5}, rows({{0}, {1}, {2}, {3}}), rows({{}, {}, {4}, {5}}),
                    rows({{}, {}, {}, {}}), Ints(4, 1), {0, 1, 0, 1});
    auto shared = std::make_shared<const IndexedTask>(task);
    GoalOrder order(shared, 0, 2, {{0}, {2}, {1}, {}}, {});
    order.saw(0, 3, true);
    CHECK(order.planned(false) == 0);
    CHECK(order.planned(false) == -1);
}

}  // namespace

}  // namespace test_parts
