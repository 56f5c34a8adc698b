// Many short integer lists in two flat arrays: row i is items[start[i] .. start[i + 1]).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tacit {

using Ints = std::vector<std::int32_t>;
using Row = std::span<const std::int32_t>;

struct Rows {
    Ints start{0};
    Ints items;

    bool operator==(const Rows &) const = default;
    std::size_t size() const { return start.size() - 1; }
    Row operator[](std::size_t i) const {
        return {items.data() + start[i], static_cast<std::size_t>(start[i + 1] - start[i])};
    }
    // For as many rows and items as these have.
    void reserve_like(const Rows &other) {
        start.reserve(other.start.size());
        items.reserve(other.items.size());
    }
    void push(std::int32_t value) { items.push_back(value); }
    void close() { start.push_back(static_cast<std::int32_t>(items.size())); }
    void append(Row row) {
        items.insert(items.end(), row.begin(), row.end());
        close();
    }
};

// Per number below `size`, the rows that have it, in their order; other numbers are left out.
inline Rows inverted(const Rows &rows, std::int32_t size) {
    auto is_counted = [size](std::int32_t item) { return item >= 0 && item < size; };
    Rows made;
    made.start.assign(size + 1, 0);
    for (std::int32_t item : rows.items)
        if (is_counted(item))
            ++made.start[item + 1];
    for (std::int32_t item = 0; item < size; ++item)
        made.start[item + 1] += made.start[item];
    made.items.resize(made.start.back());
    Ints next(made.start.begin(), made.start.end() - 1);
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::int32_t item : rows[row])
            if (is_counted(item))
                made.items[next[item]++] = static_cast<std::int32_t>(row);
    return made;
}

}  // namespace tacit
