"""Agents change a public plan one after the other until all can execute it (docs/solving.md).

An agent gets the plan as it is now and answers with it, changed in its own steps; it may ask to
leave out steps of others too, but neither adds any nor changes their order. An agent
that agreed to an earlier one is asked again, so at the end all have agreed to the very same steps,
and the check that each can do its part is part of that. Rounds are bounded, as two agents may undo
each other's changes for ever.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from tacit.errors import ProtocolError
from tacit.public.disclosure import PublicStep
from tacit.public.protocol.messages import Replanned
from tacit.solvers.limits import Deadline

Steps = tuple[PublicStep, ...]
Ask = Callable[[str, Steps, float], Replanned]


def replan(
    agents: Sequence[str],
    steps: Steps,
    agreed: Iterable[str],
    ask: Ask,
    deadline: Deadline,
    rounds: int,
) -> Steps | None:
    """A plan that all agree to, None if they find none."""
    agreed_to = dict.fromkeys(agreed, steps)
    for _ in range(rounds):
        for agent in agents:
            if agreed_to.get(agent) == steps:
                continue
            if deadline.has_passed:
                return None
            answer = ask(agent, steps, deadline.left)
            if not answer.succeeded:
                return None  # others could leave its steps out, but hardly ever do
            _check(agent, steps, answer.steps)
            steps = agreed_to[agent] = answer.steps
        if all(agreed_to.get(agent) == steps for agent in agents):
            return steps
    return None


def _check(agent: str, before: Steps, after: Steps) -> None:
    """An agent may change its own steps; of the others' it may only leave some out."""
    theirs = iter(step for step in before if step.agent != agent)
    if not all(step in theirs for step in after if step.agent != agent):
        raise ProtocolError(f"agent '{agent}' changes the steps of others")


def changed(agents: Sequence[str], before: Steps, after: Steps) -> dict[str, int]:
    """Per agent, how many of its steps are in one of the plans and not in the other."""
    old, new = Counter(before), Counter(after)
    steps = (old - new) + (new - old)
    return {agent: sum(n for step, n in steps.items() if step.agent == agent) for agent in agents}
