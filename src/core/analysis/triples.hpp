// h³: can the goal ever hold, as far as any three facts show?
//
// Like `Pairs`, a step finer and much larger: a bit for every three facts. Row (f, g) has the facts
// that can hold together with f and g, in every order of the three. Facts that `Pairs` never
// reaches, and actions that it never allows, are left out beforehand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/pairs.hpp"
#include "strips/strips.hpp"

namespace tacit {

class Triples {
  public:
    Triples(const StripsTask &task, const Pairs &pairs);

    // Words that are visited when every action is applied once: how much there is to do.
    std::int64_t work() const;
    std::size_t bytes() const { return facts_ * facts_ * words_ * sizeof(std::uint64_t); }
    // False if three facts of the goal never hold together. Takes the memory that `bytes` states.
    bool reach_goal();

  private:
    struct Action {
        Ints needs, adds, deletes;
        std::uint64_t applied = 0;  // when it was last
    };
    using Words = std::vector<std::uint64_t>;

    std::size_t facts_ = 0, words_ = 0;
    Ints init_, goal_;
    std::vector<Action> actions_;
    Words table_;
    std::vector<std::uint64_t> changed_;  // per fact, when a row of it was last
    std::uint64_t now_ = 1;
    Words kept_, with_, added_;

    std::uint64_t *row(std::size_t f, std::size_t g) {
        return table_.data() + (f * facts_ + g) * words_;
    }
    bool holds(std::size_t f, std::size_t g, std::size_t h) { return has(row(f, g), h); }
    bool allows(const Ints &facts);
    bool is_due(const Action &action) const;
    bool apply(Action &action);
    void find_kept(const Action &action);
    void find_with(const Action &action, std::size_t fact);
    bool add(std::size_t added, std::size_t fact);
};

}  // namespace tacit
