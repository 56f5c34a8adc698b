// Every number in the core that steers how much effort is made and where it goes.
//
// With other numbers no answer becomes wrong, but plans and the order of edges may change, and
// limits may be reached sooner or later. Numbers that belong to a format, a protocol or a data
// structure, that say how often a limit is checked, or what is out of all proportion, are not here
// but where they are used.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tacit::tuning {

// The embedded planner

// Evaluations in the first round of turns: enough for an easy task, little where it is in vain.
inline constexpr std::int64_t first_slice = 250;
// Every round is longer than the one before, so that the right engine is late by a factor only.
inline constexpr std::int64_t slice_growth = 2;
// Evaluations that an engine gets for each that hill climbing gets: the cheaper one is, the more.
inline constexpr std::int64_t climb_share = 1;
inline constexpr std::int64_t width_share = 32;
inline constexpr std::int64_t landmarks_share = 16;
inline constexpr std::int64_t lazy_share = 2;
inline constexpr std::int64_t weighted_share = 1;
// Turns that lists of preferred actions gain when a better value is found, as in LAMA; in forward
// search, too.
inline constexpr int preferred_boost = 1000;
// What remembered heuristic values may take; states beyond it are evaluated each time.
inline constexpr std::size_t remembered_bytes = std::size_t{1} << 26;
// What the novelty tables of width search, or of an agent that searches forward, may take; later
// keys have no table of pairs.
inline constexpr std::size_t novelty_bytes = std::size_t{1} << 25;
// States of a key before it gets such a table: more would take longer to go through than a row.
inline constexpr std::size_t novelty_states = 16;
// Tables of pairs may grow to so many times that.
inline constexpr std::size_t novelty_overrun = 4;
// What may be kept of which facts come before which, for landmarks. It is the square of the facts;
// where that is more, goals alone are landmarks.
inline constexpr std::size_t landmark_bytes = std::size_t{1} << 27;

// Forward search

// Evaluations in a step while a plan is followed, so that the next agent on it gets its turn soon.
inline constexpr std::int64_t mafs_guided_step = 4;
// Entries that a step takes up per evaluation: many are known states and cost little.
inline constexpr std::int64_t mafs_entries_per_evaluation = 64;
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
// Turns between two of the oldest state where states never end (`secure`): any number will do so
// that each has its turn, and a small one draws the search to old states.
inline constexpr int mafs_turns_per_oldest = 16;
// What an agent may remember of values where they are those of public facts alone (`secure`): there
// are many states for each.
inline constexpr std::size_t mafs_remembered_bytes = std::size_t{1} << 26;

// The ranking by goals

// Costs in its relaxation, where an action costs 1: an own edge not published yet,
inline constexpr std::int32_t goal_own_edge_cost = 100;
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
// Evaluations of one engine for a plan, which it finds soon or not at all.
inline constexpr std::int64_t goal_plan_evaluations = 3000;

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
