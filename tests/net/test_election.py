"""The election of the leader: nobody steers it, and who tries is named and does not lead."""

from __future__ import annotations

import itertools
import math
import stat
from pathlib import Path
from typing import TypeVar

import pytest
from support.frames import Wires
from support.hosts import Troupe, all_solved, play, small
from support.inside import abort, network_of, nonce_of

from tacit.errors import InputError, ProtocolError
from tacit.net.election import Election
from tacit.net.record import DisclosureRecord
from tacit.net.talk import Talk
from tacit.public.protocol import election
from tacit.public.protocol.link import Agreed, Hello, Reason, Revealed, Stage, Terms, difference
from tacit.public.protocol.messages import Closing, decode, encode
from tacit.public.task import PublicFact
from tacit.transport.mailbox import Arrived, Down

T = TypeVar("T")
NAMES = ("a", "b", "evil")
HONEST = NAMES[:2]


def most_by_chance(tries: int, share: float) -> int:
    """As many successes, or more, come by chance in one case of a hundred at most. With few tries,
    in one of a million, as these are made often: whoever steers has nearly all of them.
    """
    rare = 0.01 if tries >= 100 else 1e-6
    likely = 0.0
    for count in range(tries, -1, -1):
        likely += math.comb(tries, count) * share**count * (1 - share) ** (tries - count)
        if likely > rare:
            return count
    return 0


class Adversary:
    """One of three agents. It reveals last, when it knows the other nonces; if it would not lead,
    it leaves, and comes back with whatever nonce makes it lead, and once more with its first one.
    If it `is_patient`, it reveals all the same, and leaves only then.
    """

    def __init__(self, number: int, folder: Path | None, is_patient: bool = False):
        self.is_patient = is_patient
        self.task = election.task_of(NAMES, number.to_bytes(32, "big"))
        self.folder = folder
        self.tries = 0
        self.first = number.to_bytes(32, "little")

    def leads(self) -> bool:
        """Does it lead in any of its tries?"""
        known = self._try(self.first)
        if known is None:
            return True
        wanted = next(
            nonce
            for nonce in (n.to_bytes(32, "big") for n in itertools.count())
            if election.leader(known | {"evil": nonce}) == "evil"
        )
        return any(self._try(nonce) is None for nonce in (wanted, self.first))

    def _try(self, nonce: bytes) -> dict[str, bytes] | None:
        """A run: None if it leads, else the others' nonces as far as it has seen them."""
        self.tries += 1
        made = {name: Election(name, self.task, self._folder(name), None) for name in HONEST}
        hellos = {name: _hello(name, one.commitment, one.not_leading) for name, one in made.items()}
        own = election.commitment(self.task, "evil", nonce)
        excluded = sorted({name for one in made.values() for name in one.not_leading})
        hellos["evil"] = _hello("evil", own, tuple(excluded))
        nonces = {name: nonce_of(one) for name, one in made.items()}
        try:
            for name, one in made.items():
                one.meet({peer: hello for peer, hello in hellos.items() if peer != name})
        except ProtocolError as error:
            return _said(error, "'evil' committed to another nonce than before", {})
        would_lead = election.leader(nonces | {"evil": nonce}, excluded) == "evil"
        shown = election.of_commitments({name: hellos[name].commitment for name in NAMES})
        ends = set()
        for name, one in made.items():
            last = Revealed("evil", nonce) if would_lead or self.is_patient else None
            ends.add(_elected(name, one, shown, nonces, last))
        assert len(ends) == 1
        return None if ends == {"evil"} else nonces

    def _folder(self, name: str) -> Path | None:
        return None if self.folder is None else self.folder / name


def _said(error: ProtocolError, text: str, then: T) -> T:
    assert text in str(error)
    return then


def _hello(name: str, commitment: bytes, not_leading: tuple[str, ...]) -> Hello:
    return Hello(name, 4, NAMES, Terms(), b"", commitment, not_leading)


