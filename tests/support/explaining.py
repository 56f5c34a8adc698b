"""States in a transcript, explained by public actions and disclosed edges alone."""

from __future__ import annotations

from collections import deque

from support.inside import messages_of, transcript_of
from tacit.central.session import Session
from tacit.public import disclosure
from tacit.public.protocol.messages import Disclosed, EdgeDisclosed, Publication, States
from tacit.public.protocol.states import State, decode_batch
from tacit.public.protocol.transcript import Transcript


def explain_states(
    session: Session, published_in: Transcript | None = None, most: int = 10_000
) -> int:
    """How many states were explained; what was published may be in an earlier transcript.

    Offline the edges are those of the last budget; online all that were ever disclosed.
    """
    public = session.instance.public
    agents, published, tokens_of = public.agents, {}, {}
    given_by = dict.fromkeys(agents, ())
    known: list[tuple[frozenset[int], tuple[int, ...]]] = []
    transcript = transcript_of(session)
    for message in (published_in or transcript).messages():
        if isinstance(message, Publication):
            published[message.sender] = message
    for message in transcript.messages():
        if isinstance(message, Disclosed):
            given_by[message.sender] = message.edges
        elif isinstance(message, EdgeDisclosed) and session.is_online:
            given_by[message.sender] += (message.edge,)
    moves, may_act = _moves(published, len(public.facts))
    start = (frozenset(public.init).union(may_act), (0,) * len(agents))
    known.append(start)
    for number, agent in enumerate(agents):
        initial = {e.token for e in given_by[agent] if e.achiever == disclosure.INIT}
        tokens_of[number, 0] = frozenset(initial)
    count = 0
    for message in messages_of(session):
        if not isinstance(message, States):
            continue
        batch = decode_batch(message.batch)
        for told in batch.indices:
            tokens_of[told.agent, told.index] = told.tokens
            allowed = {edge.token for edge in given_by[agents[told.agent]]}
            assert told.tokens <= allowed
        mover = agents.index(message.sender)
        for state in batch.states:
            assert any(
                _explains(before, state, mover, moves, given_by[agents[mover]], tokens_of)
                for before in known
            )
            known.append((state.facts, state.indices))
            count += 1
            if count == most:
                return count
    return count


def _moves(published, count: int):
    """Per agent its public actions, the last one included, and the facts that agents may act."""
    moves, may_act = [], []
    for part in published.values():
        guard = [count] if part.has_private_goal else []
        mine = [
            (a.id, {*a.needs, *guard}, set(a.tokens), set(a.adds), set(a.deletes))
            for a in part.actions
        ]
        if guard:
            mine.append((disclosure.FINISH, set(guard), set(part.goal), {count + 1}, set(guard)))
            may_act += guard
            count += 2
        moves.append(mine)
    return moves, may_act


def _explains(before, state: State, mover: int, moves, edges, tokens_of) -> bool:
    """Can the mover's own public actions lead from one state to the other, with tokens shown?"""
    facts, indices = before
    others = [n for n in range(len(indices)) if n != mover]
    if any(indices[n] != state.indices[n] for n in others):
        return False
    gives: dict[int, set[int]] = {}
    for edge in edges:
        gives.setdefault(edge.achiever, set()).add(edge.token)
    wanted = (state.facts, tokens_of[mover, state.indices[mover]])
    first = (facts, tokens_of[mover, indices[mover]])
    if first == wanted:
        return True
    seen, queue = {first}, deque([first])
    while queue:
        now, tokens = queue.popleft()
        for number, needs, needed, adds, deletes in moves[mover]:
            if now >= needs and tokens >= needed:
                then = (now - deletes | adds, tokens.union(gives.get(number, ())))
                if then == wanted:
                    return True
                if then not in seen:
                    seen.add(then)
                    queue.append(then)
    return False
