#include "mafs/toll_book.hpp"

namespace tacit::mafs {

namespace {

std::uint64_t hash_of(const Tolls &tolls) {
    std::uint64_t hash = tolls.cost.size();
    for (const Ints *part : {&tolls.shut, &tolls.cost, &tolls.actions.items, &tolls.actions.start})
        for (std::int32_t item : *part)
            hash = (hash ^ static_cast<std::uint32_t>(item)) * 0x9e3779b97f4a7c15;
    return hash;
}

}  // namespace

std::span<const Tolls *const> TollBook::in(const StateStore &states, RecordId id, bool with_own) {
    const Word *key = states.key(id);
    for (std::size_t agent = 0; agent < layout_.agents(); ++agent) {
        if (agent == layout_.self)
            continue;
        auto found = others_[agent].at.find(states.index_of(key, agent));
        row_[agent] = found == others_[agent].at.end() ? nullptr : found->second;
    }
    Index own = states[id].own;
    row_[layout_.self] =
        with_own ? &own_.at(states.own()[own].facts, states.own().facts(own)) : nullptr;
    return row_;
}

void TollBook::learn(std::size_t agent, Index index, const Tolls &tolls) {
    Other &other = others_[agent];
    auto [at, is_new] = other.at.try_emplace(index, nullptr);
    if (!is_new)
        return;
    bytes_ += 48;
    std::uint64_t hash = hash_of(tolls);
    auto [from, to] = other.made.equal_range(hash);
    for (auto same = from; same != to && at->second == nullptr; ++same)
        if (same->second == tolls)
            at->second = &same->second;
    if (at->second != nullptr)
        return;
    at->second = &other.made.emplace(hash, tolls)->second;
    bytes_ +=
        sizeof(Tolls) + 2 * sizeof(std::int32_t) * (tolls.actions.items.size() + tolls.at.size());
}

}  // namespace tacit::mafs