def _elected(name: str, one: Election, shown: bytes, nonces: dict, last: Revealed | None) -> str:
    """Who leads for one honest agent; nobody if the adversary leaves before it reveals."""
    (other,) = set(HONEST) - {name}
    events = [Arrived(p, encode(Agreed(p, Stage.COMMITTED, shown))) for p in (other, "evil")]
    events.append(Arrived(other, encode(Revealed(other, nonces[other]))))
    events.append(Down("evil", "it left") if last is None else Arrived("evil", encode(last)))
    peers = [peer for peer in NAMES if peer != name]
    talk = Talk(name, peers, Wires(events), DisclosureRecord(None, name), lambda text: None)
    try:
        return one.elect(talk, 0.0)
    except ProtocolError as error:
        return _said(error, "'evil' did not reveal the nonce that it committed to", "")


@pytest.mark.parametrize("is_patient", [False, True])
@pytest.mark.parametrize("tasks", [40, pytest.param(400, marks=pytest.mark.slow)])
def test_who_leaves_and_comes_back_leads_no_more_than_its_share(tmp_path, tasks, is_patient):
    """Up to three tries for each task, those that it broke off counted."""
    made = [Adversary(number, tmp_path / str(number), is_patient) for number in range(tasks)]
    for one in made:
        one.folder.mkdir()
    led = sum(one.leads() for one in made)
    print(f"led {led} of {tasks}, at most {most_by_chance(tasks, 1 / 3)} by chance")
    assert led <= most_by_chance(tasks, 1 / 3)
    assert led >= tasks - most_by_chance(tasks, 2 / 3), "it has its share"
    assert sum(one.tries for one in made) > 1.5 * tasks


def test_without_a_memory_it_would_lead_whenever_it_likes():
    """So it is the notes that prevent it: this is the same adversary."""
    led = sum(Adversary(number, None).leads() for number in range(100))
    assert led > most_by_chance(100, 1 / 3)


def test_leaving_moves_nobody_elses_lot():
    """Without the agent that leaves, the leader is who it was, unless it was that agent."""
    for number in range(200):
        nonces = {name: bytes([number]) * 31 + name[:1].encode() for name in "abcd"}
        leads = election.leader(nonces)
        for gone in nonces:
            found = election.leader(nonces, {gone})
            assert found != gone
            assert leads in (found, gone)
    assert election.leader({"a": b"", "b": b""}, {"a", "b"}) is None


def test_a_note_is_its_owners_alone_and_lasts(tmp_path):
    task = election.task_of(NAMES, b"x")
    folder = tmp_path / "elections"
    first = Election("a", task, folder, None)
    (note,) = folder.iterdir()
    assert stat.S_IMODE(note.stat().st_mode) == 0o600
    assert Election("a", task, folder, None).commitment == first.commitment
    assert Election("a", election.task_of(NAMES, b"y"), folder, None).commitment != first.commitment
    anew = Election("a", task, folder, "seed", anew=True)
    assert anew.commitment not in (first.commitment, Election("a", task, None, "seed").commitment)
    assert Election("a", task, folder, None).commitment == anew.commitment
    note.write_text("{}")
    with pytest.raises(InputError, match=r"cannot read .* no note of an election"):
        Election("a", task, folder, None)


@pytest.mark.parametrize(
    ("mine", "theirs", "agrees"),
    [((), (), True), (("c",), ("c",), True), (("c",), (), False), (("b",), (), True),
     ((), ("a",), True), (("b",), ("a",), True), (("a",), ("c",), False)],
)  # fmt: skip
def test_who_may_not_lead_is_agreed_on(mine, theirs, agrees):
    """Of its own fault an agent need not know, but members do not differ about a third one."""
    names = ("a", "b", "c")
    hellos = [
        Hello(name, 4, names, Terms(), b"", b"", found)
        for name, found in (("a", mine), ("b", theirs))
    ]
    for one, other in (hellos, hellos[::-1]):
        found = difference(one, other)
        assert (found is None) == agrees
        assert found is None or (found[0] is Reason.ELECTION and "new election" in found[1])


# Between hosts


def remembering(folder: Path, **changes: object) -> Troupe:
    made = small("logistics", folder, terms=Terms("projection", k=2))
    for agent in made.names:
        made.change(agent, elections=folder.parent / f"{agent}.elections", **changes)
    return made


