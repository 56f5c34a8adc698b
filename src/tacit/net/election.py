"""One agent's part in the election of the leader (`tacit.public.protocol.election`).

What must outlast a run is on a note in a folder of the owner's, a small file for each task: the own
nonce, what the others committed to, and who does not lead. A retry of the same task is held with
the same nonces, so a run that was broken off cannot be used to draw again, and who changes its
commitment once nonces are known is refused. Who does not reveal its nonce is named, noted, and does
not lead this task. `forget` is the owner's: without the note there is a new nonce.

The note is written before what it is about is sent: the nonce before the first `Hello`, the
commitments before the nonce is revealed. Members with different notes do not plan together, which
their owners then have to settle; nobody is elected by what one member alone claims.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import msgspec

from tacit.errors import InputError
from tacit.net.faults import Fault, OutOfTime, senseless
from tacit.net.grounding import agreed
from tacit.net.talk import Talk
from tacit.public.protocol import election
from tacit.public.protocol.link import Agreed, Concluded, Hello, Reason, Revealed, Stage
from tacit.public.protocol.messages import AnyMessage, Publish


class Note(msgspec.Struct, forbid_unknown_fields=True):
    """What an owner keeps of the elections for one task; `commitments` once nonces may be known."""

    nonce: bytes
    commitments: dict[str, bytes] = {}
    not_leading: list[str] = []


class Election:
    """The election for one task. `folder` is where notes are kept, None for nowhere."""

    def __init__(
        self, own: str, task: bytes, folder: Path | None, seed: str | None, anew: bool = False
    ):
        self._own = own
        self._task = task
        self._path = None if folder is None else folder / f"{task.hex()[:32]}.json"
        found = None if anew or self._path is None else _read(self._path)
        fresh = secrets.token_bytes(election.NONCE) if seed is None or anew else None
        self._note = found or Note(fresh or election.nonce_of(str(seed), task))
        self._commitments = {own: self.commitment}
        if found is None:
            self._keep()

    @property
    def commitment(self) -> bytes:
        return election.commitment(self._task, self._own, self._note.nonce)

    @property
    def not_leading(self) -> tuple[str, ...]:
        return tuple(sorted(self._note.not_leading))

    def meet(self, hellos: Mapping[str, Hello]) -> None:
        """Take in what all others committed to, which must be what it was before."""
        for peer, hello in hellos.items():
            self._commitments[peer] = hello.commitment
            if self._note.commitments.get(peer, hello.commitment) != hello.commitment:
                hint = "if its owner began a new election for this task, all must (--new-election)"
                text = f"agent '{peer}' committed to another nonce than before; {hint}"
                raise Fault(text, Reason.ELECTION, peer)
        if any(self._own in hello.not_leading for hello in hellos.values()):
            self._exclude([self._own])

    def elect(self, talk: Talk, seconds: float) -> str:
        """Show all what was committed to, reveal, and find the leader."""
        own = election.of_commitments(self._commitments)
        talk.send_all(Agreed(self._own, Stage.COMMITTED, own))
        committed = partial(agreed, Stage.COMMITTED)
        for peer, message in talk.one_of_each(seconds, committed, _revealed):
            if message.digest != own:
                text = f"agents '{self._own}' and '{peer}' were sent different commitments"
                raise Fault(text, Reason.DISAGREEMENT, peer)
        self._note.commitments = dict(self._commitments)
        self._keep()
        talk.send_all(Revealed(self._own, self._note.nonce))
        found = election.leader(self._nonces(talk, seconds), self._note.not_leading)
        if found is None:
            hint = "all owners can begin a new election (--new-election)"
            raise Fault(f"no agent may lead this task; {hint}", Reason.ELECTION)
        return found

    def _nonces(self, talk: Talk, seconds: float) -> dict[str, bytes]:
        """What all reveal. Whoever ends the run instead, in whatever way, is noted for it. If the
        run is over for another reason, it is awaited all the same: what others say of it does not
        count.
        """
        nonces, end = {self._own: self._note.nonce}, time.monotonic() + seconds
        over: Fault | None = None
        while missing := [peer for peer in talk.peers if peer not in nonces]:
            left = max(0.0, end - time.monotonic())
            try:
                for peer, message in talk.one_of_each(left, _revealed, _is_of_a_leader, missing):
                    made = election.commitment(self._task, peer, message.nonce)
                    if made != self._commitments[peer]:
                        raise senseless(peer)
                    nonces[peer] = message.nonce
            except Fault as fault:
                is_late = isinstance(fault, OutOfTime)
                silent = [peer for peer in missing if peer not in nonces]
                guilty = [peer for peer in silent if is_late or peer == fault.about]
                if guilty or is_late:
                    raise self._fault(guilty, fault) from None
                over = over or fault
        if over is not None:
            raise over
        return nonces

    def _fault(self, peers: list[str], why: Fault) -> Fault:
        self._exclude(peers)
        names = ", ".join(f"'{peer}'" for peer in peers)
        text = f"agent {names} did not reveal the nonce that it committed to ({why})"
        hint = "it does not lead this task until the owners begin a new election (--new-election)"
        return Fault(f"{text}; {hint}", Reason.ELECTION, peers[0])

    def _exclude(self, agents: list[str]) -> None:
        new = {*self._note.not_leading, *agents}
        if new != set(self._note.not_leading):
            self._note.not_leading = sorted(new)
            self._keep()

    def _keep(self) -> None:
        if self._path is not None:
            _write(self._path, self._note)


def _revealed(message: AnyMessage) -> Revealed | None:
    return message if isinstance(message, Revealed) else None


def _is_of_a_leader(message: AnyMessage) -> bool:
    """The first question, or the end of a run that could not even begin."""
    return isinstance(message, Publish | Concluded)


def _read(path: Path) -> Note | None:
    """A note, None if there is none; one that is broken is not passed over."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Note)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        why = getattr(error, "strerror", None) or "it is no note of an election"
        hint = "--new-election begins a new one; all owners must then"
        raise InputError(f"cannot read '{path}': {why}", hint) from None


def _write(path: Path, note: Note) -> None:
    """Replace a note; whenever that is interrupted, the old one or the new one is there."""
    new = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            new.unlink()
        number = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(number, "wb") as file:
            file.write(msgspec.json.encode(note))
            file.flush()
            os.fsync(number)
        new.replace(path)
    except OSError as error:
        hint = "--elections names another folder"
        raise InputError(f"cannot write '{path}': {error.strerror}", hint) from None
