#include "mafs/descent_check.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tacit::mafs {

namespace {

void refuse(const char *what) { throw MalformedFrame(what); }

}  // namespace

DescentCheck::DescentCheck(const NodeTask &task, const Layout &layout, StateStore &states,
                           const Lineage &lineage)
    : task_(task), layout_(layout), states_(states), lineage_(lineage),
      counts_tokens_(task.options.is_exact), first_row_(layout.agents()), end_row_(layout.agents()),
      initial_(layout.projection_words), achieved_(layout.projection_words),
      facts_(layout.projection_words), has_acted_(layout.agents()) {
    for (std::size_t row = task.groups.size(); row-- > 0;) {
        auto agent = static_cast<std::size_t>(task.groups[row]);
        first_row_[agent] = static_cast<std::int32_t>(row);
        end_row_[agent] = std::max(end_row_[agent], static_cast<std::int32_t>(row) + 1);
    }
    for (std::int32_t fact : task.projection->init)
        put(initial_.data(), static_cast<std::size_t>(fact));
    grow({});
    for (std::size_t agent = 0; agent < layout.agents(); ++agent)
        states_.foreign(agent).prove(0, tokens_in(initial_, agent));
}

void DescentCheck::grow(const Ints &initial_tokens) {
    for (std::int32_t fact : initial_tokens)
        put(initial_.data(), static_cast<std::size_t>(fact));
    achieved_ = initial_;
    for (std::int32_t fact : task_.projection->add.items)
        put(achieved_.data(), static_cast<std::size_t>(fact));
}

bool DescentCheck::check(std::size_t sender, const FrameReader::SentIndex &sent) const {
    if (sent.agent == layout_.self)
        refuse("a frame of states says what its receiver's indices mean");
    const ForeignStateTable &known = states_.foreign(sent.agent);
    std::size_t words = layout_.token_words[sent.agent];
    if (task_.options.hardening.secure) {
        if (!std::equal(sent.tokens, sent.tokens + words, known.tokens(0)))
            refuse("a frame of states says which tokens an index has, where all have all");
        return true;
    }
    if (!known.knows(sent.index) || is_subset(sent.tokens, known.tokens(sent.index), words))
        return true;
    if (!task_.options.grows ||
        !is_subset(sent.tokens, achieved_.data() + layout_.token_at_in_projection(sent.agent),
                   words))
        refuse("a frame of states changes what an index means");
    return sender == sent.agent;  // its owner says so itself, sooner or later
}

void DescentCheck::check(std::size_t sender, const SentState &state) {
    Origin origin{};
    if (!lineage_.find_origin(sender, state.descent, origin))
        refuse("a state descends from none that this agent has");
    read(sender, state.descent);
    check_indices(state, origin);
    std::int64_t steps = origin.g + static_cast<std::int64_t>(steps_.size());
    bool is_one_way = !stands_for_several(task_.options.hardening);
    bool is_reopened = !task_.options.any_disclosed && is_one_way;
    if (is_reopened ? state.g < steps : state.g != steps)
        refuse("a state counts other steps than its descent has");
    check_cost(state, origin);
    take_proved_tokens(origin);
    bool holds = replay(state, origin);
    if (!holds && task_.options.grows && is_one_way) {
        climb(sender, state.descent, origin);
        holds = replay(state, origin);
    }
    if (!holds)
        refuse("a state does not come about by its descent");
    for (std::size_t agent : acted_) {
        ForeignStateTable &known = states_.foreign(agent);
        known.prove(state.indices[agent], known.tokens(state.indices[agent]));
    }
}

// Costs of public actions are known; private ones may cost more, never less.
void DescentCheck::check_cost(const SentState &state, const Origin &origin) const {
    if (task_.options.costs == Costs::none)
        return;
    std::int64_t cost = origin.cost;
    for (const Step &step : steps_)
        cost += task_.projection->cost[step.row];
    bool holds = task_.options.costs == Costs::of_public ? state.cost == cost : state.cost >= cost;
    if (!holds)
        refuse("a state costs other than its descent does");
}

void DescentCheck::read(std::size_t sender, const Descent &descent) {
    steps_.clear();
    for (std::size_t agent : acted_)
        has_acted_[agent] = 0;
    acted_.clear();
    std::span<const std::uint32_t> rest = descent.numbers;
    std::size_t agent = sender;
    for (;;) {
        read_segment(agent, rest.subspan(1, rest[0]));
        rest = rest.subspan(1 + rest[0]);
        if (rest.empty())
            return;
        agent = rest[0];
        if (agent >= layout_.agents() || agent == layout_.self)
            refuse("a descent has a segment of an agent that cannot have one");
        rest = rest.subspan(2);
    }
}

