#include "privacy/within_reach.hpp"

#include <algorithm>
#include <utility>

namespace tacit {

WithinReach::WithinReach(const LocalTask &task)
    : init_(task.init), adds_(task.actions.add), layer_(task.actions.size(), -1),
      reached_(task.public_facts + task.private_facts.size()) {
    needed_by_ = inverted(task.actions.pre, static_cast<std::int32_t>(reached_.size()));
    for (std::size_t a = 0; a < layer_.size(); ++a)
        missing_.push_back(static_cast<std::int32_t>(task.actions.pre[a].size()));
}

void WithinReach::enter(const Ints &facts, Ints &frontier) {
    for (std::int32_t fact : facts)
        if (!std::exchange(reached_.at(fact), std::uint8_t{1}))
            frontier.push_back(fact);
}

// The actions that can be applied now that these facts hold, too.
Ints WithinReach::applicable(const Ints &frontier) {
    Ints found;
    for (std::int32_t fact : frontier)
        for (std::int32_t a : needed_by_[fact])
            if (--missing_[a] == 0)
                found.push_back(a);
    return found;
}

// The facts that these actions make true first; `news` has them, too.
Ints WithinReach::taken(const Ints &actions, std::int32_t layer, Ints &news) {
    Ints frontier;
    for (std::int32_t a : actions) {
        layer_[a] = layer;
        enter({adds_[a].begin(), adds_[a].end()}, frontier);
    }
    news.insert(news.end(), frontier.begin(), frontier.end());
    return frontier;
}

Ints WithinReach::extend(const Ints &facts) {
    Ints news, frontier, actions;
    std::int32_t last = has_later_ ? 1 : has_actions_ ? 0 : -1, depth = 1;
    if (!std::exchange(is_begun_, true)) {
        enter(init_, frontier);
        Ints needless;
        for (std::size_t a = 0; a < missing_.size(); ++a)
            if (missing_[a] == 0)
                needless.push_back(static_cast<std::int32_t>(a));
        actions = applicable(frontier);
        actions.insert(actions.end(), needless.begin(), needless.end());
        frontier = taken(actions, depth_, news);
        has_actions_ = !actions.empty();
        last = has_actions_ ? 0 : -1;
    }
    for (enter(facts, frontier); !frontier.empty(); ++depth) {
        actions = applicable(frontier);
        frontier = taken(actions, depth_ + depth, news);
        if (!actions.empty()) {
            last = std::max(last, depth);
            has_actions_ = has_later_ = true;
        }
    }
    depth_ += 1 + (layer_.empty() ? 0 : last);
    std::ranges::sort(news);
    return news;
}

Ints WithinReach::layers() const {
    Ints made = layer_;
    std::ranges::replace(made, -1, depth_);
    return made;
}

}  // namespace tacit
