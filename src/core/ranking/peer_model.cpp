#include "ranking/peer_model.hpp"

#include <algorithm>
#include <map>

#include "util/pulse.hpp"

namespace tacit {

namespace {

void sort_out(std::vector<Pattern> &patterns) {
    std::ranges::sort(patterns);
    patterns.erase(std::ranges::unique(patterns).begin(), patterns.end());
}

}  // namespace

PeerModel::PeerModel(const Shapes &shapes, const OwnGraph &own, double alike)
    : shapes_(shapes), alike_(alike), origin_of_(shapes.looks(), none),
      nearest_(shapes.looks(), unknown) {
    count(own);
    find_patterns(own);
}

void PeerModel::count(const OwnGraph &own) {
    for (std::int32_t token : own.tokens) {
        std::int32_t &origin = origin_of_[shapes_.look(token)];
        if (origin == none) {
            origin = static_cast<std::int32_t>(origins_.size());
            origins_.push_back({shapes_.look(token)});
        }
        ++origins_[origin].tokens;
    }
    for (std::size_t e = 0; e < own.token.size(); ++e)
        if (own.is_positive[e] && own.achiever[e] < 0)
            ++origins_[origin_of_[shapes_.look(own.token[e])]].started;
}

void PeerModel::find_patterns(const OwnGraph &own) {
    auto origin = [&](std::int32_t token) -> Origin & {
        return origins_[origin_of_[shapes_.look(token)]];
    };
    Ticks tick;
    auto add = [&](std::vector<Pattern> &to, std::int32_t action, std::int32_t token) {
        tick(8);
        Pattern pattern = shapes_.pattern(action, token);
        if (std::ranges::find(to, pattern) == to.end())
            to.push_back(std::move(pattern));
    };
    for (std::size_t d = 0; d < own.deleter.size(); ++d)
        add(origin(own.deleted[d]).deletes, own.deleter[d], own.deleted[d]);
    for (std::size_t e = 0; e < own.token.size(); ++e) {
        Origin &of = origin(own.token[e]);
        if (own.is_positive[e] && own.achiever[e] >= 0 && !of.stays())
            add(of.patterns, own.achiever[e], own.token[e]);
    }
    for (Origin &of : origins_) {
        sort_out(of.patterns);
        sort_out(of.deletes);
    }
}

InferredToken PeerModel::infer(std::int32_t token) {
    std::int32_t found = nearest(shapes_.look(token));
    if (found == none)
        return {shapes_.speaking_of_subjects(token), shapes_.subjects(token).empty(), {}};
    const Origin &origin = origins_[found];
    InferredToken made{shapes_.matching(origin.patterns, token), origin.is_initial(),
                       shapes_.matching(origin.deletes, token)};
    if (made.after.empty() && !made.initially)  // alike, but no action stands to it as there
        made.after = shapes_.speaking_of_subjects(token);
    return made;
}

bool PeerModel::is_exact(const OwnGraph &own) {
    for (std::int32_t token = 0; token < shapes_.tokens(); ++token)
        if (origin_of_[shapes_.look(token)] == none)
            return false;
    std::map<std::int32_t, Ints> achievers;  // per own token, the initial state as -1
    for (std::size_t e = 0; e < own.token.size(); ++e)
        if (own.is_positive[e])
            achievers[own.token[e]].push_back(own.achiever[e]);
    Ticks tick;
    for (std::int32_t token : own.tokens) {
        const Origin &origin = origins_[origin_of_[shapes_.look(token)]];
        Ints &known = achievers[token];
        std::ranges::sort(known);
        bool is_initial = !known.empty() && known.front() < 0;
        if (origin.is_initial() != is_initial)
            return false;
        if (origin.stays())
            continue;
        Ints supposed = shapes_.matching(origin.patterns, token);
        tick(static_cast<std::uint32_t>(16 * (1 + supposed.size())));
        if (!std::ranges::equal(known.begin() + is_initial, known.end(), supposed.begin(),
                                supposed.end()))
            return false;
    }
    return true;
}

std::int32_t PeerModel::nearest(std::int32_t look) {
    if (nearest_[look] == unknown)
        nearest_[look] = find_nearest(look);
    return nearest_[look];
}

// What is known of own tokens that look most like this, if any are much like it.
std::int32_t PeerModel::find_nearest(std::int32_t look) const {
    double best = alike_;
    std::int32_t found = none;
    for (std::size_t n = 0; n < origins_.size(); ++n)
        if (double like = likeness(look, origins_[n].look); like > best) {
            best = like;
            found = static_cast<std::int32_t>(n);
        }
    return found;
}

double PeerModel::likeness(std::int32_t one, std::int32_t other) const {
    Row mine = shapes_.kinds_of_look(one), theirs = shapes_.kinds_of_look(other);
    auto common = std::ranges::count_if(
        mine, [&](std::int32_t kind) { return std::ranges::binary_search(theirs, kind); });
    auto both = static_cast<std::ptrdiff_t>(mine.size() + theirs.size()) - common;
    return both ? static_cast<double>(common) / static_cast<double>(both) : 0.0;
}

}  // namespace tacit
