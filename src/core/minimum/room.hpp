// Is there a choice of columns that covers every row and stays within the capacities of its groups?
//
// Rows that contain others are dropped, and so are columns that cover no more than another one of
// their group that costs no more. A branch takes the row with the fewest columns left and tries
// each. It ends where rows that share no column cost more than there is room for: each of them must
// be paid for by one of its groups, which is a question of flow.
#pragma once

#include <cstdint>
#include <vector>

#include "util/bits.hpp"
#include "util/rows.hpp"

namespace tacit {

struct Column {
    std::int32_t group, price, edge;
    Bits covers;  // rows
};

class Room {
  public:
    enum class Verdict { fits, does_not, unknown };

    // Of `rows` rows, those that no column covers are not there.
    Room(std::vector<Column> columns, std::size_t rows);

    // Uses up `branches`; `unknown` when there are none left.
    Verdict fit(const std::vector<std::int64_t> &capacity, std::int64_t &branches);
    // After `fits`, the edges of the columns chosen.
    const Ints &chosen() const { return chosen_; }

  private:
    std::size_t rows_ = 0;
    std::vector<Column> columns_;
    std::vector<Ints> in_row_;
    std::vector<std::int64_t> capacity_;
    std::vector<std::uint8_t> is_out_;
    Ints chosen_;
    std::int64_t *branches_ = nullptr;

    void drop_columns();
    Verdict search(const Bits &open);
    Ints worth_trying(const Bits &open, std::int32_t row) const;
    bool may_fit(const Bits &open, std::int32_t &fewest);
    bool can_pay(const Ints &apart) const;
    bool is_left(std::int32_t column) const {
        return !is_out_[column] && columns_[column].price <= capacity_[columns_[column].group];
    }
};

}  // namespace tacit
