#include "ranking/generalising.hpp"

#include <algorithm>
#include <stdexcept>

#include "util/pulse.hpp"

namespace tacit {

Generalising::Generalising(const Shapes &shapes, const Ints &actions, const Ints &tokens)
    : shapes_(shapes) {
    if (actions.size() != tokens.size())
        throw std::invalid_argument("an edge has an action and a token");
    auto count = static_cast<std::int32_t>(shapes.published().needs.size());
    Ticks tick;
    for (std::size_t e = 0; e < actions.size(); ++e) {
        std::int32_t action = actions[e], token = tokens[e];
        if (action < 0 || action >= count || token < 0 || token >= shapes.tokens())
            throw std::invalid_argument("an edge has an unknown action or token");
        tick(8);
        Patterns &known = by_look_[shapes.look(token)];
        std::vector<Pattern> &list = needs(action, token) ? known.of_users : known.of_others;
        Pattern pattern = shapes.pattern(action, token);
        auto place = std::ranges::lower_bound(list, pattern);
        if (place == list.end() || *place != pattern)
            list.insert(place, std::move(pattern));
    }
}

bool Generalising::needs(std::int32_t action, std::int32_t token) const {
    return std::ranges::binary_search(shapes_.users(token), action);
}

std::int32_t Generalising::classes() const {
    std::size_t count = 0;
    for (const auto &[look, known] : by_look_)
        count += known.of_users.size() + known.of_others.size();
    return static_cast<std::int32_t>(count);
}

Rows Generalising::alike() const {
    Rows made;
    Ticks tick;
    for (std::int32_t token = 0; token < shapes_.tokens(); ++token) {
        if (auto found = by_look_.find(shapes_.look(token)); found != by_look_.end()) {
            Ints actions = shapes_.matching(found->second.of_others, token);
            std::erase_if(actions, [&](std::int32_t a) { return needs(a, token); });
            Ints users = shapes_.matching(found->second.of_users, token);
            std::erase_if(users, [&](std::int32_t a) { return !needs(a, token); });
            actions.insert(actions.end(), users.begin(), users.end());
            std::ranges::sort(actions);
            tick(static_cast<std::uint32_t>(16 * (1 + actions.size())));
            for (std::int32_t action : actions)
                made.push(action);
        }
        made.close();
    }
    return made;
}

}  // namespace tacit
