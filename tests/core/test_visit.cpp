// What an agent finds when it begins with what all agents suppose is what it would find by itself.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "check.hpp"
#include "ranking/priced_relaxation.hpp"
#include "tasks.hpp"
#include "util/random.hpp"

using namespace tacit;

namespace {

constexpr auto closed = PricedRelaxation::unreached;

// Facts 0 to 5 are public, each agent has two tokens behind them, and all infer the same of these.
class Sample {
  public:
    static constexpr std::int32_t facts = 12, actions = 14, publics = 6, agents = 3;

    explicit Sample(Random &random) : random_(random) {
        std::vector<Ints> needs(actions), adds(actions), after(facts - publics);
        for (std::int32_t a = 0; a < actions; ++a) {
            for (std::int32_t n = below(3); n >= 0; --n)
                needs[a].push_back(below(facts));
            if (below(3))
                adds[a].push_back(below(publics));
        }
        Ints tokens;
        for (std::int32_t token = publics; token < facts; ++token) {
            tokens.push_back(token);
            for (std::int32_t n = below(3); n > 0; --n)
                after[token - publics].push_back(below(actions));
        }
        for (std::vector<Ints> *lists : {&needs, &adds, &after})
            for (Ints &row : *lists) {
                std::ranges::sort(row);
                row.erase(std::unique(row.begin(), row.end()), row.end());
            }
        for (std::int32_t label = 0; label < 2 * (facts - publics); ++label)
            prices_.push_back(label % 2 && below(2) ? 60 + below(5) : 10 + below(5));
        task_ = std::make_shared<const IndexedTask>(
            StripsTask(facts, {0}, {1}, rows(needs), rows(adds), rows(std::vector<Ints>(actions)),
                       Ints(actions, 1), Ints(actions, 0)));
        inferred_ = InferredAchievers{tokens, rows(after), {}};
        for (std::int32_t agent = 0; agent < agents; ++agent) {
            std::vector<PricedRelaxation::Effect> own;
            for (std::int32_t n = below(4); n > 0; --n)
                own.push_back({below(actions + 1) - 1,
                               {publics + 2 * agent + below(2), first_own + below(2)}});
            effects_.push_back(own);
        }
    }

    PricedRelaxation relaxation(std::int32_t agent) const {
        Inferred own = inferred_;
        own.own_from = publics + 2 * agent;
        own.own_to = own.own_from + 2;
        PricedRelaxation made(task_, effects_[agent], own);
        made.divide(inferred_.inference->whole(*task_));
        made.price.assign(prices_.begin(), prices_.end());
        made.price.push_back(closed);
        made.price.push_back(closed);
        for (auto [action, fact] : published_)
            made.add_way(action, fact);
        return made;
    }
    const std::vector<PricedRelaxation::Effect> &effects(std::int32_t agent) const {
        return effects_[agent];
    }
    void publish() { published_.emplace_back(below(actions + 1) - 1, publics + below(6)); }
    std::uint64_t version() const { return published_.size(); }
    std::int32_t below(std::int32_t bound) {
        return static_cast<std::int32_t>(random_.next() % static_cast<std::uint64_t>(bound));
    }

    static constexpr std::int32_t first_own = 2 * (facts - publics);

  private:
    Random &random_;
    std::shared_ptr<const IndexedTask> task_;
    Inferred inferred_;
    std::vector<std::vector<PricedRelaxation::Effect>> effects_;
    std::vector<PricedRelaxation::Cost> prices_;
    std::vector<std::pair<std::int32_t, std::int32_t>> published_;
};

Ints all_facts() {
    Ints made;
    for (std::int32_t fact = 0; fact < Sample::facts; ++fact)
        made.push_back(fact);
    return made;
}

bool agree(const PricedRelaxation &one, const PricedRelaxation &other) {
    for (std::int32_t fact : all_facts()) {
        if (one.cost(fact) != other.cost(fact))
            return false;
        if (!one.is_reached(fact) || one.cost(fact) == 0)
            continue;
        auto mine = one.support(fact), theirs = other.support(fact);
        if (mine.action != theirs.action || mine.label != theirs.label)
            return false;
    }
    return true;
}

CASE(a_visit_finds_what_an_agent_would_find_alone) {
    Random random(8);
    int raised = 0;
    for (int n = 0; n < 1500; ++n) {
        Sample sample(random);
        for (int turn = 0; turn < 6; ++turn) {
            if (turn % 2)
                sample.publish();
            std::int32_t agent = sample.below(Sample::agents);
            PricedRelaxation here = sample.relaxation(agent), alone = sample.relaxation(agent);
            alone.explore(all_facts());
            PricedRelaxation::Visit visit(here, 0, sample.version());
            raised += !agree(here, alone);
            visit.infer_nothing_own();
            CHECK(agree(here, alone));
            for (PricedRelaxation *relaxation : {&here, &alone}) {
                relaxation->price[Sample::first_own] = 3;
                relaxation->price[Sample::first_own + 1] = 7;
            }
            visit.lower_prices(sample.effects(agent), all_facts());
            alone.explore(all_facts());
            CHECK(agree(here, alone));
            std::int32_t fact = sample.below(Sample::facts);
            here.reach({fact});
            alone.reach({fact});
            CHECK(agree(here, alone));
        }
    }
    CHECK(raised > 100);
}

CASE(a_visit_leaves_nothing_behind) {
    Random random(9);
    for (int n = 0; n < 300; ++n) {
        Sample sample(random);
        PricedRelaxation one = sample.relaxation(0);
        std::vector<PricedRelaxation::Cost> before;
        for (int turn = 0; turn < 2; ++turn) {
            PricedRelaxation::Visit visit(one, 0, 0);
            for (std::int32_t fact : all_facts())
                if (turn == 0)
                    before.push_back(one.cost(fact));
                else
                    CHECK(one.cost(fact) == before[fact]);
            visit.infer_nothing_own();
            one.price[Sample::first_own] = one.price[Sample::first_own + 1] = 1;
            visit.lower_prices(sample.effects(0), all_facts());
            one.reach({sample.below(Sample::facts)});
            one.price[Sample::first_own] = one.price[Sample::first_own + 1] = closed;
        }
    }
}

}  // namespace
