// Sets of small numbers as words.
#pragma once

#include <cstddef>
#include <cstdint>

#include "strips/states.hpp"

namespace tacit::mafs {

inline std::size_t words_for(std::size_t bits) { return (bits + 63) / 64; }
inline bool has(const Word *set, std::size_t i) { return set[i >> 6] >> (i & 63) & 1; }
inline void put(Word *set, std::size_t i) { set[i >> 6] |= Word{1} << (i & 63); }
inline void drop(Word *set, std::size_t i) { set[i >> 6] &= ~(Word{1} << (i & 63)); }

inline bool is_subset(const Word *small, const Word *large, std::size_t words) {
    for (std::size_t w = 0; w < words; ++w)
        if (small[w] & ~large[w])
            return false;
    return true;
}

}  // namespace tacit::mafs
