"""An agent's grounding, done over by its owner with what the others said in a transcript."""

from __future__ import annotations

from tacit.audit.holder import Finding
from tacit.audit.traffic import Traffic
from tacit.errors import ProtocolError
from tacit.party.local.grounding import GroundingAgent
from tacit.party.local.task import LocalTask
from tacit.pddl.syntax import Pair
from tacit.public.protocol.messages import AnyMessage, Closing, Grounding, Opening, Reached


class _Out:
    """What an agent would have said while grounding."""

    def __init__(self) -> None:
        self.said: list[bytes] = []

    def send(self, receiver: str, frame: bytes) -> None:
        if frame not in self.said:
            self.said.append(frame)


class Replay:
    """The agent's grounding, done over with its own files; `task` is None if it cannot be."""

    def __init__(self, traffic: Traffic, pair: Pair):
        self.task: LocalTask | None = None
        self.findings: list[Finding] = []
        grounding = [s for s in traffic.frames if isinstance(s.message, Grounding)]
        heard = {s.payload: s for s in grounding if s.sender != pair.agent}
        out = _Out()
        try:
            agent = GroundingAgent(pair, traffic.agents)
            agent.open(out)
            for seen in sorted(heard.values(), key=lambda s: _turn(s.message)):
                agent.receive(seen.sender, seen.payload, out)
            self.task = agent.task
        except (ProtocolError, LookupError, ValueError, TypeError):
            pass
        if self.task is None and not _is_ended(traffic):
            return  # the run ended while grounding, or the transcript does
        if self.task is None:
            text = "its grounding cannot be done over: these are other files, or frames are missing"
            self.findings.append(Finding("files", text))
            return
        strange = {s.payload for s in grounding if s.sender == pair.agent} - set(out.said)
        if strange:
            text = f"{len(strange)} messages while grounding do not follow from its files"
            self.findings.append(Finding("files", text))


def _is_ended(traffic: Traffic) -> bool:
    """Has everybody said its last word while grounding?"""
    closed = {s.sender for s in traffic.frames if isinstance(s.message, Closing)}
    return closed >= set(traffic.agents)


def _turn(message: AnyMessage | None) -> tuple[int, int]:
    if isinstance(message, Reached):
        return 1, message.round
    return (0, 0) if isinstance(message, Opening) else (2, 0)
