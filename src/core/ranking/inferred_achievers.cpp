#include "ranking/inferred_achievers.hpp"

#include <algorithm>

#include "util/pulse.hpp"

namespace tacit {

InferredAchievers infer_achievers(const PublicProjection &projection, std::int32_t agent,
                                  const OwnGraph &own, Likeness likeness) {
    const Shapes &shapes = projection.shapes();
    const Ints &actions = projection.actions(), &facts = projection.facts();
    const Ints &first = shapes.published().first_token;
    InferredAchievers made;
    PeerModel model(shapes, own, likeness);
    Ticks tick;
    for (std::int32_t token = 0; token < shapes.tokens(); ++token) {
        if (token >= first[agent] && token < first[agent + 1])
            continue;
        InferredToken found = model.infer(token);
        tick(static_cast<std::uint32_t>(16 * (1 + found.after.size() + found.deleters.size())));
        made.token.push_back(facts[token]);
        for (std::int32_t action : found.after)
            made.after.push(actions[action]);
        made.after.close();
        made.is_likely_initially.push_back(found.initially);
        for (std::int32_t action : found.deleters)
            made.deletes.emplace_back(actions[action], facts[token]);
    }
    for (std::size_t d = 0; d < own.deleter.size(); ++d)
        made.deletes.emplace_back(actions[own.deleter[d]], facts[own.deleted[d]]);
    std::ranges::sort(made.deletes);
    made.is_exact = model.is_exact(own);
    return made;
}

}  // namespace tacit
