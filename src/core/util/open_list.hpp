// The states that an A* search has yet to expand: the cheapest estimate first, among equal ones
// that with the least to go, and of these the one that came last.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace tacit {

class OpenList {
  public:
    bool empty() const { return buckets_.empty(); }
    std::size_t bytes() const { return size_ * 2 * sizeof(std::uint32_t); }

    void push(std::int32_t estimate, std::int32_t to_go, std::uint32_t id) {
        buckets_[key(estimate, to_go)].push_back(id);
        ++size_;
    }
    std::int32_t lowest() const { return static_cast<std::int32_t>(buckets_.begin()->first >> 32); }
    std::uint32_t pop() {
        auto first = buckets_.begin();
        std::uint32_t id = first->second.back();
        first->second.pop_back();
        --size_;
        if (first->second.empty())
            buckets_.erase(first);
        return id;
    }

  private:
    std::map<std::uint64_t, std::vector<std::uint32_t>> buckets_;
    std::size_t size_ = 0;

    static std::uint64_t key(std::int32_t estimate, std::int32_t to_go) {
        return std::uint64_t{static_cast<std::uint32_t>(estimate)} << 32 |
               static_cast<std::uint32_t>(to_go);
    }
};

}  // namespace tacit
