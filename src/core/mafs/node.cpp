#include "mafs/node.hpp"
#include "heuristics/relaxed_plan.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

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

}  // namespace

Node::Node(NodeTask task, const std::string &heuristic)
    : task_(checked(std::move(task))), layout_(task_), own_(task_), outbox_(task_, layout_),
      bare_(without_tokens(task_, layout_)), successors_(bare_),
      heuristic_(make_heuristic(heuristic, task_.view, false)),
      shown_heuristic_(make_heuristic(heuristic, task_.projection, false)),
      goal_(layout_.public_words), records_(key_words()), novelty_(fact_words(), max_novelty_bytes),
      parked_(task_.token_counts[task_.self]), view_(layout_.view_words),
      projected_(layout_.projection_words), key_(key_words()), facts_(fact_words()),
      fresh_(fact_words()), before_(fact_words()), indices_(agents()),
      is_liked_(task_.view.size()) {
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
}

// The facts, public or own, that a relaxed plan from the start makes true.
void Node::note_wanted() {
    std::vector<Word> start(layout_.view_words);
    for (std::int32_t fact : task_.view.init)
        put(start.data(), fact);
    wanted_.assign(layout_.public_words + layout_.private_words, 0);
    std::optional<RelaxedPlan> own_plan;
    RelaxedPlan *plan = heuristic_->unit_plan();
    if (!plan)
        plan = &own_plan.emplace(task_.view, false);
    if (!plan->make(start.data()))
        return;
    for (std::int32_t action : plan->actions())
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
    bool take_liked = !preferred_.queue.empty() &&
                      (all_.queue.empty() || preferred_.turns <= all_.turns);
    OpenList &list = take_liked ? preferred_ : all_;
    if (list.queue.empty())
        return false;
    ++list.turns;
    entry = list.queue.pop();
    return true;
}

void Node::step(std::int64_t evaluations) {
    std::int64_t end = work_ + evaluations;
    std::int64_t pops = 64 * evaluations;
    while (found_ == no_record && work_ < end && pops-- > 0) {
        Entry entry;
        novel_turn_ = !novel_turn_;
        if (novel_turn_ && !novel_.empty() && !all_.queue.empty())
            step_by_novelty(novel_.pop());
        else if (pop(entry))
            step_by_value(entry);
        else
            return;
    }
}

void Node::step_by_value(Entry entry) {
    RecordId id = entry.action < 0 ? entry.record : generate(entry);
    if (!(taken_[id] & by_value))
        visit(id);
}

// Goes on from a state in all ways at once; what comes out waits for its turn by how new it is.
void Node::step_by_novelty(RecordId id) {
    if (taken_[id] & by_novelty)
        return;
    taken_[id] |= by_novelty;
    ++work_;
    ++counters_.expanded;
    if (is_telling(id) && !(taken_[id] & (told | told_value)))
        tell(id, not_valued);
    compose_view(id);
    find_applicable(id);
    Ints actions = applicable_;
    for (std::int32_t action : actions) {
        if (missing_token(records_[id].own, action) >= 0)
            continue;
        ++counters_.generated;
        generate({id, action});
        if (found_ != no_record)
            return;
    }
}

// The state last admitted waits for its turn by how new it is. What its parent had too cannot be new,
// if both are counted under the same key.
void Node::push_novel(RecordId id) {
    const Word *key = records_.key(id);
    const Record &record = records_[id];
    compose_facts(id, facts_.data());
    std::uint32_t open_goals = 0, reached = 0;
    for (std::size_t w = 0; w < layout_.public_words; ++w)
        open_goals += static_cast<std::uint32_t>(std::popcount(goal_[w] & ~key[w]));
    for (std::size_t w = 0; w < wanted_.size(); ++w)
        reached += static_cast<std::uint32_t>(std::popcount(wanted_[w] & facts_[w]));
    std::uint32_t kind = open_goals << 16 | (reached & 0xffff);
    kinds_.push_back(kind);
    fresh_ = facts_;
    if (record.parent != no_record && kinds_[record.parent] == kind) {
        compose_facts(record.parent, before_.data());
        for (std::size_t w = 0; w < fresh_.size(); ++w)
            fresh_[w] &= ~before_[w];
    }
    int novelty = novelty_.measure(kind, facts_.data(), fresh_.data());
    novel_.push(novelty << 16 | static_cast<int>(open_goals), id);
}

