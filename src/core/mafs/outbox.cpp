#include "mafs/outbox.hpp"

#include <algorithm>
#include <set>

namespace tacit::mafs {

namespace {

Shape shape_of(const NodeTask &task) {
    Shape shape{static_cast<std::size_t>(task.public_facts),
                {},
                task.options.hardening.pad,
                task.options.costs,
                {}};
    for (std::int32_t count : task.token_counts)
        shape.tokens.push_back(static_cast<std::size_t>(count));
    if (task.options.costs == Costs::of_all)
        for (const Gates &gates : task.gates_in_projection)
            shape.actions.push_back(static_cast<std::size_t>(gates.actions));
    return shape;
}

// The needs of one agent's projected actions, each kind once.
StripsTask needs_of(const NodeTask &task, std::int32_t agent, bool with_tokens) {
    std::set<Ints> kinds;
    for (std::size_t action = 0; action < task.projection.size(); ++action) {
        if (task.groups[action] != agent)
            continue;
        Ints needs;
        for (std::int32_t fact : task.projection.pre[action])
            if (with_tokens || fact < task.public_facts)
                needs.push_back(fact);
        kinds.insert(needs);
    }
    StripsTask made;
    made.facts = task.projection.facts;
    for (const Ints &needs : kinds) {
        made.pre.append(needs);
        made.add.append({});
        made.del.append({});
        made.cost.push_back(0);
        made.group.push_back(0);
    }
    return made;
}

}  // namespace

Outbox::Outbox(const NodeTask &task, const Layout &layout)
    : self_(static_cast<std::size_t>(task.self)), layout_(layout), shape_(shape_of(task)) {
    std::size_t agents = shape_.agents();
    writers_.assign(agents, FrameWriter(shape_));
    sent_.assign(agents, std::vector<std::vector<bool>>(agents, std::vector<bool>(1, true)));
    is_sent_.assign(1, true);
    for (std::size_t agent = 0; agent < agents; ++agent) {
        StripsTask needs = needs_of(task, static_cast<std::int32_t>(agent),
                                    task.options.is_exact && !task.options.grows);
        Successors successors(needs);
        bool gets_all =
            task.has_public_preconditions[agent] != 0 || task.options.hardening.sends_to_all;
        others_.push_back({std::move(needs), std::move(successors), gets_all});
    }
}

const Ints &Outbox::relevant(const Word *projected) {
    relevant_.clear();
    for (std::size_t agent = 0; agent < others_.size(); ++agent) {
        if (agent == self_)
            continue;
        applicable_.clear();
        if (!others_[agent].gets_all)
            others_[agent].successors.applicable(projected, applicable_);
        if (others_[agent].gets_all || !applicable_.empty())
            relevant_.push_back(static_cast<std::int32_t>(agent));
    }
    return relevant_;
}

void Outbox::send(std::size_t receiver, const SentState &state, const Word *projected,
                  std::span<const Tolls *const> tolls) {
    for (std::size_t agent = 0; agent < shape_.agents(); ++agent) {
        Index index = state.indices[agent];
        std::vector<bool> &sent = sent_[receiver][agent];
        if (index >= sent.size())
            sent.resize(std::max<std::size_t>(index + 1, sent.size() * 2));
        if (agent != receiver && !sent[index]) {
            sent[index] = true;
            writers_[receiver].index(agent, index,
                                     projected + layout_.token_at_in_projection(agent),
                                     tolls.empty() ? nullptr : tolls[agent]);
        }
    }
    Index own = state.indices[self_];
    if (own >= is_sent_.size())
        is_sent_.resize(std::max<std::size_t>(own + 1, is_sent_.size() * 2));
    is_sent_[own] = true;
    writers_[receiver].state(state);
}

void Outbox::resend_index(Index index, const Word *tokens, const Tolls *tolls) {
    if (index >= is_sent_.size() || !is_sent_[index])
        return;
    for (std::size_t receiver = 0; receiver < writers_.size(); ++receiver)
        if (receiver != self_)
            writers_[receiver].index(self_, index, tokens, tolls);
}

bool Outbox::empty() const {
    return std::ranges::all_of(writers_, [](const FrameWriter &writer) { return writer.empty(); });
}

std::size_t Outbox::bytes() const {
    std::size_t sum = 0;
    for (const FrameWriter &writer : writers_)
        sum += writer.bytes();
    for (const auto &agents : sent_)
        for (const auto &sent : agents)
            sum += sent.capacity() / 8;
    return sum;
}

}  // namespace tacit::mafs
