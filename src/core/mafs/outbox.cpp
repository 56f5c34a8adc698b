#include "mafs/outbox.hpp"

#include <algorithm>
#include <map>
#include <utility>

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

bool sends_all_to(const NodeTask &task, std::int32_t agent) {
    return task.has_public_preconditions[agent] != 0 || task.options.hardening.sends_to_all;
}

// Where everybody but this agent may go on from, each place once.
std::map<Ints, Ints> needs_of_others(const NodeTask &task) {
    bool with_tokens = task.options.is_exact && !task.options.grows;
    std::map<Ints, Ints> agents;
    for (std::size_t action = 0; action < task.projection->size(); ++action) {
        std::int32_t agent = task.groups[action];
        if (agent == task.self || sends_all_to(task, agent))
            continue;
        Ints needs;
        for (std::int32_t fact : task.projection->pre[action])
            if (with_tokens || fact < task.public_facts)
                needs.push_back(fact);
        Ints &same = agents[needs];
        if (same.empty() || same.back() != agent)  // they come in order
            same.push_back(agent);
    }
    return agents;
}

StripsTask bare_actions(const NodeTask &task, const std::map<Ints, Ints> &agents) {
    StripsTask made;
    made.facts = task.projection->facts;
    for (const auto &[needs, same] : agents) {
        made.pre.append(needs);
        made.cost.push_back(0);
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
    is_relevant_.resize(agents);
    for (std::int32_t agent = 0; static_cast<std::size_t>(agent) < agents; ++agent)
        if (agent != task.self && sends_all_to(task, agent))
            get_all_.push_back(agent);
    std::map<Ints, Ints> needs = needs_of_others(task);
    for (const auto &[facts, same] : needs)
        agents_of_.append(same);
    successors_ = Successors(bare_actions(task, needs));
}

const Ints &Outbox::relevant(const Word *projected) {
    relevant_ = get_all_;
    applicable_.clear();
    successors_.applicable(projected, applicable_);
    for (std::int32_t kind : applicable_)
        for (std::int32_t agent : agents_of_[kind])
            if (!std::exchange(is_relevant_[agent], 1))
                relevant_.push_back(agent);
    for (std::int32_t agent : relevant_)
        is_relevant_[agent] = 0;
    std::ranges::sort(relevant_);
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
