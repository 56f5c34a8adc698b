// A problem for tests of forward search: batons that agents carry on in turn.
//
// Baton b goes from place to place; the step from place i is agent (b + i) mod n's. An agent must
// be ready for a step and is tired after it; it rests in private. Its first step achieves a
// key that its last step needs. Token 0 is "ready", token 1 is "key"; the agent's edges, one bit
// each: INIT → ready, every step → ready, and last the first step → key.
#pragma once

#include <memory>
#include <vector>

#include "mafs/assemble.hpp"
#include "mafs/node.hpp"

namespace relay {

using tacit::Ints;

struct Options {
    int agents = 2, batons = 2, length = 4;
    bool discloses_key = true;  // the edges into "key"
    bool private_goals = false;
    bool grows = false;
    bool is_exact = true;
    bool any_disclosed = true;
    tacit::mafs::Hardening hardening = {};
};

struct Move {
    int baton, from;
};

class Problem {
  public:
    explicit Problem(Options options) : options_(options) {
        moves_.resize(static_cast<std::size_t>(options.agents));
        for (int baton = 0; baton < options.batons; ++baton)
            for (int from = 0; from < options.length; ++from)
                moves_[static_cast<std::size_t>((baton + from) % options.agents)].push_back(
                    {baton, from});
    }

    std::size_t agents() const { return moves_.size(); }
    // May states with different numbers of public steps be sent as one?
    bool merges() const { return options_.hardening.once; }
    bool has_siblings() const { return options_.hardening.secure; }
    int public_facts() const { return options_.batons * (options_.length + 1); }
    int at(int baton, int place) const { return baton * (options_.length + 1) + place; }
    int ready() const { return public_facts(); }
    int tired() const { return public_facts() + 1; }
    int key() const { return public_facts() + 2; }
    int key_bit(std::size_t agent) const { return static_cast<int>(moves_[agent].size()) + 1; }
    bool needs_key(std::size_t agent, std::size_t move) const {
        return move > 0 && move + 1 == moves_[agent].size();
    }

    // Own actions: 0 is to rest, the others are the moves.
    tacit::LocalTask local(std::size_t agent) const {
        tacit::LocalTask task;
        task.public_facts = public_facts();
        for (int i = 0; i < 3; ++i)
            task.private_facts.append(Ints{i});
        task.init = {ready()};
        for (int baton = 0; baton < options_.batons; ++baton) {
            task.init.push_back(at(baton, 0));
            task.goal.push_back(at(baton, options_.length));
        }
        if (options_.private_goals)
            task.goal.push_back(ready());
        put(task.actions, {tired()}, {ready()}, {tired()}, false);
        for (std::size_t i = 0; i < moves_[agent].size(); ++i) {
            Move move = moves_[agent][i];
            Ints pre{at(move.baton, move.from), ready()},
                add{at(move.baton, move.from + 1), tired()};
            if (needs_key(agent, i))
                pre.push_back(key());
            if (i == 0)
                add.push_back(key());
            put(task.actions, pre, add, {at(move.baton, move.from), ready()}, true);
        }
        return task;
    }

    tacit::mafs::Assembled assembled(std::size_t agent) const {
        tacit::LocalTask own = local(agent);
        tacit::mafs::Parts parts{static_cast<int>(agent), own, {}, {}, {}, {}, {},
                                 options_.any_disclosed};
        for (std::size_t other = 0; other < agents(); ++other)
            parts.shown.push_back(shown(other));
        parts.needed_tokens.append({});
        parts.published.push_back(-1);
        for (std::size_t i = 0; i < moves_[agent].size(); ++i) {
            parts.needed_tokens.append(tokens_of(agent, i));
            parts.published.push_back(static_cast<int>(i));
        }
        if (options_.private_goals)
            parts.needed_tokens.append(Ints{0});
        if (options_.any_disclosed)
            for (std::size_t i = 0; i + 1 < parts.shown[agent].gains.size(); i += 2) {
                parts.own_gains.push_back(parts.shown[agent].gains[i] + 1);
                parts.own_gains.push_back(parts.shown[agent].gains[i + 1]);
            }
        tacit::mafs::Assembled made = tacit::mafs::assemble(parts);
        made.task.support = made.task.shown = support_bits(agent);
        made.task.options = {.any_disclosed = options_.any_disclosed,
                             .grows = options_.grows,
                             .is_exact = options_.is_exact,
                             .hardening = options_.hardening};
        return made;
    }

