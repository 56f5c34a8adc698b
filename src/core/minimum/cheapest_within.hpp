// The cheapest plan for which no agent discloses more than so many edges, exactly.
//
// The task is the joint one, with the tokens of all agents. Nothing achieves a token but an *edge*:
// the edge is pending once an action that it belongs to is done, until something deletes its token,
// and a token holds while one of its pending edges is disclosed. Which edges are disclosed is
// decided where an action needs a token: every pending edge that there is room for is tried. So the
// edges that a plan needs are those of its way, and the first goal of an A* search is the cheapest
// plan of all choices that leave room.
//
// A way is superfluous because of another one to the same facts that costs no more, discloses none
// that it does not, and has as much pending. The bound is LM-cut: a token costs nothing once an
// edge is pending that is disclosed, or whose agent has room for one more.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "heuristics/relaxed_bound.hpp"
#include "strips/strips.hpp"
#include "util/open_list.hpp"

namespace tacit {

struct SupportEdges {
    Rows achievers;  // per edge the actions that it belongs to; -1 for the initial state
    Ints token;      // the fact that it achieves
    Ints agent;

    std::size_t size() const { return token.size(); }
};

class CheapestWithin {
  public:
    // Throws std::invalid_argument if an edge names what is not there.
    CheapestWithin(const StripsTask &task, SupportEdges edges, std::int32_t agents,
                   std::int32_t most);
    CheapestWithin(const CheapestWithin &) = delete;
    CheapestWithin &operator=(const CheapestWithin &) = delete;

    // Expands so many states; true once the cheapest plan is found, or that there is none.
    bool step(std::int64_t expansions);
    bool has_plan() const { return found_ != nobody; }
    // Of the plan; without one, no plan costs less.
    std::int64_t cost() const;
    Ints plan() const;
    // The edges that the plan discloses.
    Ints disclosed() const;
    std::int64_t expanded() const { return expanded_; }
    std::size_t bytes() const;

  private:
    using NodeId = std::uint32_t;
    static constexpr NodeId nobody = ~NodeId{0};
    struct Node {
        NodeId parent, same;  // `same`: another one with these facts
        std::int32_t action, cost;
    };

    StripsTask task_;  // with an action at the end that needs the goal
    SupportEdges edges_;
    std::int32_t most_;
    std::size_t fact_words_, edge_words_, node_words_;
    std::vector<std::uint8_t> is_token_;
    Rows edges_of_, edges_by_;  // per fact; per action
    StripsTask relaxed_;
    std::unique_ptr<RelaxedBound> bound_;
    std::vector<Node> nodes_;
    std::vector<Word> words_;  // per node facts, what is pending, what is disclosed
    std::unordered_map<std::uint64_t, NodeId> newest_;
    OpenList open_;
    NodeId found_ = nobody;
    std::int64_t expanded_ = 0;
    std::vector<Word> made_, seen_;
    Ints wanted_, room_;

    void make_rows();
    void make_bound();
    void begin();
    const Word *words(NodeId id) const { return words_.data() + id * node_words_; }
    Word *pending_in(Word *of) const { return of + fact_words_; }
    Word *disclosed_in(Word *of) const { return of + fact_words_ + edge_words_; }
    bool holds(std::int32_t token) const;
    void expand(NodeId id);
    void support(std::size_t from, NodeId parent, std::int32_t action);
    void apply(NodeId parent, std::int32_t action);
    void admit(NodeId parent, std::int32_t action, std::int32_t cost);
    bool is_superfluous(NodeId first, std::int32_t cost) const;
};

}  // namespace tacit
