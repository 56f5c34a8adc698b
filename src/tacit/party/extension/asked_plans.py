"""Which public plans an agent answers about: those that a run needs an answer about, and no others.

An answer shows something of the agent, so whoever may choose the plan may choose what to learn. A
run asks about plans of the joint projection alone: every step can be taken by what was published,
every token, whoever's it is, is achieved by what is on the ledger and not deleted by a threat on it
since, the goals are reached, and no prefix on the ledger that still holds rules the plan out. All
of that is known to every member, so each checks it for itself before it answers; own tokens are
checked by own disclosed edges and threats, which are on the same ledger. A plan that fails is a
fault of the coordinator that says which step, and why.

What this leaves to a coordinator is the choice among plans that it could not know to fail. Each
answer that one does fail is on the ledger and rules it out, and they are bounded
(`tacit.party.bounds`). All members must be asked about the same plans: `digest` is of all plans so
far, goes to all with every repair, and members compare it with their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tacit.errors import ProtocolError
from tacit.party.disclosure.public_world import PublicWorld
from tacit.public.disclosure import FINISH, INIT, PublicEdge, PublicStep, RestoredToken
from tacit.public.ledger import Entry, Kind, Ledger, Prefix
from tacit.public.protocol import digest


@dataclass
class _Tokens:
    """What the ledger says of one agent's tokens, and of prefixes that it cannot execute."""

    entries: int = 0
    initial: set[int] = field(default_factory=set)
    needs: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    achieves: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    deletes: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    prefixes: list[Prefix] = field(default_factory=list)

    def enter(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self.entries += 1
            if entry.kind is Kind.EDGE:
                self.prefixes = [prefix for prefix in self.prefixes if prefix.for_good]
            match entry.item:
                case PublicEdge(achiever, token, positive):
                    if achiever == INIT:
                        self.initial.add(token)
                    else:
                        (self.achieves if positive else self.deletes)[achiever].add(token)
                case RestoredToken(token, needed_by):
                    self.initial.add(token)
                    for action in needed_by:
                        self.needs[action].add(token)
                case Prefix():
                    self.prefixes.append(entry.item)


class AskedPlans:
    """Checks the plans of one run. `digest` is of all that were asked about so far, in order, and
    `digests` are those after each of them.
    """

    def __init__(
        self,
        world: PublicWorld,
        ledger: Ledger,
    ):
        self._world = world
        self._task = world.task
        self._published = world.published
        self._find = world.find
        self._ledger = ledger
        self._tokens = {agent: _Tokens() for agent in world.published}
        self.digests: list[bytes] = []

    @property
    def digest(self) -> bytes:
        return self.digests[-1] if self.digests else b""

    def check(self, asker: str, steps: Sequence[PublicStep]) -> None:
        """A `ProtocolError` about who asks, unless this is a plan of the joint projection that no
        prefix rules out.
        """
        self.check_guide(asker, steps)
        for agent, tokens in self._tokens.items():
            for prefix in tokens.prefixes:
                taken = tuple(s for s in steps if prefix.joint or s.agent == agent)
                if taken[: len(prefix.steps)] == prefix.steps:
                    raise _unneeded(asker, f"'{agent}' has disclosed that it cannot execute it")
        self.digests.append(digest.of_plans(self.digest, steps))

    def check_guide(self, asker: str, steps: Sequence[PublicStep]) -> None:
        """The same, prefixes apart. Agents of one process that hold the same ledger check a plan
        once.
        """
        for agent, tokens in self._tokens.items():
            tokens.enter(self._ledger.since(agent, tokens.entries))
        checked = (steps, list(self._ledger))
        if self._world.checked_plan != checked:
            self._check_steps(asker, steps)
            self._world.checked_plan = checked

    def _check_steps(self, asker: str, steps: Sequence[PublicStep]) -> None:
        """That every step can be taken, and that the goals are reached."""
        state = _State(
            set(self._task.init), {agent: set(own.initial) for agent, own in self._tokens.items()}
        )
        for number, step in enumerate(steps, 1):
            why = self._take(state, step)
            if why is not None:
                raise _unneeded(asker, f"step {number}, of '{step.agent}', {why}")
        if not state.facts.issuperset(self._task.goal):
            raise _unneeded(asker, "it does not reach all public goals")
        ends = {agent for agent, part in self._published.items() if part.has_private_goal}
        if ends != state.ended:
            missing = ", ".join(f"'{agent}'" for agent in sorted(ends - state.ended))
            raise _unneeded(asker, f"it leaves out the last action of {missing}")

    def _take(self, state: _State, step: PublicStep) -> str | None:
        """Take a step; why that cannot be, if it cannot."""
        agent, tokens, held = step.agent, self._tokens[step.agent], state.tokens[step.agent]
        part, action = self._published[step.agent], self._find(step)
        if agent in state.ended:
            return "comes after its last action"
        if action is None and not (step.action == FINISH and part.has_private_goal):
            return "was never published"
        needed = part.goal if action is None else action.tokens
        if not held.issuperset((*needed, *tokens.needs.get(step.action, ()))):
            return "needs a token that does not hold by the ledger"
        if action is None:
            state.ended.add(agent)
            return None
        if not state.facts.issuperset(action.needs):
            return "needs a public fact that does not hold"
        state.facts.difference_update(action.deletes)
        state.facts.update(action.adds)
        held.difference_update(tokens.deletes.get(step.action, ()))
        held.update(tokens.achieves.get(step.action, ()))
        return None


@dataclass
class _State:
    """What holds at a step: public facts, each agent's tokens; and who took its last action."""

    facts: set[int]
    tokens: dict[str, set[int]]
    ended: set[str] = field(default_factory=set)


def _unneeded(asker: str, why: str) -> ProtocolError:
    return ProtocolError(f"'{asker}' asks about a public plan that no run needs: {why}")
