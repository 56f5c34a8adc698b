"""Did an agent show more than it should? Decided by its owner, who has its files.

The owner repeats what the agent did: it grounds its own files with what the others sent in the
transcript, finds its dependencies, and compares. What an honest agent sends while grounding and
publishing follows from that to the byte; edges and repairs must be true, within the budget, and in
the agent's own record for whoever received them. And no name of anything private may stand in any
frame. All of this stays with the owner: nothing is sent.

Which number stands for what is in the record, or follows from the agent's secret seed. Without
either only counts, shapes and names can be compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from msgspec.structs import replace

from tacit.audit.holder import AgentAudit, Audit, Finding, describe_achiever
from tacit.audit.names import names_in, private_names
from tacit.audit.recorded import Lines, Recorded
from tacit.audit.replay import Replay
from tacit.errors import InputError
from tacit.leakage.reading.traffic import Traffic
from tacit.party.disclosure.descriptions import Descriptions
from tacit.party.disclosure.graph import INIT, Edge
from tacit.party.disclosure.public_view import Shuffle
from tacit.party.local.task import LocalTask
from tacit.party.published import New, Published
from tacit.pddl.syntax import Pair
from tacit.public import disclosure
from tacit.public.disclosure import FINISH, PublicEdge, RestoredToken
from tacit.public.ledger import Entry, Kind
from tacit.public.protocol.messages import (
    Publication,
    Publish,
    encode,
)
from tacit.public.task import PublicAction
from tacit.words import counted, form


@dataclass(frozen=True)
class Own:
    """What an owner brings: its files, and what each number stands for."""

    pair: Pair
    record: Recorded | None = None
    seed: str | None = None

    @property
    def name(self) -> str:
        return str(self.pair.agent)


def check(found: Audit, own: Own) -> None:
    """Add what the owner finds to an audit that has its agent in it."""
    about = found.agents.get(own.name)
    if about is None:
        known = ", ".join(found.agents) or "none"
        raise InputError(f"this transcript is about no agent '{own.name}'", f"it is about: {known}")
    about.checked_with = "its files"
    about.findings += _names(found.traffic, own)
    replayed = Replay(found.traffic, own.pair)
    about.findings += replayed.findings
    if replayed.task is not None and about.knowledge.published is not None:
        comparison = Comparison(found, about, own, replayed.task)
        about.findings += comparison.findings()
        about.checked_with = comparison.means
        about.kept = comparison.kept
        if comparison.edges is not None:
            about.leakage = found.meter.about(own.name, comparison.edges)


def _names(traffic: Traffic, own: Own) -> Iterator[Finding]:
    sent = (seen.payload for seen in traffic.frames if seen.sender == own.name)
    for name in sorted(names_in(sent, private_names(own.pair))):
        yield Finding("names", f"the private name '{name}' is in what it sent")


class Comparison:
    """What an agent published and disclosed, beside what follows from its files."""

    def __init__(self, found: Audit, about: AgentAudit, own: Own, task: LocalTask):
        traffic = found.traffic
        self._about = about
        self._record = own.record.next_to(traffic.started) if own.record else None
        self._traffic = traffic
        question = Publish(own.name, traffic.settings, traffic.ranking)
        self._published = Published(New(task, own.seed or "audit"), question)
        self._has_numbers = own.seed is not None or self._take_numbers(self._record)
        self._descriptions = Descriptions(self._published, None)

    @property
    def means(self) -> str:
        """What the comparison is made with."""
        if not self._has_numbers:
            return "its files"
        return "its files and record" if self._record else "its files and secret seed"

    @property
    def edges(self) -> frozenset[PublicEdge] | None:
        """All its edges in the numbers of the run; None if these are not known, or do not fit."""
        part, expected = self._about.knowledge.published, self._published.publication
        is_same = part is not None and encode(replace(part, threats=())) == encode(
            replace(expected, threats=())
        )
        return self._published.all_edges if self._has_numbers and is_same else None

    @property
    def kept(self) -> int:
        """How many of its edges nobody was sent."""
        return len(self._published.dependencies.graph.columns) - self._about.counts.edges

    def _take_numbers(self, record: Recorded | None) -> bool:
        """Number actions and tokens as the record does."""
        if record is None:
            return False
        own = self._published.dependencies
        actions = {own.action_name(n): n for n in range(len(own.members))}
        tokens = {own.token_name(n): n for n in range(len(own.token_facts))}
        shuffles = _shuffle(record.actions, actions), _shuffle(record.tokens, tokens)
        if shuffles[0] is None or shuffles[1] is None:
            return False
        self._published.actions, self._published.tokens = shuffles[0], shuffles[1]
        return True

    def findings(self) -> Iterator[Finding]:
        part = self._about.knowledge.published
        assert part is not None
        expected = self._published.publication
        if self._record is not None and not self._has_numbers:
            yield Finding("record", "the record does not fit the files")
        if not self._has_numbers:
            yield from _shapes(expected, part)
            return
        if encode(replace(part, threats=())) != encode(replace(expected, threats=())):
            yield Finding("published", _difference(expected, part))
        if part.tokens == expected.tokens and len(part.actions) == len(expected.actions):
            yield from self._edges()
            yield from self._threats()
            yield from self._restored()
            yield from self._recorded()

    def _own_achiever(self, achiever: int) -> int | None:
        """The initial state or an action in the agent's own numbers; None if there is none."""
        actions = self._published.actions.own
        if achiever == disclosure.INIT:
            return INIT
        return actions[achiever] if achiever in range(len(actions)) else None

    def _own(self, edge: PublicEdge) -> Edge | None:
        """An edge in the agent's own numbers, None if there is no such action or token."""
        achiever, tokens = self._own_achiever(edge.achiever), self._published.tokens.own
        if achiever is None or edge.token not in range(len(tokens)):
            return None
        return Edge(achiever, tokens[edge.token], edge.positive)

    def _edges(self) -> Iterator[Finding]:
        true = set(self._published.dependencies.graph.edges)
        for edge in self._about.knowledge.edges:
            if self._own(edge) not in true:
                yield Finding("files", f"its files know of no edge {_in_numbers(edge)}")

    def _threats(self) -> Iterator[Finding]:
        known, threats = self._about.knowledge.known, self._about.entries(Kind.THREAT)
        strange = [edge for edge in known if edge not in self._published.publication.threats]
        strange += (e for e in threats if isinstance(e, PublicEdge) and not self._is_threat(e))
        for edge in strange:
            yield Finding("files", f"its files know of no threat {_in_numbers(edge)}")

    def _is_threat(self, edge: PublicEdge) -> bool:
        achiever = self._own_achiever(edge.achiever)
        if achiever is None or achiever == INIT:
            return False
        deletes = self._published.dependencies.all_deletes[achiever]
        return not deletes.isdisjoint(self._facts_behind(edge.token))

    def _facts_behind(self, token: int) -> set[int]:
        """What a token may stand for, in own numbers: static facts come after tokens."""
        tokens = self._published.tokens.own
        if token in range(len(tokens)):
            return {tokens[token]}
        items = self._about.entries(Kind.TOKEN)
        named = [item for item in items if isinstance(item, RestoredToken) and item.token == token]
        return {fact for item in named for fact in self._static_facts.get(item.needed_by, ())}

    @cached_property
    def _static_facts(self) -> dict[tuple[int, ...], set[int]]:
        """Static facts, by the published numbers of the actions that need them."""
        own, first = self._published.dependencies, len(self._published.dependencies.token_facts)
        goal = set(own.task.arrays.goal)
        found: dict[tuple[int, ...], set[int]] = {}
        for number, fact in enumerate(own.static_facts, first):
            users = (a for a, needs in enumerate(own.all_needs) if number in needs)
            shown = [*map(self._published.show_action, users), *([FINISH] if fact in goal else [])]
            found.setdefault(tuple(sorted(shown)), set()).add(number)
        return found

    def _restored(self) -> Iterator[Finding]:
        for item in self._about.entries(Kind.TOKEN):
            if isinstance(item, RestoredToken) and not self._facts_behind(item.token):
                text = f"its files know of no token that actions {_numbers(item)} need"
                yield Finding("files", text)

    def _recorded(self) -> Iterator[Finding]:
        """Is everything in the record that was disclosed, for whoever received it?"""
        if self._record is None:
            return
        agent = self._published.task.agent
        for receiver, ledger in self._about.ledgers.received.items():
            own = [entry for entry in ledger if entry.agent == agent]
            lines = self._record.to(receiver)
            for entry in own if receiver != agent else ():
                text = self._unrecorded(entry, lines)
                if text:
                    text = f"it disclosed {text} to '{receiver}', which is not in its record"
                    yield Finding("record", text)
            prefixes = sum(entry.kind is Kind.PREFIX for entry in own)
            if prefixes > lines.prefixes:
                text = f"it disclosed {prefixes} prefixes to '{receiver}'"
                yield Finding("record", f"{text}, and its record has {lines.prefixes}")

    def _unrecorded(self, entry: Entry, lines: Lines) -> str | None:
        """What is not in the record of a receiver, if anything."""
        item = entry.item
        if isinstance(item, RestoredToken):
            is_known = self._restored_as(item.token, lines)[1] == self._users(item)
            return None if is_known else f"a token that actions {_numbers(item)} need"
        if not isinstance(item, PublicEdge) or self._record is None:
            return None
        # What was published may have been passed on.
        free = self._record.all_edges if entry.kind is Kind.FREE else set[str]()
        known = {Kind.EDGE: lines.edges, Kind.THREAT: lines.threats}.get(entry.kind, free)
        return None if self._described(item, lines) in known else _in_numbers(item)

    def _users(self, token: RestoredToken) -> str | None:
        """The names of the actions that need a restored token; None if there are no such."""
        own = [n for n in token.needed_by if n == FINISH or self._own_achiever(n) is not None]
        names = ", ".join(map(self._descriptions.action, own))
        return names if len(own) == len(token.needed_by) else None

    def _restored_as(self, token: int, lines: Lines) -> tuple[str, str]:
        """What a restored token stands for, and what needs it, as a receiver's lines have it."""
        place = token - len(self._published.tokens.own)
        return lines.restored[place] if place in range(len(lines.restored)) else ("", "")

    def _described(self, edge: PublicEdge, lines: Lines) -> str | None:
        """An edge with names; None if there is no such action or token."""
        if self._own(edge) is not None:
            return self._descriptions.edge(edge)
        fact, _ = self._restored_as(edge.token, lines)
        if self._own_achiever(edge.achiever) is None or not fact:
            return None
        action, verb = self._descriptions.action(edge.achiever), _verb(edge)
        return f"{action} {verb} {fact}"


