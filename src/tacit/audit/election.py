"""Whether the leader of a run was elected, from what its members committed to and revealed.

A transcript has the greetings of all members with their holder, in which they commit to a nonce,
the digests of all commitments, and the nonces. From these anybody can draw the lot again
(`tacit.public.protocol.election`). Who began to ask without having been elected, revealed another
nonce than it had committed to, or committed to different ones is found.
"""

from __future__ import annotations

from collections.abc import Iterator

from tacit.leakage.reading.traffic import Traffic
from tacit.public.protocol import election
from tacit.public.protocol.link import Agreed, Hello, Revealed, Stage
from tacit.public.protocol.messages import Publish


def faults_of_election(traffic: Traffic) -> Iterator[tuple[str, str]]:
    """Agents, and what was wrong with their part in it; nothing where nobody was elected."""
    messages = [seen.message for seen in traffic.frames]
    hellos: dict[str, set[Hello]] = {}
    for hello in (message for message in messages if isinstance(message, Hello)):
        hellos.setdefault(hello.sender, set()).add(hello)
    if not hellos:
        return
    committed = {agent: hello.commitment for agent, own in hellos.items() for hello in own}
    for agent, own in hellos.items():
        if len({hello.commitment for hello in own}) > 1:
            yield agent, "it committed to different nonces in the election of the leader"
    if committed.keys() != set(traffic.agents):
        return  # not everybody was met
    everything = election.of_commitments(committed)
    for message in messages:
        is_digest = isinstance(message, Agreed) and message.stage is Stage.COMMITTED
        if isinstance(message, Agreed) and is_digest and message.digest != everything:
            yield message.sender, "it was sent, or claims, other commitments than are here"
    nonces: dict[str, bytes] = {}
    for message in messages:
        if isinstance(message, Revealed):
            nonces[message.sender] = message.nonce
    own_task = next(iter(hellos[traffic.holders[0]]))
    task = election.task_of(own_task.agents, own_task.digest)
    for agent, nonce in nonces.items():
        if election.commitment(task, agent, nonce) != committed[agent]:
            yield agent, "it revealed another nonce than it had committed to"
    if nonces.keys() == committed.keys():
        excluded = {name for own in hellos.values() for hello in own for name in hello.not_leading}
        elected = election.leader(nonces, excluded)
        for asking in {message.sender for message in messages if isinstance(message, Publish)}:
            if asking != elected:
                yield asking, f"it led the run, and '{elected}' was elected"
