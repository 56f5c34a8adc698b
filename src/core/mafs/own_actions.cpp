#include "mafs/own_actions.hpp"

namespace tacit::mafs {

namespace {

StripsTask without_tokens(const NodeTask &task, const Layout &layout) {
    auto bound = static_cast<std::int32_t>((layout.public_words + layout.private_words) * 64);
    auto kept = [bound](Row row) {
        Ints facts;
        for (std::int32_t fact : row)
            if (fact < bound)
                facts.push_back(fact);
        return facts;
    };
    StripsTask bare;
    bare.facts = bound;
    for (std::int32_t action = 0; action < task.own_actions; ++action) {
        bare.pre.append(kept(task.view.pre[action]));
        bare.add.append(kept(task.view.add[action]));
        bare.del.append(kept(task.view.del[action]));
        bare.cost.push_back(task.view.cost[action]);
        bare.group.push_back(0);
    }
    return bare;
}

}  // namespace

OwnActions::OwnActions(const NodeTask &task, const Layout &layout)
    : task_(task), bare_(without_tokens(task, layout)), successors_(bare_) {}

void OwnActions::apply(std::int32_t action, Word *facts) const {
    for (std::int32_t fact : bare_.del[action])
        drop(facts, fact);
    for (std::int32_t fact : bare_.add[action])
        put(facts, fact);
}

bool OwnActions::finish(Word *facts) const {
    if (task_.finish_action < 0)
        return true;
    for (std::int32_t fact : bare_.pre[task_.finish_action])
        if (!has(facts, fact))
            return false;
    for (std::int32_t fact : bare_.add[task_.finish_action])
        put(facts, fact);
    return true;
}

std::int32_t OwnActions::missing_token(const Word *tokens, std::int32_t action) const {
    for (std::int32_t token : task_.needed_tokens[action])
        if (is_missing(tokens, token))
            return token;
    return -1;
}

}  // namespace tacit::mafs
