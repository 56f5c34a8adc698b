// Long keys, each once: as trees of blocks that many of them share.
//
// A key is cut into blocks of eight words. Each block is kept once, and in its place the key has
// its number; these numbers are cut into blocks again, sixteen of them each, until one block is
// left. A state differs from those before it in a fact or two and an index, so of its blocks only
// those on the way to them are new: what it takes grows with the depth of the tree, not with the
// agents and the facts that there are. Keys of up to eight words are kept as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "strips/distinct_rows.hpp"

namespace tacit::mafs {

using KeyId = std::uint32_t;

class KeyTree {
  public:
    explicit KeyTree(std::size_t words);

    // The number of this key, in the order in which they came, and whether it is new.
    std::pair<KeyId, bool> insert(const Word *key);
    // Of a key, `count` words from word `from` on.
    void copy(KeyId id, std::size_t from, std::size_t count, Word *to) const {
        copy_block(levels_.size() - 1, id, from, count, to);
    }
    std::size_t words() const { return words_; }
    std::size_t size() const { return levels_.back().blocks.size(); }
    std::size_t bytes() const;

  private:
    static constexpr std::size_t block_words = 8, block_items = 2 * block_words;
    struct Level {
        DistinctRows blocks;
        std::size_t span;       // how many words of the key a block has in it
        std::vector<Word> row;  // what one key has on this level, with zeros up to a whole block
    };

    std::size_t words_;
    std::vector<Level> levels_;

    void copy_block(std::size_t level, StateId id, std::size_t from, std::size_t count,
                    Word *to) const;
};

}  // namespace tacit::mafs
