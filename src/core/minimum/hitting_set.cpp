#include "minimum/hitting_set.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace tacit {

namespace {

// From this price on, capacities are not tried one by one but by growing steps and halves.
constexpr std::int32_t large_price = 10;

// Columns that share rows, directly or by way of others; each part with rows of its own.
std::vector<std::vector<Column>> parts_of(const std::vector<Column> &columns, std::size_t rows) {
    Ints boss(rows);
    std::iota(boss.begin(), boss.end(), 0);
    auto root = [&](std::int32_t x) {
        while (boss[x] != x)
            x = boss[x] = boss[boss[x]];
        return x;
    };
    auto each_row = [&](const Column &column, auto &&visit) {
        for (std::size_t row = 0; row < rows; ++row)
            if (column.covers[row])
                visit(static_cast<std::int32_t>(row));
    };
    for (const Column &column : columns) {
        std::int32_t first = -1;
        each_row(column, [&](std::int32_t row) {
            first = first < 0 ? row : first;
            boss[root(row)] = root(first);
        });
    }
    std::map<std::int32_t, std::vector<Column>> parts;
    for (const Column &column : columns)
        each_row(column, [&](std::int32_t row) {
            std::vector<Column> &part = parts[root(row)];
            if (part.empty() || part.back().edge != column.edge)
                part.push_back(column);
        });
    std::vector<std::vector<Column>> found;
    for (auto &[at, part] : parts)
        found.push_back(std::move(part));
    return found;
}

}  // namespace

HittingSet::HittingSet(const Ints &group, const Ints &price) : kind_of_(group.size()) {
    if (group.size() != price.size())
        throw std::invalid_argument("not one group per price");
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> number;
    for (std::size_t e = 0; e < group.size(); ++e) {
        if (group[e] < 0 || price[e] <= 0)
            throw std::invalid_argument("a group is negative, or a price is not positive");
        groups_ = std::max(groups_, group[e] + 1);
        has_large_prices_ |= price[e] > large_price;
        auto next = static_cast<std::int32_t>(kinds_.size());
        auto [at, is_new] = number.try_emplace({group[e], price[e]}, next);
        if (is_new)
            kinds_.push_back({group[e], price[e], {}, Bits()});
        kinds_[at->second].edges.push_back(static_cast<std::int32_t>(e));
        kind_of_[e] = at->second;
    }
}

void HittingSet::add(const Ints &cut) {
    std::map<std::int32_t, Ints> touched;
    for (std::int32_t e : cut)
        touched[kind_of_.at(e)].push_back(e);
    if (touched.empty())
        throw std::invalid_argument("a cut has no edge");
    for (Kind &kind : kinds_)
        kind.cuts.resize(cuts_ + 1);
    for (auto &[number, edges] : touched) {
        std::int32_t inside = number;
        std::ranges::sort(edges);
        edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
        if (edges.size() < kinds_[number].edges.size()) {
            inside = static_cast<std::int32_t>(kinds_.size());
            for (std::int32_t e : edges)
                kind_of_[e] = inside;
            std::erase_if(kinds_[number].edges,
                          [&](std::int32_t e) { return kind_of_[e] == inside; });
            kinds_.push_back(
                {kinds_[number].group, kinds_[number].price, edges, kinds_[number].cuts});
        }
        kinds_[inside].cuts.set(cuts_);
    }
    ++cuts_;
}

std::vector<Column> HittingSet::columns(bool by_group) const {
    std::vector<Column> made;
    for (const Kind &kind : kinds_)
        if (!kind.cuts.empty())
            made.push_back({by_group ? kind.group : 0, kind.price, kind.edges.front(), kind.cuts});
    return made;
}

