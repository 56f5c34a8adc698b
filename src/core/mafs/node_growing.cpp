// What a node holds back, and what a disclosure sets free.
#include "mafs/node.hpp"

#include <algorithm>
#include <utility>

namespace tacit::mafs {

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

void Node::grow(const Ints &support_marks, const Ints &shown_marks, const Ints &view_gains,
                const Ints &projection_gains) {
    for (std::size_t i = 0; i + 1 < view_gains.size(); i += 2)
        task_.view.gain_add(view_gains[i], view_gains[i + 1]);
    for (std::size_t i = 0; i + 1 < projection_gains.size(); i += 2)
        task_.projection.gain_add(projection_gains[i], projection_gains[i + 1]);
    own_.disclose(support_marks, shown_marks);
    heuristic_->adds_changed();
    if (shown_heuristic_)
        shown_heuristic_->adds_changed();
    if (!shown_marks.empty())
        retell();
    best_ = best_shown_ = INT32_MAX;
    release_parked(support_marks);
    for (RecordId id : std::exchange(dead_, {}))
        revive(id);
    for (Entry entry : std::exchange(parked_duplicates_, {}))
        push(records_[entry.record].value, entry, false);
    for (Dormant &dormant : std::exchange(dormant_, {})) {
        key_ = dormant.key;
        RecordId id = admit(dormant.record, {no_record, -1});
        if (!(taken_[id] & by_value))
            arrived_.push_back(id);
    }
}

// A dead end may be none any more.
void Node::revive(RecordId dead) {
    taken_[dead] &= static_cast<std::uint8_t>(~(by_value | by_novelty));
    novel_.push(0, dead);
    arrived_.push_back(dead);
}

// Dead ends that were evaluated before others told what their indices there have gained.
void Node::revive_where_gained() {
    for (std::vector<Index> &indices : gained_)
        std::ranges::sort(indices);
    auto has_gained = [this](RecordId id) {
        for (std::size_t agent = 0; agent < agents(); ++agent)
            if (std::ranges::binary_search(gained_[agent], index_of(records_.key(id), agent)))
                return true;
        return false;
    };
    std::vector<RecordId> dead;
    for (RecordId id : std::exchange(dead_, {}))
        if (has_gained(id))
            revive(id);
        else
            dead.push_back(id);
    dead_ = std::move(dead);
    for (std::vector<Index> &indices : gained_)
        indices.clear();
}

// Tells everybody anew what own numbers mean.
void Node::retell() {
    std::vector<Word> tokens(layout_.token_words[task_.self]);
    for (Index number = 0; number < aliases_.size(); ++number) {
        std::ranges::fill(tokens, 0);
        for (Index member : aliases_.members(number))
            for (std::size_t w = 0; w < tokens.size(); ++w)
                tokens[w] |= own_.shown_tokens(member)[w];
        outbox_.retell(number, tokens.data());
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

}  // namespace tacit::mafs