void Node::compose_facts(RecordId id, Word *to) const {
    std::memcpy(to, records_.key(id), layout_.public_words * sizeof(Word));
    if (layout_.private_words > 0)
        std::memcpy(to + layout_.public_words, own_.facts(records_[id].own),
                    layout_.private_words * sizeof(Word));
}

// The state that an own action leads to, or one that makes it superfluous.
RecordId Node::generate(Entry entry) {
    const Record &parent = records_[entry.record];
    std::size_t publics = layout_.public_words;
    std::memcpy(key_.data(), records_.key(entry.record), key_.size() * sizeof(Word));
    compose_facts(entry.record, facts_.data());
    for (std::int32_t fact : bare_.del[entry.action])
        drop(facts_.data(), fact);
    for (std::int32_t fact : bare_.add[entry.action])
        put(facts_.data(), fact);
    std::memcpy(key_.data(), facts_.data(), publics * sizeof(Word));
    bool is_public = task_.is_public[entry.action];
    Index own = own_.after(parent.own, entry.action, is_public, facts_.data() + publics);
    set_index(key_.data(), static_cast<std::size_t>(task_.self), own_[own].facts);
    std::int32_t g = parent.g + is_public;
    return admit({entry.record, entry.action, 0, own, no_record, g, 0}, entry);
}

bool Node::is_dominated(Index by, Index index) const {
    if (by == index)
        return true;
    if (!task_.any_disclosed)
        return own_.covers(by, index);
    return is_subset(own_.tokens(index), own_.tokens(by), layout_.token_words[task_.self]);
}

// The state whose key is in `key_`: a new record, or one that makes it superfluous.
RecordId Node::admit(const Record &record, Entry entry) {
    RecordId better = no_record;
    bool is_covered = false;
    for (RecordId v = records_.find(key_.data()); v != no_record && !is_covered; v = records_[v].variant) {
        if (is_dominated(records_[v].own, record.own))
            better = v;
        is_covered = own_.covers(records_[v].own, record.own);
    }
    if (better != no_record) {
        if (task_.grows && !is_covered) {
            ++counters_.parked;
            if (entry.record != no_record)
                parked_duplicates_.push_back(entry);
            else
                dormant_.push_back({key_, record});
        }
        return better;
    }
    RecordId id = records_.add(key_.data(), record);
    taken_.push_back(0);
    if (is_goal(key_.data()))
        found_ = id;
    push_novel(id);
    return id;
}

void Node::visit(RecordId id) {
    taken_[id] |= by_value;
    if (found_ != no_record)
        return;
    int value = 0;
    if (!evaluate(id, value)) {
        if (task_.grows)
            dead_.push_back(id);
        return;
    }
    if (is_telling(id) && !(taken_[id] & told_value))
        tell(id, value);
    expand(id, value);
}

// False for a dead end.
bool Node::evaluate(RecordId id, int &value) {
    ++work_;
    ++counters_.evaluated;
    compose_view(id);
    value = heuristic_->evaluate(view_.data());
    liked_.clear();
    if (value != dead_end) {
        heuristic_->preferred(liked_);
    } else if (task_.is_exact) {
        taken_[id] |= by_novelty;
        return false;
    } else {
        value = hopeless;
    }
    if (value < best_) {
        best_ = value;
        preferred_.turns -= boost;
    }
    value = std::max(value, records_[id].value);
    records_[id].value = value;
    return true;
}

// Was the state reached by an own action that shows?
bool Node::is_telling(RecordId id) const {
    return records_[id].action >= 0 && task_.is_told[records_[id].action];
}

