"""Random public plans, as agents are asked to extend them."""

from __future__ import annotations

from tacit.central.instance import Instance
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.extension.extension import Place


def walk(instance: Instance, own: dict[str, Dependencies], choose, length: int):
    """A public plan that respects public preconditions and nothing else, with its public states."""
    first = len(instance.public.facts)
    state = frozenset(instance.public.init)
    steps: list[tuple[str, int]] = []
    states = [state]
    for _ in range(length):
        possible = [
            (agent, number, group[0])
            for agent, deps in own.items()
            for number, group in enumerate(deps.members)
            if all(f in state for f in deps.task.pre[group[0]] if f < first)
        ]
        if not possible:
            break
        agent, number, action = choose(possible)
        task = own[agent].task
        state = state.difference(task.delete[action])
        state = state.union(f for f in task.add[action] if f < first)
        steps.append((agent, number))
        states.append(state)
    return steps, states


def places_of(agent: str, steps, states) -> list[Place]:
    done = [
        Place(number if who == agent else None, holds)
        for (who, number), holds in zip(steps, states, strict=False)
    ]
    return [*done, Place(None, states[-1])]
