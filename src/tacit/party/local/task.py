"""One agent's own task: its secrets, and the wall around them.

A `LocalTask` knows all public facts by number and, behind them, its own private facts; its own
actions, public and private; its part of the goal. The names of private things live here and
nowhere else. A `PrivateFact` handed out of here is a bare handle: it shows nothing when printed,
and it refuses to be pickled, copied or written into a message, so that a secret cannot leave by
accident. `names` and `fact_name` are for the owner's own eyes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, NoReturn

from tacit import native
from tacit.native import Rows
from tacit.party.local.compiled import Compiled
from tacit.public.task import PublicFact


class PrivateFact:
    """A handle on one private fact of one agent. It shows nothing by itself."""

    __slots__ = ("_number", "_task")

    def __init__(self, task: LocalTask, number: int):
        self._task = task
        self._number = number

    @property
    def number(self) -> int:
        """The fact's number in its owner's task."""
        return self._number

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PrivateFact):
            return NotImplemented
        return self._task is other._task and self._number == other._number

    def __hash__(self) -> int:
        return hash((id(self._task), self._number))

    def __repr__(self) -> str:
        return "<private fact>"

    def _refuse(self, *_: object) -> NoReturn:
        raise TypeError("a private fact cannot be pickled or copied")

    __reduce_ex__ = __copy__ = __deepcopy__ = _refuse


Fact = PublicFact | PrivateFact


class LocalAction:
    """One of the agent's own ground actions, read from the flat arrays when asked."""

    __slots__ = ("_task", "number")

    def __init__(self, task: LocalTask, number: int):
        self._task = task
        self.number = number

    @property
    def is_public(self) -> bool:
        return bool(self._task.arrays.is_public[self.number])

    @property
    def cost(self) -> int:
        return int(self._task.cost[self.number])

    @property
    def name(self) -> str:
        """`(schema argument …)`, as the agent's own files name it."""
        return self._task.action_name(self.number)

    @property
    def needs(self) -> tuple[Fact, ...]:
        return self._task.to_facts(self._task.pre[self.number])

    @property
    def adds(self) -> tuple[Fact, ...]:
        return self._task.to_facts(self._task.add[self.number])

    @property
    def deletes(self) -> tuple[Fact, ...]:
        return self._task.to_facts(self._task.delete[self.number])

    def __repr__(self) -> str:
        return "<public action>" if self.is_public else "<private action>"


