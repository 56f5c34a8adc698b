// Prefixes that a plan must not have.
//
// A forbidden prefix is a sequence of actions of one group, read with the other groups' actions
// left out, or of all groups together. One trie per group and one for all: a state carries its
// place in each trie that exists, so two equal sets of facts with different places are different
// states. A sequence that has left a trie never comes back, and all such share the place 0. A
// search without forbidden prefixes carries nothing.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "strips/states.hpp"

namespace tacit {

class Prefixes {
  public:
    static constexpr std::int32_t all_groups = -1;

    // An empty sequence forbids everything.
    void forbid(std::int32_t group, Row actions);

    // How many words a state has behind its facts.
    std::size_t words() const { return roots_.size(); }
    // False if nothing at all is allowed.
    bool start(Word *places) const;
    // The places after one more action; false if that completes a forbidden prefix.
    bool advance(Word *places, std::int32_t action, std::int32_t group) const;

  private:
    struct Root {
        std::int32_t group;
        std::uint32_t node;
    };

    std::vector<Root> roots_;
    std::vector<std::uint8_t> is_forbidden_{0};  // per node; 0 is outside
    std::unordered_map<std::uint64_t, std::uint32_t> children_;

    std::uint32_t root(std::int32_t group);
    std::uint32_t add_node();
    static std::uint64_t key(std::uint64_t node, std::int32_t action) {
        return node << 32 | static_cast<std::uint32_t>(action);
    }
};

}  // namespace tacit
