"""What transcripts prove to somebody who trusts none of their holders.

Agents sign receipts for the frames of each stream (`tacit.public.evidence`), and a holder that has
one of its peer's can show what that peer sent and received. Everything is computed again here: the
name of a stream from its greeting, the chain of each direction from its frames, and each signature.
The receipts of all transcripts of a stream are claims about its frames, and each transcript is held
against each of them, so that a frame which was dropped, changed, moved or added before the last
claim is found, between which claims, and, where the transcripts of both ends are here, whose is
altered. What comes behind the last receipt of a peer is unproved: nobody signed for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from cryptography.x509 import Certificate

from tacit.errors import ProtocolError
from tacit.natural import natural_order
from tacit.public.evidence.certificates import read_anchors, why_refused
from tacit.public.evidence.chain import (
    BEGINNING,
    GREETING,
    Chain,
    Position,
    Statement,
    stream_name,
)
from tacit.public.evidence.signing import Check, checker
from tacit.public.protocol.link import Beat, Receipt, Welcome
from tacit.public.protocol.messages import decode, encode, is_receipt
from tacit.public.protocol.recording import Entry, Recording

Way = tuple[str, str]
"""A direction: who sends, and who receives."""


class Claim(NamedTuple):
    """What somebody signed: these are the first frames of a direction."""

    at: Position
    signer: str


@dataclass
class Copy:
    """One stream as one holder has it: the frames of each direction by number."""

    holder: str
    peer: str
    began: int
    frames: dict[Way, dict[int, bytes]]
    problems: list[str] = field(default_factory=list)
    claims: list[tuple[Way, Claim]] = field(default_factory=list)
    signed: dict[Way, set[int]] = field(default_factory=dict)
    """Numbers of receipts that their sender did sign."""
    name: bytes = b""
    wrong: dict[Way, list[range]] = field(default_factory=dict)
    """Numbers of frames that are not what was signed."""

    @property
    def ways(self) -> tuple[Way, Way]:
        return (self.holder, self.peer), (self.peer, self.holder)

    def is_wrong(self, way: Way, number: int) -> bool:
        return any(number in span for span in self.wrong.get(way, ()))


@dataclass(frozen=True)
class Proof:
    """Of the `count` frames of one direction in a holder's transcript the first `proved` are proved
    by the signature of the other end; behind them are `tail` frames, signs of life and
    receipts not counted.
    """

    holder: str
    way: Way
    signer: str
    count: int
    proved: int
    tail: int


@dataclass
class Evidence:
    """What is proved, what is wrong, and why signatures may be anybody's."""

    proofs: list[Proof] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    has_ca: bool = False


def evidence_of(recordings: Sequence[Recording], ca: Path | None = None) -> Evidence:
    """What the transcripts of one run prove. With the file of a CA signatures are those of the
    agents; without it, of whoever had the keys of the certificates that were shown.
    """
    anchors = None if ca is None else read_anchors(ca)
    found = Evidence(has_ca=ca is not None)
    copies: list[Copy] = []
    for recording in recordings:
        own = list(_copies(recording))
        if len({copy.frames[copy.ways[0]].get(0) for copy in own}) > 1:
            text = f"the transcript of {_quoted(recording.holder)} has greetings of several runs"
            found.problems.append(text)
        copies += own
    streams: dict[bytes, list[Copy]] = {}
    for copy in copies:
        _read_claims(copy, anchors)
        streams.setdefault(copy.name, []).append(copy)
    for same in streams.values():
        _hold_against_claims(same)
        found.problems += [problem for copy in same for problem in copy.problems]
        found.problems += _compare(same)
        found.proofs += [proof for copy in same for proof in _proofs(copy)]
    return found


def _copies(recording: Recording) -> Iterator[Copy]:
    """The streams of a transcript on which both ends welcomed each other."""
    streams: dict[tuple[str, int], list[Entry]] = {}
    for entry in recording.entries:
        streams.setdefault((entry.peer, entry.stream), []).append(entry)
    for (peer, _), entries in streams.items():
        copy = Copy(recording.holder, peer, entries[0].time, {})
        for way, is_sent in zip(copy.ways, (True, False), strict=True):
            copy.frames[way] = _by_number(copy, way, [e for e in entries if e.is_sent is is_sent])
        if len(entries) > 2 * GREETING or any(is_receipt(entry.payload) for entry in entries):
            yield copy


