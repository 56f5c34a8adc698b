// A priority queue of small numbers under costs that never go below the last one popped.
//
// Costs below a bound have a bucket each; larger ones, which only tasks with large action costs
// have, go to a heap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

namespace tacit {

class CostQueue {
  public:
    void clear() {
        for (std::size_t i = at_; i < used_; ++i)
            buckets_[i].clear();
        heap_.clear();
        at_ = used_ = next_ = 0;
    }

    void push(std::uint32_t cost, std::int32_t item) {
        if (cost >= bucket_count) {
            heap_.emplace_back(cost, item);
            std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
            return;
        }
        if (cost >= used_) {
            used_ = cost + 1;
            if (buckets_.size() < used_)
                buckets_.resize(used_ * 2);
        }
        buckets_[cost].push_back(item);
    }

    // The cheapest item and its cost, first in first out among equals; false if there is none.
    bool pop(std::uint32_t &cost, std::int32_t &item) {
        for (; at_ < used_; ++at_, next_ = 0) {
            if (next_ < buckets_[at_].size()) {
                cost = static_cast<std::uint32_t>(at_);
                item = buckets_[at_][next_++];
                return true;
            }
            buckets_[at_].clear();
        }
        if (heap_.empty())
            return false;
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
        std::tie(cost, item) = heap_.back();
        heap_.pop_back();
        return true;
    }

  private:
    static constexpr std::uint32_t bucket_count = 1 << 14;

    std::vector<std::vector<std::int32_t>> buckets_;
    std::vector<std::pair<std::uint32_t, std::int32_t>> heap_;
    std::size_t at_ = 0, used_ = 0, next_ = 0;
};

}  // namespace tacit
