#include "mafs/astar_node.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "util/pulse.hpp"
#include "util/tuning.hpp"

namespace tacit::mafs {

namespace {

constexpr std::int32_t no_way = largest_cost;  // the value of a dead end

NodeTask checked_for_costs(NodeTask task) {
    const NodeOptions &options = task.options;
    if (options.costs == Costs::none || !options.any_disclosed || options.grows ||
        options.hardening.once)
        throw std::invalid_argument("no task of an optimal search");
    check(task);
    task.options.sends_own_value = true;
    return task;
}

}  // namespace

AstarNode::AstarNode(NodeTask task, const std::string &heuristic)
    : task_(checked_for_costs(std::move(task))), layout_(task_), actions_(task_, layout_),
      states_(task_, layout_, actions_),
      tolls_(task_.options.costs == Costs::of_all ? std::make_unique<TollBook>(task_, layout_)
                                                  : nullptr),
      heuristic_(task_, layout_, heuristic, tolls_.get()),
      mailroom_(task_, layout_, states_, tolls_.get()), view_(layout_.view_words) {
    RecordId initial = states_.add_initial().id;
    mailroom_.name_initial(initial);
    if (note_goal(initial) || !evaluate(initial))
        return;
    open(initial);
    if (tolls_)
        mailroom_.send_initial_tolls(initial);
}

void AstarNode::limit(std::int32_t bound, std::int32_t horizon) {
    told_ = std::min(told_, bound);
    bound_ = std::min(bound_, bound);
    horizon_ = horizon;
}

std::int32_t AstarNode::lowest() const {
    return open_.empty() || open_.lowest() >= bound_ ? no_cost : open_.lowest();
}

void AstarNode::step(std::int64_t evaluations) {
    std::int64_t end = counters_.evaluated + evaluations;
    std::int64_t entries = tuning::mafs_entries_per_evaluation * evaluations;
    while (!has_found() && lowest() <= horizon_ && lowest() != no_cost &&
           counters_.evaluated < end && entries-- > 0) {
        pulse();
        std::int32_t estimate = open_.lowest();
        take(open_.pop(), estimate);
    }
}

// A state that was received is evaluated here, when it would be next by its sender's value.
void AstarNode::take(RecordId id, std::int32_t estimate_then) {
    if (states_.is_superseded(id))
        return;
    if (!states_.has_any(id, StateStore::evaluated) && !evaluate(id))
        return;
    if (estimate(id) > estimate_then)
        open(id);
    else
        expand(id);
}

void AstarNode::open(RecordId id) {
    if (estimate(id) < bound_)
        open_.push(estimate(id), states_[id].value, id);
}

// Raises the value of a state to what this agent can tell; false for a dead end.
bool AstarNode::evaluate(RecordId id) {
    states_.set(id, StateStore::evaluated);
    if (take_value_of_variant(id))
        return states_[id].value < no_way;
    ++counters_.evaluated;
    int value = heuristic_.evaluate(states_, id, bound_ - states_.cost(id));
    Record &record = states_[id];
    record.value = value == dead_end ? no_way : std::max(record.value, value);
    return record.value < no_way;
}

// Was the same state evaluated before, at the end of another way, and not only until it was dear
// enough?
bool AstarNode::take_value_of_variant(RecordId id) {
    auto will_do = [&](RecordId v) {
        return states_[v].own == states_[id].own && states_.has_any(v, StateStore::evaluated) &&
               (estimate(v) < bound_ || states_[v].value == no_way);
    };
    RecordId v = states_[id].variant;
    while (v != no_record && !will_do(v))
        v = states_[v].variant;
    if (v == no_record)
        return false;
    states_[id].value = std::max(states_[id].value, states_[v].value);
    return true;
}

void AstarNode::expand(RecordId id) {
    ++counters_.expanded;
    std::int32_t by = states_[id].action;
    if (by >= 0 && task_.is_sent[by])
        mailroom_.send(id, states_[id].value);
    states_.compose_view(id, view_.data());
    applicable_.clear();
    actions_.applicable(view_.data(), applicable_);
    for (std::int32_t action : applicable_)
        if (!states_.prune({id, action}))
            generate({id, action});
}

void AstarNode::generate(OpenEntry entry) {
    ++counters_.generated;
    std::int64_t cost = std::int64_t{states_.cost(entry.record)} + task_.view.cost[entry.action];
    if (cost > largest_cost)
        throw std::overflow_error("plans of this problem cost more than can be counted");
    if (cost >= bound_)
        return;
    auto [id, is_new] = states_.generate(entry);
    if (!is_new || note_goal(id))
        return;
    states_[id].value = std::max(0, states_[entry.record].value - task_.view.cost[entry.action]);
    if (estimate(id) < bound_ && evaluate(id))
        open(id);
}

bool AstarNode::note_goal(RecordId id) {
    if (!states_.is_goal(states_.key(id)))
        return false;
    if (states_.cost(id) < bound_) {
        found_ = id;
        bound_ = states_.cost(id);
    }
    return true;
}

void AstarNode::receive(std::size_t sender, std::span<const std::uint8_t> frame) {
    FrameReader reader = mailroom_.open(sender, frame);
    FrameReader::SentIndex index{};
    while (reader.next_index(index)) {
        mailroom_.learn(sender, index);
        if (index.index == 0)  // the initial state costs more than was known
            states_.clear(0, StateStore::evaluated);
    }
    SentState state{};
    while (reader.next_state(state)) {
        if (state.value > largest_cost)
            throw MalformedFrame("a frame of states has a value out of range");
        AcceptedId accepted = mailroom_.accept(sender, state);
        ++counters_.received;
        for (Index own : mailroom_.own_states(state)) {
            auto [id, is_new] = states_.receive(sender, state, own, accepted);
            mailroom_.name_record(accepted, id);
            if (is_new && !note_goal(id))
                open(id);
        }
    }
}

Segment AstarNode::trace(RecordId id) const {
    Segment segment = states_.trace(id);
    if (segment.sender >= 0)
        segment.ref = mailroom_.sender_number(segment.ref);
    return segment;
}

Counters AstarNode::counters() const {
    Counters all = counters_;
    all.sent = mailroom_.sent();
    all.deferred = states_.pruned();
    return all;
}

}  // namespace tacit::mafs