void DescentCheck::read_segment(std::size_t agent, std::span<const std::uint32_t> actions) {
    if (actions.empty() && !task_.has_public_preconditions[agent])
        refuse("a descent has a segment without public action");
    if (!std::exchange(has_acted_[agent], 1))
        acted_.push_back(agent);
    auto count = static_cast<std::uint32_t>(end_row_[agent] - first_row_[agent]);
    for (std::uint32_t action : actions) {
        if (action >= count)
            refuse("a descent has an action that its agent did not publish");
        steps_.push_back({agent, first_row_[agent] + static_cast<std::int32_t>(action)});
    }
}

void DescentCheck::check_indices(const SentState &state, const Origin &origin) const {
    if (state.indices[layout_.self] != origin.own)
        refuse("a state has another index of its receiver than the one it descends from");
    const Word *key = states_.key(origin.record);
    for (std::size_t agent = 0; agent < layout_.agents(); ++agent)
        if (agent != layout_.self && !has_acted_[agent] &&
            state.indices[agent] != states_.index_of(key, agent))
            refuse("a state has another index of an agent that has not acted");
}

// Fills in the tokens of those that have acted; nobody else's matter.
void DescentCheck::take_proved_tokens(const Origin &origin) {
    if (stands_for_several(task_.options.hardening)) {
        facts_ = achieved_;
        return;
    }
    const Word *key = states_.key(origin.record);
    for (std::size_t agent : acted_)
        std::copy_n(states_.foreign(agent).proved(states_.index_of(key, agent)),
                    layout_.token_words[agent], tokens_in(facts_, agent));
}

// The same from everything that is on the ledger by now, which is then proved of the origin.
void DescentCheck::climb(std::size_t sender, const Descent &descent, const Origin &origin) {
    std::copy(initial_.begin() + static_cast<std::ptrdiff_t>(layout_.public_words), initial_.end(),
              facts_.begin() + static_cast<std::ptrdiff_t>(layout_.public_words));
    auto first_token = static_cast<std::int32_t>(layout_.public_words * 64);
    lineage_.each_action_before(sender, descent, [&](std::size_t agent, std::uint32_t action) {
        std::int32_t row = first_row_[agent] + static_cast<std::int32_t>(action);
        for (std::int32_t fact : task_.projection->add[row])
            if (fact >= first_token)
                put(facts_.data(), static_cast<std::size_t>(fact));
    });
    const Word *key = states_.key(origin.record);
    for (std::size_t agent : acted_)
        states_.foreign(agent).prove(states_.index_of(key, agent), tokens_in(facts_, agent));
}

bool DescentCheck::replay(const SentState &state, const Origin &origin) {
    std::memcpy(facts_.data(), states_.key(origin.record), layout_.public_words * sizeof(Word));
    for (std::size_t i = steps_.size(); i-- > 0;) {
        if (!holds(task_.projection->pre[steps_[i].row]))
            return false;
        for (std::int32_t fact : task_.projection->del[steps_[i].row])
            drop(facts_.data(), static_cast<std::size_t>(fact));
        for (std::int32_t fact : task_.projection->add[steps_[i].row])
            put(facts_.data(), static_cast<std::size_t>(fact));
    }
    return std::equal(state.facts, state.facts + layout_.public_words, facts_.begin()) &&
           has_proved_tokens(state);
}

bool DescentCheck::holds(Row needs) const {
    auto first_token = static_cast<std::int32_t>(layout_.public_words * 64);
    return std::ranges::all_of(needs, [&](std::int32_t fact) {
        return (fact >= first_token && !counts_tokens_) ||
               has(facts_.data(), static_cast<std::size_t>(fact));
    });
}

bool DescentCheck::has_proved_tokens(const SentState &state) const {
    return task_.options.hardening.secure || std::ranges::all_of(acted_, [&](std::size_t agent) {
               return is_subset(states_.foreign(agent).tokens(state.indices[agent]),
                                facts_.data() + layout_.token_at_in_projection(agent),
                                layout_.token_words[agent]);
           });
}

}  // namespace tacit::mafs
