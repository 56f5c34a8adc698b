"""What follows from the order in which an agent discloses, where its ranking is known.

Under m1 and m2 all edges into a token score alike, everybody can compute the score, and of equal
ones those of the initial state come first. So an edge into a token says that tokens which score
higher have none left; and an edge of an action says that tokens which score as high, or higher,
have none of the initial state left. This supposes an owner that has no prices and does not shuffle
ties; others cannot tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tacit.leakage.bits import numbers_in
from tacit.leakage.rounds import Facts
from tacit.leakage.view import AgentView
from tacit.public.disclosure import INIT
from tacit.public.settings import Settings, Threats

Excluded = tuple[int, int]
"""A token, and achievers that it does not have."""


def _needed(facts: Facts, token: int) -> int:
    return facts.users[token].bit_count()


def _made(facts: Facts, token: int) -> int:
    made = 0
    for action in numbers_in(facts.users[token]):
        made |= facts.adds[action]
    return made.bit_count()


SCORES: dict[str, Callable[[Facts, int], int]] = {"m1": _needed, "m2": _made}


def excluded(seen: AgentView, facts: Facts, ranking: str, settings: Settings) -> Iterator[Excluded]:
    """Achievers that the order of disclosing excludes."""
    competes = settings.threats in (Threats.RANKED, Threats.PAPER_INDEX)
    if ranking not in SCORES or not seen.in_order or competes or seen.recalls:
        return
    goal, score_of = set(seen.part.goal), SCORES[ranking]
    scores = [score_of(facts, token) + (token in goal) for token in range(seen.part.tokens)]
    disclosed = [0] * seen.part.tokens
    place = {action.id: n for n, action in enumerate(seen.part.actions)} | {
        INIT: len(seen.part.actions)
    }
    everything = (facts.initial << 1) - 1
    for edge in seen.edges:
        score = scores[edge.token]
        for token, other in enumerate(scores):
            if other > score:
                yield token, everything & ~disclosed[token]
            elif other == score and edge.achiever != INIT:
                yield token, facts.initial & ~disclosed[token]
        disclosed[edge.token] |= 1 << place[edge.achiever]
        scores[edge.token] -= 1
