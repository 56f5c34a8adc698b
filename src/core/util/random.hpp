// Random numbers that are the same on every machine (splitmix64).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace tacit {

class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return z ^ z >> 31;
    }
    // Below n, which is not 0.
    std::size_t operator()(std::size_t n) {
        return static_cast<std::size_t>((next() >> 32) * static_cast<std::uint64_t>(n) >> 32);
    }
    template <typename Items>
    void shuffle(Items &items) {
        for (std::size_t i = items.size(); i > 1; --i)
            std::swap(items[i - 1], items[(*this)(i)]);
    }

  private:
    std::uint64_t state_;
};

}  // namespace tacit
