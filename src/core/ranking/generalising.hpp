// What somebody who sees some edges takes to be edges, too: those that look the same.
//
// Edges are of one *class* if their tokens have the same look, their achievers stand to the tokens
// in the same pattern (`shapes.hpp`), and either both achievers need their tokens or neither does.
// A class is made of public matter alone, so anybody can tell which pairs of an action and a token
// belong to it.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "ranking/shapes.hpp"
#include "util/rows.hpp"

namespace tacit {

class Generalising {
  public:
    // `actions` and `tokens` are the ends of edges, in the numbers of the shapes.
    Generalising(const Shapes &shapes, const Ints &actions, const Ints &tokens);

    // How many classes the edges are of.
    std::int32_t classes() const;
    // Per token of anybody, the actions of its owner that would have an edge into it if all pairs
    // of these classes were edges; ascending.
    Rows alike() const;

  private:
    struct Patterns {
        std::vector<Pattern> of_users, of_others;
    };

    const Shapes &shapes_;
    std::map<std::int32_t, Patterns> by_look_;

    bool needs(std::int32_t action, std::int32_t token) const;
};

}  // namespace tacit
