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

// So many times as much each time: a turn of an engine, so that the right one is late by a factor
// only, and in the ranking by goals what passes before the next plan after one in vain.
inline constexpr std::int64_t growth = 2;
// What one table may take: values that are remembered (beyond it states are evaluated each time),
// pairs of facts that are not new (later keys know none, and at twice as much it is given up),
// facts that come before others (beyond it goals alone are landmarks), and triples of facts.
inline constexpr std::size_t table_bytes = std::size_t{1} << 26;

// The embedded planner

// Evaluations in the first round of turns: enough for an easy task, little where it is in vain.
inline constexpr std::int64_t first_slice = 250;
// Evaluations that an engine gets for each that hill climbing or weighted search gets: the cheaper
// one is, the more.
inline constexpr std::int64_t width_share = 32;
inline constexpr std::int64_t landmarks_share = width_share / growth;
inline constexpr std::int64_t lazy_share = growth;
// Turns that lists of preferred actions gain when a better value is found, as in LAMA; in forward
// search, too.
inline constexpr int preferred_boost = 1000;
// States of a key before it gets such a table: more would take longer to go through than a row.
inline constexpr std::size_t novelty_states = 16;

// Forward search

// Entries that a step takes up per evaluation: many are known states and cost little.
inline constexpr std::int64_t mafs_entries_per_evaluation = 64;
// What it costs in values that an edge is disclosed, where agents disclose more as they search.
inline constexpr int mafs_disclosure_cost = 6;
// The largest weight of another agent's action: beyond it own actions seem free.
inline constexpr int mafs_largest_weight = 8;
// Turns between two of the oldest state where states never end (`secure`): any number will do so
// that each has its turn, and a small one draws the search to old states.
inline constexpr int mafs_turns_per_oldest = 16;

// The ranking by goals

// Costs in its relaxation, where an action costs 1: an own edge not published yet,
inline constexpr std::int32_t goal_own_edge_cost = 100;
// an inferred achiever of another's token, dearer than an own edge,
inline constexpr std::int32_t goal_likely_achiever_cost = 130;
// and on top where the token has a published edge, since that one may have to do.
inline constexpr std::int32_t goal_second_achiever_cost = 400;
// A token that is not likely to hold initially costs both.
inline constexpr std::int32_t goal_vague_achiever_cost =
    goal_own_edge_cost + goal_second_achiever_cost;
// Facts to which an edge may lead before it is taken to be of use without following them further.
inline constexpr std::size_t goal_promise_facts = 64;
// Evaluations of real searches in vain in a row, per agent.
inline constexpr std::int64_t goal_evaluations_in_vain = 50'000;
// Evaluations of one engine for a plan, which it finds soon or not at all.
inline constexpr std::int64_t goal_plan_evaluations = 3000;
// So many times that, for any plan, where no engine finds one.
inline constexpr std::int64_t goal_any_plan_factor = 10;

// Analysis

// Words of pairs that are visited when every action is applied once, to find dead actions, and
// actions that are visited in all: beyond it the analysis would take longer than it saves.
inline constexpr std::int64_t dead_actions_visits = 20'000'000;
// Words of triples that are visited when every action is applied once: beyond it a proof takes
// too long.
inline constexpr std::int64_t triples_words = 1'000'000'000;

}  // namespace tacit::tuning
