// A priority queue of small numbers under costs that never go below the last one popped.
//
// Costs below a bound have a bucket each; larger ones, which only tasks with large action costs
// have, go to a heap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace tacit {

class CostQueue {
  public:
    void clear() {
        for (std::size_t i = at_ > 0 ? at_ - 1 : 0; i < used_; ++i)
            buckets_[i].clear();
        heap_.clear();
        at_ = used_ = 0;
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

    // The cheapest items and their cost, first in first out; false if there are none. They stay in
    // place until the next call, and what is pushed before that costs more.
    bool pop(std::uint32_t &cost, std::span<const std::int32_t> &items) {
        if (at_ > 0)
            buckets_[at_ - 1].clear();
        while (at_ < used_ && buckets_[at_].empty())
            ++at_;
        if (at_ < used_) {
            cost = static_cast<std::uint32_t>(at_);
            items = buckets_[at_++];
            return true;
        }
        if (heap_.empty())
            return false;
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
        std::tie(cost, popped_) = heap_.back();
        heap_.pop_back();
        items = {&popped_, 1};
        return true;
    }

  private:
    static constexpr std::uint32_t bucket_count = 1 << 14;

    std::vector<std::vector<std::int32_t>> buckets_;
    std::vector<std::pair<std::uint32_t, std::int32_t>> heap_;
    std::size_t at_ = 0, used_ = 0;
    std::int32_t popped_ = 0;
};

}  // namespace tacit
