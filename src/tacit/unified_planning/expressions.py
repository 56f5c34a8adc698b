"""Conditions, effects and amounts of unified-planning as literals of MA-PDDL.

What Tacit's MA-PDDL cannot express is not translated but reported, each time with its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from unified_planning.model import FNode

from tacit.pddl.formula import TOTAL_COST
from tacit.pddl.syntax import EQUALS, Atom, Literal
from tacit.unified_planning.vocabulary import Vocabulary

_REFUSED = {
    "is_or": "a disjunction",
    "is_implies": "an implication",
    "is_iff": "an equivalence",
    "is_exists": "a quantifier",
    "is_forall": "a quantifier",
    "is_le": "a comparison of numbers",
    "is_lt": "a comparison of numbers",
}


class Never(Exception):
    """A condition that can never hold."""


class Translator:
    """Translates expressions of `agent` (None: of the problem itself); `where` is for messages.

    `variables` are the parameters of an action by name. `mentioned` collects the objects and agents
    that occur by name.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        issues: list[str],
        where: str,
        agent: str | None = None,
        variables: Mapping[str, str] | None = None,
    ):
        self._vocabulary = vocabulary
        self._issues = issues
        self._where = where
        self._agent = agent
        self._variables = variables or {}
        self.mentioned: set[str] = set()

    def refuse(self, what: str) -> None:
        self._issues.append(f"{self._where}: {what}")

    def condition(self, node: FNode) -> Iterator[Literal]:
        """The literals of a conjunction; `Never` if it is false as it stands."""
        if node.is_and():
            for part in node.args:
                yield from self.condition(part)
        elif node.is_not() and not node.arg(0).is_and():
            yield from (Literal(x.atom, not x.positive) for x in self._single(node.arg(0)))
        elif node.is_true():
            return
        elif node.is_false():
            raise Never
        else:
            yield from self._single(node)

    def _single(self, node: FNode) -> Iterator[Literal]:
        if node.is_fluent_exp() or node.is_dot():
            atom = self.atom(node)
            if atom is not None:
                yield Literal(atom)
        elif node.is_not():
            yield from (Literal(x.atom, not x.positive) for x in self._single(node.arg(0)))
        elif node.is_equals() and all(a.type.is_user_type() for a in node.args):
            args = [self._argument(argument) for argument in node.args]
            if None not in args:
                yield Literal(Atom(EQUALS, tuple(str(a) for a in args), 0))
        else:
            kinds = (what for test, what in _REFUSED.items() if getattr(node, test)())
            self.refuse(f"{next(kinds, 'a condition of this kind')} is not supported: {node}")

    def atom(self, node: FNode, number: bool = False) -> Atom | None:
        """A fluent applied to its arguments; None, with an issue, if it cannot be expressed."""
        owner = node.agent() if node.is_dot() else self._owner(node)
        inner = node.arg(0) if node.is_dot() else node
        symbol = self._vocabulary.symbol(inner.fluent(), owner)
        if symbol is None or symbol.number != number:
            self.refuse(f"{node} cannot be used here")
            return None
        if symbol.private and self._agent is not None and owner != self._agent:
            self.refuse(f"{node} is private to '{owner}', and '{self._agent}' may not use it")
            return None
        args = [self._argument(argument) for argument in inner.args]
        if None in args:
            return None
        first = [self._name_of(owner)] if symbol.of_agent and owner is not None else []
        return Atom(symbol.name, (*first, *(str(a) for a in args)), 0)

    def _owner(self, node: FNode) -> str | None:
        """The owner of a fluent that an expression names without its agent."""
        own = self._agent
        return own if own and self._vocabulary.symbol(node.fluent(), own) else None

    def _name_of(self, agent: str) -> str:
        if agent == self._agent and self._variables:
            return self._variables[""]
        name = self._vocabulary.agents[agent]
        self.mentioned.add(name)
        return name

    def _argument(self, node: FNode) -> str | None:
        if node.is_parameter_exp():
            return self._variables[node.parameter().name]
        if node.is_object_exp():
            name = self._vocabulary.objects[node.object().name]
            self.mentioned.add(name)
            return name
        self.refuse(f"{node} is neither an object nor a parameter")
        return None

    def effect(self, effect: Any) -> Iterator[Literal | int | Atom]:
        """A literal, or for an increase of `total-cost` the amounts."""
        if effect.is_conditional():
            self.refuse(f"a conditional effect is not supported: {effect}")
        elif effect.is_forall():
            self.refuse(f"a quantified effect is not supported: {effect}")
        elif effect.is_increase():
            target = self.atom(effect.fluent, number=True)
            if target is not None and target.name == TOTAL_COST:
                yield from self._amounts(effect.value)
            elif target is not None:
                self.refuse(f"only {TOTAL_COST} may change, not {effect.fluent}")
        elif not effect.is_assignment() or not effect.value.is_bool_constant():
            self.refuse(f"an effect must make a fluent true or false: {effect}")
        else:
            atom = self.atom(effect.fluent)
            if atom is not None:
                yield Literal(atom, effect.value.is_true())

    def _amounts(self, node: FNode) -> Iterator[int | Atom]:
        if node.is_plus():
            for part in node.args:
                yield from self._amounts(part)
        elif node.is_int_constant() or node.is_real_constant():
            value = whole_number(node)
            if value is None:
                self.refuse(f"a cost must be a whole number from 0 up, not {node}")
            else:
                yield value
        elif node.is_fluent_exp() or node.is_dot():
            atom = self.atom(node, number=True)
            if atom is not None:
                yield atom
        else:
            self.refuse(f"a cost is a sum of numbers and constants, not {node}")


def whole_number(node: FNode) -> int | None:
    """The value of a constant, if it is a whole number that is not negative."""
    value = node.constant_value()
    return int(value) if value == int(value) and value >= 0 else None
