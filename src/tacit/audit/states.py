"""States that agents sent each other: what can be linked in them, and whether they are explained.

A state is explained if its sender's public actions lead to it from another state that is known,
each of them with its tokens held by disclosed edges: then the state shows nothing of private
dependencies that was not disclosed before. From a state that is not explained a reader concludes
that the sender had a token in another way. Only the agent itself sees all of its states: a state
may come from one that went to another agent. Then all that is certain is whether its last action
could have been done at all with what was disclosed.

Where states are sent `once`, one stands for several paths, and its tokens are those of all of them:
each token must be explained, and may be so by a path of its own. Under `secure` it stands for
siblings with paths of their own, of which nothing is said: all indices have all tokens, so that
anything else is a finding, and an action is explained if disclosed edges achieve its tokens at all.

Facts and tokens are bits of integers here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tacit.audit.descents import DescentAudit
from tacit.audit.moves import Move, bits, moves_of, numbers_in, within_reach
from tacit.audit.seen_states import SeenStates, Unexplained
from tacit.leakage.costs import told_costs
from tacit.leakage.reading.traffic import Traffic
from tacit.leakage.transitions import decoded
from tacit.public.disclosure import INIT, PublicEdge
from tacit.public.protocol.messages import Publication, States
from tacit.public.protocol.states import NOT_EVALUATED, Shape, State
from tacit.public.settings import Harden, stands_for_several

MOST_NODES = 1_000
"""States between two that were sent which are tried before an explanation is given up."""

MOST_WORK = 10_000_000
"""Moves tried for all such states of a run; what is left then is counted as not checked."""


@dataclass(frozen=True, slots=True)
class Known:
    """A state of one search, and its sender."""

    run: int
    sender: str
    facts: int
    indices: tuple[int, ...]
    steps: int
    """Public steps so far; what explains a state has fewer."""


class StateAudit:
    """All states of a run; `seen` has what they show per agent."""

    def __init__(
        self,
        traffic: Traffic,
        published: Mapping[str, Publication],
        edges: Mapping[str, Iterable[PublicEdge]],
    ):
        told = told_costs(traffic)
        self.seen = {agent: SeenStates(told=told[agent]) for agent in traffic.agents}
        self.is_readable = True
        self._traffic = traffic
        self._agents = tuple(published)
        self._edges = edges
        self._is_secure = Harden.SECURE in traffic.settings.harden
        self._tokens: dict[tuple[int, int, int], int] = {}
        self._known: dict[Known, None] = {}
        self._facts = self._work = 0
        self._states: list[tuple[int, str, str, State]] = []
        self._introduced: set[tuple[int, str, int, int]] = set()
        for seen in traffic.frames:
            if isinstance(seen.message, States) and seen.sender in self.seen:
                self._take(seen.message, seen.receiver)
        if self._agents != traffic.agents:
            self.is_readable = not self._known
        elif self._known:
            self._moves, self._may_act = moves_of(published, edges, self._facts)
            self._shows_private = [part.has_public_preconditions for part in published.values()]
            self._begin()
            self._count()
            self._read_descents()
            self._explain_all()

    def _take(self, message: States, receiver: str) -> None:
        batch = decoded(message.batch)
        if batch is None:
            self.is_readable = False
            return
        self._facts = batch.shape.facts
        for meaning in batch.indices:
            key = (message.run, meaning.agent, meaning.index)
            self._take_tokens(key, bits(meaning.tokens), batch.shape)
            self._introduced.add((message.run, receiver, meaning.agent, meaning.index))
        for state in batch.states:
            self.seen[message.sender].foreign += self._is_foreign(message.run, receiver, state)
            self._known[_known(message.run, message.sender, state)] = None
            self._states.append((message.run, message.sender, receiver, state))
            if state.value not in (0, NOT_EVALUATED):
                self.seen[message.sender].values.add(state.value)

    def _take_tokens(self, key: tuple[int, int, int], tokens: int, shape: Shape) -> None:
        """What an index means; under `secure` only if that is not everything."""
        if self._is_secure:
            for agent in self._traffic.agents[key[1] : key[1] + 1]:
                self.seen[agent].told_apart += tokens != (1 << shape.tokens[key[1]]) - 1
        else:
            self._tokens[key] = self._tokens.get(key, 0) | tokens

    def _is_foreign(self, run: int, receiver: str, state: State) -> bool:
        """Does it have an index, other than the receiver's own and that of initial states, that
        means nothing in this search? Then it may be one of another search.
        """
        return any(
            index and agent != receiver and (run, receiver, place, index) not in self._introduced
            for place, (agent, index) in enumerate(
                zip(self._traffic.agents, state.indices, strict=False)
            )
        )

    @cached_property
    def _initial_facts(self) -> int | None:
        names = self._traffic.names
        return None if names is None else bits(names.init) | self._may_act

    @cached_property
    def _initial_states(self) -> list[Known]:
        """Every search begins where all indices are 0."""
        runs = sorted({known.run for known in self._known})
        return [
            Known(run, "", self._initial_facts or 0, (0,) * len(self._agents), 0) for run in runs
        ]

    def _begin(self) -> None:
        for initial in self._initial_states:
            for place, agent in enumerate(self._agents):
                key = (initial.run, place, 0)
                self._tokens[key] = self._tokens.get(key, 0) | self._initial(agent)

    def _initial(self, agent: str) -> int:
        return bits(e.token for e in self._edges[agent] if e.achiever == INIT and e.positive)

    def _count(self) -> None:
        shown = {(known.run, known.facts, known.indices) for known in self._known}
        for place, agent in enumerate(self._agents):
            about = self.seen[agent]
            often = Counter((run, indices[place]) for run, _, indices in shown)
            about.sent = sum(known.sender == agent for known in self._known)
            about.indices = len(often)
            about.linkable = sum(count for count in often.values() if count > 1)
            achieved = self._achieved[place]
            for (_, whose, _), tokens in self._tokens.items():
                if whose == place:
                    about.claimed.update(numbers_in(tokens & ~achieved))

    def _read_descents(self) -> None:
        is_one_way = not stands_for_several(self._traffic.settings.harden)
        descents = DescentAudit(self._moves, self._edges, is_one_way)
        for run, sender, receiver, state in self._states:
            meant = [self._tokens.get((run, n, i), 0) for n, i in enumerate(state.indices)]
            places = self._agents.index
            descents.take(run, places(sender), places(receiver), state, meant)
        descents.count()
        for agent, steps in descents.seen.items():
            self.seen[agent].steps = steps

    @cached_property
    def _achieved(self) -> list[int]:
        """Per agent, the tokens that a disclosed edge achieves."""
        owns = (self._edges[agent] for agent in self._agents)
        return [bits(edge.token for edge in own if edge.positive) for own in owns]

    # Explanations

    def _explain_all(self) -> None:
        if self._initial_facts is None:
            for known in self._known:
                self.seen[known.sender].unchecked += 1
            return
        for place, agent in enumerate(self._agents):
            near: dict[object, list[Known]] = {}
            for known in (*self._initial_states, *self._known):
                near.setdefault(_others(known, place), []).append(known)
            for group in near.values():
                for state in group:
                    if state.sender == agent:
                        self._explain(state, place, self._before(state, place, group))

    def _before(self, state: Known, place: int, group: Sequence[Known]) -> list[Known]:
        """States from which this one may come: of fewer steps, or, where private actions with
        public preconditions are shown, of as many and sent earlier.
        """
        found = [known for known in group if known.steps < state.steps]
        if self._shows_private[place]:
            earlier = group[: group.index(state)]
            found += [known for known in earlier if known.steps == state.steps]
        return found

    def _explain(self, state: Known, place: int, near: Sequence[Known]) -> None:
        about = self.seen[state.sender]
        sources = {(known.facts, self._tokens_at(known, place)) for known in near}
        is_complete = self._traffic.is_complete_for(state.sender)
        found = [
            self._follows(state, place, sources, claimed)
            or (is_complete and self._path(state, place, sources, claimed))
            for claimed in self._claims(state, place)
        ]
        if all(found):
            about.explained += 1
        elif is_complete and None in found:
            about.unchecked += 1
        elif not is_complete and self._is_possible(state, place):
            about.elsewhere += 1
        else:
            about.unexplained.append(self._missing(state, place, near))

    def _tokens_at(self, known: Known, place: int) -> int:
        if self._is_secure:
            return self._achieved[place]
        return self._tokens.get((known.run, place, known.indices[place]), 0)

    def _claims(self, state: Known, place: int) -> list[int]:
        """Sets of tokens each of which a path must achieve."""
        if self._is_secure:
            return [0]
        tokens = self._tokens_at(state, place)
        if Harden.ONCE not in self._traffic.settings.harden:
            return [tokens]
        return [bits([token]) for token in numbers_in(tokens)] or [0]

    def _last(self, state: Known, place: int) -> list[Move]:
        """The moves that may have led to a state."""
        return [
            move
            for move in self._moves[place]
            if not move.adds & ~state.facts and not move.deletes & ~move.adds & state.facts
        ]

    def _follows(
        self, state: Known, place: int, sources: set[tuple[int, int]], claimed: int
    ) -> bool:
        """Does one move lead to a state, with tokens that are accounted for?"""
        last = self._last(state, place)
        if self._shows_private[place] and any(
            facts == state.facts and not claimed & ~tokens for facts, tokens in sources
        ):
            return True  # a private action led here
        return any(
            not move.needs & ~facts
            and not move.tokens & ~tokens
            and facts & ~move.deletes | move.adds == state.facts
            and not claimed & ~(tokens | move.achieves)
            for facts, tokens in sources
            for move in last
        )

    def _path(
        self, state: Known, place: int, sources: set[tuple[int, int]], claimed: int
    ) -> bool | None:
        """The same for several moves in a row; None if that takes too long."""
        moves, reached, level = self._moves[place], set(sources), sources
        while level:
            if len(reached) > MOST_NODES + len(sources) or self._work > MOST_WORK:
                return None
            self._work += len(level) * len(moves)
            level = {
                (facts & ~move.deletes | move.adds, tokens | move.achieves)
                for facts, tokens in level
                for move in moves
                if not move.needs & ~facts and not move.tokens & ~tokens
            } - reached
            reached |= level
            if self._follows(state, place, level, claimed):
                return True
        return False

    def _missing(self, state: Known, place: int, near: Sequence[Known]) -> Unexplained:
        """The action that leads to a state with the fewest tokens unaccounted for, if any does."""
        claimed = self._tokens_at(state, place)
        found: list[tuple[int, int, int, bool]] = []
        for known in near:
            held = self._tokens_at(known, place)
            for move in self._last(state, place):
                after = known.facts & ~move.deletes | move.adds
                if not move.needs & ~known.facts and after == state.facts:
                    lacks = move.tokens & ~held | claimed & ~(held | move.achieves)
                    is_first = known.indices[place] == 0
                    found.append((lacks.bit_count(), lacks, move.action, is_first))
        if not found:
            return Unexplained(state.sender, None)
        _, lacks, action, is_first = min(found)
        return Unexplained(state.sender, action, tuple(numbers_in(lacks)), is_first)

    def _is_possible(self, state: Known, place: int) -> bool:
        """Could some action have led here, by disclosed edges, if nothing were ever deleted?"""
        return any(move.action in self._possible[place] for move in self._last(state, place))

    @cached_property
    def _possible(self) -> list[set[int]]:
        tokens = [self._initial(agent) for agent in self._agents]
        return within_reach(self._moves, self._initial_facts or 0, tokens)


def _known(run: int, sender: str, state: State) -> Known:
    return Known(run, sender, bits(state.facts), state.indices, state.steps)


def _others(known: Known, place: int) -> object:
    """What a move of one agent leaves as it was."""
    return known.run, known.indices[:place], known.indices[place + 1 :]