def _by_number(copy: Copy, way: Way, entries: Sequence[Entry]) -> dict[int, bytes]:
    """Frames of one direction; that they stand in order, and each once, is a matter of the file."""
    found: dict[int, bytes] = {}
    expected = 0
    for entry in entries:
        if entry.number != expected:
            what = "is missing" if entry.number > expected else "is out of place"
            number = min(expected, entry.number)
            copy.problems.append(f"{_whose(copy)} frame {number} {_text(way)} {what}")
        found.setdefault(entry.number, entry.payload)
        expected = entry.number + 1
    return found


def _whose(copy: Copy) -> str:
    return f"in the transcript of {_quoted(copy.holder)}"


def _quoted(name: str) -> str:
    """A name out of a file that anybody may have made."""
    return "'" + "".join(c if c.isprintable() else "?" for c in name[:100]) + "'"


def _text(way: Way) -> str:
    return f"from {_quoted(way[0])} to {_quoted(way[1])}"


def _frames(span: range) -> str:
    return f"frame {span[0]}" if len(span) == 1 else f"frames {span[0]}–{span[-1]}"


# Claims


def _read_claims(copy: Copy, anchors: Sequence[Certificate] | None) -> None:
    """The stream's name, and what was signed about it in this copy."""
    ends: dict[str, bytes] = {}
    checks: dict[str, Check] = {}
    for way in copy.ways:
        chain = _chained(copy.frames[way], BEGINNING, GREETING)
        welcome = _message(copy.frames[way].get(GREETING - 1, b""))
        if chain is None or not isinstance(welcome, Welcome) or not welcome.certificates:
            copy.problems.append(f"{_whose(copy)} there is no greeting {_text(way)}")
            return
        ends[way[0]] = chain.value
        why = None
        if anchors is not None:
            why = why_refused(welcome.certificates, way[0], anchors, copy.began)
        check = checker(welcome.certificates[0]) if why is None else None
        if check is None:
            why = why or "its certificate cannot be read"
            copy.problems.append(
                f"{_whose(copy)} signatures of {_quoted(way[0])} do not count: {why}"
            )
        else:
            checks[way[0]] = check
    copy.name = stream_name(*(ends[agent] for agent in natural_order(ends)))
    for way in copy.ways:
        if way[0] in checks:
            _claims_of(copy, way, checks[way[0]])


def _claims_of(copy: Copy, way: Way, check: Check) -> None:
    signer, other = way
    bad = 0
    for number, payload in copy.frames[way].items():
        if not is_receipt(payload):
            continue
        receipt = _message(payload)
        if not isinstance(receipt, Receipt):
            bad += 1
            continue
        sent = Position(receipt.sent, receipt.sent_chain)
        acknowledged = Position(receipt.received, receipt.received_chain)
        statement = Statement(copy.name, signer, other, sent, acknowledged)
        if receipt.sender != signer or not check(statement.encoded(), receipt.signature):
            bad += 1
            continue
        if number != receipt.sent:
            copy.problems.append(f"{_whose(copy)} frame {number} {_text(way)} is out of place")
        copy.signed.setdefault(way, set()).add(number)
        copy.claims.append((way, Claim(sent, signer)))
        copy.claims.append(((other, signer), Claim(acknowledged, signer)))
    if bad:
        copy.problems.append(f"{_whose(copy)} {_quoted(signer)} did not sign {bad} of its receipts")


def _message(payload: bytes) -> object:
    try:
        return decode(payload)
    except ProtocolError:
        return None


def _chained(frames: dict[int, bytes], at: Position, count: int) -> Position | None:
    """The chain after so many frames, from a position on; None if some are missing."""
    chain = Chain(at)
    for number in range(at.frames, count):
        payload = frames.get(number)
        if payload is None:
            return None
        chain.extend(payload)
    return chain.position


