"""An agent's grounding, repeated by its owner with what the others sent in a transcript."""

from __future__ import annotations

from tacit.audit.holder import Finding
from tacit.errors import ProtocolError
from tacit.leakage.reading.traffic import Traffic
from tacit.party.local.grounding import GroundingAgent
from tacit.party.local.task import LocalTask
from tacit.pddl.syntax import Pair
from tacit.public.protocol.messages import AnyMessage, Closing, Grounding, Opening, Reached
from tacit.words import counted, form


class _Out:
    """What an agent would have sent while grounding."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def send(self, receiver: str, frame: bytes) -> None:
        if frame not in self.sent:
            self.sent.append(frame)


class Replay:
    """The agent's grounding, repeated with its own files; `task` is None if it fails."""

    def __init__(self, traffic: Traffic, pair: Pair):
        self.task: LocalTask | None = None
        self.findings: list[Finding] = []
        grounding = [s for s in traffic.frames if isinstance(s.message, Grounding)]
        received = {s.payload: s for s in grounding if s.sender != pair.agent}
        out = _Out()
        try:
            agent = GroundingAgent(pair, traffic.agents)
            agent.open(out)
            for seen in sorted(received.values(), key=lambda s: _turn(s.message)):
                agent.receive(seen.sender, seen.payload, out)
            self.task = agent.task
        except (ProtocolError, LookupError, ValueError, TypeError):
            pass
        if self.task is None and not _is_over(traffic):
            return  # the run ended while grounding, or the transcript does
        if self.task is None:
            text = "its grounding cannot be repeated: these are other files, or frames are missing"
            self.findings.append(Finding("files", text))
            return
        strange = {s.payload for s in grounding if s.sender == pair.agent} - set(out.sent)
        if strange:
            do = form(len(strange), "does", "do")
            what = counted(len(strange), "message")
            text = f"{what} while grounding {do} not follow from its files"
            self.findings.append(Finding("files", text))


def _is_over(traffic: Traffic) -> bool:
    """Have all agents sent their last message of grounding?"""
    closed = {s.sender for s in traffic.frames if isinstance(s.message, Closing)}
    return closed >= set(traffic.agents)


def _turn(message: AnyMessage | None) -> tuple[int, int]:
    if isinstance(message, Reached):
        return 1, message.turn
    return (0, 0) if isinstance(message, Opening) else (2, 0)
