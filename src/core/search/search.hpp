// The embedded planner: a portfolio of engines over one task, in one thread, in slices.
//
// The engines take turns; every round their slices double, so that the one which would solve the
// task alone in n evaluations does so within a small multiple of n. Slices are counted in
// evaluations: where a run stops and the next one goes on leaves no trace in the result.
//
// The task may change between runs. Deletes and forbidden prefixes touch neither the heuristics nor
// the successor generator, so only the engines start again, the one that found the last plan first:
// a small change seldom makes another one better. Where prefixes are forbidden, plans that differ
// are wanted, so the engines whose plans vary come first, and slices are longer.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "heuristics/landmarks.hpp"
#include "search/engine.hpp"
#include "util/tuning.hpp"

namespace tacit {

class Search {
  public:
    // `engines` are names from `engine_names`. Throws std::invalid_argument on unknown names.
    Search(const StripsTask &task, std::uint64_t seed, const std::vector<std::string> &engines,
           const std::vector<std::string> &heuristics, bool use_costs);
    Search(const Search &) = delete;

    static std::vector<std::string> engine_names();

    Outcome run(const Limits &limits);
    // Makes a run in another thread stop soon, or the next run at once.
    void cancel() { meter_.is_cancelled = true; }

    // Each starts the search afresh if it changes anything.
    void add_delete(std::int32_t action, std::int32_t fact);
    void forbid(std::int32_t group, const Ints &actions);  // Prefixes::all_groups for the joint one
    // Plans must cost less, where engines look at costs; `unsolvable` then means no such plan.
    void bound(std::int64_t cost);
    void restart();

    const Ints &plan() const { return plan_; }
    const Meter &meter() const { return meter_; }
    std::size_t bytes() const;

  private:
    static constexpr std::int64_t max_slice = std::int64_t{1} << 50;  // far from overflow

    Ints fact_number_;
    Space space_;
    std::vector<std::unique_ptr<Heuristic>> heuristics_;
    RelaxedPlan *relaxed_ = nullptr;
    std::unique_ptr<RelaxedPlan> own_relaxed_;
    std::unique_ptr<Landmarks> landmarks_;
    std::vector<std::unique_ptr<Engine>> engines_;
    std::vector<std::int64_t> shares_;
    std::vector<bool> is_varied_;
    Meter meter_;
    Ints plan_;
    bool is_decided_ = false;
    Outcome outcome_ = Outcome::limit;
    std::vector<std::size_t> turns_;  // the engines in the order of their turns
    std::size_t turn_ = 0;            // whose slice it is
    std::size_t winner_ = 0;          // the engine that found the last plan
    std::int64_t slice_ = tuning::first_slice, slice_end_ = 0;

    Search(Relevant relevant, std::uint64_t seed, const std::vector<std::string> &engines,
           const std::vector<std::string> &heuristics, bool use_costs);
    void share_relaxed_plan();
    void add_engine(const std::string &name, std::uint64_t seed);
    void arrange_turns();
    Outcome take_turns();
    Outcome decide(Outcome outcome);
    void next_turn();
    std::int32_t known_fact(std::int32_t fact) const;
};

}  // namespace tacit
