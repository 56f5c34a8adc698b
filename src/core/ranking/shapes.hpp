// What the public actions and tokens of all agents look like, hashed once.
//
// The *kind* of an action is the predicates of the public facts that it needs, adds and deletes.
// The *role* of an object in an action is all places of these facts in which it stands. The
// *subjects* of a token are the objects that all actions that need it speak of, and its *look* is
// the kinds of these actions together with the number of its subjects. A *pattern* says how an
// action stands to a token: its kind, and the roles in it of the token's subjects.
//
// All of these are numbers here, so that alike means equal, and what is asked for is found by
// index: nothing is compared pair by pair. Nothing in here is private; agents of one process share
// it and nobody changes it.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "util/rows.hpp"

namespace tacit {

// What all agents published, one agent after the other. Tokens are numbered through all of them.
struct PublicActions {
    Ints predicate;                  // per public fact, its predicate with its sign
    Rows objects;                    // per public fact, its arguments
    Rows needs, adds, deletes;       // per action, public facts
    Rows tokens;                     // per action, the tokens that it needs
    Ints first_action, first_token;  // per agent, and behind the last one

    std::size_t agents() const { return first_action.size() - 1; }
};

struct Pattern {
    std::int32_t kind = 0;
    Ints parts;  // the roles of the subjects, sorted; 0 for none

    auto operator<=>(const Pattern &) const = default;
};

class Shapes {
  public:
    // Throws std::invalid_argument on numbers out of range and on arrays of unequal length.
    explicit Shapes(PublicActions published);

    const PublicActions &published() const { return published_; }
    std::int32_t tokens() const { return published_.first_token.back(); }
    std::int32_t owner(std::int32_t token) const;

    std::int32_t kind(std::int32_t action) const { return kind_of_part_[part_[action]]; }
    Row users(std::int32_t token) const { return users_[token]; }
    Row subjects(std::int32_t token) const { return subjects_[token]; }
    std::int32_t look(std::int32_t token) const { return look_[token]; }
    Row kinds_of_look(std::int32_t look) const { return kinds_of_look_[look]; }
    std::int32_t subjects_of_look(std::int32_t look) const { return subjects_of_look_[look]; }
    std::int32_t looks() const { return static_cast<std::int32_t>(subjects_of_look_.size()); }

    Pattern pattern(std::int32_t action, std::int32_t token) const;
    // The actions of the token's owner that stand to it as in one of these patterns, which are
    // sorted; ascending.
    Ints matching(std::span<const Pattern> patterns, std::int32_t token) const;
    // Those that speak of all its subjects and do not need it; ascending. None if it has none.
    Ints speaking_of_subjects(std::int32_t token) const;

  private:
    PublicActions published_;
    Ints part_;                     // per action: equal for equal public facts
    Ints kind_of_part_;             // per part
    Rows objects_of_part_, roles_;  // per part: the objects, ascending, and the role of each
    Rows by_kind_, speaking_of_;    // actions, ascending
    Rows users_, subjects_, kinds_of_look_;
    Ints look_, subjects_of_look_;

    class Numbers;

    void check() const;
    void hash_parts();
    void analyse(const Ints &list, Numbers &kinds, Numbers &places, Numbers &roles);
    void hash_looks();
    void find_common_objects(Row actions, Ints &found) const;
    void index_actions();
    Row of_owner(Row actions, std::int32_t token) const;
    void read_roles(std::int32_t action, std::int32_t token, Ints &parts) const;
    void collect(const Pattern &pattern, std::int32_t token, Ints &found, Ints &parts) const;
};

}  // namespace tacit
