"""Which public facts private actions may need, inferred, and public plans that achieve them early.

A private action may have public preconditions. Which ones is a secret; that an agent has such
actions is published. A plan of the projection fails if it leaves these facts out or achieves them
too late: the door that a courier walks through in private must be open by then. Nothing has to be
disclosed to infer such facts, though: a public fact that published actions achieve, that no
published action needs and that is no goal is needed by somebody's private actions, or by nobody.

`with_all_of` is a projection in which all such facts must have held once, before any agent with
private goals finishes. In its plans, the steps towards them are moved to the front, those that take
few steps first. They are plans of the projection too. If there is none, that proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tacit.public.disclosure import FINISH
from tacit.public.projection import Projection, Reach


def observed_facts(projection: Projection, public_facts: int) -> list[int]:
    """Public facts that can be brought about, and that nothing published asks for."""
    asked_for = set(projection.goal).union(projection.init, *projection.needs)
    brought = {fact for row in projection.adds for fact in row if fact < public_facts}
    return sorted((brought - asked_for) & Reach(projection).reached)


def with_all_of(projection: Projection, facts: Sequence[int]) -> Projection:
    """The projection in which these facts must have held once, before anybody finishes."""
    done = {fact: projection.facts + n for n, fact in enumerate(facts)}
    everything = list(done.values())
    is_last = [step.action == FINISH for step in projection.steps]
    return replace(
        projection,
        facts=projection.facts + len(facts),
        goal=[*projection.goal, *everything],
        needs=[
            (*row, *everything) if last else row
            for row, last in zip(projection.needs, is_last, strict=True)
        ],
        adds=[(*row, *(done[f] for f in row if f in done)) for row in projection.adds],
    )


def early(projection: Projection, plan: Sequence[int], facts: Iterable[int]) -> tuple[int, ...]:
    """The plan with the steps towards these facts in front; as it is if it is none then.

    First come those that an agent takes by itself, then those that take few steps.
    """
    behind = _supporters(projection, plan)
    changing = _who_changes(projection)
    wanted = set(facts)

    def key(place: int) -> tuple[bool, int, int]:
        needed = {f for n in behind[place] for f in projection.needs[plan[n]]}
        needs_others = len(set().union(*(changing.get(f, ()) for f in needed))) > 1
        return needs_others, len(behind[place]), place

    places = (n for n, action in enumerate(plan) if wanted.intersection(projection.adds[action]))
    order: dict[int, None] = {}
    for place in sorted(places, key=key):
        order.update(dict.fromkeys(sorted(behind[place])))
    order.update(dict.fromkeys(range(len(plan))))
    moved = tuple(plan[place] for place in order)
    return moved if projection.is_plan(moved) else tuple(plan)


def _who_changes(projection: Projection) -> dict[int, set[int]]:
    """Per fact, the agents whose actions add or delete it, by their groups."""
    found: dict[int, set[int]] = {}
    rows = zip(projection.group, projection.adds, projection.deletes, strict=True)
    for group, adds, deletes in rows:
        for fact in (*adds, *deletes):
            found.setdefault(fact, set()).add(group)
    return found


def _supporters(projection: Projection, plan: Sequence[int]) -> list[set[int]]:
    """Per step, it and the earlier steps without which it could not be taken there."""
    last: dict[int, int] = {}
    behind: list[set[int]] = []
    for place, action in enumerate(plan):
        own = {place}
        own.update(*(behind[last[f]] for f in projection.needs[action] if f in last))
        behind.append(own)
        last.update(dict.fromkeys(projection.adds[action], place))
    return behind
