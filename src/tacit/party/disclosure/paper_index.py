"""Threats as the authors' program counts them (`threats=paper-index`): for counting only.

It indexes facts by predicate and first argument, so that deleting one fact also negates its
siblings, those with the same key, as far as the initial state has them. Such threats are not true,
but with them the paper's numbers for Depot and Driverlog come out exactly (docs/decisions.md).
"""

from __future__ import annotations

from collections.abc import Sequence

from tacit import native
from tacit.party.local.task import LocalTask


def indexed_threats(
    task: LocalTask,
    token_facts: Sequence[int],
    achievers: Sequence[Sequence[int]],
    direct: Sequence[Sequence[int]],
) -> list[list[int]]:
    """Per token, the local public actions that delete it or a sibling, and do not achieve it."""
    key_of = [(predicate, args[:1]) for predicate, args in task.fact_atoms()]
    achieving = [set(row) for row in achievers]
    siblings: dict[object, list[int]] = {}
    for token, fact in enumerate(token_facts):
        if native.INIT in achieving[token]:
            siblings.setdefault(key_of[fact], []).append(token)
    found = [set(row) for row in direct]
    for action, shown in enumerate(task.arrays.is_public):
        for key in {key_of[fact] for fact in task.delete[action]} if shown else ():
            for token in siblings.get(key, ()):
                if action not in achieving[token]:
                    found[token].add(action)
    return [sorted(actions) for actions in found]
