#include "minimum/room.hpp"

#include <algorithm>
#include <utility>

namespace tacit {

namespace {

// Amounts that demands send to groups with capacities; a demand may be split.
class Flow {
  public:
    Flow(std::size_t demands, std::vector<std::int64_t> capacity)
        : sent_(demands), free_(std::move(capacity)), ways_(demands) {}

    void allow(std::size_t demand, std::int32_t group) { ways_[demand].push_back(group); }

    bool send(std::size_t demand, std::int64_t amount) {
        while (amount > 0) {
            is_tried_.assign(free_.size(), 0);
            std::int64_t got = push(demand, amount);
            if (got == 0)
                return false;
            amount -= got;
        }
        return true;
    }

  private:
    std::vector<std::vector<std::pair<std::int32_t, std::int64_t>>>
        sent_;  // per demand, group and amount
    std::vector<std::int64_t> free_;
    std::vector<Ints> ways_;
    std::vector<std::uint8_t> is_tried_;

    std::int64_t push(std::size_t demand, std::int64_t amount) {
        for (std::int32_t group : ways_[demand])
            if (free_[group] > 0) {
                std::int64_t got = std::min(amount, free_[group]);
                free_[group] -= got;
                note(demand, group, got);
                return got;
            }
        for (std::int32_t group : ways_[demand]) {
            if (is_tried_[group])
                continue;
            is_tried_[group] = 1;
            for (std::size_t other = 0; other < sent_.size(); ++other) {
                std::int64_t there = sent(other, group);
                if (other == demand || there == 0)
                    continue;
                std::int64_t got = push(other, std::min(amount, there));
                if (got > 0) {
                    note(other, group, -got);
                    note(demand, group, got);
                    return got;
                }
            }
        }
        return 0;
    }

    std::int64_t sent(std::size_t demand, std::int32_t group) const {
        for (auto [to, amount] : sent_[demand])
            if (to == group)
                return amount;
        return 0;
    }

