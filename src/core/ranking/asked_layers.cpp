#include "ranking/asked_layers.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "util/pulse.hpp"

namespace tacit {

namespace {

using Facts = std::vector<std::uint8_t>;

class Round {
  public:
    Round(const IndexedTask &indexed, std::int32_t agent, std::span<const std::uint8_t> reached,
          const Ints &asked)
        : indexed_(indexed), agent_(agent), known_(reached.begin(), reached.end()), asked_(asked),
          is_asked_(known_.size(), 0) {
        for (std::int32_t fact : asked_)
            is_asked_.at(fact) = 1;
        std::ranges::copy_if(asked_, std::back_inserter(left_), [&](std::int32_t fact) {
            return !known_[fact] && !is_possible_at_once(fact);
        });
    }

    std::size_t count() {
        if (left_.empty())
            return 0;
        std::vector<std::pair<std::int32_t, std::int32_t>> adders;  // agent, action
        for (std::int32_t fact : asked_)
            for (std::int32_t action : indexed_.added_by[fact])
                if (indexed_.task.group[action] != agent_)
                    adders.emplace_back(indexed_.task.group[action], action);
        std::ranges::sort(adders);
        adders.erase(std::ranges::unique(adders).begin(), adders.end());
        for (auto from = adders.begin(); from != adders.end() && !left_.empty();) {
            auto to = std::find_if(from, adders.end(),
                                   [&](auto adder) { return adder.first != from->first; });
            Ints useful;
            for (; from != to; ++from)
                useful.push_back(from->second);
            follow(std::move(useful));
        }
        return left_.size();
    }

  private:
    const IndexedTask &indexed_;
    std::int32_t agent_;
    Facts known_;
    const Ints &asked_;
    Facts is_asked_;
    Ints left_;

    bool is_public(std::int32_t fact) const {
        return static_cast<std::size_t>(fact) < known_.size();
    }
    bool holds(std::int32_t action) const {
        return std::ranges::all_of(indexed_.task.pre[action], [&](std::int32_t fact) {
            return !is_public(fact) || known_[fact];
        });
    }
    bool is_possible_at_once(std::int32_t fact) const {
        return std::ranges::any_of(indexed_.added_by[fact], [&](std::int32_t action) {
            return indexed_.task.group[action] != agent_ && holds(action);
        });
    }

    // All that one agent can do within the round, by these of its actions.
    void follow(Ints useful) {
        Ints found;
        Ticks tick;
        for (bool is_more = true; is_more;) {
            is_more = false;
            std::erase_if(useful, [&](std::int32_t action) {
                tick(1);
                if (!holds(action))
                    return false;
                for (std::int32_t fact : indexed_.task.add[action])
                    if (is_public(fact) && is_asked_[fact] && !known_[fact]) {
                        known_[fact] = is_more = true;
                        found.push_back(fact);
                    }
                return true;
            });
        }
        std::erase_if(left_, [&](std::int32_t fact) { return known_[fact] != 0; });
        for (std::int32_t fact : found)
            known_[fact] = 0;  // what this agent does is not there for the next one
    }
};

}  // namespace

std::size_t count_impossible(const PublicProjection &projection, std::int32_t agent,
                             std::span<const std::uint8_t> reached, const Ints &asked) {
    if (reached.size() != projection.shapes().published().predicate.size())
        throw std::invalid_argument("there are as many flags as public facts");
    return Round(projection.indexed(), agent, reached, asked).count();
}

}  // namespace tacit