def _shuffle(shown: dict[int, str], own: dict[str, int]) -> Shuffle | None:
    """Own numbers by those that others see; None if the record names other things."""
    if sorted(shown) != list(range(len(own))) or set(shown.values()) != set(own):
        return None
    back = tuple(own[shown[number]] for number in range(len(own)))
    forth = [0] * len(back)
    for number, name in enumerate(back):
        forth[name] = number
    return Shuffle(tuple(forth), back)


Shape = tuple[int, tuple[int, ...], tuple[int, ...], tuple[int, ...], int]


def _shape(action: PublicAction) -> Shape:
    return action.cost, action.needs, action.adds, action.deletes, len(action.tokens)


def _shapes(expected: Publication, part: Publication) -> Iterator[Finding]:
    """Without numbers: are there as many actions and tokens, that look alike?"""
    ours, theirs = Counter(map(_shape, expected.actions)), Counter(map(_shape, part.actions))
    if ours != theirs or expected.tokens != part.tokens or len(expected.goal) != len(part.goal):
        yield Finding("published", _difference(expected, part))


def _difference(expected: Publication, part: Publication) -> str:
    ours, theirs = Counter(map(_shape, expected.actions)), Counter(map(_shape, part.actions))
    differing = (theirs - ours).total() + (ours - theirs).total()
    if differing:
        actions = counted(differing, "published action")
        return f"{actions} {form(differing, 'differs', 'differ')} from those of its files"
    if expected.tokens != part.tokens:
        return (
            f"published are {counted(part.tokens, 'token')}, and its files have {expected.tokens}"
        )
    return "its publication differs from its files"


def _in_numbers(edge: PublicEdge) -> str:
    return f"({describe_achiever(edge.achiever)} {_verb(edge)} token {edge.token})"


def _verb(edge: PublicEdge) -> str:
    return "achieves" if edge.positive else "deletes"


def _numbers(token: RestoredToken) -> str:
    return ", ".join(map(str, token.needed_by))
