"""Public actions as bits of integers, with what disclosed edges let them achieve."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tacit.leakage.bits import bits as bits
from tacit.leakage.bits import numbers_in as numbers_in
from tacit.public.disclosure import FINISH, PublicEdge
from tacit.public.protocol.messages import Publication


@dataclass(frozen=True, slots=True)
class Move:
    """A public action as bits; `achieves` are tokens by disclosed edges."""

    action: int
    needs: int
    tokens: int
    adds: int
    deletes: int
    achieves: int


def moves_of(
    published: Mapping[str, Publication], edges: Mapping[str, Iterable[PublicEdge]], facts: int
) -> tuple[list[list[Move]], int]:
    """Per agent its public actions, the last one of private goals included, and the bits that
    agents may still act: behind the public facts are two for each agent with private goals.
    """
    count = facts - 2 * sum(part.has_private_goal for part in published.values())
    done: list[list[Move]] = []
    may_act = 0
    for agent, part in published.items():
        achieves: dict[int, int] = {}
        for edge in edges[agent]:
            if edge.positive:
                achieves[edge.achiever] = achieves.get(edge.achiever, 0) | 1 << edge.token
        guard = 1 << count if part.has_private_goal else 0
        moves = [
            Move(
                action.id,
                bits(action.needs) | guard,
                bits(action.tokens),
                bits(action.adds),
                bits(action.deletes),
                achieves.get(action.id, 0),
            )
            for action in part.actions
        ]
        if guard:
            moves.append(Move(FINISH, guard, bits(part.goal), guard << 1, guard, 0))
            may_act |= guard
            count += 2
        done.append(moves)
    return done, may_act


def within_reach(
    moves: Sequence[Sequence[Move]], facts: int, tokens: Sequence[int]
) -> list[set[int]]:
    """Per agent, the actions within reach of a state if nothing is ever deleted."""
    held = list(tokens)
    done: list[set[int]] = [set() for _ in moves]
    is_new = True
    while is_new:
        is_new = False
        for place, own in enumerate(moves):
            for move in own:
                if move.action in done[place] or move.needs & ~facts or move.tokens & ~held[place]:
                    continue
                done[place].add(move.action)
                facts |= move.adds
                held[place] |= move.achieves
                is_new = True
    return done
