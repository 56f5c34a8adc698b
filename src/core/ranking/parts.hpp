// The parts of a task that have nothing to do with each other as long as nothing is deleted.
//
// Two facts are in one part if an action needs or adds both, or if they are joined by a chain of
// such facts; what is inferred of tokens counts as an effect. What the facts of one part cost does
// not depend on the others, so a part whose ways did not change need not be explored again. In
// transport domains each package is a part, which makes a turn as cheap as what was disclosed since
// the last one. Other tasks are one part, and nothing is lost. All that leads to no goal is in part
// 0.
#pragma once

#include <cstdint>

#include "ranking/public_projection.hpp"
#include "util/rows.hpp"

namespace tacit {

struct InferredAchievers;

class Parts {
  public:
    Parts(const IndexedTask &indexed, const InferredAchievers &inferred);
    // All of the task in one.
    static Parts whole(const IndexedTask &indexed, const InferredAchievers &inferred);

    std::int32_t size() const { return static_cast<std::int32_t>(facts_.size()); }
    std::int32_t of_fact(std::int32_t fact) const { return of_fact_[fact]; }
    std::int32_t of_action(std::int32_t action) const { return of_action_[action]; }
    // Of a part, each ascending: its facts and actions, what of it holds initially, and the places
    // of its tokens among those that are inferred.
    Row facts(std::int32_t part) const { return facts_[part]; }
    Row actions(std::int32_t part) const { return actions_[part]; }
    Row init(std::int32_t part) const { return init_[part]; }
    Row places(std::int32_t part) const { return places_[part]; }

  private:
    Ints of_fact_, of_action_;
    Rows facts_, actions_, init_, places_;

    Parts() = default;
    void list(const IndexedTask &indexed, const InferredAchievers &inferred, std::int32_t parts);
};

}  // namespace tacit
