// A list that grows by chunks which never move: there is no copy of it while it grows, and little
// room that is not used.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace tacit {

template <typename T>
class Chunked {
  public:
    T &operator[](std::size_t i) { return chunks_[i >> bits][i & mask]; }
    const T &operator[](std::size_t i) const { return chunks_[i >> bits][i & mask]; }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return chunks_.size() * (sizeof(T) << bits); }
    void push_back(const T &item) {
        if (size_ >> bits == chunks_.size())
            chunks_.push_back(std::make_unique_for_overwrite<T[]>(std::size_t{1} << bits));
        (*this)[size_++] = item;
    }

  private:
    static constexpr unsigned bits = 9;
    static constexpr std::size_t mask = (std::size_t{1} << bits) - 1;

    std::vector<std::unique_ptr<T[]>> chunks_;
    std::size_t size_ = 0;
};

}  // namespace tacit
