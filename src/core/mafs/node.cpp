#include "mafs/node.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "util/pulse.hpp"
#include "util/tuning.hpp"

namespace tacit::mafs {

namespace {

NodeTask checked(NodeTask task) {
    check(task);
    return task;
}

}  // namespace

Node::Node(NodeTask task, const std::string &heuristic)
    : task_(checked(std::move(task))), layout_(task_), actions_(task_, layout_),
      states_(task_, layout_, actions_), evaluator_(task_, layout_, heuristic),
      frontier_(states_, evaluator_.wanted_facts(), layout_.public_words,
                task_.options.hardening.secure),
      mailroom_(task_, layout_, states_), view_(layout_.view_words),
      is_preferred_(task_.view.size()) {
    RecordId initial = admit(states_.add_initial());
    frontier_.push(0, {initial, no_action}, true);
    mailroom_.name_initial(initial);
}

RecordId Node::admit(StateStore::Admitted admitted) {
    if (admitted.is_new) {
        if (states_.is_goal(states_.key(admitted.id)))
            found_ = admitted.id;
        frontier_.add(admitted.id);
    }
    return admitted.id;
}

void Node::step(std::int64_t evaluations) {
    std::int64_t end = work_ + evaluations;
    while (!has_found() && !frontier_.empty() && frontier_.has_guided() && work_ < end)
        follow(frontier_.pop_guided());
    evaluations = frontier_.step_length(evaluations);
    end = work_ + evaluations;
    std::int64_t entries = tuning::mafs_entries_per_evaluation * evaluations;
    OpenEntry entry;
    Frontier::Turn turn{};
    while (!has_found() && work_ < end && entries-- > 0) {
        pulse();
        turn = frontier_.next(entry);
        if (turn == Frontier::Turn::by_novelty)
            step_by_novelty(entry.record);
        else if (turn == Frontier::Turn::arrived)
            take_in(entry.record);
        else if (turn == Frontier::Turn::by_age)
            step_by_age(entry.record);
        else if (turn == Frontier::Turn::by_value)
            step_by_value(entry);
        else
            break;
    }
    if (!has_found())
        mailroom_.send_waiting(frontier_.empty());
}

void Node::step_by_value(OpenEntry entry) {
    RecordId id = entry.action == no_action ? entry.record : admit(states_.generate(entry));
    if (!states_.has_any(id, StateStore::by_value))
        visit(id);
}

// Generates all successors of a state at once; each waits for its turn by how new it is.
void Node::step_by_novelty(RecordId id) {
    if (states_.has_any(id, StateStore::by_novelty))
        return;
    states_.set(id, StateStore::by_novelty);
    ++work_;
    ++counters_.expanded;
    if (send_unevaluated(id))
        generate_all(id, [](std::int32_t) { return true; });
}

// A state that was received waits in the open lists, unless it is better than all of them.
void Node::take_in(RecordId id) {
    int value = 0;
    if (states_.has_any(id, StateStore::by_value) || !evaluate(id, value))
        return;
    if (frontier_.would_lead(value))
        go_on(id, value);
    else
        frontier_.push(value, {id, no_action}, true);
}

// False for a dead end.
bool Node::visit(RecordId id) {
    int value = 0;
    if (has_found() || !evaluate(id, value))
        return false;
    go_on(id, value);
    return true;
}

// False for a dead end, which is not looked at again unless more is disclosed.
bool Node::evaluate(RecordId id, int &value) {
    ++work_;
    ++counters_.evaluated;
    states_.compose_view(id, view_.data());
    value = evaluator_.evaluate(view_.data());
    preferred_.clear();
    if (value != dead_end) {
        evaluator_.preferred(preferred_);
    } else if (task_.options.is_exact) {
        states_.set(id, StateStore::by_value | StateStore::by_novelty);
        if (task_.options.grows)
            states_.deferred().add_dead_end(id);
        return false;
    } else {
        value = unreachable_value;
    }
    if (task_.options.sends_own_value)
        value = std::max(value, states_[id].value);  // until now its sender's, if it had one
    if (value < best_) {
        best_ = value;
        frontier_.boost_preferred();
        note_best(id, value);
    }
    states_[id].value = value;
    return true;
}

// How near the search has come, by a value that may be shown.
void Node::note_best(RecordId id, int value) {
    if (!task_.options.sends_own_value && !task_.options.hardening.secure) {
        ++work_;
        ++counters_.evaluated;
        value = evaluator_.shown_value(states_, id);
    }
    best_shown_ = std::min(best_shown_, value);
}

// With what `evaluate` just found.
void Node::go_on(RecordId id, int value) {
    states_.set(id, StateStore::by_value);
    if (is_sent(id) && !states_.has_any(id, StateStore::sent_value))
        send(id, value);
    expand(id, value);
}

void Node::expand(RecordId id, int value) {
    ++counters_.expanded;
    find_applicable();
    for (std::int32_t action : preferred_)
        is_preferred_[action] = 1;
    for (std::int32_t action : applicable_) {
        if (states_.prune({id, action})) {
            if (finish({id, action}))
                break;
            continue;
        }
        frontier_.push(value, {id, action}, is_preferred_[action]);
        ++counters_.generated;
    }
    for (std::int32_t action : preferred_)
        is_preferred_[action] = 0;
}

// Without evaluating anything.
template <typename Keep>
void Node::generate_all(RecordId id, Keep keep) {
    states_.compose_view(id, view_.data());
    find_applicable();
    for (std::int32_t action : applicable_) {
        if (!keep(action))
            continue;
        if (states_.is_pruned({id, action})) {
            if (finish({id, action}))
                return;
            continue;
        }
        ++counters_.generated;
        admit(states_.generate({id, action}));
        if (has_found())
            return;
    }
}

// In the state that was composed last.
void Node::find_applicable() {
    applicable_.clear();
    actions_.applicable(view_.data(), applicable_);
}

// Algorithm 1 tests for the goal before it tests for dependencies. So under its rule an action that
// is pruned is taken after all if that ends the search.
bool Node::finish(OpenEntry entry) {
    if (task_.options.any_disclosed || !states_.finishes(entry))
        return false;
    RecordId id = admit(states_.generate(entry));
    if (!has_found())
        admit(states_.generate({id, actions_.finish_action()}));
    return true;
}

// Was the state reached by an own action that shows?
bool Node::is_sent(RecordId id) const {
    return states_[id].action >= 0 && task_.is_sent[states_[id].action];
}

// For a search that does not evaluate; false if the state turns out to be a dead end.
bool Node::send_unevaluated(RecordId id) {
    if (!is_sent(id) || states_.has_any(id, StateStore::sent_state | StateStore::sent_value))
        return true;
    if (stands_for_several(task_.options.hardening))  // it is sent with its value or not at all
        return states_.has_any(id, StateStore::by_value) || visit(id);
    mailroom_.send(id, unevaluated);
    return true;
}

void Node::follow_plan(const Ints &actions) {
    for (std::int32_t action : actions)
        if (action < 0 || static_cast<std::size_t>(action) >= task_.projection->size())
            throw std::invalid_argument("a public plan has an action that nobody published");
    frontier_.add_plan(task_.projection, task_.groups, actions);
}

// Expands a state by all actions that keep to the plan: by the next step, if it is an own one, and
// by private actions before it. Those before another's step can be taken later, unless the state
// behind them is sent. States on the first plan are not evaluated: where it fails they would draw
// the search by value after it. Once there is a second plan the search is hard, and may be drawn
// where it can.
void Node::follow(Frontier::Guided at) {
    const PlanGuidance &plans = frontier_.plans();
    bool is_shown = states_[at.record].action < 0 || is_sent(at.record);
    if (at.place.plan > 0 && is_shown && !states_.has_any(at.record, StateStore::by_value) &&
        !visit(at.record))
        return;
    if (!send_unevaluated(at.record) || has_found())
        return;
    bool is_mine = plans.next_agent(at.place) == task_.self;
    if (!is_mine && !task_.has_public_preconditions[layout_.self])
        return;
    ++work_;
    ++counters_.expanded;
    PlanGuidance::Place next{at.place.plan, at.place.step + 1};
    generate_all(at.record, [&](std::int32_t action) {
        if (!task_.is_public[action])
            return is_mine || task_.is_sent[action];
        return is_mine && plans.is_at(next, states_.facts_behind({at.record, action}));
    });
}

void Node::receive(std::size_t sender, std::span<const std::uint8_t> frame) {
    FrameReader reader = mailroom_.open(sender, frame);
    FrameReader::SentIndex index{};
    while (reader.next_index(index))
        mailroom_.learn(sender, index);
    auto index_of = [&](RecordId id, std::size_t agent) {
        return states_.index_of(states_.key(id), agent);
    };
    for (RecordId id : states_.deferred().take_gained_dead_ends(index_of))
        revive(id);
    SentState state{};
    while (reader.next_state(state)) {
        AcceptedId accepted = mailroom_.accept(sender, state);
        ++counters_.received;
        bool is_evaluated = state.value != static_cast<std::uint32_t>(unevaluated);
        for (Index own : mailroom_.own_states(state)) {
            RecordId id = admit(states_.receive(sender, state, own, accepted));
            mailroom_.name_record(accepted, id);
            if (is_evaluated && !states_.has_any(id, StateStore::by_value))
                frontier_.push_arrived(id);
        }
    }
}

Segment Node::trace(RecordId id) const {
    Segment segment = states_.trace(id);
    if (segment.sender >= 0)
        segment.ref = mailroom_.sender_number(segment.ref);
    return segment;
}

void Node::grow(const Ints &support_bits, const Ints &shown_bits, const Ints &view_gains,
                const Ints &projection_gains, const Ints &initial_tokens) {
    for (std::size_t i = 0; i + 1 < view_gains.size(); i += 2)
        task_.view.gain_add(view_gains[i], view_gains[i + 1]);
    task_.projection.change([&](StripsTask &projection) {
        for (std::size_t i = 0; i + 1 < projection_gains.size(); i += 2)
            projection.gain_add(projection_gains[i], projection_gains[i + 1]);
    });
    mailroom_.grow(initial_tokens);
    std::vector<OpenEntry> freed = states_.disclose(support_bits, shown_bits);
    evaluator_.adds_changed();
    if (!shown_bits.empty())
        mailroom_.resend_tokens();
    best_ = best_shown_ = INT32_MAX;
    for (OpenEntry entry : freed)
        take_up(entry, true);
    for (RecordId id : states_.deferred().take_dead_ends())
        revive(id);
    for (OpenEntry entry : states_.deferred().take_duplicates())
        take_up(entry, false);
    for (const Record &dormant : states_.deferred().take_dormant()) {
        RecordId id = admit(states_.readmit(dormant));
        if (!states_.has_any(id, StateStore::by_value))
            frontier_.push_arrived(id);
    }
}

// A dead end may be none any more.
void Node::revive(RecordId id) {
    states_.clear(id, StateStore::by_value | StateStore::by_novelty);
    frontier_.revive(id);
}

Node::Wish Node::wish(const std::vector<std::uint8_t> &is_available) const {
    std::int32_t wished = -1;
    int best = INT32_MAX;
    const auto &actions = states_.deferred().actions();
    for (std::size_t token = 0; token < actions.size(); ++token)
        for (OpenEntry pruned : actions[token]) {
            const Record &state = states_[pruned.record];
            if (!states_.has_any(pruned.record, StateStore::by_value) || state.value >= best)
                continue;
            std::int32_t bit =
                states_.own().undisclosed_bit(state.own, static_cast<std::int32_t>(token));
            if (bit >= 0 && is_available.at(bit)) {
                wished = bit;
                best = state.value;
            }
        }
    return {wished, best <= best_};
}

Counters Node::counters() const {
    Counters all = counters_;
    all.sent = mailroom_.sent();
    all.deferred = states_.pruned();
    return all;
}

}  // namespace tacit::mafs
