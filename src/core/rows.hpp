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

    std::size_t size() const { return start.size() - 1; }
    Row operator[](std::size_t i) const {
        return Row(items).subspan(start[i], start[i + 1] - start[i]);
    }
    void push(std::int32_t value) { items.push_back(value); }
    void close() { start.push_back(static_cast<std::int32_t>(items.size())); }
    void append(Row row) {
        items.insert(items.end(), row.begin(), row.end());
        close();
    }
};

}  // namespace tacit
