// How a node makes use of public plans.
#include "mafs/node.hpp"

#include <stdexcept>

namespace tacit::mafs {

void Node::follow_plan(const Ints &actions) {
    for (std::int32_t action : actions)
        if (action < 0 || static_cast<std::size_t>(action) >= task_.projection.size())
            throw std::invalid_argument("a public plan has an action that nobody published");
    std::int32_t number = plans_.add(task_.projection, task_.groups, actions);
    for (RecordId id = 0; id < records_.size(); ++id)
        push_following(id, number);
    hurry_ = static_cast<std::int64_t>(actions.size());
}

// Steps are short while a plan may be followed, so that whoever has its next step comes to it soon.
void Node::follow_for(std::int64_t evaluations) {
    std::int64_t end = work_ + evaluations;
    while (found_ == no_record && !has_no_entries() && !following_.empty() && work_ < end)
        follow(following_.pop());
}

// A state on a public plan waits for its turn by how much of the plan is left.
void Node::push_following(RecordId id, std::int32_t first_plan) {
    plans_.each_place(records_.key(id), [&](PublicPlans::Place place) {
        if (place.plan >= first_plan && plans_.steps_left(place) > 0)
            following_.push(plans_.steps_left(place), {id, place});
    });
}

// Goes on from a state in all ways that keep to the plan: by the next step, if it is an own one,
// and by private actions before it. Those before another's step can be taken later, unless they are
// told. States on the first plan are not evaluated: where it fails they would draw the search by
// value after it. Once there is a second plan the search is hard, and may be drawn where it can.
void Node::follow(Following at) {
    bool is_shown = records_[at.record].action < 0 || is_telling(at.record);
    if (at.place.plan > 0 && is_shown && !(taken_[at.record] & by_value) && !visit(at.record))
        return;
    if (!tell_unvalued(at.record) || found_ != no_record)
        return;
    auto self = static_cast<std::size_t>(task_.self);
    bool is_mine = plans_.next_agent(at.place) == task_.self;
    if (!is_mine && !task_.looks[self])
        return;
    ++work_;
    ++counters_.expanded;
    compose_view(at.record);
    find_applicable(at.record);
    Ints actions = applicable_;
    PublicPlans::Place next{at.place.plan, at.place.step + 1};
    for (std::int32_t action : actions) {
        bool keeps_to_plan = task_.is_public[action]
                                 ? is_mine && leads_to({at.record, action}, next)
                                 : is_mine || task_.is_told[action];
        if (!keeps_to_plan)
            continue;
        if (missing_token(records_[at.record].own, action) >= 0) {
            if (finish({at.record, action}))
                return;
            continue;
        }
        ++counters_.generated;
        generate({at.record, action});
        if (found_ != no_record)
            return;
    }
}

bool Node::leads_to(Entry entry, PublicPlans::Place place) {
    compose_facts_after(entry);
    return plans_.is_at(place, facts_.data());
}

}  // namespace tacit::mafs