// Sends a state to those who can go on from it.
void Node::tell(RecordId id, int value) {
    compose_projection(id);
    const Ints &receivers = outbox_.relevant(projected_.data());
    if (receivers.empty())
        return;
    taken_[id] |= value == not_valued ? told : told_value;
    if (!task_.sends_own_value && value != not_valued) {
        ++work_;
        ++counters_.evaluated;
        value = shown_heuristic_->evaluate(projected_.data());
        if (value == dead_end)
            value = hopeless;
    }
    best_shown_ = std::min(best_shown_, value);
    if (records_[id].ref == 0) {
        sent_.push_back(id);
        records_[id].ref = static_cast<std::uint32_t>(sent_.size());
    }
    const Word *key = records_.key(id);
    for (std::size_t agent = 0; agent < agents(); ++agent)
        indices_[agent] = index_of(key, agent);
    indices_[task_.self] = records_[id].own;
    Told told{records_[id].ref, static_cast<std::uint32_t>(records_[id].g),
              static_cast<std::uint32_t>(value), key, indices_.data()};
    for (std::int32_t receiver : receivers) {
        outbox_.send(static_cast<std::size_t>(receiver), told, projected_.data());
        ++counters_.sent;
    }
}

void Node::expand(RecordId id, int value) {
    ++counters_.expanded;
    find_applicable(id);
    for (std::int32_t action : liked_)
        is_liked_[action] = 1;
    for (std::int32_t action : applicable_) {
        if (hold_back({id, action}))
            continue;
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

// A token because of which the action must not be taken, or -1.
std::int32_t Node::missing_token(Index own, std::int32_t action) const {
    const Word *tokens = own_.tokens(own);
    for (std::int32_t token : task_.needed_tokens[action])
        if (has(tokens, token) != task_.any_disclosed)
            return token;
    return -1;
}

bool Node::hold_back(Entry entry) {
    Index own = records_[entry.record].own;
    std::int32_t missing = missing_token(own, entry.action);
    if (missing < 0)
        return false;
    ++counters_.parked;
    if (!task_.grows)
        return true;
    const Word *tokens = own_.tokens(own);
    for (std::int32_t token : task_.needed_tokens[entry.action])
        if (has(tokens, token) != task_.any_disclosed && !own_.may_support(own, token))
            return true;  // no disclosure will help this path
    parked_[missing].push_back(entry);
    return true;
}

void Node::compose_view(RecordId id) {
    const Word *key = records_.key(id);
    Index own = records_[id].own;
    compose_facts(id, view_.data());
    for (std::size_t agent = 0; agent < agents(); ++agent) {
        if (layout_.token_words[agent] == 0)
            continue;
        bool is_self = agent == static_cast<std::size_t>(task_.self);
        const Word *tokens = is_self ? own_.tokens(own) : foreign_[agent].tokens(index_of(key, agent));
        std::memcpy(view_.data() + layout_.token_at[agent], tokens,
                    layout_.token_words[agent] * sizeof(Word));
    }
}

void Node::compose_projection(RecordId id) {
    const Word *key = records_.key(id);
    std::memcpy(projected_.data(), key, layout_.public_words * sizeof(Word));
    for (std::size_t agent = 0; agent < agents(); ++agent) {
        if (layout_.token_words[agent] == 0)
            continue;
        bool is_self = agent == static_cast<std::size_t>(task_.self);
        const Word *tokens = is_self ? own_.shown_tokens(records_[id].own)
                                     : foreign_[agent].tokens(index_of(key, agent));
        std::memcpy(projected_.data() + layout_.token_at_in_projection(agent), tokens,
                    layout_.token_words[agent] * sizeof(Word));
    }
}

void Node::receive(std::size_t sender, std::span<const std::uint8_t> frame) {
    auto self = static_cast<std::size_t>(task_.self);
    if (sender >= agents() || sender == self)
        throw MalformedFrame("a frame of states comes from nobody else");
    FrameReader reader(outbox_.shape(), frame);
    FrameReader::IndexTold index{};
    while (reader.next_index(index))
        if (index.agent != self)
            foreign_[index.agent].learn(index.index, index.tokens);
    Told told{};
    while (reader.next_state(told)) {
        std::memcpy(key_.data(), told.facts, layout_.public_words * sizeof(Word));
        for (std::size_t agent = 0; agent < agents(); ++agent) {
            Index given = told.indices[agent];
            bool is_known = agent == self ? given < own_.size() : foreign_[agent].knows(given);
            if (!is_known)
                throw MalformedFrame("a frame of states has an index that means nothing");
            set_index(key_.data(), agent, agent == self ? own_[given].facts : given);
        }
        if (told.ref == 0 || told.g > max_steps || told.value > INT32_MAX)
            throw MalformedFrame("a frame of states has a number out of range");
        ++counters_.received;
        auto value = static_cast<std::int32_t>(told.value);
        best_shown_ = std::min(best_shown_, value);
        Record record{no_record, -2 - static_cast<std::int32_t>(sender), told.ref, told.indices[self],
                      no_record, static_cast<std::int32_t>(told.g), value == not_valued ? 0 : value};
        RecordId id = admit(record, {no_record, -1});
        if (value != not_valued && !(taken_[id] & by_value))
            push(value, {id, -1}, true);
    }
}

void Node::grow(const Ints &support_marks, const Ints &shown_marks, const Ints &view_gains,
                const Ints &projection_gains) {
    for (std::size_t i = 0; i + 1 < view_gains.size(); i += 2)
        task_.view.gain_add(view_gains[i], view_gains[i + 1]);
    for (std::size_t i = 0; i + 1 < projection_gains.size(); i += 2)
        task_.projection.gain_add(projection_gains[i], projection_gains[i + 1]);
    own_.disclose(support_marks, shown_marks);
    heuristic_->adds_changed();
    shown_heuristic_->adds_changed();
    for (Index index = 0; !shown_marks.empty() && index < own_.size(); ++index)
        outbox_.retell(index, own_.shown_tokens(index));
    best_ = best_shown_ = INT32_MAX;
    release_parked(support_marks);
    for (RecordId id : std::exchange(dead_, {})) {
        taken_[id] &= static_cast<std::uint8_t>(~(by_value | by_novelty));
        novel_.push(0, id);
        push(records_[id].value, {id, -1}, true);
    }
    for (Entry entry : std::exchange(parked_duplicates_, {}))
        push(records_[entry.record].value, entry, false);
    for (Dormant &dormant : std::exchange(dormant_, {})) {
        key_ = dormant.key;
        RecordId id = admit(dormant.record, {no_record, -1});
        if (!(taken_[id] & by_value))
            push(dormant.record.value, {id, -1}, true);
    }
}

void Node::release_parked(const Ints &marks) {
    for (std::int32_t mark : marks) {
        std::int32_t token = task_.support.token[mark];
        for (Entry entry : std::exchange(parked_[token], {})) {
            std::int32_t missing = missing_token(records_[entry.record].own, entry.action);
            if (missing >= 0)
                parked_[missing].push_back(entry);
            else
                push(records_[entry.record].value, entry, true);
        }
    }
}

Segment Node::trace_sent(std::uint32_t ref) const {
    if (ref == 0 || ref > sent_.size())
        throw std::invalid_argument("no such state was sent");
    return trace_record(sent_[ref - 1]);
}

Segment Node::trace_record(RecordId id) const {
    Segment segment;
    if (id == no_record)
        throw std::invalid_argument("no goal was found");
    for (; records_[id].parent != no_record; id = records_[id].parent)
        segment.actions.push_back(records_[id].action);
    std::ranges::reverse(segment.actions);
    segment.g = records_[id].g;
    if (records_[id].action < -1) {
        segment.sender = -2 - records_[id].action;
        segment.ref = records_[id].ref;
    }
    return segment;
}

std::size_t Node::bytes() const {
    std::size_t sum = records_.bytes() + own_.bytes() + outbox_.bytes() + all_.queue.bytes() +
                      preferred_.queue.bytes() + sent_.capacity() * sizeof(RecordId) +
                      parked_duplicates_.capacity() * sizeof(Entry) + taken_.capacity() + kinds_.capacity() * 4 + novel_.bytes() + novelty_.bytes();
    for (const ForeignIndices &foreign : foreign_)
        sum += foreign.bytes();
    for (const auto &entries : parked_)
        sum += entries.capacity() * sizeof(Entry);
    for (const Dormant &dormant : dormant_)
        sum += sizeof(Dormant) + dormant.key.capacity() * sizeof(Word);
    return sum;
}

}  // namespace tacit::mafs
