"""The joint plan as one agent knows it: its own part in full, the others' by their public effects.

Times are public steps of the joint plan, counted from 1, and the same for all agents
(`tacit.net.numbering`). `plan_text` is a plan file that validators read, in which others' steps are
comments; `calendar_text` is the same as a table for people and spreadsheets.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tacit.party.extension.extension import LocalPlan
from tacit.party.local.task import LocalTask
from tacit.public.disclosure import PublicStep
from tacit.public.task import PublicAction, PublicFact


@dataclass(frozen=True)
class KeptPlan:
    """A plan that everybody confirmed, as this agent knows it: all public steps with what was
    published of them, its own part, and how far apart public steps are numbered.
    """

    steps: tuple[PublicStep, ...]
    known: tuple[PublicAction, ...]
    own: LocalPlan
    spacing: int


@dataclass(frozen=True)
class KnownStep:
    """A step as one agent knows it. `time` is the public step that it is or, of a private action,
    that it is done before; `action` is empty if it is another agent's, and `number` orders steps.
    """

    number: int
    time: int
    agent: str
    action: str
    is_public: bool
    makes: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    @property
    def effect(self) -> str:
        """What others see of it."""
        found = [f"makes {_listed(self.makes)}"] if self.makes else []
        found += [f"ends {_listed(self.ends)}"] if self.ends else []
        return " and ".join(found) or (f"uses {_listed(self.needs)}" if self.needs else "acts")


def known_steps(task: LocalTask, kept: KeptPlan, spacing: int) -> list[KnownStep]:
    """All that an agent knows of a plan, in its order."""
    found: list[KnownStep] = []
    behind: Counter[int] = Counter()
    own: dict[int, str] = {}
    for action, place in kept.own.actions:
        name = task.action_name(action)
        if task.arrays.is_public[action]:
            own[place] = name
            continue
        behind[place] += 1
        number = place * spacing + behind[place]
        found.append(KnownStep(number, place + 1, task.agent, name, False))
    for place, (step, published) in enumerate(zip(kept.steps, kept.known, strict=True)):
        name = own[place] if step.agent == task.agent else ""
        shown = _shown(task.public_facts, published)
        found.append(KnownStep((place + 1) * spacing, place + 1, step.agent, name, True, *shown))
    return sorted(found, key=lambda step: step.number)


def plan_text(agent: str, steps: Sequence[KnownStep], spacing: int) -> str:
    """The plan file: own actions, which validators read, and others' public steps as comments."""
    head = (
        f"The plan of '{agent}'. Time n is when public step n of the joint plan is taken, in the "
        "files of all agents alike.",
        f"The number before an action is its time x {spacing}; private actions have the numbers "
        "between two times.",
        "Others' steps are comments, with their time and what they change in public.",
    )
    lines = [f"; {line}" for line in head]
    for step in steps:
        if step.agent == agent:
            lines.append(f"{step.number}: {step.action}")
        else:
            lines.append(f"; {step.time}: {step.agent} {step.effect}")
    return "".join(f"{line}\n" for line in lines)


COLUMNS = ("time", "when", "agent", "action", "makes", "ends")


def calendar_text(agent: str, steps: Sequence[KnownStep]) -> str:
    """The plan as CSV: a row per step. What is done in private is `before` a time, or `after` the
    last one.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(_rows(agent, steps))
    return file.getvalue()


def _rows(agent: str, steps: Sequence[KnownStep]) -> Iterator[tuple[object, ...]]:
    last = max((step.time for step in steps if step.is_public), default=0)
    for step in steps:
        when = "at" if step.is_public else "before" if step.time <= last else "after"
        time = min(step.time, last) if last else 0
        action = step.action if step.agent == agent else ""
        yield time, when, step.agent, action, " ".join(step.makes), " ".join(step.ends)


def _shown(
    facts: Sequence[PublicFact], action: PublicAction
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The public facts that an action makes true, makes false, and needs. Of a fact that is there
    with its negation, one says it all.
    """
    adds, deletes, needs = (
        [facts[n] for n in numbers] for numbers in (action.adds, action.deletes, action.needs)
    )
    makes = [f for f in adds if f.positive or _turned(f) not in deletes]
    ends = [f for f in deletes if f.positive or _turned(f) not in adds]
    return tuple(map(str, makes)), tuple(map(str, ends)), tuple(map(str, needs))


def _turned(fact: PublicFact) -> PublicFact:
    return PublicFact(fact.predicate, fact.args, not fact.positive)


def _listed(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
