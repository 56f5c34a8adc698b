#include "ranking/goal_order.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

namespace tacit {

namespace {

using Cost = PricedRelaxation::Cost;
constexpr auto start = PricedRelaxation::start;
constexpr auto no_label = PricedRelaxation::free;
constexpr Cost closed = PricedRelaxation::unreached;

// An action costs 1.
constexpr Cost own_price = 100;     // an own edge not published yet
constexpr Cost likely_price = 130;  // another's token, in a way that looks likely
constexpr Cost vague_price = 500;   // another's token, in some way or other
constexpr Cost again_price = 400;   // on top, for a token that has a published edge already
constexpr Cost avoid_price = 100;   // an action of a plan that led to nothing new

constexpr std::int32_t nobody = -1, many = -2;
constexpr int attempts = 3;
constexpr std::int64_t planned_one_by_one = 32, planned_share = 2;
constexpr std::int64_t evaluations_in_all = 60'000, evaluations_in_vain = 12'000;

// Per fact, is it in some row?
std::vector<std::uint8_t> is_in(const Rows &rows, std::int32_t facts) {
    std::vector<std::uint8_t> found(facts, 0);
    for (std::int32_t fact : rows.items)
        found[fact] = 1;
    return found;
}

}  // namespace

GoalOrder::GoalOrder(StripsTask task, std::int32_t turn, std::int32_t agents, OwnEdges edges,
                     Hopes hopes)
    : task_(std::move(task)), edges_(std::move(edges)), hopes_(std::move(hopes)),
      relaxation_(task_.facts, task_.pre), goals_(task_.goal), given_(task_.facts, 0),
      ended_(task_.facts, 0), is_given_at_start_(task_.facts, 0), is_for_others_(task_.facts, 0),
      queues_(2 * static_cast<std::size_t>(task_.facts)), evaluations_left_(evaluations_in_vain),
      evaluations_kept_(evaluations_in_all - evaluations_in_vain), seen_(task_.facts, 0) {
    for (std::size_t a = 0; a < task_.size(); ++a)
        for (std::int32_t fact : task_.add[a])
            relaxation_.add_way(static_cast<std::int32_t>(a), fact, no_label);
    for (std::int32_t fact : task_.init) {
        relaxation_.add_way(start, fact, no_label);
        is_given_at_start_[fact] = 1;
    }
    index_prices();
    index_edges();
    index_hopes();
    relaxation_.price.resize(edges_.size() + 2 * hopes_.token.size());
    do_tokens_end_ = std::ranges::any_of(
        edges_.token,
        [is_ended = is_in(task_.del, task_.facts)](std::int32_t fact) { return is_ended[fact]; });
    auto first = static_cast<std::ptrdiff_t>(goals_.size()) * turn / std::max(agents, 1);
    std::ranges::rotate(goals_, goals_.begin() + first);
}

void GoalOrder::index_edges() {
    edges_.is_published.assign(edges_.size(), 0);
    for (std::size_t e = edges_.size(); e-- > 0;) {
        if (edges_.is_positive[e])
            relaxation_.add_way(edges_.giver[e], edges_.token[e], static_cast<std::int32_t>(e));
        std::int32_t queue = 2 * edges_.token[e] + edges_.is_positive[e];
        if (queues_.at(queue).empty())
            used_queues_.push_back(queue);
        queues_[queue].push_back(static_cast<std::int32_t>(e));
    }
    for (std::int32_t queue : used_queues_)
        std::ranges::stable_sort(queues_[queue], std::greater<>(),
                                 [&](std::int32_t edge) { return edges_.price[edge]; });
}

// The price in the middle costs `own_price`, whatever prices are counted in.
void GoalOrder::index_prices() {
    if (edges_.price.empty())
        edges_.price.assign(edges_.size(), 1);
    Ints paid;
    for (std::size_t e = 0; e < edges_.size(); ++e)
        if (edges_.price.at(e) > 0)
            paid.push_back(edges_.price[e]);
    std::ranges::sort(paid);
    Cost middle = paid.empty() ? 1 : paid[paid.size() / 2];
    for (std::int32_t price : edges_.price)
        edge_cost_.push_back(std::max<Cost>(1, own_price * price / middle));
}

void GoalOrder::index_hopes() {
    for (std::size_t h = 0; h < hopes_.token.size(); ++h) {
        auto label = static_cast<std::int32_t>(edges_.size() + 2 * h);
        for (std::int32_t action : hopes_.after[h])
            relaxation_.add_way(action, hopes_.token[h], label);
        relaxation_.add_way(start, hopes_.token[h], label + 1);
    }
}

void GoalOrder::saw(std::int32_t giver, std::int32_t token, bool is_positive) {
    if (!is_positive) {
        told_.ends.emplace_back(giver, token);
        is_solved_ = false;
        return;
    }
    told_.gives.emplace_back(giver, token);
    if (!is_given_at_start_.at(token)) {
        relaxation_.add_way(giver, token, no_label);
        if (giver == start)
            is_given_at_start_[token] = is_start_new_ = true;
    }
    ++given_[token];
}

std::int32_t GoalOrder::planned() {
    std::int32_t edge = planned_edge();
    if (edge < 0 && made_ >= next_plan_ && made_ < static_cast<std::int64_t>(edges_.size())) {
        edge = by_plan();
        bool is_rare = is_solved_ || made_ >= planned_one_by_one;
        next_plan_ = is_rare ? made_ + 1 + made_ / planned_share : 0;
    }
    if (edge >= 0)
        publish(edge);
    return edge;
}

std::int32_t GoalOrder::counted() {
    std::int32_t edge = by_count();
    if (edge >= 0)
        publish(edge);
    return edge;
}

std::int32_t GoalOrder::by_plan() {
    std::ranges::fill(relaxation_.action_cost, 1);
    if (std::exchange(is_start_new_, false))
        relaxation_.forget_ways_to(is_given_at_start_);
    find_for_others();
    for (int attempt = 0; attempt < attempts; ++attempt) {
        std::vector<Use> uses = plan();
        if (!uses.empty())
            return std::ranges::min_element(uses, {}, &Use::giver_cost)->edge;
        if (attempt == 0)
            if (std::int32_t edge = by_search(); edge >= 0)
                return edge;
        for (std::int32_t action : planned_)
            relaxation_.action_cost[action] += avoid_price;
    }
    return -1;
}

void GoalOrder::set_prices(bool with_own_edges, bool with_hopes) {
    auto price = relaxation_.price.begin();
    for (std::size_t e = 0; e < edges_.size(); ++e)
        *price++ = edges_.is_published[e] ? 0 : with_own_edges ? edge_cost_[e] : closed;
    for (std::size_t h = 0; h < hopes_.token.size(); ++h) {
        Cost more = given_[hopes_.token[h]] ? again_price : 0;
        Cost at_start = hopes_.is_likely_at_start[h] ? likely_price : vague_price;
        *price++ = with_hopes ? likely_price + more : closed;
        *price++ = with_hopes ? at_start + more : closed;
    }
}

// Which goals may be reached without another own edge. One that may once always may.
void GoalOrder::find_for_others() {
    if (std::ranges::all_of(goals_, [&](std::int32_t fact) { return is_for_others_[fact]; }))
        return;
    set_prices(false, true);
    relaxation_.explore();
    for (std::int32_t fact : goals_)
        is_for_others_[fact] = relaxation_.is_reached(fact);
}

// The own unpublished edges that the first goal needs whose plan has any. Goals that nobody else
// can reach come first.
std::vector<GoalOrder::Use> GoalOrder::plan() {
    set_prices(true, true);
    relaxation_.explore();
    planned_.clear();
    std::vector<Use> uses;
    Ints open = goals_;
    std::erase_if(open, [&](std::int32_t f) { return !relaxation_.is_reached(f); });
    while (!open.empty() && uses.empty()) {
        auto rank = [&](std::int32_t fact) {
            return std::pair(is_for_others_[fact], relaxation_.cost(fact));
        };
        auto first = std::ranges::min_element(open, {}, rank);
        Ints reached;
        trace(*first, uses, reached);
        open.erase(first);
        relaxation_.reach(reached);
    }
    return uses;
}

// Backwards from a goal: the own edges used for it, and all facts that hold once it is reached.
void GoalOrder::trace(std::int32_t goal, std::vector<Use> &uses, Ints &reached) {
    ++stamp_;
    Ints open{goal};
    seen_[goal] = stamp_;
    while (!open.empty()) {
        std::int32_t fact = open.back();
        open.pop_back();
        if (relaxation_.cost(fact) == 0)
            continue;
        reached.push_back(fact);
        auto [action, label] = relaxation_.support(fact);
        if (is_own(label) && !edges_.is_published[label])
            uses.push_back({label, relaxation_.cost_of_needs(action)});
        if (action == start)
            continue;
        planned_.push_back(action);
        for (auto way : relaxation_.ways(action))
            if (way.label == no_label || (is_own(way.label) && edges_.is_published[way.label]))
                reached.push_back(way.fact);
        for (std::int32_t need : relaxation_.needs(action))
            if (std::exchange(seen_[need], stamp_) != stamp_)
                open.push_back(need);
    }
}

// Is the last relaxed plan a real one? It is if no action deletes what the goal or another one
// needs.
bool GoalOrder::is_sound() const {
    std::vector<std::int32_t> needed_by(task_.facts, nobody);
    for (std::int32_t fact : task_.goal)
        needed_by[fact] = many;
    for (std::int32_t action : planned_)
        for (std::int32_t fact : task_.pre[action])
            if (needed_by[fact] != action)
                needed_by[fact] = needed_by[fact] == nobody ? action : many;
    return std::ranges::none_of(planned_, [&](std::int32_t action) {
        return std::ranges::any_of(task_.del[action], [&](std::int32_t fact) {
            return needed_by[fact] != nobody && needed_by[fact] != action;
        });
    });
}

// Could the goal be reached without hopes if nothing were deleted? More edges take nothing away.
bool GoalOrder::is_reachable(bool with_own_edges) {
    bool &is_known = is_reachable_[with_own_edges];
    if (is_known)
        return true;
    set_prices(with_own_edges, false);
    relaxation_.explore();
    is_known = std::ranges::all_of(goals_, [&](auto f) { return relaxation_.is_reached(f); });
    return is_known;
}

// What is left of the last real plan.
std::int32_t GoalOrder::planned_edge() {
    while (!planned_edges_.empty()) {
        std::int32_t edge = planned_edges_.back();
        planned_edges_.pop_back();
        if (!edges_.is_published[edge])
            return edge;
    }
    return -1;
}

// If tokens end, a plan with what is hoped for, all of it, else the first edge of one by own means.
void GoalOrder::plan_for_real() {
    bool is_hopeful = do_tokens_end_;
    for (int attempt = 0; attempt < 2 && planned_edges_.empty();
         ++attempt, is_hopeful = !is_hopeful)
        if (is_hopeful || is_reachable(true))
            planned_edges_ = edges_of_plan(task_, told_, is_hopeful ? hoped() : Told(), edges_,
                                           do_tokens_end_, evaluations_left_);
    if (!do_tokens_end_ && planned_edges_.size() > 1)
        planned_edges_.resize(1);
    std::ranges::reverse(planned_edges_);
}

// An edge of a real plan.
std::int32_t GoalOrder::by_search() {
    if (is_solved_ || evaluations_left_ <= 0 || made_ < next_search_)
        return -1;
    bool is_real = is_sound(), is_known = is_reachable(false);
    is_solved_ = is_known && (is_real || is_solvable(task_, told_, evaluations_left_));
    if (is_solved_ || is_real)
        return -1;
    plan_for_real();
    if (planned_edges_.empty())
        pause_ = 2 * pause_ + 1;
    else
        encourage();
    next_search_ = made_ + pause_;
    return planned_edge();
}

// A search was worth it: all that may be spent in vain may be spent again, as long as there is any.
void GoalOrder::encourage() {
    pause_ = 0;
    std::int64_t more = std::min(evaluations_kept_, evaluations_in_vain - evaluations_left_);
    evaluations_left_ += more;
    evaluations_kept_ -= more;
}

Told GoalOrder::hoped() const {
    Told made;
    for (std::size_t h = 0; h < hopes_.token.size(); ++h) {
        for (std::int32_t action : hopes_.after[h])
            made.gives.emplace_back(action, hopes_.token[h]);
        if (hopes_.after[h].empty() || hopes_.is_likely_at_start[h])
            made.gives.emplace_back(start, hopes_.token[h]);
    }
    return made;
}

// Of tokens with fewest published edges, the first edge, one at twice the price after one more;
// threats last, spread over tokens alike.
std::int32_t GoalOrder::by_count() {
    std::tuple<bool, std::int64_t, std::int32_t> best{true, 0, std::numeric_limits<int>::max()};
    std::int32_t found = -1;
    for (std::int32_t queue : used_queues_) {
        if (queues_[queue].empty())
            continue;
        std::int32_t edge = queues_[queue].back();
        bool is_threat = queue % 2 == 0;
        std::int64_t count = is_threat ? ended_[queue / 2] : given_[queue / 2];
        std::tuple rank{is_threat, (count + 1) * edges_.price[edge], edge};
        if (found < 0 || rank < best) {
            best = rank;
            found = edge;
        }
    }
    return found;
}

void GoalOrder::publish(std::int32_t edge) {
    ++made_;
    edges_.is_published[edge] = 1;
    std::int32_t token = edges_.token[edge], giver = edges_.giver[edge];
    if (edges_.is_positive[edge]) {
        told_.gives.emplace_back(giver, token);
        ++given_[token];
        if (giver == start)
            is_given_at_start_[token] = is_start_new_ = true;
    } else {
        told_.ends.emplace_back(giver, token);
        ++ended_[token];
        is_solved_ = false;
    }
    Ints &queue = queues_[2 * token + edges_.is_positive[edge]];
    while (!queue.empty() && edges_.is_published[queue.back()])
        queue.pop_back();
}

}  // namespace tacit
