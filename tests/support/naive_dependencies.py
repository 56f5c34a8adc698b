"""Private dependencies read off their definitions, by sets and fixpoints, as slowly as they come.

Nothing here uses `Dependencies` or the core: brute force and the tests of the core's graph take
tokens, edges and certain ends from this reading of docs/semantics.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from tacit.party.disclosure.graph import INIT
from tacit.party.local.task import LocalTask
from tacit.public.settings import Chain

Fact = int
Action = int


@dataclass(frozen=True)
class Step:
    """An action as its owner's private facts see it."""

    needs: frozenset[Fact]
    adds: frozenset[Fact]
    deletes: frozenset[Fact]


def together(facts: frozenset[Fact], pairs: set[tuple[Fact, Fact]]) -> bool:
    return all(pair in pairs for pair in product(facts, facts))


class NaiveDependencies:
    """Tokens, achievers and certain ends of one agent, by local actions and private facts."""

    def __init__(self, task: LocalTask, chain: Chain, drop_noop: bool):
        self.task, self.chain, self.drop_noop = task, chain, drop_noop
        shown = task.arrays.is_public
        self.public = [action for action, is_public in enumerate(shown) if is_public]
        self.private = [action for action, is_public in enumerate(shown) if not is_public]
        self.atoms = list(task.fact_atoms())
        self.steps = [self._step(action) for action in range(len(shown))]
        self.init = self._own(task.arrays.init)

    def _own(self, row: Iterable[Fact]) -> frozenset[Fact]:
        return frozenset(fact for fact in row if fact >= self.task.public_count)

    def _step(self, action: Action) -> Step:
        task = self.task
        rows = (task.pre[action], task.add[action], task.delete[action])
        return Step(*(self._own(row) for row in rows))

    @cached_property
    def achievers(self) -> dict[Fact, frozenset[int]]:
        """Per token, the public actions that achieve it, and INIT."""
        needed = self._own(self.task.arrays.goal).union(
            *(self.steps[action].needs for action in self.public)
        )
        found = {}
        for fact in sorted(needed):
            actions = frozenset(action for action in self.public if self._achieves(action, fact))
            if actions:
                found[fact] = actions | ({INIT} if fact in self.from_init else set())
        return found

    @cached_property
    def from_init(self) -> frozenset[Fact]:
        """What private actions alone reach from the initial state, deletes ignored."""
        reached, before = set(self.init), -1
        while len(reached) > before:
            before = len(reached)
            for action in self.private:
                if self.steps[action].needs <= reached:
                    reached |= self.steps[action].adds
        return frozenset(reached)

    def _achieves(self, action: Action, fact: Fact) -> bool:
        if self.chain is Chain.LAST or (self.chain is Chain.TIGHT and not self._is_tight(fact)):
            return fact in self._marked(action) - self.ends[action]
        over_public = self.chain is not Chain.TIGHT
        return bool(self._achieved_tokens(action, over_public) & self._chain(fact, over_public))

    def _achieved_tokens(self, action: Action, over_public: bool) -> frozenset[Fact]:
        adds = frozenset(self.task.add[action]) if over_public else self.steps[action].adds
        return adds.difference(self.task.pre[action] if self.drop_noop else ())

    def _chain(self, fact: Fact, over_public: bool) -> frozenset[Fact]:
        """All facts from which a chain of private actions leads to this one."""

        def first(of: Fact) -> tuple[str, ...]:
            return tuple(self.atoms[of][1][:1])

        met, before = {fact}, 0
        while len(met) > before:
            before = len(met)
            for action in self.private:
                if met.intersection(self.task.add[action]):
                    needs = self.task.pre[action] if over_public else self.steps[action].needs
                    met.update(
                        need
                        for need in needs
                        if self.chain is Chain.ANY or first(need) == first(fact)
                    )
        return frozenset(met)

    def _is_tight(self, fact: Fact) -> bool:
        met = self._chain(fact, over_public=False)
        ends_all = all(met <= ended for ended in self.ends.values() if fact in ended)
        is_closed = all(
            self.steps[action].needs & met
            for action in self.private
            for added in self.steps[action].adds & met
            if added not in self.steps[action].needs
        )
        return ends_all and is_closed and (fact in self.from_init or not met & self.init)

    def _marked(self, action: Action) -> frozenset[Fact]:
        """What private actions lead to from the action's own private adds."""
        marked = set(self._achieved_tokens(action, over_public=False))
        before = -1
        while len(marked) > before:
            before = len(marked)
            for other in self.private:
                needs = self.steps[other].needs
                if needs & marked and not needs & self.ends[action]:
                    marked |= self.steps[other].adds
        return frozenset(marked)

    @cached_property
    def ends(self) -> dict[Action, frozenset[Fact]]:
        """Per public action, the private facts that the agent cannot have after it for certain.

        By pairs: what may hold with all that the action needs and leaves, and what private actions
        lead to from there, deletes ignored.
        """
        return {action: self._ended(self.steps[action]) for action in self.public}

    def _ended(self, step: Step) -> frozenset[Fact]:
        everything = frozenset(range(self.task.public_count, len(self.atoms)))
        held = step.adds | (step.needs - step.deletes)
        possible = {
            fact
            for fact in everything
            if (fact, fact) in self.pairs
            and all((fact, other) in self.pairs for other in step.needs | held)
        }
        possible = (possible - step.deletes) | held
        before = -1
        while len(possible) > before:
            before = len(possible)
            for action in self.private:
                needs = self.steps[action].needs
                if needs <= possible and together(needs, self.pairs):
                    possible |= self.steps[action].adds
        return everything - possible

    @cached_property
    def pairs(self) -> set[tuple[Fact, Fact]]:
        """The pairs of private facts that can hold together, as far as pairs tell (h²)."""
        pairs = set(product(self.init, self.init))
        before = -1
        while len(pairs) > before:
            before = len(pairs)
            for step in self.steps:
                if not together(step.needs, pairs):
                    continue
                beside = {
                    fact
                    for fact, other in set(pairs)
                    if fact == other and all((fact, need) in pairs for need in step.needs)
                }
                after = (beside - step.deletes) | step.adds
                pairs.update(product(step.adds, after))
                pairs.update(product(after, step.adds))
        return pairs