def _hold_against_claims(same: Sequence[Copy]) -> None:
    """Each copy of a stream against everything that was signed about it, by either end.

    Between two claims frames are chained from the first one's value, so that what is wrong before
    it does not hide what is right behind it.
    """
    for copy in same:
        for way in copy.ways:
            at = BEGINNING
            claims = sorted(set(_about(copy, way, same)))
            for count, group in groupby(claims, lambda claim: claim.at.frames):
                signed = list(group)
                here = _chained(copy.frames[way], at, count)
                wrong = [claim for claim in signed if claim.at != here]
                if wrong:
                    _blame(copy, way, at, wrong[0])
                at = here if here and len(wrong) < len(signed) else signed[0].at


def _about(copy: Copy, way: Way, same: Sequence[Copy]) -> Iterator[Claim]:
    """What was signed about the frames that a copy should have. Its holder may not have received
    what the other end signed that it had sent, unless it has that receipt or signed for it, too.
    """
    end = max(copy.frames[way], default=-1) + 1
    for other in same:
        for about, claim in other.claims:
            is_on_its_way = claim.signer != copy.holder == way[1] and claim.at.frames > end
            if about == way and (other is copy or not is_on_its_way):
                yield claim


def _blame(copy: Copy, way: Way, at: Position, claim: Claim) -> None:
    span = range(min(at.frames, claim.at.frames - 1), claim.at.frames)
    copy.wrong.setdefault(way, []).append(span)
    missing = [number for number in span if number not in copy.frames[way]]
    what = "are missing: " if len(missing) == len(span) else "are not those: "
    whose = f"{_quoted(claim.signer)} signed for others"
    copy.problems.append(f"{_whose(copy)} {_frames(span)} {_text(way)} {what}{whose}")


# Two copies of one stream


def _compare(same: Sequence[Copy]) -> Iterator[str]:
    """Where the transcripts of both ends differ, and whose is altered."""
    for at, one in enumerate(same):
        for other in same[at + 1 :]:
            if other.holder != one.holder:
                for way in one.ways:
                    yield from _differences(one, other, way)


def _differences(one: Copy, other: Copy, way: Way) -> Iterator[str]:
    both = one.frames[way].keys() & other.frames[way].keys()
    differing = sorted(n for n in both if one.frames[way][n] != other.frames[way][n])
    for copy, against in ((one, other), (other, one)):
        altered = [n for n in differing if copy.is_wrong(way, n) and not against.is_wrong(way, n)]
        if altered:
            text = "it contradicts receipts that the other transcript agrees with"
            yield f"{_quoted(copy.holder)} has altered {_some(altered)} {_text(way)}: {text}"
    unsigned = [n for n in differing if not (one.is_wrong(way, n) or other.is_wrong(way, n))]
    if unsigned:
        whose = f"the transcripts of {_quoted(one.holder)} and {_quoted(other.holder)}"
        yield f"{whose} differ in {_some(unsigned)} {_text(way)}, and nobody signed for it"
    yield from _agreed_and_wrong(one, other, way)


def _agreed_and_wrong(one: Copy, other: Copy, way: Way) -> Iterator[str]:
    """Frames on which both transcripts agree, and which somebody signed otherwise."""
    for span in one.wrong.get(way, ()):
        if span in other.wrong.get(way, ()) and all(
            one.frames[way].get(n) == other.frames[way].get(n) for n in span
        ):
            yield f"both transcripts have the same {_frames(span)} {_text(way)}, a receipt is wrong"


def _some(numbers: Sequence[int]) -> str:
    rest = f" and {len(numbers) - 1} more" if len(numbers) > 1 else ""
    return f"frame {numbers[0]}{rest}"


# What is proved


def _proofs(copy: Copy) -> Iterator[Proof]:
    for way in copy.ways:
        first_wrong = min((span[0] for span in copy.wrong.get(way, ())), default=None)
        counts = [
            claim.at.frames
            for other, claim in copy.claims
            if other == way
            and claim.signer == copy.peer
            and (first_wrong is None or claim.at.frames <= first_wrong)
        ]
        proved = max(counts, default=0)
        while way[0] == copy.peer and proved in copy.signed.get(way, ()):
            proved += 1  # a receipt is signed itself
        frames, beat = copy.frames[way], encode(Beat(way[0]))
        behind = (payload for n, payload in frames.items() if n >= proved)
        tail = sum(not is_receipt(payload) and payload != beat for payload in behind)
        yield Proof(copy.holder, way, copy.peer, len(frames), proved, tail)
