#include "mafs/node.hpp"

#include <algorithm>
#include <utility>

#include "util/pulse.hpp"

namespace tacit::mafs {

namespace {

NodeTask checked(NodeTask task) {
    check(task);
    return task;
}

// Own actions over public and private facts alone.
StripsTask without_tokens(const NodeTask &task, const Layout &layout) {
    auto bound = static_cast<std::int32_t>((layout.public_words + layout.private_words) * 64);
    auto kept = [bound](Row row) {
        Ints facts;
        for (std::int32_t fact : row)
            if (fact < bound)
                facts.push_back(fact);
        return facts;
    };
    StripsTask bare;
    bare.facts = bound;
    for (std::int32_t action = 0; action < task.own_actions; ++action) {
        bare.pre.append(kept(task.view.pre[action]));
        bare.add.append(kept(task.view.add[action]));
        bare.del.append(kept(task.view.del[action]));
        bare.cost.push_back(task.view.cost[action]);
        bare.group.push_back(0);
    }
    return bare;
}

// The heuristic of the view, in which an action of another counts so many of one's own.
std::unique_ptr<Heuristic> weighing(const std::string &name, NodeTask &task, int weight) {
    weigh_others(task.view, task.own_actions, weight);
    return make_heuristic(name, task.view, weight > 1);
}

}  // namespace

Node::Node(NodeTask task, const std::string &heuristic)
    : task_(checked(std::move(task))), layout_(task_), own_(task_),
      aliases_(own_, task_.hardening, layout_.projection_words), pairs_(key_words()),
      outbox_(task_, layout_), bare_(without_tokens(task_, layout_)), successors_(bare_),
      others_(weigh(task_, layout_)), heuristic_name_(heuristic),
      heuristic_(weighing(heuristic, task_, others_.weight)), goal_(layout_.public_words),
      records_(key_words()), novelty_(fact_words(), max_novelty_bytes),
      plans_(layout_.public_words), parked_(task_.token_counts[task_.self]), gained_(agents()),
      view_(layout_.view_words), projected_(layout_.projection_words), key_(key_words()),
      pair_(key_words()), facts_(fact_words()), fresh_(fact_words()), before_(fact_words()),
      indices_(agents()), is_liked_(task_.view.size()) {
    for (std::size_t agent = 0; agent < agents(); ++agent)
        foreign_.emplace_back(layout_.token_words[agent]);
    for (std::int32_t fact : task_.projection.goal)
        put(goal_.data(), fact);
    begin();
}

void Node::begin() {
    std::ranges::fill(key_, 0);
    for (std::int32_t fact : task_.view.init)
        if (fact < task_.public_facts)
            put(key_.data(), fact);
    for (std::size_t agent = 0; agent < agents(); ++agent) {
        std::vector<Word> tokens(layout_.token_words[agent] + 1);
        std::size_t at = layout_.token_at[agent] * 64;
        for (std::int32_t fact : task_.view.init)
            if (static_cast<std::size_t>(fact) >= at &&
                static_cast<std::size_t>(fact) < at + layout_.token_words[agent] * 64)
                put(tokens.data(), static_cast<std::size_t>(fact) - at);
        foreign_[agent].learn(0, tokens.data());
    }
    set_index(key_.data(), static_cast<std::size_t>(task_.self), own_[0].facts);
    note_wanted();
    RecordId id = admit({no_record, -1, 0, own_.start(), no_record, 0, 0}, {no_record, -1});
    push(0, {id, -1}, true);
    compose_projection(id);
    aliases_.name(projected_.data(), std::vector<Index>{own_.start()});  // 0, as everybody's start
}

// The facts, public or own, that a relaxed plan from the start makes true.
void Node::note_wanted() {
    std::vector<Word> start = start_of(task_, layout_);
    wanted_.assign(layout_.public_words + layout_.private_words, 0);
    RelaxedPlan *plan = heuristic_->unit_plan();
    if (plan && !plan->make(start.data()))
        return;
    for (std::int32_t action : plan ? plan->actions() : others_.plan)
        for (std::int32_t fact : task_.view.add[action])
            if (static_cast<std::size_t>(fact) < wanted_.size() * 64 && !has(start.data(), fact))
                put(wanted_.data(), fact);
}

Index Node::index_of(const Word *key, std::size_t agent) const {
    return static_cast<Index>(key[layout_.public_words + agent / 2] >> (agent % 2 * 32));
}

void Node::set_index(Word *key, std::size_t agent, Index index) const {
    Word &word = key[layout_.public_words + agent / 2];
    unsigned shift = agent % 2 * 32;
    word = (word & ~(Word{0xffffffff} << shift)) | Word{index} << shift;
}

bool Node::is_goal(const Word *key) const {
    return is_subset(goal_.data(), key, layout_.public_words);
}

void Node::push(int value, Entry entry, bool is_liked) {
    all_.queue.push(value, entry);
    if (is_liked)
        preferred_.queue.push(value, entry);
}

bool Node::pop(Entry &entry) {
    bool take_liked =
        !preferred_.queue.empty() && (all_.queue.empty() || preferred_.turns <= all_.turns);
    OpenList &list = take_liked ? preferred_ : all_;
    if (list.queue.empty())
        return false;
    ++list.turns;
    entry = list.queue.pop();
    return true;
}

void Node::step(std::int64_t evaluations) {
    follow_for(evaluations);
    if (hurry_ > 0 && hurry_-- > 0)
        evaluations = std::min(evaluations, hurried);
    std::int64_t end = work_ + evaluations;
    std::int64_t pops = 64 * evaluations;
    while (found_ == no_record && work_ < end && pops-- > 0) {
        Entry entry;
        pulse();
        novel_turn_ = !novel_turn_;
        if (novel_turn_ && !novel_.empty() && !all_.queue.empty()) {
            step_by_novelty(novel_.pop());
        } else if (!arrived_.empty()) {
            RecordId id = arrived_.front();
            arrived_.pop_front();
            take_in(id);
        } else if (pop(entry)) {
            step_by_value(entry);
        } else {
            break;
        }
    }
    if (found_ == no_record)
        send_due();
}

void Node::step_by_value(Entry entry) {
    RecordId id = entry.action < 0 ? entry.record : generate(entry);
    if (!(taken_[id] & by_value))
        visit(id);
}

// A state that another told waits among the others, unless it is better than all of them.
void Node::take_in(RecordId id) {
    int value = 0;
    if (taken_[id] & by_value || !evaluate(id, value))
        return;
    if (all_.queue.empty() || value < all_.queue.lowest_key())
        go_on(id, value);
    else
        push(value, {id, -1}, true);
}

// Goes on from a state in all ways at once; what comes out waits for its turn by how new it is.
void Node::step_by_novelty(RecordId id) {
    if (taken_[id] & by_novelty)
        return;
    taken_[id] |= by_novelty;
    ++work_;
    ++counters_.expanded;
    if (!tell_unvalued(id))
        return;
    compose_view(id);
    find_applicable(id);
    Ints actions = applicable_;
    for (std::int32_t action : actions) {
        if (missing_token(records_[id].own, action) >= 0) {
            if (finish({id, action}))
                return;
            continue;
        }
        ++counters_.generated;
        generate({id, action});
        if (found_ != no_record)
            return;
    }
}

// For a search that does not evaluate; false if the state turns out to be a dead end.
bool Node::tell_unvalued(RecordId id) {
    if (!is_telling(id) || taken_[id] & (told_state | told_value))
        return true;
    if (task_.hardening.once)  // it is told with its value or not at all
        return taken_[id] & by_value || visit(id);
    tell(id, not_valued);
    return true;
}

// False for a dead end.
bool Node::visit(RecordId id) {
    int value = 0;
    if (found_ != no_record || !evaluate(id, value))
        return false;
    go_on(id, value);
    return true;
}

// With what `evaluate` just found.
void Node::go_on(RecordId id, int value) {
    taken_[id] |= by_value;
    if (is_telling(id) && !(taken_[id] & told_value))
        tell(id, value);
    expand(id, value);
}

// False for a dead end, which is not looked at again unless more is disclosed.
bool Node::evaluate(RecordId id, int &value) {
    ++work_;
    ++counters_.evaluated;
    compose_view(id);
    value = heuristic_->evaluate(view_.data());
    liked_.clear();
    if (value != dead_end) {
        heuristic_->preferred(liked_);
    } else if (task_.is_exact) {
        taken_[id] |= by_value | by_novelty;
        if (task_.grows)
            dead_.push_back(id);
        return false;
    } else {
        value = hopeless;
    }
    if (task_.sends_own_value)
        value = std::max(value, records_[id].value);  // until now its sender's, if it had one
    if (value < best_) {
        best_ = value;
        preferred_.turns -= boost;
        note_best(id, value);
    }
    records_[id].value = value;
    return true;
}

void Node::expand(RecordId id, int value) {
    ++counters_.expanded;
    find_applicable(id);
    for (std::int32_t action : liked_)
        is_liked_[action] = 1;
    for (std::int32_t action : applicable_) {
        if (hold_back({id, action})) {
            if (finish({id, action}))
                break;
            continue;
        }
        push(value, {id, action}, is_liked_[action]);
        ++counters_.generated;
    }
    for (std::int32_t action : liked_)
        is_liked_[action] = 0;
}

void Node::find_applicable(RecordId) {
    applicable_.clear();
    successors_.applicable(view_.data(), applicable_);
}

std::size_t Node::bytes() const {
    std::size_t sum = records_.bytes() + own_.bytes() + aliases_.bytes() + pairs_.bytes() +
                      outbox_.bytes() + all_.queue.bytes() + preferred_.queue.bytes() +
                      (sent_.capacity() + sent_ends_.capacity()) * sizeof(RecordId) +
                      parked_duplicates_.capacity() * sizeof(Entry) +
                      (arrived_.size() + dead_.capacity()) * sizeof(RecordId) + taken_.capacity() +
                      kinds_.capacity() * 4 + novel_.bytes() + novelty_.bytes() + plans_.bytes() +
                      following_.bytes();
    for (const ForeignIndices &foreign : foreign_)
        sum += foreign.bytes();
    for (const auto &entries : parked_)
        sum += entries.capacity() * sizeof(Entry);
    for (const Dormant &dormant : dormant_)
        sum += sizeof(Dormant) + dormant.key.capacity() * sizeof(Word);
    return sum;
}

}  // namespace tacit::mafs
