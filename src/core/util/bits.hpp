// Sets of small numbers, one bit each: functions on words that the caller owns, and `Bits`, a set
// that owns its words.
#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tacit {

using Word = std::uint64_t;

inline constexpr std::size_t words_for(std::size_t bits) { return (bits + 63) / 64; }
inline bool has(const Word *set, std::size_t i) { return set[i >> 6] >> (i & 63) & 1; }
inline void put(Word *set, std::size_t i) { set[i >> 6] |= Word{1} << (i & 63); }
inline void drop(Word *set, std::size_t i) { set[i >> 6] &= ~(Word{1} << (i & 63)); }

inline bool is_subset(const Word *small, const Word *large, std::size_t words) {
    for (std::size_t w = 0; w < words; ++w)
        if (small[w] & ~large[w])
            return false;
    return true;
}

template <typename Visit>
void each_in(const Word *set, std::size_t words, Visit visit) {
    for (std::size_t w = 0; w < words; ++w)
        for (Word rest = set[w]; rest; rest &= rest - 1)
            visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
}

// Two sets that are combined have the same size.
class Bits {
  public:
    explicit Bits(std::size_t size = 0) : words_(words_for(size), 0) {}
    auto operator<=>(const Bits &) const = default;
    // All numbers below `size`.
    static Bits all(std::size_t size) {
        Bits made(size);
        for (std::size_t i = 0; i < size; ++i)
            made.set(i);
        return made;
    }
    void resize(std::size_t size) { words_.resize(words_for(size), 0); }

    bool operator[](std::size_t i) const { return has(words_.data(), i); }
    void set(std::size_t i) { put(words_.data(), i); }
    void reset(std::size_t i) { drop(words_.data(), i); }
    Bits &operator&=(const Bits &other) {
        for (std::size_t w = 0; w < words_.size(); ++w)
            words_[w] &= other.words_[w];
        return *this;
    }
    Bits &operator|=(const Bits &other) {
        for (std::size_t w = 0; w < words_.size(); ++w)
            words_[w] |= other.words_[w];
        return *this;
    }
    Bits &operator-=(const Bits &other) {
        for (std::size_t w = 0; w < words_.size(); ++w)
            words_[w] &= ~other.words_[w];
        return *this;
    }
    // Adds the other's bits; whether any was new.
    bool absorb(const Bits &other) {
        Word news = 0;
        for (std::size_t w = 0; w < words_.size(); ++w) {
            news |= other.words_[w] & ~words_[w];
            words_[w] |= other.words_[w];
        }
        return news != 0;
    }
    bool empty() const {
        for (Word word : words_)
            if (word)
                return false;
        return true;
    }
    int count() const {
        int found = 0;
        for (Word word : words_)
            found += std::popcount(word);
        return found;
    }
    int shared(const Bits &other) const {
        int found = 0;
        for (std::size_t w = 0; w < words_.size(); ++w)
            found += std::popcount(words_[w] & other.words_[w]);
        return found;
    }
    // Is everything of this set that is in `among` in the other one too?
    bool is_within(const Bits &other, const Bits &among) const {
        for (std::size_t w = 0; w < words_.size(); ++w)
            if (words_[w] & among.words_[w] & ~other.words_[w])
                return false;
        return true;
    }
    template <typename Visit>
    void each(Visit visit) const {
        each_in(words_.data(), words_.size(), visit);
    }

  private:
    std::vector<Word> words_;
};

}  // namespace tacit