    // One baton after the other, by the actions of the projection.
    Ints public_plan() const {
        Ints first_row, next(agents(), 0), plan;
        int rows = 0;
        for (const auto &moves : moves_) {
            first_row.push_back(rows);
            rows += static_cast<int>(moves.size()) + options_.private_goals;
        }
        for (int baton = 0; baton < options_.batons; ++baton)
            for (int from = 0; from < options_.length; ++from) {
                auto agent = static_cast<std::size_t>((baton + from) % options_.agents);
                plan.push_back(first_row[agent] + next[agent]++);
            }
        if (options_.private_goals)
            for (std::size_t agent = 0; agent < agents(); ++agent)
                plan.push_back(first_row[agent] + next[agent]);
        return plan;
    }

    // Everybody discloses the edge into its "key" now.
    void grow(tacit::mafs::Node &node, std::size_t agent) const {
        tacit::mafs::Assembled made = assembled(agent);
        Ints view, projection;
        for (std::size_t other = 0; other < agents(); ++other) {
            auto at = static_cast<int>(made.layout.token_at[other] * 64) + 1;
            auto shown_at = static_cast<int>(made.layout.token_at_in_projection(other) * 64) + 1;
            view.insert(view.end(), {other == agent ? 1 : made.view_row[other], at});
            projection.insert(projection.end(), {made.projection_row[other], shown_at});
        }
        node.grow({key_bit(agent)}, {key_bit(agent)}, view, projection, {});
    }

  private:
    Options options_;
    std::vector<std::vector<Move>> moves_;

    static void put(tacit::Actions &actions, const Ints &pre, const Ints &add, const Ints &del,
                    bool is_public) {
        actions.schema.push_back(0);
        actions.cost.push_back(1);
        actions.args.append({});
        actions.pre.append(pre);
        actions.add.append(add);
        actions.del.append(del);
        actions.is_public.push_back(is_public);
    }

    Ints tokens_of(std::size_t agent, std::size_t move) const {
        return needs_key(agent, move) ? Ints{0, 1} : Ints{0};
    }

    tacit::mafs::Shown shown(std::size_t agent) const {
        tacit::mafs::Shown made;
        for (std::size_t i = 0; i < moves_[agent].size(); ++i) {
            Move move = moves_[agent][i];
            made.needs.append(Ints{at(move.baton, move.from)});
            made.tokens.append(tokens_of(agent, i));
            made.adds.append(Ints{at(move.baton, move.from + 1)});
            made.deletes.append(Ints{at(move.baton, move.from)});
            made.gains.insert(made.gains.end(), {static_cast<int>(i), 0});
        }
        if (options_.discloses_key)
            made.gains.insert(made.gains.end(), {0, 1});
        made.initial_gains = {0};
        made.token_count = 2;
        made.has_private_goal = options_.private_goals;
        if (options_.private_goals)
            made.goal_tokens = {0};
        return made;
    }

    tacit::mafs::SupportBits support_bits(std::size_t agent) const {
        tacit::mafs::SupportBits made;
        made.token.assign(moves_[agent].size() + 1, 0);
        made.token.push_back(1);
        made.disclosed.assign(made.token.size(), 1);
        made.disclosed.back() = options_.discloses_key;
        made.initial = {0};
        made.sets.append({});
        for (std::size_t i = 0; i < moves_[agent].size(); ++i) {
            Ints given{static_cast<int>(i) + 1};
            if (i == 0)
                given.push_back(key_bit(agent));
            made.sets.append(given);
        }
        if (options_.private_goals)
            made.sets.append({});
        for (std::size_t i = 0; i < made.sets.size(); ++i)
            made.clears.append({});
        return made;
    }
};

}  // namespace relay
