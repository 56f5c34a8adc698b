// Every number in the core that steers how much effort is made and where it goes.
//
// With other numbers no answer becomes wrong, but plans and the order of edges may change, and
// limits may be reached sooner or later. Numbers that belong to a format, a protocol or a data
// structure are not here but where they are used.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tacit::tuning {

// How often limits are checked

// Rounds of a short loop between two readings of the clock, which cost more than a round.
inline constexpr std::uint32_t rounds_per_pulse = 1 << 10;
// How many rounds one of a heavy loop counts, whose rounds go through whole sets of facts.
inline constexpr std::uint32_t rounds_of_heavy_one = 16;
// Expansions of an engine between two checks of time, memory and cancellation.
inline constexpr std::uint64_t expansions_per_check = 16;
// Steps of grounding between two checks of its limits.
inline constexpr std::int64_t grounding_steps_per_check = 1 << 12;

// Grounding: a limit on actions limits also what is done and kept without finding any

// Steps of joins, and numbers kept, that are allowed whatever the limit on actions is.
inline constexpr std::int64_t grounding_free_steps = 1 << 22;
inline constexpr std::int64_t grounding_free_numbers = 1 << 20;
// Those that each allowed action adds: more than that is out of proportion.
inline constexpr std::int64_t grounding_steps_per_action = 50;
inline constexpr std::int64_t grounding_numbers_per_action = 4;

// The embedded planner

// Evaluations in the first round of turns: enough for an easy task, little where it is in vain.
inline constexpr std::int64_t first_slice = 250;
// Every round is longer than the one before, so that the right engine is late by a factor only.
inline constexpr std::int64_t slice_growth = 2;
// How much longer slices are where plan prefixes are forbidden: the easy plans are gone then.
inline constexpr std::int64_t slice_factor_with_prefixes = 8;
// Evaluations that an engine gets for each that hill climbing gets: the cheaper one is, the more.
inline constexpr std::int64_t climb_share = 1;
inline constexpr std::int64_t width_share = 32;
inline constexpr std::int64_t landmarks_share = 16;
inline constexpr std::int64_t lazy_share = 2;
inline constexpr std::int64_t random_share = 4;
// How often the randomised engine takes an entry at random: enough to leave a plateau.
inline constexpr double random_entry_share = 0.2;
// Turns that lists of preferred actions gain when a better value is found, as in LAMA.
inline constexpr int preferred_boost = 1000;
// What remembered heuristic values may take; states beyond it are evaluated each time.
inline constexpr std::size_t remembered_bytes = std::size_t{1} << 26;
// What the novelty tables of width search may take; later keys have no table of pairs.
inline constexpr std::size_t width_novelty_bytes = std::size_t{1} << 26;

// Forward search

// Turns that the list of preferred actions gains when a better value is found.
inline constexpr int mafs_preferred_boost = 1000;
// Evaluations in a step while a plan is followed, so that the next agent on it gets its turn soon.
inline constexpr std::int64_t mafs_guided_step = 4;
// Entries that a step takes up per evaluation: many are known states and cost little.
inline constexpr std::int64_t mafs_entries_per_evaluation = 64;
// What an agent's novelty tables may take; later kinds of states have no table of pairs.
inline constexpr std::size_t mafs_novelty_bytes = std::size_t{1} << 25;
// What an action of another agent costs while an agent estimates its own effort: it shall do
// itself what it can.
inline constexpr int mafs_foreign_action_cost = 10;
// How often a private action counts in that estimate: a relaxed plan has it once for all that need
// it, a real one again and again.
inline constexpr int mafs_private_action_count = 3;
// What it costs in values that an edge into an own token, or another's, is disclosed, where agents
// disclose more as they search.
inline constexpr int mafs_own_disclosure_cost = 3;
inline constexpr int mafs_other_disclosure_cost = 6;
// By how much a preferred action that was pruned is more promising than the state before it.
inline constexpr int mafs_preferred_wish = 4;
// The largest weight of another agent's action: beyond it own actions seem free.
inline constexpr int mafs_largest_weight = 8;

// The ranking by goals

// Costs in its relaxation, where an action costs 1: an own edge not published yet,
inline constexpr std::int32_t goal_own_edge_cost = 100;
// What an own edge costs at most, however its price compares with others, so that sums fit.
inline constexpr std::int32_t goal_dearest_edge_cost = 1 << 24;
// an inferred achiever of another's token: likely, or anything at all; both dearer than own edges,
inline constexpr std::int32_t goal_likely_achiever_cost = 130;
inline constexpr std::int32_t goal_vague_achiever_cost = 500;
// on top of these where the token has a published edge, since that one may have to do,
inline constexpr std::int32_t goal_second_achiever_cost = 400;
// and an action of a plan that led to nothing new, so that the next plan takes others.
inline constexpr std::int32_t goal_repeated_action_cost = 100;
// Relaxed plans for one edge, each avoiding the actions of those before.
inline constexpr int goal_plans_per_edge = 3;
// Facts to which an edge may lead before it is taken to be of use without following them further.
inline constexpr std::size_t goal_promise_facts = 64;
// Edges that get a plan each; after these, plans become rarer by this share of the edges made.
inline constexpr std::int64_t goal_edges_planned_one_by_one = 32;
inline constexpr std::int64_t goal_planned_share = 2;
// Turns without a plan after one in vain, where others are unlikely: so many times as many each
// time.
inline constexpr std::int64_t goal_turns_skipped_growth = 4;
// Edges that pass before the next real search after one in vain: twice as many each time.
inline constexpr std::int64_t goal_pause_growth = 2;
// Evaluations of real searches per agent: in all, and in vain in a row.
inline constexpr std::int64_t goal_evaluations = 300'000;
inline constexpr std::int64_t goal_evaluations_in_vain = 50'000;
// Evaluations of one engine for a short plan, which it finds soon or not at all, and for any plan.
inline constexpr std::int64_t goal_short_plan_evaluations = 3000;
inline constexpr std::int64_t goal_any_plan_evaluations = 30'000;

// The minimum

// From this price on, capacities are not tried one by one but by growing steps and halves.
inline constexpr std::int32_t hitting_set_large_price = 10;

// Analysis

// Words of pairs that are visited when every action is applied once, to find dead actions: beyond
// it the analysis would take longer than it saves.
inline constexpr std::int64_t dead_actions_pair_words = 20'000'000;
// Visits of actions in all, to find dead actions.
inline constexpr std::int64_t dead_actions_visits = 200'000'000;
// Words of triples that are visited when every action is applied once: beyond it a proof takes
// too long.
inline constexpr std::int64_t triples_words = 1'000'000'000;
// What the table of triples may take.
inline constexpr std::size_t triples_bytes = std::size_t{1} << 28;

}  // namespace tacit::tuning
