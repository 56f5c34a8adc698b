// How new a state is among those with the same key.
//
// Novelty 1: some fact holds that held in no earlier state of this key; 2: some pair of facts does;
// 3: neither. A table of pairs is a bit matrix, so that one row is compared with a state in a few
// words; facts have a row once they are seen, since most keys have few states. Past `max_bytes` new
// keys get no table of pairs, and their states are 1 or 3.
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
        : words_(fact_words), max_bytes_(max_bytes) {}

    // Remembers the state. `fresh` holds the facts that may be new: those that the state's parent,
    // if it was seen under the same key, did not have.
    int measure(std::uint64_t key, const Word *state, const Word *fresh);

    std::size_t bytes() const { return bytes_; }
    void clear();

  private:
    struct Table {
        std::vector<Word> facts, rows;
        std::vector<std::int32_t> row_of;  // per fact; empty if there is no table of pairs
    };

    std::size_t words_, max_bytes_, bytes_ = 0;
    std::unordered_map<std::uint64_t, Table> tables_;

    Table &table(std::uint64_t key);
    Word *row(Table &table, std::size_t fact);
    bool add_pairs(Table &table, const Word *state, const Word *fresh);
};

}  // namespace tacit
