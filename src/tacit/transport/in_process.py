"""The transport between agents of one process: a queue of byte strings, and a transcript.

Agents get bytes and never each other's objects, exactly as over a network. Frames are delivered
in the order in which they were sent, so that a run is repeatable.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from tacit import watch
from tacit.errors import ProtocolError
from tacit.public.protocol.messages import discloses
from tacit.public.protocol.port import AgentPort, Responder
from tacit.public.protocol.transcript import Frame, Transcript


class InProcess:
    """Carries frames between these agents until none has anything more to send."""

    def __init__(self, agents: Sequence[AgentPort]):
        self.transcript = Transcript()
        self._agents = {agent.name: agent for agent in agents}
        self._queue: deque[Frame] = deque()

    def run(self) -> None:
        for agent in self._agents.values():
            agent.open(_Out(self, agent.name))
        while self._queue:
            watch.check()
            frame = self._queue.popleft()
            receiver = self._agents[frame.receiver]
            receiver.receive(frame.sender, frame.payload, _Out(self, frame.receiver))

    def extend(self, sender: str, receiver: str, payload: bytes) -> None:
        if receiver not in self._agents:
            raise ProtocolError(f"agent '{sender}' sends to '{receiver}', which is unknown")
        frame = Frame(sender, receiver, payload)
        self.transcript.frames.append(frame)
        self._queue.append(frame)


class _Out:
    """One agent's way out; the transport, not the agent, names the sender."""

    def __init__(self, transport: InProcess, sender: str):
        self._transport = transport
        self._sender = sender

    def send(self, receiver: str, frame: bytes) -> None:
        self._transport.extend(self._sender, receiver, frame)


class Questions:
    """Questions to the agents of one process and their answers, all of them in the transcript. An
    answer that discloses something goes from its sender to all other agents, too.
    """

    def __init__(self, agents: Sequence[Responder], asker: str):
        self.transcript = Transcript()
        self._agents = {agent.name: agent for agent in agents}
        self._asker = asker

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._agents)

    def ask(self, agent: str, frame: bytes) -> bytes:
        if agent not in self._agents:
            raise ProtocolError(f"there is no agent '{agent}' to ask")
        self.transcript.add(self._asker, agent, frame)
        answer = self._agents[agent].answer(self._asker, frame)
        self.transcript.add(agent, self._asker, answer)
        if discloses(answer):
            for name, other in self._agents.items():
                if name != agent:
                    self.transcript.add(agent, name, answer)
                    other.hear(agent, answer)
        return answer
