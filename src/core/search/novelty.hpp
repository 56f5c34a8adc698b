// How new a state is among those with the same key.
//
// Novelty 1: some fact holds that held in no earlier state of this key; 2: some pair of facts does;
// 3: neither. Most keys have few states, and a pair was seen if one of them has it: so a key begins
// with its states, but for those that brought nothing new. Once these are many, or a matrix of the
// facts seen so far is no larger, it takes their place: a row of bits per fact seen, and a bit in
// each for every such fact, so that one row is compared with a state in a few words.
//
// Past `max_bytes` new keys know no pairs, and their states are 1 or 3. Matrices that have grown to
// twice that are given up, since a matrix is the square of the facts.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "strips/states.hpp"

namespace tacit {

class Novelty {
  public:
    static constexpr int none = 3;

    Novelty(std::size_t fact_words, std::size_t max_bytes)
        : words_(fact_words), max_bytes_(max_bytes), row_(fact_words) {}

    // Remembers the state. `fresh` holds the facts that may be new: those that the state's parent,
    // if it was seen under the same key, did not have.
    int measure(std::uint64_t key, const Word *state, const Word *fresh);

    std::size_t bytes() const { return bytes_; }
    void clear();

  private:
    struct Table {
        bool knows_pairs = false;
        std::vector<Word> facts;
        std::vector<Word> states;           // until there is a matrix
        std::vector<Word> placed;           // facts of the matrix,
        std::vector<std::uint32_t> places;  // and the row and column of each, in their order
        std::vector<Word> rows;
        std::size_t stride = 0;  // words of a row
        bool has_matrix() const { return stride > 0; }
    };

    std::size_t words_, max_bytes_, bytes_ = 0;
    std::unordered_map<std::uint64_t, Table> tables_;
    std::vector<Word> row_, columns_;
    std::vector<std::uint32_t> fresh_places_;

    Table &table(std::uint64_t key);
    bool has_new_pair(const Table &table, const Word *state, const Word *fresh);
    bool was_seen_with(const Table &table, std::size_t fact, const Word *state);
    void keep(Table &table, const Word *state, const Word *fresh);
    void give_up_pairs(Table &table);
    void make_matrix(Table &table);
    void enter(Table &table, const Word *state, const Word *fresh);
    void place(Table &table, const Word *facts);
    void find_columns(const Table &table, const Word *state);
    template <typename Use>
    void each_place(const Table &table, const Word *facts, Use use) const;
    static std::size_t bytes_of(const Table &table);
};

}  // namespace tacit
