#include "mafs/node_task.hpp"

#include <stdexcept>
#include <string>

#include "mafs/words.hpp"

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

void check_marks(const Marks &marks, std::size_t own_actions, std::int32_t tokens) {
    auto count = static_cast<std::int32_t>(marks.token.size());
    require(marks.disclosed.size() == marks.token.size(), "one flag per mark");
    require(marks.gives.size() == own_actions && marks.ends.size() == own_actions,
            "one row of marks per own action");
    check_items(marks.token, tokens, "the token of a mark");
    check_items(marks.gives.items, count, "a mark given");
    check_items(marks.ends.items, count, "a mark ended");
    check_items(marks.initial, count, "a mark of the start");
}

}  // namespace

Layout::Layout(const NodeTask &task)
    : public_words(words_for(task.public_facts)), private_words(words_for(task.private_facts)) {
    std::size_t at = public_words + private_words;
    for (std::int32_t count : task.token_counts) {
        token_words.push_back(words_for(count));
        token_at.push_back(at);
        at += token_words.back();
    }
    view_words = at;
    projection_words = at - private_words;
}

std::vector<Word> start_of(const NodeTask &task, const Layout &layout) {
    std::vector<Word> start(layout.view_words);
    for (std::int32_t fact : task.view.init)
        put(start.data(), static_cast<std::size_t>(fact));
    return start;
}

void check(const NodeTask &task) {
    require(task.self >= 0 && static_cast<std::size_t>(task.self) < task.token_counts.size(),
            "the agent is one of them");
    require(task.looks.size() == task.token_counts.size(), "one flag per agent");
    Layout layout(task);
    require(static_cast<std::size_t>(task.view.facts) == layout.view_words * 64,
            "facts of the view");
    require(static_cast<std::size_t>(task.projection.facts) == layout.projection_words * 64,
            "facts of the projection");
    auto own = static_cast<std::size_t>(task.own_actions);
    require(own <= task.view.size() && task.is_public.size() == own && task.is_told.size() == own,
            "own actions");
    require(task.last_action < task.own_actions, "the last action");
    require(task.needed_tokens.size() == own, "one row of tokens per own action");
    check_items(task.needed_tokens.items, task.token_counts[task.self], "a token needed");
    require(task.groups.size() == task.projection.size(), "one agent per projected action");
    check_items(task.groups, static_cast<std::int32_t>(task.token_counts.size()), "an agent");
    check_marks(task.support, own, task.token_counts[task.self]);
    check_marks(task.shown, own, task.token_counts[task.self]);
    for (std::int32_t fact : task.projection.goal)
        require(fact < task.public_facts, "goals are public");
}

}  // namespace tacit::mafs
