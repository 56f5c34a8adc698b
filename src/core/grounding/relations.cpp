#include "grounding/relations.hpp"

#include <utility>

namespace tacit {

namespace {

std::uint64_t mix(std::uint64_t hash, std::uint32_t value) {
    hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
    hash *= 0xff51afd7ed558ccdull;
    return hash ^ (hash >> 32);
}

std::uint64_t hash_bound(const std::int32_t *values, Relations::Mask mask) {
    std::uint64_t hash = 0x2545f4914f6cdd1dull;
    for (; mask; mask &= mask - 1)
        hash = mix(hash, static_cast<std::uint32_t>(values[__builtin_ctz(mask)]));
    return hash;
}

bool same_bound(const std::int32_t *a, const std::int32_t *b, Relations::Mask mask) {
    for (; mask; mask &= mask - 1)
        if (int p = __builtin_ctz(mask); a[p] != b[p])
            return false;
    return true;
}

}  // namespace

// Open addressing over buckets; a bucket's key is read from its first tuple.
class Relations::Index {
  public:
    Index(int of, Mask bound) : relation(of), mask(bound), slots_(16, none) {}

    void insert(const Relations &store, Id position) {
        const std::int32_t *key = store.values(store.members_[relation][position]);
        std::size_t slot = find_slot(store, key);
        next.push_back(none);
        if (slots_[slot] == none) {
            slots_[slot] = static_cast<Id>(buckets_.size());
            buckets_.push_back({position, position, 1});
            if (buckets_.size() * 2 > slots_.size())
                grow(store);
            return;
        }
        Bucket &bucket = buckets_[slots_[slot]];
        next[bucket.last] = position;
        bucket.last = position;
        ++bucket.count;
    }

    Bucket lookup(const Relations &store, const std::int32_t *key) const {
        Id found = slots_[find_slot(store, key)];
        return found == none ? Bucket{} : buckets_[found];
    }

    const int relation;
    const Mask mask;
    Ints next;  // per tuple of the relation: the next one in its bucket

  private:
    std::size_t find_slot(const Relations &store, const std::int32_t *key) const {
        std::size_t last = slots_.size() - 1;
        std::size_t slot = hash_bound(key, mask) & last;
        while (slots_[slot] != none && !same_bound(first_of(store, slots_[slot]), key, mask))
            slot = (slot + 1) & last;
        return slot;
    }

    const std::int32_t *first_of(const Relations &store, Id bucket) const {
        return store.values(store.members_[relation][buckets_[bucket].first]);
    }

    void grow(const Relations &store) {
        slots_.assign(slots_.size() * 2, none);
        std::size_t last = slots_.size() - 1;
        for (std::size_t b = 0; b < buckets_.size(); ++b) {
            std::size_t slot = hash_bound(first_of(store, static_cast<Id>(b)), mask) & last;
            while (slots_[slot] != none)
                slot = (slot + 1) & last;
            slots_[slot] = static_cast<Id>(b);
        }
    }

    std::vector<Id> slots_;
    std::vector<Bucket> buckets_;
};

Relations::Relations(const Ints &arities)
    : arities_(arities), members_(arities.size()), indexes_(arities.size()) {
    for (std::size_t r = 0; r < arities.size(); ++r) {
        Mask all = (Mask{1} << arities[r]) - 1;
        index(static_cast<int>(r), all);  // the first index of a relation is its set of tuples
    }
}

Relations::~Relations() = default;

Relations::Id Relations::find(int relation, const std::int32_t *values) const {
    Bucket bucket = indexes_[relation][0]->lookup(*this, values);
    return bucket.count ? members_[relation][bucket.first] : none;
}

std::pair<Relations::Id, bool> Relations::add(int relation, const std::int32_t *values) {
    if (Id known = find(relation, values); known != none)
        return {known, false};
    Id id = size();
    relation_.push_back(relation);
    offset_.push_back(values_.size());
    for (int p = 0; p < arities_[relation]; ++p)
        values_.push_back(values[p]);
    Id position = static_cast<Id>(members_[relation].size());
    members_[relation].push_back(id);
    for (auto &index : indexes_[relation])
        index->insert(*this, position);
    return {id, true};
}

Relations::Index &Relations::index(int relation, Mask mask) {
    for (auto &known : indexes_[relation])
        if (known->mask == mask)
            return *known;
    auto made = std::make_unique<Index>(relation, mask);
    for (std::size_t p = 0; p < members_[relation].size(); ++p)
        made->insert(*this, static_cast<Id>(p));
    indexes_[relation].push_back(std::move(made));
    return *indexes_[relation].back();
}

Relations::Bucket Relations::lookup(const Index &index, const Relations &store,
                                    const std::int32_t *values) {
    return index.lookup(store, values);
}

Relations::Id Relations::next(const Index &index, Id position) { return index.next[position]; }

}  // namespace tacit
