#include "strips/successors.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace tacit {

Successors::Successors(const StripsTask &task) : words_(words_for(task.facts)) {
    Ints needed(task.facts);
    for (std::int32_t fact : task.pre.items)
        ++needed[fact];
    auto is_rarer = [&](std::int32_t a, std::int32_t b) {
        return needed[a] != needed[b] ? needed[a] < needed[b] : a < b;
    };
    std::vector<Ints> rows(task.facts);
    for (std::size_t action = 0; action < task.size(); ++action) {
        Ints needs(task.pre[action].begin(), task.pre[action].end());
        if (needs.empty()) {
            free_.push_back(static_cast<std::int32_t>(action));
            continue;
        }
        std::sort(needs.begin(), needs.end(), is_rarer);
        Ints &row = rows[needs.front()];
        row.push_back(static_cast<std::int32_t>(action));
        row.push_back(static_cast<std::int32_t>(needs.size() - 1));
        row.insert(row.end(), needs.begin() + 1, needs.end());
    }
    for (const Ints &row : rows)
        watched_.append(row);
}

void Successors::applicable(const Word *state, Ints &found) const {
    found.insert(found.end(), free_.begin(), free_.end());
    for (std::size_t w = 0; w < words_; ++w)
        for (Word bits = state[w]; bits; bits &= bits - 1) {
            Row row = watched_[w * 64 + std::countr_zero(bits)];
            for (std::size_t i = 0; i < row.size();) {
                std::int32_t action = row[i++];
                std::size_t end = i + 1 + row[i];
                ++i;
                while (i < end && has(state, row[i]))
                    ++i;
                if (i == end)
                    found.push_back(action);
                i = end;
            }
        }
}

}  // namespace tacit
