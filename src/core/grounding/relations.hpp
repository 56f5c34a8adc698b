// Sets of integer tuples ("relations") that answer joins.
//
// A tuple gets an id when it is added; ids grow, and a bucket lists its tuples by growing id. That
// order is the contract on which semi-naive evaluation rests: "only tuples older than this one" is
// a prefix of every bucket. For each relation and each set of bound positions that is asked
// for (`mask`), an index maps the values at these positions to a bucket. Indexes are made at the
// first question and kept up to date from then on, so memory follows the tuples and the questions
// really asked, never the product of the columns.
//
// Nothing here knows of planning.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "util/rows.hpp"

namespace tacit {

class Relations {
  public:
    using Id = std::int32_t;
    using Mask = std::uint32_t;  // bit p: position p is bound
    static constexpr Id none = -1;
    static constexpr int max_arity = 31;

    // The tuples of one relation that agree on the bound positions.
    struct Bucket {
        Id first = none;  // positions among the relation's own tuples, chained by `next`
        Id last = none;
        std::int32_t count = 0;
    };
    class Index;

    explicit Relations(const Ints &arities);
    ~Relations();
    Relations(const Relations &) = delete;
    Relations &operator=(const Relations &) = delete;

    // The id of a tuple, or `none`.
    Id find(int relation, const std::int32_t *values) const;
    // Adds a tuple if it is new; `second` is true if it was.
    std::pair<Id, bool> add(int relation, const std::int32_t *values);

    Id size() const { return static_cast<Id>(relation_.size()); }
    int arity(int relation) const { return arities_[relation]; }
    int relation(Id id) const { return relation_[id]; }
    const std::int32_t *values(Id id) const { return values_.data() + offset_[id]; }

    // The index for a set of bound positions; it stays valid while this object lives.
    Index &index(int relation, Mask mask);
    // The bucket of the tuples that agree with `values` on the bound positions of the index.
    static Bucket lookup(const Index &index, const Relations &store, const std::int32_t *values);
    // Walks a bucket: from a position to its tuple and to the next position.
    Id tuple(int relation, Id position) const { return members_[relation][position]; }
    static Id next(const Index &index, Id position);

  private:
    Ints arities_;
    Ints relation_;                    // per tuple
    std::vector<std::size_t> offset_;  // per tuple, into values_
    Ints values_;
    std::vector<Ints> members_;                                 // per relation: ids of its tuples
    std::vector<std::vector<std::unique_ptr<Index>>> indexes_;  // per relation
};

}  // namespace tacit
