#include "mafs/key_tree.hpp"

#include <algorithm>

namespace tacit::mafs {

namespace {

std::size_t rounded(std::size_t size, std::size_t unit) { return (size + unit - 1) / unit * unit; }

StateId item(const Word *block, std::size_t at) {
    return static_cast<StateId>(block[at / 2] >> (at % 2 * 32));
}

}  // namespace

KeyTree::KeyTree(std::size_t words) : words_(words) {
    std::size_t width = words, span = block_words;
    for (; width > block_words; span *= block_items) {
        std::vector<Word> row(rounded(width, block_words));
        width = (row.size() / block_words + 1) / 2;
        levels_.push_back({DistinctRows(block_words), span, std::move(row)});
    }
    levels_.push_back({DistinctRows(width), span, std::vector<Word>(width)});
}

std::pair<KeyId, bool> KeyTree::insert(const Word *key) {
    std::copy_n(key, words_, levels_.front().row.begin());
    for (std::size_t level = 0; level + 1 < levels_.size(); ++level) {
        auto &[blocks, span, row] = levels_[level];
        std::vector<Word> &above = levels_[level + 1].row;
        std::ranges::fill(above, 0);
        for (std::size_t block = 0; block * block_words < row.size(); ++block) {
            Word number = blocks.insert(row.data() + block * block_words).first;
            above[block / 2] |= number << (block % 2 * 32);
        }
    }
    return levels_.back().blocks.insert(levels_.back().row.data());
}

void KeyTree::copy_block(std::size_t level, StateId id, std::size_t from, std::size_t count,
                         Word *to) const {
    const Word *block = levels_[level].blocks[id];
    if (level == 0) {
        std::copy_n(block + from, count, to);
        return;
    }
    std::size_t below = levels_[level - 1].span;
    while (count > 0) {
        std::size_t inside = from % below, taken = std::min(count, below - inside);
        copy_block(level - 1, item(block, from / below), inside, taken, to);
        from += taken;
        to += taken;
        count -= taken;
    }
}

std::size_t KeyTree::bytes() const {
    std::size_t sum = 0;
    for (const Level &level : levels_)
        sum += level.blocks.bytes() + level.row.capacity() * sizeof(Word);
    return sum;
}

}  // namespace tacit::mafs
