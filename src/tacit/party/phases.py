"""The phases of an agent, and how one follows another: the protocol on one page.

    new ─publish→ published ─introduce→ reaching ─end-layers→ disclosing ─extend, replan→ extending
                                                                  └─────────begin──────┴→ searching

An agent that searches goes on to answer about plans of the projection as one that extends.

An agent is in one phase at a time, and the phase has all that its answers need. A phase has a table
`ANSWERS` of the questions that it answers and stays; `TRANSITIONS` has those that lead to another
phase. A question in neither is a `ProtocolError`. Offline every budget is a run of its own, so
`Disclose` leads back to disclosing; only a search that grows goes on with a larger budget. The
agent itself starts over when it is asked to publish again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tacit.errors import ProtocolError
from tacit.party.disclosing import Disclosing
from tacit.party.extension.extending import Extending
from tacit.party.mafs.searching import Searching
from tacit.party.published import New, Published
from tacit.party.reaching import Reaching
from tacit.public.protocol.messages import (
    Ack,
    Answer,
    Begin,
    Disclose,
    EndLayers,
    Extend,
    Introduce,
    LayersEnded,
    Publish,
    Question,
    Replan,
    tag_of,
)

Phase = New | Published | Reaching | Disclosing | Extending | Searching
Reply = tuple[Answer, Phase]


def answer(phase: Phase, question: Question) -> Reply:
    """The answer to a question, and the phase that follows."""
    kind = type(question)
    if (stay := phase.ANSWERS.get(kind)) is not None:
        return stay(phase, question), phase
    if (leave := TRANSITIONS[type(phase)].get(kind)) is not None:
        return leave(phase, question)
    *others, last = (f"'{tag_of(known)}'" for known in expected(type(phase)))
    names = f"{', '.join(others)} or {last}" if others else last
    state = type(phase).__name__.lower()
    text = f"agent '{phase.name}' is {state}: expected {names}, not '{tag_of(question)}'"
    raise ProtocolError(text)


def expected(phase: type[Phase]) -> list[type[Question]]:
    """The questions that are answered in a phase."""
    return [*TRANSITIONS[phase], *phase.ANSWERS]


def _publish(new: New, question: Publish) -> Reply:
    published = new.publish(question)
    return published.publication, published


def _introduce(published: Published, question: Introduce) -> Reply:
    return Ack(published.name), Reaching(published, question)


def _end_layers(reaching: Reaching, question: EndLayers) -> Reply:
    published = reaching.published
    can_finish = published.relaxed_layers.has_private_goals
    disclosing = Disclosing(published, reaching.others)
    can_recall = bool(disclosing.known_before)
    return LayersEnded(published.name, can_finish, can_recall), disclosing


def _extend(disclosing: Disclosing, question: Extend | Replan) -> Reply:
    return answer(Extending(disclosing), question)


def _begin(disclosing: Disclosing, question: Begin) -> Reply:
    return Ack(disclosing.name), Searching(disclosing, question)


def _begin_from(phase: Extending | Searching, question: Begin) -> Reply:
    return _begin(phase.disclosing, question)


def _disclose(phase: Extending | Searching, question: Disclose) -> Reply:
    disclosed = phase.disclosing.disclose(question)
    goes_on = isinstance(phase, Searching) and phase.forward.grows
    return disclosed, phase if goes_on else phase.disclosing


TRANSITIONS: Mapping[type[Phase], Mapping[type[Question], Callable[[Any, Any], Reply]]] = {
    New: {Publish: _publish},
    Published: {Introduce: _introduce},
    Reaching: {EndLayers: _end_layers},
    Disclosing: {Extend: _extend, Replan: _extend, Begin: _begin},
    Extending: {Disclose: _disclose, Begin: _begin_from},
    Searching: {Disclose: _disclose, Begin: _begin_from},
}
