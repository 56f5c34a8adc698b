#include "ranking/shapes.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "util/pulse.hpp"

namespace tacit {

// Numbers for lists of integers, from 0 in the order in which they come up.
class Shapes::Numbers {
  public:
    std::int32_t of(const Ints &list) {
        return known_.try_emplace(list, static_cast<std::int32_t>(known_.size())).first->second;
    }

  private:
    struct Hash {
        std::size_t operator()(const Ints &list) const {
            std::uint64_t hash = list.size();
            for (std::int32_t item : list) {
                hash = (hash ^ static_cast<std::uint32_t>(item)) * 0x9E3779B97F4A7C15u;
                hash ^= hash >> 29;
            }
            return hash;
        }
    };
    std::unordered_map<Ints, std::int32_t, Hash> known_;
};

namespace {

constexpr std::int32_t no_role = 0, separator = -1;

void sort_out(Ints &list) {
    std::ranges::sort(list);
    list.erase(std::ranges::unique(list).begin(), list.end());
}

void require(bool is_so, const char *what) {
    if (!is_so)
        throw std::invalid_argument(what);
}

void require_below(const Rows &rows, std::size_t bound, const char *what) {
    require(std::ranges::all_of(rows.items,
                                [=](std::int32_t item) {
                                    return item >= 0 && static_cast<std::size_t>(item) < bound;
                                }),
            what);
}

}  // namespace

Shapes::Shapes(PublicActions published) : published_(std::move(published)) {
    check();
    hash_parts();
    users_ = inverted(published_.tokens, tokens());
    hash_looks();
    index_actions();
}

void Shapes::check() const {
    const PublicActions &p = published_;
    std::size_t actions = p.needs.size();
    require(p.adds.size() == actions && p.deletes.size() == actions && p.tokens.size() == actions,
            "actions have needs, adds, deletes and tokens");
    require(p.objects.size() == p.predicate.size(), "facts have a predicate and objects");
    require(!p.first_action.empty() && p.first_action.size() == p.first_token.size() &&
                p.first_action.front() == 0 && p.first_token.front() == 0 &&
                std::ranges::is_sorted(p.first_action) && std::ranges::is_sorted(p.first_token) &&
                static_cast<std::size_t>(p.first_action.back()) == actions,
            "agents have actions and tokens one after the other");
    for (const Rows *rows : {&p.needs, &p.adds, &p.deletes})
        require_below(*rows, p.predicate.size(), "an action has an unknown fact");
    require_below(p.tokens, static_cast<std::size_t>(tokens()), "an action needs an unknown token");
    require(std::ranges::all_of(p.objects.items, [](std::int32_t o) { return o >= 0; }),
            "objects are numbered from 0");
}

// Many actions, of several agents, have the same public facts: these are analysed once.
void Shapes::hash_parts() {
    const PublicActions &p = published_;
    Numbers parts, kinds, places, roles;
    Ints list;
    Ticks tick;
    for (std::size_t a = 0; a < p.needs.size(); ++a) {
        tick(8);
        list.clear();
        for (const Rows *rows : {&p.needs, &p.adds, &p.deletes}) {
            list.insert(list.end(), (*rows)[a].begin(), (*rows)[a].end());
            list.push_back(separator);
        }
        part_.push_back(parts.of(list));
        if (static_cast<std::size_t>(part_.back()) == kind_of_part_.size())
            analyse(list, kinds, places, roles);
    }
}

// The kind of a part, its objects, and their roles: `list` is what it needs, adds and deletes.
void Shapes::analyse(const Ints &list, Numbers &kinds, Numbers &places, Numbers &roles) {
    Ints kind, predicates;
    std::vector<std::pair<std::int32_t, std::int32_t>> stands;  // an object, and a place
    std::int32_t row = 0;
    for (std::int32_t fact : list) {
        if (fact == separator) {
            sort_out(predicates);
            kind.insert(kind.end(), predicates.begin(), predicates.end());
            kind.push_back(separator);
            predicates.clear();
            ++row;
            continue;
        }
        std::int32_t predicate = published_.predicate[fact], place = 0;
        predicates.push_back(predicate);
        for (std::int32_t object : published_.objects[fact])
            stands.emplace_back(object, places.of({row, predicate, place++}));
    }
    kind_of_part_.push_back(kinds.of(kind));
    std::ranges::sort(stands);
    stands.erase(std::ranges::unique(stands).begin(), stands.end());
    for (auto next = stands.begin(); next != stands.end();) {
        std::int32_t object = next->first;
        Ints role;
        for (; next != stands.end() && next->first == object; ++next)
            role.push_back(next->second);
        objects_of_part_.push(object);
        roles_.push(no_role + 1 + roles.of(role));
    }
    objects_of_part_.close();
    roles_.close();
}

void Shapes::hash_looks() {
    Numbers looks;
    Ints common, kinds;
    Ticks tick;
    for (std::int32_t token = 0; token < tokens(); ++token) {
        tick(static_cast<std::uint32_t>(1 + users_[token].size()));
        find_common_objects(users_[token], common);
        subjects_.append(common);
        kinds.clear();
        for (std::int32_t action : users_[token])
            kinds.push_back(kind(action));
        sort_out(kinds);
        kinds.push_back(static_cast<std::int32_t>(common.size()));
        look_.push_back(looks.of(kinds));
        if (static_cast<std::size_t>(look_.back()) == subjects_of_look_.size()) {
            subjects_of_look_.push_back(kinds.back());
            kinds_of_look_.append(Row(kinds).first(kinds.size() - 1));
        }
    }
}

void Shapes::find_common_objects(Row actions, Ints &found) const {
    found.clear();
    if (actions.empty())
        return;
    Row first = objects_of_part_[part_[actions.front()]];
    found.assign(first.begin(), first.end());
    for (std::int32_t action : actions) {
        Row there = objects_of_part_[part_[action]];
        std::erase_if(found, [&](std::int32_t o) { return !std::ranges::binary_search(there, o); });
        if (found.empty())
            return;
    }
}

void Shapes::index_actions() {
    std::int32_t kinds = 0, objects = 0;
    for (std::int32_t kind : kind_of_part_)
        kinds = std::max(kinds, kind + 1);
    for (std::int32_t object : published_.objects.items)
        objects = std::max(objects, object + 1);
    Rows of_action, kind_of_action;
    for (std::int32_t part : part_) {
        of_action.append(objects_of_part_[part]);
        kind_of_action.push(kind_of_part_[part]);
        kind_of_action.close();
    }
    speaking_of_ = inverted(of_action, objects);
    by_kind_ = inverted(kind_of_action, kinds);
}

std::int32_t Shapes::owner(std::int32_t token) const {
    const Ints &first = published_.first_token;
    return static_cast<std::int32_t>(std::ranges::upper_bound(first, token) - first.begin()) - 1;
}

// Those of these actions, ascending, that belong to the owner of the token.
Row Shapes::of_owner(Row actions, std::int32_t token) const {
    std::int32_t agent = owner(token);
    auto from = std::ranges::lower_bound(actions, published_.first_action[agent]);
    auto to = std::lower_bound(from, actions.end(), published_.first_action[agent + 1]);
    return Row(from, to);
}

void Shapes::read_roles(std::int32_t action, std::int32_t token, Ints &parts) const {
    Row objects = objects_of_part_[part_[action]], roles = roles_[part_[action]];
    parts.clear();
    for (std::int32_t subject : subjects_[token]) {
        auto there = std::ranges::lower_bound(objects, subject);
        bool is_there = there != objects.end() && *there == subject;
        parts.push_back(is_there ? roles[there - objects.begin()] : no_role);
    }
    std::ranges::sort(parts);
}

Pattern Shapes::pattern(std::int32_t action, std::int32_t token) const {
    Pattern made{kind(action), {}};
    read_roles(action, token, made.parts);
    return made;
}

Ints Shapes::matching(std::span<const Pattern> patterns, std::int32_t token) const {
    Ints found, parts;
    for (const Pattern &pattern : patterns)
        collect(pattern, token, found, parts);
    sort_out(found);
    return found;
}

// An action that leaves n of the subjects out speaks of one of any n + 1 of them: those of which
// fewest actions speak. If it speaks of none, all of its kind are tried.
void Shapes::collect(const Pattern &pattern, std::int32_t token, Ints &found, Ints &parts) const {
    auto match = [&](Row actions) {
        for (std::int32_t action : actions) {
            if (kind(action) != pattern.kind)
                continue;
            read_roles(action, token, parts);
            if (parts == pattern.parts)
                found.push_back(action);
        }
    };
    Row subjects = subjects_[token];
    if (pattern.parts.size() != subjects.size())
        return;
    auto left_out = static_cast<std::size_t>(std::ranges::count(pattern.parts, no_role));
    if (left_out == subjects.size()) {
        match(of_owner(by_kind_[pattern.kind], token));
        return;
    }
    std::vector<Row> speaking;
    for (std::int32_t subject : subjects)
        speaking.push_back(of_owner(speaking_of_[subject], token));
    std::ranges::sort(speaking, {}, &Row::size);
    for (std::size_t n = 0; n <= left_out; ++n)
        match(speaking[n]);
}

Ints Shapes::speaking_of_subjects(std::int32_t token) const {
    Ints found;
    Row subjects = subjects_[token];
    if (subjects.empty())
        return found;
    std::vector<Row> speaking;
    for (std::int32_t subject : subjects)
        speaking.push_back(of_owner(speaking_of_[subject], token));
    std::ranges::sort(speaking, {}, &Row::size);
    for (std::int32_t action : speaking.front()) {
        bool speaks_of_all = std::ranges::all_of(
            speaking, [&](Row row) { return std::ranges::binary_search(row, action); });
        if (speaks_of_all && !std::ranges::binary_search(users_[token], action))
            found.push_back(action);
    }
    return found;
}

}  // namespace tacit
