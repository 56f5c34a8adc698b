// Bounds of the delete relaxation, by LM-cut or by h_max, over the facts and actions of a task that
// matter for its goal.
#pragma once

#include "heuristics/heuristic.hpp"
#include "heuristics/lm_cut.hpp"

namespace tacit {

class RelaxedBound : public AdmissibleHeuristic {
  public:
    enum class By : std::uint8_t { lm_cut, max };

    RelaxedBound(const StripsTask &task, const Ints &cost, By by,
                 const std::vector<Gates> &gates = {});

    int evaluate(const Word *state, int enough, std::span<const Tolls *const> tolls = {}) override;

  private:
    std::size_t words_;
    By by_;
    std::vector<Gates> gates_;
    Ints number_;                        // per fact of the task, that of `cuts_`, or -1
    std::vector<std::uint8_t> is_shut_;  // per fact of the task
    LmCut cuts_;
    Ints holds_;

    LmCut relevant_part(const StripsTask &task, const Ints &cost);
    void shut(std::span<const Tolls *const> tolls, bool is_shut);
};

// The same to guide a search: every action costs 1 at least, so that only goal states have the
// value 0. Where all actions do, it is never too high.
template <RelaxedBound::By by>
class RelaxedGuide : public Heuristic {
  public:
    RelaxedGuide(const StripsTask &task, bool use_costs) : task_(task), use_costs_(use_costs) {
        adds_changed();
    }
    int evaluate(const Word *state) override;
    void adds_changed() override;

  private:
    const StripsTask &task_;
    bool use_costs_;
    std::unique_ptr<RelaxedBound> bound_;
};

}  // namespace tacit
