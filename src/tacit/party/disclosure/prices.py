"""What disclosing costs one agent: rules of a file against its own names.

A dependency is disclosed as an action that achieves or deletes a private fact, so its price depends
on action and fact. Own actions that are published as one are disclosed together: the dearest of
them counts, and if one of them must never be disclosed, none is. So what is published does not
depend on prices, and a `never` holds whatever else looks alike.

A pattern that matches nothing that could ever be disclosed is a warning. If the agent's files do
not even have such an action or predicate it is an error, because a misspelled `never` would
disclose what it was to withhold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tacit.errors import Diagnostic, InputError, nearest
from tacit.party.disclosure.graph import INIT
from tacit.party.disclosure.weights import Rule, Weights, pattern
from tacit.party.local.task import LocalTask

INITIAL = "(the initial state)"

Price = int | None
"""A whole number from 0; None for never."""


@dataclass(frozen=True, slots=True)
class Account:
    """What an agent's edges and repairs cost it, and how many edges it never discloses."""

    edges: int
    repairs: int
    never: int


class Prices:
    """The prices of one agent, by its own actions and facts.

    With `lenient`, a pattern that matches nothing is passed over, as where one file serves many
    problems.
    """

    def __init__(self, task: LocalTask, weights: Weights, lenient: bool = False):
        self._task = task
        self._file = weights.name
        self.table = table = weights.of(task.agent)
        self.default: Price = table.default
        self._rules = table.rules
        self.warnings: tuple[str, ...] = ()
        self._any_action = _mask(n for n, rule in enumerate(self._rules) if rule.action is None)
        self._any_fact = _mask(n for n, rule in enumerate(self._rules) if rule.fact is None)
        self._actions = self._matched([rule.action for rule in self._rules], self._action_names())
        self._facts = self._matched([rule.fact for rule in self._rules], self._fact_names())
        if not lenient:
            self._check()

    def of(self, actions: Sequence[int], fact: int) -> Price:
        """What it costs to disclose that one of these own actions achieves or deletes a fact.

        The initial state is `INIT`.
        """
        found: list[int] = []
        for action in actions:
            price = self._price(self._actions.get(action, 0), self._facts.get(fact, 0))
            if price is None:
                return None
            found.append(price)
        return max(found)

    def _price(self, action: int, fact: int) -> Price:
        both = (action | self._any_action) & (fact | self._any_fact)
        return self._rules[both.bit_length() - 1].price if both else self.default

    # ------------------------------------------------------------------ names

    def _action_names(self) -> dict[int, str]:
        """Public actions and the initial state; private actions are never disclosed."""
        if all(rule.action is None for rule in self._rules):
            return {}
        task = self._task
        shown = (n for n, is_public in enumerate(task.arrays.is_public) if is_public)
        return {INIT: INITIAL} | {n: task.action_name(n).lower() for n in shown}

    def _fact_names(self) -> dict[int, str]:
        if all(rule.fact is None for rule in self._rules):
            return {}
        task = self._task
        return {fact.number: task.fact_name(fact).lower() for fact in task.private_facts}

    @staticmethod
    def _matched(patterns: Sequence[str | None], names: dict[int, str]) -> dict[int, int]:
        """Per number, a bit for each rule that matches its name."""
        found: dict[int, int] = {}
        for n, text in enumerate(patterns):
            if text is not None:
                fits = pattern(text).fullmatch
                for number, name in names.items():
                    if fits(name):
                        found[number] = found.get(number, 0) | 1 << n
        return found

    def _check(self) -> None:
        wrong: list[Diagnostic] = []
        for n, rule in enumerate(self._rules):
            for what, text, masks in (
                ("action", rule.action, self._actions),
                ("fact", rule.fact, self._facts),
            ):
                if text is not None and not any(mask >> n & 1 for mask in masks.values()):
                    self._complain(rule, what, text, wrong)
        if wrong:
            raise InputError(wrong)

    def _complain(self, rule: Rule, what: str, text: str, wrong: list[Diagnostic]) -> None:
        """A pattern matches nothing: a warning, or an error where it must be a mistake."""
        task, first = self._task, _first_name(text)
        known = task.schema_names if what == "action" else task.predicate_names
        if any(first.fullmatch(name) for name in known):
            file = rule.file or self._file
            place = file if rule.line is None else f"{file}:{rule.line}"
            self.warnings += (
                f"{place}: {rule.key}.{what}: '{text}' matches nothing that agent "
                f"'{task.agent}' could disclose",
            )
            return
        name = text.strip("() ").split(" ")[0]
        hint = nearest(name.lower(), known) or f"it has: {', '.join(known)}"
        message = f"{rule.key}.{what}: agent '{task.agent}' has no {what} that '{text}' matches"
        wrong.append(Diagnostic(message, rule.file or self._file, rule.line, hint=hint))


def _mask(numbers: Iterable[int]) -> int:
    return sum(1 << n for n in numbers)


def _first_name(text: str) -> re.Pattern[str]:
    """The name in a pattern, without the arguments."""
    whole = pattern(text).pattern.removeprefix(r"\(").removesuffix(r"\)")
    return re.compile(re.split(r"\\ |\\\(", whole.removeprefix(r"not\ \("))[0])