def tampered(made: Troupe, agent: str, kind: type, change) -> dict:
    """A run in which one agent sends something else in place of messages of a kind."""
    hosts = {name: made.host(name) for name in made.names}
    network = network_of(hosts[agent])
    send = network.send

    def send_instead(peer: str, frame: bytes) -> None:
        message = decode(frame)
        if not isinstance(message, kind):
            send(peer, frame)
        elif (instead := change(hosts[agent], message)) is not None:
            send(peer, encode(instead))

    network.send = send_instead
    return play(hosts)


class Gone(BaseException):
    """The end of an agent that leaves."""


def leave(host, message) -> None:
    abort(host)
    raise Gone


def test_who_does_not_reveal_is_named_and_does_not_lead(tmp_path):
    """The agent that would have led leaves instead of revealing; the next try goes on without its
    lot, and a new election has it again.
    """
    found = play_all(remembering(tmp_path / "first"))
    leader = found["truck0"].leader
    made = remembering(tmp_path / "second")
    others = [name for name in made.names if name != leader]
    ended = tampered(made, leader, Revealed, leave)
    for name in others:
        assert f"agent '{leader}' did not reveal the nonce" in str(ended[name])
    third = play_all(remembering(tmp_path / "third"))
    assert {end.leader for end in third.values()}.isdisjoint({leader})
    fourth = play_all(remembering(tmp_path / "fourth", anew=True))
    assert len({end.leader for end in fourth.values()}) == 1


def play_all(made: Troupe) -> dict:
    found = play({agent: made.host(agent) for agent in made.names})
    assert all_solved(found), found
    return found


def test_a_retry_has_the_same_leader(tmp_path):
    leaders = {
        play_all(remembering(tmp_path / str(number)))["truck0"].leader for number in range(3)
    }
    assert len(leaders) == 1


def test_who_changes_its_commitment_is_refused(tmp_path):
    play_all(remembering(tmp_path / "first"))
    made = remembering(tmp_path / "second")
    made.change("truck1", anew=True)
    found = play({agent: made.host(agent) for agent in made.names})
    assert all(isinstance(one, ProtocolError) for one in found.values())
    text = "agent 'truck1' committed to another nonce than before"
    said = [str(found[name]) for name in ("plane1", "truck0")]  # one may have left before the other
    assert any(text in one for one in said)
    assert all(text in one or "no connection" in one for one in said)


def test_a_nonce_must_be_the_one_that_was_committed_to(tmp_path):
    made = small("logistics", tmp_path, terms=Terms("projection", k=2))
    found = tampered(made, "truck1", Revealed, lambda host, message: Revealed("truck1", b"0" * 32))
    for name in ("plane1", "truck0"):
        assert "agent 'truck1' did not reveal the nonce that it committed to" in str(found[name])


def test_all_must_be_sent_the_same_commitment(tmp_path):
    made = small("logistics", tmp_path, terms=Terms("projection", k=2))
    hosts = {name: made.host(name) for name in made.names}
    talk = hosts["truck1"]._talk  # it took another commitment for truck0's than the others did
    heard = talk.await_all

    def await_all(seconds: float, number) -> None:
        heard(seconds, number)
        own = talk.hellos["truck0"]
        talk.hellos["truck0"] = Hello(
            own.sender, own.version, own.agents, own.terms, own.digest, b"x" * 32
        )

    talk.await_all = await_all
    ends = " ".join(str(end) for end in play(hosts).values())
    assert "'truck1' were sent different commitments" in ends


def test_words_about_facts_that_no_agent_has_are_a_fault(tmp_path):
    """The last to close used to choose the leader by a junk fact that it claims to need negated."""
    made = small("logistics", tmp_path, terms=Terms("projection", k=2))
    junk = (PublicFact("at", ("nothing", "nowhere")),)
    found = tampered(
        made, "truck1", Closing, lambda host, m: Closing("truck1", (*m.negated, *junk), m.goals)
    )
    said = [str(found[name]) for name in ("plane1", "truck0")]
    text = "agent 'truck1' needs the negation of 1 public facts that no agent has"
    assert any(text in one for one in said), said
    assert all("'truck1'" in one for one in said), said  # one may hear it first from the other