    void note(std::size_t demand, std::int32_t group, std::int64_t amount) {
        for (auto &[to, there] : sent_[demand])
            if (to == group) {
                there += amount;
                return;
            }
        sent_[demand].emplace_back(group, amount);
    }
};

// Per column, its rows by new numbers: those that are there and contain no other.
void keep_rows(std::vector<Column> &columns, std::size_t rows, std::size_t &kept) {
    std::vector<Bits> has_columns(rows, Bits(columns.size()));
    for (std::size_t c = 0; c < columns.size(); ++c)
        for (std::size_t row = 0; row < rows; ++row)
            if (columns[c].covers[row])
                has_columns[row].set(c);
    Ints order, numbers;
    for (std::size_t row = 0; row < rows; ++row)
        if (!has_columns[row].empty())
            order.push_back(static_cast<std::int32_t>(row));
    std::ranges::stable_sort(order, {}, [&](std::int32_t row) { return has_columns[row].count(); });
    for (std::int32_t row : order)
        if (std::ranges::none_of(numbers, [&](std::int32_t other) {
                return has_columns[other].shared(has_columns[row]) == has_columns[other].count();
            }))
            numbers.push_back(row);
    kept = numbers.size();
    for (Column &column : columns) {
        Bits then(kept);
        for (std::size_t n = 0; n < kept; ++n)
            if (column.covers[numbers[n]])
                then.set(n);
        column.covers = std::move(then);
    }
}

}  // namespace

Room::Room(std::vector<Column> columns, std::size_t rows) : columns_(std::move(columns)) {
    keep_rows(columns_, rows, rows_);
    drop_columns();
    is_out_.assign(columns_.size(), 0);
    in_row_.resize(rows_);
    for (std::size_t c = 0; c < columns_.size(); ++c)
        for (std::size_t row = 0; row < rows_; ++row)
            if (columns_[c].covers[row])
                in_row_[row].push_back(static_cast<std::int32_t>(c));
}

void Room::drop_columns() {
    std::ranges::stable_sort(columns_, [](const Column &a, const Column &b) {
        int rows_a = a.covers.count(), rows_b = b.covers.count();
        return rows_a != rows_b ? rows_a > rows_b : a.price < b.price;
    });
    std::vector<Column> kept;
    Bits all = Bits::all(rows_);
    for (Column &column : columns_) {
        bool is_worse =
            column.covers.empty() || std::ranges::any_of(kept, [&](const Column &other) {
                return other.group == column.group && other.price <= column.price &&
                       column.covers.is_within(other.covers, all);
            });
        if (!is_worse)
            kept.push_back(std::move(column));
    }
    columns_ = std::move(kept);
}

Room::Verdict Room::fit(const std::vector<std::int64_t> &capacity, std::int64_t &branches) {
    capacity_ = capacity;
    branches_ = &branches;
    chosen_.clear();
    std::ranges::fill(is_out_, 0);
    return search(Bits::all(rows_));
}

Room::Verdict Room::search(const Bits &open) {
    if (open.empty())
        return Verdict::fits;
    if (--*branches_ < 0)
        return Verdict::unknown;
    std::int32_t row = -1;
    if (!may_fit(open, row))
        return Verdict::does_not;
    Ints out;
    Verdict verdict = Verdict::does_not;
    for (std::int32_t c : worth_trying(open, row)) {
        const Column &column = columns_[c];
        Bits then = open;
        then -= column.covers;
        capacity_[column.group] -= column.price;
        chosen_.push_back(column.edge);
        verdict = search(then);
        capacity_[column.group] += column.price;
        if (verdict != Verdict::does_not)
            break;
        chosen_.pop_back();
        is_out_[c] = 1;
        out.push_back(c);
    }
    for (std::int32_t c : out)
        is_out_[c] = 0;
    return verdict;
}

// The columns of a row that are worth trying, those that cover most first.
Ints Room::worth_trying(const Bits &open, std::int32_t row) const {
    Ints left, worth;
    for (std::int32_t c : in_row_[row])
        if (is_left(c))
            left.push_back(c);
    for (std::int32_t c : left) {
        const Column &mine = columns_[c];
        bool is_worse = std::ranges::any_of(left, [&](std::int32_t other) {
            const Column &theirs = columns_[other];
            if (other == c || theirs.group != mine.group || theirs.price > mine.price ||
                !mine.covers.is_within(theirs.covers, open))
                return false;
            bool is_equal =
                theirs.price == mine.price && theirs.covers.is_within(mine.covers, open);
            return !is_equal || other < c;
        });
        if (!is_worse)
            worth.push_back(c);
    }
    std::ranges::stable_sort(worth, [&](std::int32_t a, std::int32_t b) {
        int covers_a = columns_[a].covers.shared(open), covers_b = columns_[b].covers.shared(open);
        if (covers_a != covers_b)
            return covers_a > covers_b;
        return capacity_[columns_[a].group] > capacity_[columns_[b].group];
    });
    return worth;
}

// False if cuts that share no column leave no room. `fewest` is the row with the fewest columns
// left.
bool Room::may_fit(const Bits &open, std::int32_t &fewest) {
    std::vector<std::pair<std::int32_t, std::int32_t>> order;  // columns left, row
    for (std::size_t row = 0; row < rows_; ++row) {
        if (!open[row])
            continue;
        std::int32_t left = 0;
        for (std::int32_t c : in_row_[row])
            left += is_left(c);
        if (left == 0)
            return false;
        order.emplace_back(left, static_cast<std::int32_t>(row));
    }
    std::ranges::sort(order);
    fewest = order.front().second;
    Bits touched(rows_);
    Ints apart;
    for (auto [left, row] : order) {
        if (touched[row])
            continue;
        apart.push_back(row);
        for (std::int32_t c : in_row_[row])
            if (is_left(c))
                touched |= columns_[c].covers;
    }
    return can_pay(apart);
}

bool Room::can_pay(const Ints &apart) const {
    Flow flow(apart.size(), capacity_);
    for (std::size_t d = 0; d < apart.size(); ++d) {
        std::int64_t least = 0;
        std::vector<std::uint8_t> is_allowed(capacity_.size(), 0);
        for (std::int32_t c : in_row_[apart[d]]) {
            if (!is_left(c))
                continue;
            const Column &column = columns_[c];
            least = least == 0 ? column.price : std::min<std::int64_t>(least, column.price);
            if (!is_allowed[column.group]) {
                is_allowed[column.group] = 1;
                flow.allow(d, column.group);
            }
        }
        if (!flow.send(d, least))
            return false;
    }
    return true;
}

}  // namespace tacit
