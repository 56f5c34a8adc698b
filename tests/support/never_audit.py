"""Was anything told, or given away by the plan, that an agent must never tell?

An independent check: it reads the frames that crossed and the names in the agents' files, and
matches rules by itself. From the frames come the published edges, the repairs and the public plan.
Two things are asked. Is an edge, a threat, a token that came back, or the beginning of a plan that
somebody could not carry out among what is never told? And does the plan follow from what was told:
was every token that a step needs given by a disclosed edge of an earlier step of its agent, or of
the start? Then nobody has to think of an edge that was not told to explain it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from tacit.party.agent import Agent
from tacit.party.disclosure.weights import Weights
from tacit.public.disclosure import FINISH, INIT, PublicEdge, PublicStep
from tacit.public.protocol.messages import (
    Confirm,
    Disclosed,
    EdgeDisclosed,
    Extend,
    ExtendAnswer,
    Extended,
    JointReached,
    PrefixFails,
    Publication,
    Scope,
    States,
    Threatened,
)
from tacit.public.protocol.states import decode_batch
from tacit.public.protocol.transcript import Transcript


def audit(
    agents: Mapping[str, Agent],
    weights: Weights,
    transcript: Transcript,
    start_is_free: bool = False,
) -> list[str]:
    """What was told or is implied though it must not be; empty if nothing was.

    With `start_is_free` (rule `authors`), a plan may rest on what holds at the start without a word
    of it, unless that is never told.
    """
    made = _Audit(agents, weights, start_is_free)
    return list(dict.fromkeys(made.complaints(transcript)))


class _Names:
    """One agent's public numbers in the words of its files, and its rules."""

    def __init__(self, agent: Agent, weights: Weights):
        self._agent = agent
        table = weights.of(agent.name)
        self._default = table.default
        self._rules = [(_glob(r.action), _glob(r.fact), r.price) for r in table.rules]
        own, task = agent.dependencies, agent.task
        self.locals = {agent.step(n).action: list(members) for n, members in enumerate(own.members)}
        self.actions = {
            shown: [task.action_name(a).lower() for a in members]
            for shown, members in self.locals.items()
        }
        self.actions[INIT] = ["(the initial state)"]

    def fact(self, token: int) -> str:
        return self._agent.descriptions.token(token).lower()

    def is_never(self, action: str, fact: str) -> bool:
        price: int | None = self._default
        for actions, facts, asked in self._rules:
            if fnmatchcase(action, actions) and fnmatchcase(fact, facts):
                price = asked
        return price is None

    def forbids(self, edge: PublicEdge) -> bool:
        fact = self.fact(edge.token)
        return any(self.is_never(name, fact) for name in self.actions[edge.achiever])

    def forbids_step(self, step: int) -> bool:
        """Does what the step itself gives or ends have to do with what is never told?"""
        task = self._agent.task
        for action, name in zip(self.locals[step], self.actions[step], strict=True):
            changed = (*task.add[action], *task.delete[action])
            for fact in task.to_facts([f for f in changed if f >= task.public_count]):
                if self.is_never(name, task.fact_name(fact).lower()):
                    return True
        return False


class _Audit:
    def __init__(self, agents: Mapping[str, Agent], weights: Weights, start_is_free: bool):
        self._start_is_free = start_is_free
        self._names = {name: _Names(agent, weights) for name, agent in agents.items()}
        self._published: dict[str, Publication] = {}
        self._told: dict[str, set[PublicEdge]] = {name: set() for name in agents}
        self._order = tuple(agents)
        self._asked: tuple[PublicStep, ...] = ()
        self._agreed: set[str] = set()
        self._plan: tuple[PublicStep, ...] | None = None

    def complaints(self, transcript: Transcript) -> Iterator[str]:
        for message in transcript.messages():
            if isinstance(message, Publication):
                self._published[message.sender] = message
                yield from self._edges(message.sender, message.threats)
            elif isinstance(message, EdgeDisclosed):
                self._told[message.sender].add(message.edge)
                yield from self._edges(message.sender, [message.edge])
            elif isinstance(message, Disclosed):
                self._told[message.sender].update(message.edges)
                yield from self._edges(message.sender, message.edges)
            elif isinstance(message, JointReached):
                yield from self._edges(message.sender, message.free)
            elif isinstance(message, Extend | Confirm):
                if message.steps != self._asked or len(self._agreed) == len(self._order):
                    self._agreed = set()
                self._asked = message.steps
            elif isinstance(message, ExtendAnswer):
                yield from self._extended(message)
            elif isinstance(message, States):
                yield from self._states(message)
        if self._plan is not None:
            yield from self._implied(self._plan)

    def _edges(self, agent: str, edges: Iterable[PublicEdge]) -> Iterator[str]:
        for edge in edges:
            if self._names[agent].forbids(edge):
                yield f"agent '{agent}' told an edge that it must never tell"

    def _extended(self, answer: ExtendAnswer) -> Iterator[str]:
        agent, names = answer.sender, self._names[answer.sender]
        if isinstance(answer, Extended):
            self._agreed.add(agent)
            if len(self._agreed) == len(self._order):
                self._plan = self._asked
            return
        self._plan = None
        if isinstance(answer, Threatened):
            initial = [PublicEdge(INIT, back.token) for back in answer.restored]
            yield from self._edges(agent, [*answer.threats, *initial])
        if not isinstance(answer, PrefixFails):
            return
        own = [step.action for step in self._asked if step.agent == agent]
        beginning: Sequence[int] = own[: answer.steps]
        if answer.scope is Scope.JOINT:
            joint = [step for step in self._asked if step.action != FINISH][: answer.steps]
            beginning = [step.action for step in joint if step.agent == agent]
        is_whole = len(beginning) >= sum(action != FINISH for action in own)
        if not is_whole and any(names.forbids_step(step) for step in beginning if step >= 0):
            yield f"agent '{agent}' named a beginning with a step that it must never tell of"

    def _states(self, message: States) -> Iterator[str]:
        """A token that is said to hold was given by an edge that was told."""
        for meaning in decode_batch(message.batch).indices:
            agent = self._order[meaning.agent]
            if not meaning.tokens <= {edge.token for edge in self._told[agent] if edge.positive}:
                yield f"states say that a token of '{agent}' holds that it gave no edge for"

    def _implied(self, plan: Sequence[PublicStep]) -> Iterator[str]:
        for agent in self._order:
            part = self._published[agent]
            needs = {action.id: action.tokens for action in part.actions} | {FINISH: part.goal}
            edges = [edge for edge in self._told[agent] if edge.positive]
            held = {edge.token for edge in edges if edge.achiever == INIT}
            if self._start_is_free:
                free = (PublicEdge(INIT, token) for token in range(part.tokens))
                held |= {edge.token for edge in free if not self._names[agent].forbids(edge)}
            for step in (step.action for step in plan if step.agent == agent):
                if not held.issuperset(needs[step]):
                    yield f"the plan needs an edge of agent '{agent}' that was not told"
                held |= {edge.token for edge in edges if edge.achiever == step}


def _glob(text: str | None) -> str:
    """A pattern of the file for `fnmatch`."""
    if text is None:
        return "*"
    words = " ".join(text.lower().split())
    inner = words[1:-1].strip() if words[:1] == "(" and words[-1:] == ")" else words
    return f"({inner})".replace("[", "[[]")
