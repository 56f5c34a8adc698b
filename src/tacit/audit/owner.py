"""Did an agent show more than it should? Decided by its owner, who has its files.

The owner repeats what the agent did: it grounds its own files with what the others sent in the
transcript, finds its dependencies, and compares. What an honest agent sends while grounding and
publishing follows from that to the byte; edges and threats must be true, within the budget, and in
the agent's own record; whatever can be inferred must follow from edges in that record. And no name
of anything private may stand in any frame. All of this stays with the owner: nothing is sent.

Which number stands for what is in the record, or follows from the agent's secret seed. Without
either only counts, shapes and names can be compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tacit.audit.holder import AgentAudit, Audit, Finding, describe, describe_achiever
from tacit.audit.knowledge import SeenEdge
from tacit.audit.names import names_in, private_names
from tacit.audit.recorded import Recorded
from tacit.audit.replay import Replay
from tacit.audit.traffic import Traffic
from tacit.errors import InputError
from tacit.party.disclosure.descriptions import Descriptions
from tacit.party.disclosure.graph import INIT, Edge
from tacit.party.disclosure.public_view import Shuffle
from tacit.party.local.task import LocalTask
from tacit.party.published import New, Published
from tacit.pddl.syntax import Pair
from tacit.public import disclosure
from tacit.public.disclosure import PublicEdge
from tacit.public.protocol.messages import (
    Publication,
    Publish,
    encode,
)
from tacit.public.task import PublicAction


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


def _names(traffic: Traffic, own: Own) -> Iterator[Finding]:
    sent = (seen.payload for seen in traffic.frames if seen.sender == own.name)
    for name in sorted(names_in(sent, private_names(own.pair))):
        yield Finding("names", f"the private name '{name}' is in what it sent")


class Comparison:
    """What an agent published and disclosed, beside what follows from its files."""

    def __init__(self, found: Audit, about: AgentAudit, own: Own, task: LocalTask):
        traffic = found.traffic
        self._about = about
        self._record = own.record
        self._traffic = traffic
        question = Publish(own.name, traffic.settings, traffic.ranking)
        self._published = Published(New(task, own.seed or "audit"), question)
        self._has_numbers = own.seed is not None or self._take_numbers(own.record)
        self._descriptions = Descriptions(self._published, None)

    @property
    def means(self) -> str:
        """What the comparison is made with."""
        if not self._has_numbers:
            return "its files"
        return "its files and record" if self._record else "its files and secret seed"

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
        if encode(part) != encode(expected):
            yield Finding("published", _difference(expected, part))
        if part.tokens == expected.tokens and len(part.actions) == len(expected.actions):
            yield from self._edges()
            yield from self._threats()
            yield from self._disclosed()
            yield from self._inferred()
            yield from self._repairs()

    def _own(self, edge: PublicEdge) -> Edge | None:
        """An edge in the agent's own numbers, None if there is no such action or token."""
        published = self._published
        try:
            is_initial = edge.achiever == disclosure.INIT
            achiever = INIT if is_initial else published.actions.own[edge.achiever]
            return Edge(achiever, published.tokens.own[edge.token], edge.positive)
        except IndexError:
            return None

    def _edges(self) -> Iterator[Finding]:
        true = set(self._published.dependencies.graph.edges)
        for edge in self._about.knowledge.edges:
            if self._own(edge) not in true:
                yield Finding("files", f"its files know of no edge {_in_numbers(edge)}")

    def _threats(self) -> Iterator[Finding]:
        own, count = self._published.dependencies, len(self._published.dependencies.token_facts)
        for _, edge in self._about.knowledge.threats:
            if edge.token >= count:
                continue  # a restored token; its number alone does not show which fact it is
            threat = self._own(edge)
            if (
                threat is None
                or threat.achiever == INIT
                or threat.token not in own.all_deletes[threat.achiever]
            ):
                yield Finding("files", f"its files know of no threat {_in_numbers(edge)}")

    def _disclosed(self) -> Iterator[Finding]:
        """Is everything in the record that was disclosed to anybody?"""
        count = len(self._published.dependencies.token_facts)
        for seen in self._about.knowledge.disclosures if self._record is not None else ():
            if seen.edge.token < count and self._own(seen.edge) is not None:
                yield from self._unrecorded(seen)

    def _unrecorded(self, seen: SeenEdge) -> Iterator[Finding]:
        """Is this not in the record? If another agent sent it, it must have come from this one."""
        if self._record is None:
            return
        is_own = seen.sender == self._published.task.agent
        known = self._record.disclosed_to(seen.receiver) if is_own else self._record.all_edges
        if self._descriptions.edge(seen.edge) not in known:
            receiver = f" to '{seen.receiver}'" if is_own else ""
            text = f"it disclosed {_in_numbers(seen.edge)}{receiver}, which is not in its record"
            yield Finding("record", text)

    def _inferred(self) -> Iterator[Finding]:
        """Does every inferred dependency follow from edges that were disclosed to anybody? Without
        a record it is not known which these are.
        """
        if self._record is None:
            return
        allowed = self._allowed(self._record.all_edges)
        for item in self._about.inferred:
            if item.evidence == "plan" and not item.holds_by(allowed):
                yield Finding("inferred", f"{describe(item)}, which it disclosed to nobody")

    def _allowed(self, recorded: set[str]) -> set[PublicEdge]:
        own = map(self._published.show, self._published.dependencies.graph.edges)
        return {edge for edge in own if self._descriptions.edge(edge) in recorded}.union(
            self._about.knowledge.edges
        )

    def _repairs(self) -> Iterator[Finding]:
        """Are restored tokens and prefixes in the record, as many as there are?"""
        if self._record is None:
            return
        knowledge = self._about.knowledge
        recorded = [text for texts in self._record.repairs.values() for text in texts]
        prefixes = sum("cannot be executed" in text for text in recorded)
        restored = sum("is restored" in text for text in recorded)
        for what, here, there in (
            ("prefixes", len(knowledge.prefixes), prefixes),
            ("restored tokens", len(knowledge.restored), restored),
        ):
            if here > there:
                text = f"it disclosed {here} {what}, and its record has {there}"
                yield Finding("record", text)


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
        return f"{differing} published actions differ from those of its files"
    if expected.tokens != part.tokens:
        return f"{part.tokens} tokens were published, and its files have {expected.tokens}"
    return "its publication differs from its files"


def _in_numbers(edge: PublicEdge) -> str:
    verb = "achieves" if edge.positive else "deletes"
    return f"({describe_achiever(edge.achiever)} {verb} token {edge.token})"
