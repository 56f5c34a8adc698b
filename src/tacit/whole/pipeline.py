"""The natural path from a problem to a verdict, one page long."""

from __future__ import annotations

from collections.abc import Iterable

from tacit.party.dependencies import Dependencies as Dependencies
from tacit.public.settings import Settings
from tacit.whole.instance import Instance
from tacit.whole.plan import Plan, Step, plan_of
from tacit.whole.validate import Verdict
from tacit.whole.validate import validate as check


def validate(instance: Instance, plan: Plan | Iterable[str | Step]) -> Verdict:
    """Check a plan, given as a `Plan` or step by step, against the problem's own text.

    >>> import tacit
    >>> instance = tacit.load("logistics/small")
    >>> tacit.validate(instance, []).valid
    False
    """
    steps = plan if isinstance(plan, Plan) else plan_of(plan)
    return check(instance.source, steps)


def dependencies(
    instance: Instance, settings: Settings, ties: int | None = None
) -> dict[str, Dependencies]:
    """The private dependencies of every agent; `ties` shuffles the order in which ties break."""
    shown = {agent: instance.local(agent).arrays.project() for agent in instance.agents}
    return {
        agent: Dependencies(
            instance.local(agent),
            settings,
            [projection for other, projection in shown.items() if other != agent],
            ties,
        )
        for agent in instance.agents
    }
