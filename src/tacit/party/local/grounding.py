"""An agent that grounds its own files together with the others (docs/semantics.md).

What is reachable, and which predicates are static, depends on the others. The agents take turns, in
the natural order of their names: in its turn an agent sends all that it can newly reach with what
all before it have reached. It is over when everybody had nothing to say in a row, which all of them
see at the same time. There is no coordinator. After that each agent sends which public facts it
needs negated, and all of them can number the public facts alike.

What an agent cannot reach in its turn tells what it lacks (docs/leakage.md). So one speaks after
the other, and not all at once: who speaks later has heard more, and lacks less. Nobody waits for
its turn to begin: an agent grounds what it can as soon as it hears something, and what others say
before its turn is no news any more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from tacit import native, watch
from tacit.errors import ProtocolError
from tacit.party.local.compiled import Compiled, ground_limit
from tacit.party.local.task import LocalTask
from tacit.pddl.agents import natural_key, natural_order
from tacit.pddl.syntax import Pair
from tacit.public.protocol.messages import AnyMessage, Closing, Opening, Reached, decode, encode
from tacit.public.protocol.port import Outbound
from tacit.public.task import PublicFact


class GroundingAgent:
    """One agent's side of the exchange; `task` is there when it is over."""

    def __init__(self, pair: Pair, agents: Sequence[str]):
        assert pair.agent is not None
        self.name = pair.agent
        self.task: LocalTask | None = None
        self.public_facts: tuple[PublicFact, ...] = ()
        self.public_init: tuple[int, ...] = ()
        self.public_goal: tuple[int, ...] = ()
        self._compiled = Compiled(pair, [pair.agent])
        self._order = natural_order(agents)
        self._peers = [name for name in agents if name != pair.agent]
        self._inbox: defaultdict[int, dict[str, AnyMessage]] = defaultdict(dict)
        self._turn = 0
        self._is_closing = False
        self._grounder: native.Grounder | None = None
        self._fluent: set[str] = set()
        self._known: set[PublicFact] = set()
        self._falsified: set[PublicFact] = set()
        self._silent = 0
        """How many turns in a row brought nothing."""
        self._true: set[PublicFact] = set()
        self._false: set[PublicFact] = set()
        """What it has reached and not said."""
        self._heard: list[PublicFact] = []
        self._told: list[list[PublicFact]] = []
        """Before each own turn, what others newly reached; negations among it."""
        self._initial: set[PublicFact] = set()
        self._own_initial: tuple[PublicFact, ...] = ()

    def open(self, out: Outbound) -> None:
        public = set(self._compiled.public_predicates)
        changes = tuple(sorted(self._compiled.public_changes))
        negates = tuple(sorted(public.intersection(self._compiled.negates)))
        self._send(Opening(self.name, changes, negates), out)

    def receive(self, sender: str, frame: bytes, out: Outbound) -> None:
        message = decode(frame)
        if message.sender != sender or sender not in self._peers:
            raise ProtocolError(f"agent '{sender}' sent a message in another's name")
        self._take(self._turn_of(message), message, out)

    @property
    def awaited(self) -> list[str]:
        """The peers whose message of this turn is missing."""
        present = self._inbox[-1 if self._is_closing else self._turn]
        return [peer for peer in self._peers if peer not in present and self._speaks(peer)]

    def _speaks(self, agent: str) -> bool:
        """Does this agent send something in this turn?"""
        return self._is_closing or self._turn == 0 or self._speaker(self._turn) == agent

    def _speaker(self, turn: int) -> str:
        return self._order[(turn - 1) % len(self._order)]

    def _turn_of(self, message: AnyMessage) -> int:
        """Turn 0 is the opening, in which all speak, then one speaks in a turn; the closing of all
        follows the last.
        """
        if isinstance(message, Opening):
            return 0
        if isinstance(message, Reached):
            is_near = self._turn <= message.turn <= self._turn + len(self._order)
            if not is_near or message.turn < 1 or self._speaker(message.turn) != message.sender:
                raise ProtocolError(f"agent '{message.sender}' sent a message out of turn")
            return message.turn
        return -1

    def _take(self, turn: int, message: AnyMessage, out: Outbound) -> None:
        if message.sender in self._inbox[turn] or (0 <= turn < self._turn):
            raise ProtocolError(f"agent '{message.sender}' sent two messages in one turn")
        self._inbox[turn][message.sender] = message
        while self._is_complete():
            self._advance(out)

    def _is_complete(self) -> bool:
        if self.task is not None:
            return False
        heard = self._inbox[-1 if self._is_closing else self._turn]
        return all(name in heard for name in self._order if self._speaks(name))

    def _send(self, message: AnyMessage, out: Outbound) -> None:
        frame = encode(message)
        for peer in self._peers:
            out.send(peer, frame)
        self._take(self._turn_of(message), message, out)

    def _advance(self, out: Outbound) -> None:
        if self._is_closing:
            self._close([m for m in self._inbox[-1].values() if isinstance(m, Closing)])
            return
        heard = list(self._inbox.pop(self._turn).values())
        self._turn += 1
        if self._turn == 1:
            self._begin([m for m in heard if isinstance(m, Opening)])
        for message in heard:
            if isinstance(message, Reached):
                self._learn(message)
        if self._silent == len(self._order):
            self._is_closing = True
            self._send(self._closing(), out)
        elif self._speaker(self._turn) == self.name:
            self._speak_reached(out)

    def _begin(self, openings: Iterable[Opening]) -> None:
        openings = list(openings)
        self._fluent = {name for opening in openings for name in opening.changes}
        negated = {name for opening in openings for name in opening.negates}
        self._grounder = self._compiled.grounder(self._fluent, negated)
        self._own_initial = self._public_initial()
        self._reach()

    def _reach(self) -> None:
        """Ground with all that was heard."""
        grounder = self._running()
        try:
            grounder.run()
        except native.GroundingLimit as error:
            raise ground_limit(error) from None
        self._true.update(self._public(grounder.take_reached()))
        self._false.update(self._public(grounder.take_falsified()))

    def _speak_reached(self, out: Outbound) -> None:
        """Say what nobody has said."""
        self._told.append(self._heard)
        self._heard = []
        initial = self._own_initial if self._turn <= len(self._order) else ()
        true = tuple(sorted(self._true - self._known))
        false = tuple(sorted(self._false - self._falsified))
        self._true.clear()
        self._false.clear()
        self._send(Reached(self.name, self._turn, initial, true, false), out)

    def _public_initial(self) -> tuple[PublicFact, ...]:
        """Initial facts that are public and may change."""
        compiled = self._compiled
        private_objects = {item.name for item in compiled.pair.objects if item.private}
        public = set(compiled.public_predicates) & self._fluent
        return tuple(
            sorted(
                PublicFact(atom.name, atom.args)
                for atom in compiled.pair.problem.init
                if atom.name in public and private_objects.isdisjoint(atom.args)
            )
        )

    def _public(self, flat: Sequence[int]) -> tuple[PublicFact, ...]:
        """Facts by name, sorted: the order in which they were found stays private."""
        return tuple(sorted(PublicFact(*fact) for fact in self._compiled.facts(flat)))

    def _learn(self, message: Reached) -> None:
        self._check_initial(message)
        self._silent = self._silent + 1 if message.is_empty else 0
        self._known.update(message.initial, message.true)
        self._falsified.update(message.false)
        self._initial.update(message.initial)
        if message.sender == self.name or message.is_empty:
            return
        self._heard += message.true
        self._heard += (PublicFact(fact.predicate, fact.args, False) for fact in message.false)
        reached = self._numbers((*message.initial, *message.true))
        self._running().learn(reached, self._numbers(message.false))
        self._running().take_falsified()  # what was learned is not news to the others
        self._reach()

    def _check_initial(self, message: Reached) -> None:
        """What holds in a peer's initial state, as far as I have names for it, holds in mine."""
        if message.initial and message.turn > len(self._order):
            raise ProtocolError(f"agent '{message.sender}' sent its initial state twice")
        names = {*self._compiled.predicates, *self._compiled.objects}
        own = set(self._own_initial)
        for fact in message.initial:
            if {fact.predicate, *fact.args} <= names and fact not in own:
                raise ProtocolError(
                    f"agents '{self.name}' and '{message.sender}' disagree on whether {fact} "
                    "holds in the initial state"
                )

    def _numbers(self, facts: Iterable[PublicFact]) -> list[int]:
        """Facts in the core's terms; those this agent has no names for do not concern it."""
        compiled = self._compiled
        done: list[int] = []
        for fact in facts:
            predicate = compiled.predicate_number.get(fact.predicate)
            args = [compiled.object_number.get(arg) for arg in fact.args]
            if predicate is None or None in args:
                continue
            if len(args) != len(compiled.pair.domain.predicates[predicate].parameters):
                raise ProtocolError(f"predicate '{fact.predicate}' has another arity elsewhere")
            done.append(predicate)
            done.extend(~arg for arg in args if arg is not None)
        return done

    def _closing(self) -> Closing:
        compiled = self._compiled
        negated = self._public(self._running().negated(compiled.negative_goals))
        public = set(compiled.public_predicates)
        private_objects = {item.name for item in compiled.pair.objects if item.private}
        goals = sorted(
            PublicFact(literal.atom.name, literal.atom.args, literal.positive)
            for literal in compiled.pair.problem.goal
            if literal.atom.name in public and private_objects.isdisjoint(literal.atom.args)
        )
        return Closing(self.name, negated, tuple(goals))

    def _close(self, closings: list[Closing]) -> None:
        compiled = self._compiled
        for closing in closings:
            self._check_negated(closing)
        negated = {fact for closing in closings for fact in closing.negated}
        task = self._running().finish(
            compiled.goals, compiled.negative_goals, self._numbers(sorted(negated))
        )
        rows = native.Rows(task.facts)
        own = [
            PublicFact(*compiled.fact([row[0], *row[2:]]), positive=bool(row[1]))
            for row in (rows[number] for number in watch.checked(range(task.public_facts)))
        ]
        goals = self._agreed_goals(closings)
        self._number_public(own, negated, goals)
        place = {fact: number for number, fact in enumerate(self.public_facts)}
        arrays = task.local(0, [place[fact] for fact in own], len(self.public_facts))
        told = [[place[fact] for fact in facts if fact in place] for facts in self._told]
        self.task = LocalTask(self.name, compiled, arrays, self.public_facts, told)

    def _check_negated(self, closing: Closing) -> None:
        """What is needed negated can be made true by somebody, or holds initially."""
        unknown = [fact for fact in closing.negated if fact not in self._known]
        if unknown:
            raise ProtocolError(
                f"agent '{closing.sender}' needs the negation of {len(unknown)} public facts that "
                "no agent has"
            )

    def _agreed_goals(self, closings: list[Closing]) -> set[PublicFact]:
        own = {fact for c in closings if c.sender == self.name for fact in c.goals}
        for closing in closings:
            if set(closing.goals) != own:
                raise ProtocolError(
                    f"agents '{self.name}' and '{closing.sender}' disagree on the public goals"
                )
        return own

    def _number_public(
        self, own: list[PublicFact], negated: set[PublicFact], goals: set[PublicFact]
    ) -> None:
        """The public facts in the order everybody agrees on, with the public start and goal."""
        positive = {fact for fact in self._known if fact.predicate in self._fluent}
        negative = {PublicFact(f.predicate, f.args, False) for f in negated}
        everything = {*own, *positive, *negative}
        self.public_facts = tuple(sorted(everything, key=_name_order))
        holds = self._initial | {
            f for f in negative if PublicFact(f.predicate, f.args) not in self._initial
        }
        self.public_init = tuple(n for n, f in enumerate(self.public_facts) if f in holds)
        self.public_goal = tuple(n for n, f in enumerate(self.public_facts) if f in goals)

    def result(self) -> LocalTask:
        """The local task, once the exchange is over."""
        if self.task is None:
            raise ProtocolError(f"agent '{self.name}' was left waiting for the others")
        return self.task

    def _running(self) -> native.Grounder:
        if self._grounder is None:
            raise ProtocolError("grounding has not begun")
        return self._grounder


def _name_order(fact: PublicFact) -> tuple[object, ...]:
    """The order in which the core sorts public facts as well."""
    return (natural_key(fact.predicate), *map(natural_key, fact.args), not fact.positive)