class LocalTask:
    """What one agent holds. Fact numbers below `public_count` are public, the rest its own.

    `told` has what others newly reached before each of its turns while grounding. The last private
    facts may be copies, each for one use (`users`).
    """

    def __init__(
        self,
        agent: str,
        compiled: Compiled,
        arrays: native.LocalArrays,
        public_facts: tuple[PublicFact, ...],
        told: Sequence[Sequence[int]] = (),
        users: Sequence[int] = (),
    ):
        self.agent = agent
        self.told = told
        self._users = users
        self.arrays = arrays
        self.public_facts = public_facts
        self.public_count = arrays.public_facts
        self._compiled = compiled
        self._private_rows = Rows(arrays.private_facts)

    def per_use(self) -> LocalTask:
        """The same task, in which public actions that look different share no private
        precondition: each has a copy.
        """
        arrays, users = native.per_use(self.arrays)
        facts, told = self.public_facts, self.told
        return LocalTask(self.agent, self._compiled, arrays, facts, told, users.tolist())

    @cached_property
    def pre(self) -> Rows:
        return Rows(self.arrays.pre)

    @cached_property
    def add(self) -> Rows:
        return Rows(self.arrays.add)

    @cached_property
    def delete(self) -> Rows:
        return Rows(self.arrays.del_)

    @cached_property
    def cost(self) -> memoryview:
        return self.arrays.cost

    @cached_property
    def _args(self) -> Rows:
        return Rows(self.arrays.args)

    @property
    def private_count(self) -> int:
        return len(self._private_rows)

    @property
    def private_facts(self) -> tuple[PrivateFact, ...]:
        first = self.public_count
        return tuple(PrivateFact(self, first + n) for n in range(len(self._private_rows)))

    @property
    def actions(self) -> Iterator[LocalAction]:
        return (LocalAction(self, number) for number in range(len(self.arrays.schema)))

    @property
    def init(self) -> tuple[Fact, ...]:
        return self.to_facts(self.arrays.init.tolist())

    @property
    def goal(self) -> tuple[Fact, ...]:
        """The public goals and the agent's own private ones."""
        return self.to_facts(self.arrays.goal.tolist())

    @property
    def counts(self) -> dict[str, int]:
        """How much there is, without saying what: for `inspect` and for reports."""
        public = sum(self.arrays.is_public)
        return {
            "public_actions": public,
            "private_actions": len(self.arrays.schema) - public,
            "private_facts": len(self._private_rows),
            "private_goals": sum(n >= self.public_count for n in self.arrays.goal),
        }

    def to_facts(self, numbers: list[int]) -> tuple[Fact, ...]:
        """Public facts as themselves, private ones as handles."""
        public, count = self.public_facts, self.public_count
        return tuple(public[n] if n < count else PrivateFact(self, n) for n in numbers)

    def fact_name(self, fact: Fact) -> str:
        """A fact in the names of the agent's own files."""
        if isinstance(fact, PublicFact):
            return str(fact)
        row = self._private_rows[fact.number - self.public_count]
        predicate, args = self._compiled.fact([row[0], *row[2:]])
        atom = f"({' '.join((predicate, *args))})"
        name = atom if row[1] else f"(not {atom})"
        copy = fact.number - self.public_count - (self.private_count - len(self._users))
        return name if copy < 0 else f"{name} for {self.action_name(self._users[copy])}"

    def fact_atoms(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Predicate and arguments of every fact, public and private, in the order of numbers."""
        yield from [(fact.predicate, fact.args) for fact in self.public_facts]
        for row in self._private_rows:
            yield self._compiled.fact([row[0], *row[2:]])

    @property
    def public_first_arguments(self) -> tuple[Mapping[str | None, int], Sequence[int]]:
        """Numbers for the first arguments of public facts, and per public fact its number."""
        return _first_arguments(_Same(self.public_facts))

    @property
    def private_first_arguments(self) -> Iterator[str | None]:
        """The first argument of each private fact, None if it has none."""
        for row in self._private_rows:
            _, args = self._compiled.fact([row[0], *row[2:]])
            yield args[0] if args else None

    @property
    def schema_names(self) -> tuple[str, ...]:
        """What kinds of actions the agent's files have."""
        return tuple(schema.name.lower() for schema in self._compiled.schemas)

    @property
    def predicate_names(self) -> tuple[str, ...]:
        """What its facts may be about."""
        return tuple(name.lower() for name in self._compiled.predicates)

    def action_name(self, number: int) -> str:
        schema = self._compiled.schemas[self.arrays.schema[number]]
        args = (self._compiled.objects[n] for n in self._args[number])
        return f"({' '.join((schema.name, *args))})"

    def __repr__(self) -> str:
        return f"<local task of '{self.agent}'>"

    def __getstate__(self) -> Any:
        raise TypeError("a local task cannot be pickled or copied: it holds an agent's secrets")


class _Same:
    """Public facts that equal the very same ones alone: they need not be compared."""

    def __init__(self, facts: tuple[PublicFact, ...]):
        self.facts = facts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.facts is self.facts

    def __hash__(self) -> int:
        return id(self.facts)


@lru_cache(maxsize=1)
def _first_arguments(same: _Same) -> tuple[Mapping[str | None, int], Sequence[int]]:
    """Made once for all agents of a process: they have the very same public facts."""
    firsts = [fact.args[0] if fact.args else None for fact in same.facts]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(firsts))}
    return numbers, [numbers[name] for name in firsts]
