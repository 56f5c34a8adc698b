#include "mafs/node_task.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tacit::mafs {

namespace {

void require(bool holds, const char *what) {
    if (!holds)
        throw std::invalid_argument(std::string("not one agent's task: ") + what);
}

void check_items(const Ints &items, std::int32_t bound, const char *what) {
    for (std::int32_t item : items)
        require(item >= 0 && item < bound, what);
}

void check_bits(const SupportBits &bits, std::size_t own_actions, std::int32_t tokens) {
    auto count = static_cast<std::int32_t>(bits.token.size());
    require(bits.disclosed.size() == bits.token.size(), "one flag per support bit");
    require(bits.sets.size() == own_actions && bits.clears.size() == own_actions,
            "one row of support bits per own action");
    check_items(bits.token, tokens, "the token of a support bit");
    check_items(bits.sets.items, count, "a support bit that is set");
    check_items(bits.clears.items, count, "a support bit that is cleared");
    check_items(bits.initial, count, "an initial support bit");
}

}  // namespace

Layout::Layout(const NodeTask &task)
    : self(static_cast<std::size_t>(task.self)), public_words(words_for(task.public_facts)),
      private_words(words_for(task.private_facts)) {
    std::size_t at = public_words + private_words;
    for (std::int32_t count : task.token_counts) {
        token_words.push_back(words_for(count));
        token_at.push_back(at);
        at += token_words.back();
    }
    view_words = at;
    projection_words = at - private_words;
}

std::vector<Word> initial_view(const NodeTask &task, const Layout &layout) {
    std::vector<Word> initial(layout.view_words);
    for (std::int32_t fact : task.view.init)
        put(initial.data(), static_cast<std::size_t>(fact));
    return initial;
}

void check(const NodeTask &task) {
    require(task.self >= 0 && static_cast<std::size_t>(task.self) < task.token_counts.size(),
            "the agent is one of them");
    require(task.has_public_preconditions.size() == task.token_counts.size(), "one flag per agent");
    Layout layout(task);
    require(static_cast<std::size_t>(task.view.facts) == layout.view_words * 64,
            "facts of the view");
    require(static_cast<std::size_t>(task.projection->facts) == layout.projection_words * 64,
            "facts of the projection");
    auto own = static_cast<std::size_t>(task.own_actions);
    require(own <= task.view.size() && task.is_public.size() == own && task.is_sent.size() == own,
            "own actions");
    require(task.published.size() == own, "one published action per own action");
    auto published = std::ranges::count(task.groups, task.self);
    for (std::size_t action = 0; action < own; ++action)
        require(task.is_public[action]
                    ? task.published[action] >= 0 && task.published[action] < published
                    : task.published[action] == -1,
                "a published action");
    require(task.finish_action < task.own_actions, "the finishing action");
    require(task.needed_tokens.size() == own, "one row of tokens per own action");
    check_items(task.needed_tokens.items, task.token_counts[task.self], "a token needed");
    require(task.groups.size() == task.projection->size(), "one agent per projected action");
    check_items(task.groups, static_cast<std::int32_t>(task.token_counts.size()), "an agent");
    check_bits(task.support, own, task.token_counts[task.self]);
    check_bits(task.shown, own, task.token_counts[task.self]);
    for (std::int32_t fact : task.projection->goal)
        require(fact < task.public_facts, "goals are public");
}

}  // namespace tacit::mafs