Ints HittingSet::some(bool by_group) const {
    std::vector<std::int64_t> load(groups_, 0);
    Bits open = Bits::all(cuts_);
    Ints chosen;
    while (!open.empty()) {
        const Kind *best = nullptr;
        std::int64_t best_hits = 0, best_load = 1;
        for (const Kind &kind : kinds_) {
            std::int64_t hits = kind.cuts.shared(open);
            std::int64_t then = load[kind.group] + kind.price;
            std::int64_t mine = hits * (best ? best->price : 1), theirs = best_hits * kind.price;
            if (by_group) {
                mine *= best_load;
                theirs *= then;
            }
            if (hits > 0 && (!best || mine > theirs || (mine == theirs && then < best_load))) {
                best = &kind;
                best_hits = hits;
                best_load = then;
            }
        }
        chosen.push_back(best->edges.front());
        load[best->group] += best->price;
        open -= best->cuts;
    }
    return chosen;
}

HittingSet::Answer HittingSet::least_sum(std::int64_t branches) const {
    Answer answer;
    answer.is_exact = true;
    for (std::vector<Column> &part : parts_of(columns(false), cuts_)) {
        Room room(std::move(part), cuts_);
        if (has_large_prices_) {
            Answer one = least_of_large(room, 1, 0, branches);
            answer.lower += one.lower;
            answer.is_exact &= one.is_exact;
            answer.chosen.insert(answer.chosen.end(), one.chosen.begin(), one.chosen.end());
            continue;
        }
        std::int64_t least = 0, left = branches;
        Room::Verdict verdict;
        while ((verdict = room.fit({least}, left)) == Room::Verdict::does_not)
            ++least;
        answer.lower += least;
        answer.is_exact &= verdict == Room::Verdict::fits;
        answer.chosen.insert(answer.chosen.end(), room.chosen().begin(), room.chosen().end());
    }
    if (!answer.is_exact)
        answer.chosen = some(false);
    return answer;
}

HittingSet::Answer HittingSet::least_max(std::int64_t branches, std::int64_t lower) const {
    Answer answer;
    answer.lower = lower;
    answer.is_exact = true;
    Room room(columns(true), cuts_);
    if (has_large_prices_) {
        answer = least_of_large(room, groups_, lower, branches);
        if (!answer.is_exact && answer.chosen.empty())
            answer.chosen = some(true);
        return answer;
    }
    Ints other = some(true);
    for (std::int64_t most = lower;; ++most) {
        std::vector<std::int64_t> capacity(groups_, most);
        std::int64_t left = branches;
        Room::Verdict verdict = room.fit(capacity, left);
        if (verdict == Room::Verdict::fits) {
            answer.chosen = room.chosen();
            return answer;
        }
        if (verdict == Room::Verdict::unknown)
            answer.is_exact = false;
        else if (answer.is_exact)
            answer.lower = most + 1;
        if (!answer.is_exact && most + 1 >= largest_load(other)) {
            answer.chosen = std::move(other);
            return answer;
        }
    }
}

// More room never hurts, so what does not fit need not be tried with less.
HittingSet::Answer HittingSet::least_of_large(Room &room, std::int32_t groups, std::int64_t lower,
                                              std::int64_t branches) const {
    Answer answer;
    answer.lower = lower;
    std::int64_t high = lower, step = 1;
    auto fit = [&](std::int64_t capacity) {
        std::int64_t left = branches;
        Room::Verdict verdict = room.fit(std::vector<std::int64_t>(groups, capacity), left);
        if (verdict == Room::Verdict::does_not)
            answer.lower = capacity + 1;
        else if (verdict == Room::Verdict::fits)
            answer.chosen = room.chosen();
        return verdict;
    };
    Room::Verdict verdict;
    for (; (verdict = fit(high)) == Room::Verdict::does_not; step *= 2)
        high += step;
    while (verdict != Room::Verdict::unknown && answer.lower < high) {
        std::int64_t middle = answer.lower + (high - answer.lower) / 2;
        verdict = fit(middle);
        if (verdict == Room::Verdict::fits)
            high = middle;
    }
    answer.is_exact = verdict != Room::Verdict::unknown;
    return answer;
}

std::int64_t HittingSet::largest_load(const Ints &chosen) const {
    std::vector<std::int64_t> load(groups_ + 1, 0);
    for (std::int32_t e : chosen)
        load[kinds_[kind_of_[e]].group] += kinds_[kind_of_[e]].price;
    return *std::ranges::max_element(load);
}

}  // namespace tacit
