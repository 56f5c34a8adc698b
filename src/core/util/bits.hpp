// A fixed number of bits, with the few operations that set algorithms need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tacit {

class Bits {
  public:
    explicit Bits(std::size_t size = 0) : words_((size + 63) / 64, 0) {}

    bool operator[](std::size_t i) const { return words_[i / 64] >> (i % 64) & 1; }
    void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
    void reset(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
    Bits &operator&=(const Bits &other) {
        for (std::size_t w = 0; w < words_.size(); ++w)
            words_[w] &= other.words_[w];
        return *this;
    }
    // Takes in the other's bits; whether any was new.
    bool absorb(const Bits &other) {
        std::uint64_t news = 0;
        for (std::size_t w = 0; w < words_.size(); ++w) {
            news |= other.words_[w] & ~words_[w];
            words_[w] |= other.words_[w];
        }
        return news != 0;
    }
    template <typename Visit>
    void each(Visit visit) const {
        for (std::size_t w = 0; w < words_.size(); ++w)
            for (std::uint64_t rest = words_[w]; rest; rest &= rest - 1)
                visit(w * 64 + static_cast<std::size_t>(__builtin_ctzll(rest)));
    }

  private:
    std::vector<std::uint64_t> words_;
};

}  // namespace tacit
