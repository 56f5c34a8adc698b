// An open list: entries under small keys, first in first out among equal keys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace tacit {

template <typename Entry>
class BucketQueue {
  public:
    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return bytes_; }

    void push(int key, Entry entry) {
        Bucket &bucket = buckets_[key];
        std::size_t before = bucket.items.capacity();
        bucket.items.push_back(entry);
        bytes_ += (bucket.items.capacity() - before) * sizeof(Entry);
        ++size_;
    }

    int lowest_key() const { return buckets_.begin()->first; }
    // The oldest entry of the lowest key.
    Entry pop() {
        auto at = buckets_.begin();
        Bucket &bucket = at->second;
        Entry entry = bucket.items[bucket.head++];
        --size_;
        if (bucket.head == bucket.items.size()) {
            bytes_ -= bucket.items.capacity() * sizeof(Entry);
            buckets_.erase(at);
        } else if (bucket.head > 4096 && bucket.head * 2 > bucket.items.size()) {
            bucket.items.erase(bucket.items.begin(),
                               bucket.items.begin() + static_cast<std::ptrdiff_t>(bucket.head));
            bucket.head = 0;
        }
        return entry;
    }

    void clear() {
        buckets_.clear();
        size_ = bytes_ = 0;
    }

  private:
    struct Bucket {
        std::vector<Entry> items;
        std::size_t head = 0;
    };

    std::map<int, Bucket> buckets_;
    std::size_t size_ = 0, bytes_ = 0;
};

}  // namespace tacit
