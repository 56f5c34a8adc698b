#include "search/prefixes.hpp"

namespace tacit {

void Prefixes::forbid(std::int32_t group, Row actions) {
    std::uint32_t node = root(group);
    for (std::int32_t action : actions) {
        auto [found, is_new] = children_.try_emplace(key(node, action), 0);
        if (is_new)
            found->second = add_node();
        node = found->second;
    }
    is_forbidden_[node] = 1;
}

std::uint32_t Prefixes::root(std::int32_t group) {
    for (const Root &root : roots_)
        if (root.group == group)
            return root.node;
    roots_.push_back({group, add_node()});
    return roots_.back().node;
}

std::uint32_t Prefixes::add_node() {
    is_forbidden_.push_back(0);
    return static_cast<std::uint32_t>(is_forbidden_.size() - 1);
}

bool Prefixes::start(Word *places) const {
    bool allowed = true;
    for (std::size_t i = 0; i < roots_.size(); ++i) {
        places[i] = roots_[i].node;
        allowed = allowed && !is_forbidden_[roots_[i].node];
    }
    return allowed;
}

bool Prefixes::advance(Word *places, std::int32_t action, std::int32_t group) const {
    for (std::size_t i = 0; i < roots_.size(); ++i) {
        if (places[i] == 0 || (roots_[i].group != group && roots_[i].group != all_groups))
            continue;
        auto found = children_.find(key(places[i], action));
        places[i] = found == children_.end() ? 0 : found->second;
        if (is_forbidden_[places[i]])
            return false;
    }
    return true;
}

}  // namespace tacit
