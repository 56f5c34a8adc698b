// The private parts of states, each once, under the indices that are sent.
//
// An own index stands for own private facts together with the support bits that the path left
// behind: all that the agent must know to go on from a state when it comes back. Others see the
// number and nothing else; 0 is everybody's initial state. Of the others' indices this agent knows
// the tokens that hold there, because they were sent along with the states.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "mafs/node_task.hpp"
#include "strips/states.hpp"
#include "util/bits.hpp"

namespace tacit::mafs {

using Index = std::uint32_t;

// The agent's own private states.
class PrivateStateTable {
  public:
    explicit PrivateStateTable(const NodeTask &task);

    struct Entry {
        std::uint32_t facts, support, shown;
    };

    Index initial() const { return 0; }
    // The index after an own action that leads to these private facts.
    Index after(Index before, std::int32_t action, bool is_public, const Word *facts);
    const Entry &operator[](Index index) const { return entries_[index]; }
    std::size_t size() const { return entries_.size(); }
    std::size_t bytes() const;

    const Word *facts(Index index) const { return facts_[entries_[index].facts]; }
    // Rule `supported`: the tokens that are supported. Rule `pairwise`: those that prune actions.
    const Word *tokens(Index index) const {
        return tokens_.data() + entries_[index].support * token_words_;
    }
    const Word *shown_tokens(Index index) const {
        return shown_tokens_.data() + entries_[index].shown * token_words_;
    }
    // Is everything that the path of `a` could ever support there on the path of `b` too?
    bool covers(Index b, Index a) const;
    // Could a disclosure support this token here?
    bool may_support(Index index, std::int32_t token) const;
    // The first bit that would support this token here if it were disclosed, or -1.
    std::int32_t undisclosed_bit(Index index, std::int32_t token) const;

    void disclose(const Ints &support_bits, const Ints &shown_bits);

  private:
    SupportBits support_, shown_;
    Rows bits_of_;  // per token, its support bits
    bool any_disclosed_;
    std::size_t token_words_, fact_words_, support_words_, shown_words_;
    States facts_, support_sets_, shown_sets_;
    std::vector<Word> tokens_, shown_tokens_;  // per set of bits
    std::vector<Entry> entries_;
    std::unordered_map<std::uint64_t, std::vector<Index>> found_;
    std::vector<Word> work_;
    std::size_t bytes_of_found_ = 0;

    Index intern(const Entry &entry);
    std::uint32_t intern_support(const Word *set);
    std::uint32_t intern_shown(const Word *set);
    void fill_support(std::uint32_t set);
    void fill_shown(std::uint32_t set);
};

// What is known of one other agent's private states. Their indices may have gaps, so the table has
// pages, and no number that somebody sends makes it large.
class ForeignStateTable {
  public:
    explicit ForeignStateTable(std::size_t token_words) : token_words_(token_words) {}
    // Whatever the index, these tokens hold there.
    explicit ForeignStateTable(const std::vector<Word> &tokens);

    static constexpr Index max_index = Index{1} << 28;

    bool knows(Index index) const { return place(index) != unknown; }
    const Word *tokens(Index index) const {
        return tokens_.data() + std::size_t{place(index)} * 2 * token_words_;
    }
    // Those of them that were achieved on some way to a state with this index (`DescentCheck`).
    const Word *proved(Index index) const { return tokens(index) + token_words_; }
    void prove(Index index, const Word *tokens);
    // Tokens that are sent again are added to those known; true if a known index means more then.
    bool learn(Index index, const Word *tokens);
    std::size_t bytes() const {
        return pages_.capacity() * sizeof(Page) + page_count_ * page_size * sizeof(std::uint32_t) +
               tokens_.capacity() * sizeof(Word);
    }

  private:
    static constexpr std::uint32_t unknown = ~std::uint32_t{0};
    static constexpr unsigned page_bits = 8;
    static constexpr std::size_t page_size = std::size_t{1} << page_bits;
    using Page = std::unique_ptr<std::uint32_t[]>;

    std::size_t token_words_;
    bool is_uniform_ = false;
    std::uint32_t count_ = 0;
    std::size_t page_count_ = 0;
    std::vector<Page> pages_;
    std::vector<Word> tokens_;

    std::uint32_t place(Index index) const {
        std::size_t page = index >> page_bits;
        return page < pages_.size() && pages_[page] ? pages_[page][index % page_size] : unknown;
    }
};

}  // namespace tacit::mafs
