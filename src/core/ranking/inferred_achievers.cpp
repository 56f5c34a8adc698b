#include "ranking/inferred_achievers.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <mutex>
#include <utility>

#include "util/pulse.hpp"

namespace tacit {

namespace {

// Where agents are of few kinds, these are all that are in use at a time.
constexpr std::size_t remembered_inferences = 16;

InferredAchievers infer_all(const PublicProjection &projection, PeerModel &model) {
    const Ints &actions = projection.actions(), &facts = projection.facts();
    InferredAchievers made;
    Ticks tick;
    for (std::int32_t token = 0; token < projection.shapes().tokens(); ++token) {
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
    std::ranges::sort(made.deletes);
    return made;
}

struct Known {
    std::weak_ptr<const PublicProjection> projection;
    PeerModel::Origins origins;
    double alike;
    std::weak_ptr<const Inference> inference;
};

// What agents of one process infer alike is inferred once, as long as one of them needs it.
std::shared_ptr<const Inference>
shared_inference(const std::shared_ptr<const PublicProjection> &projection, PeerModel &model,
                 double alike) {
    static std::mutex mutex;
    static std::deque<Known> last;
    {
        std::scoped_lock lock(mutex);
        for (const Known &known : last)
            if (known.projection.lock() == projection && known.alike == alike &&
                known.origins == model.origins())
                if (auto found = known.inference.lock())
                    return found;
    }
    auto made = std::make_shared<const Inference>(infer_all(*projection, model));
    std::scoped_lock lock(mutex);
    last.push_back({projection, model.origins(), alike, made});
    if (last.size() > remembered_inferences)
        last.pop_front();
    return made;
}

Inference::Division division(Parts parts) {
    auto costs = std::make_shared<SharedCosts>(parts.size());
    return {std::make_shared<const Parts>(std::move(parts)), std::move(costs)};
}

}  // namespace

Inference::Inference(InferredAchievers of) : all_(std::move(of)) {
    std::int32_t most = -1;
    for (std::int32_t action : all_.after.items)
        most = std::max(most, action);
    by_action_ = inverted(all_.after, most + 1);
}

Inference::Division Inference::parts(const IndexedTask &task) const {
    std::call_once(are_parts_made_, [&] { parts_ = division(Parts(task, all_)); });
    return parts_;
}

Inference::Division Inference::whole(const IndexedTask &task) const {
    std::call_once(is_whole_made_, [&] { whole_ = division(Parts::whole(task, all_)); });
    return whole_;
}

ActionFacts Inferred::deletes() const {
    ActionFacts others, made;
    std::ranges::copy_if(all().deletes, std::back_inserter(others),
                         [&](const auto &pair) { return !is_own(pair.second); });
    std::ranges::merge(others, own_deletes, std::back_inserter(made));
    return made;
}

Inferred infer_achievers(const std::shared_ptr<const PublicProjection> &projection,
                         std::int32_t agent, const OwnGraph &own, double alike) {
    const Ints &actions = projection->actions(), &facts = projection->facts();
    const Ints &first = projection->shapes().published().first_token;
    PeerModel model(projection->shapes(), own, alike);
    Inferred made;
    made.inference = shared_inference(projection, model, alike);
    if (first[agent] < first[agent + 1]) {
        made.own_from = facts[first[agent]];
        made.own_to = facts[first[agent + 1] - 1] + 1;
    }
    for (std::size_t d = 0; d < own.deleter.size(); ++d)
        made.own_deletes.emplace_back(actions[own.deleter[d]], facts[own.deleted[d]]);
    std::ranges::sort(made.own_deletes);
    made.is_exact = model.is_exact(own);
    return made;
}

}  // namespace tacit
