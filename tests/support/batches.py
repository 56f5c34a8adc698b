"""Any batch of states, for tests of the codec and of agents that are fed with them."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tacit.public.protocol.states import (
    COSTS,
    Batch,
    Descent,
    IndexMeaning,
    Segment,
    Shape,
    State,
    Toll,
)
from tacit.public.settings import Cost

EXAMPLES = int(os.environ.get("TACIT_FUZZ", "400"))

fuzz = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize="TACIT_FUZZ" not in os.environ,
    suppress_health_check=list(HealthCheck),
)

word = st.integers(0, 2**32 - 1)


def subset(size: int, most: int = 12) -> st.SearchStrategy[frozenset[int]]:
    return st.frozensets(st.integers(0, size - 1), max_size=most) if size else st.just(frozenset())


def descents(numbers: st.SearchStrategy[int]) -> st.SearchStrategy[Descent]:
    actions = st.lists(numbers, max_size=3).map(tuple)
    segments = st.lists(st.builds(Segment, numbers, numbers, actions), max_size=2).map(tuple)
    return st.builds(Descent, numbers, actions, segments)


def meaning_of(agent: int, shape: Shape) -> st.SearchStrategy[IndexMeaning]:
    tokens = subset(shape.tokens[agent], 5)
    if not shape.actions:
        return st.builds(IndexMeaning, st.just(agent), word, tokens)
    tolls = st.builds(Toll, st.integers(1, 2**29), subset(shape.actions[agent], 3))
    listed = st.lists(tolls, max_size=1).map(tuple)
    return st.builds(IndexMeaning, st.just(agent), word, tokens, tokens, listed)


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    count = st.integers(0, 70)
    tokens = tuple(draw(st.lists(count, min_size=1, max_size=4)))
    costs = draw(st.sampled_from(COSTS))
    actions = tuple(draw(count) for _ in tokens) if costs is Cost.TOTAL else ()
    shape = Shape(draw(count), tokens, actions)
    meanings = [
        draw(meaning_of(agent, shape))
        for agent in draw(st.lists(st.integers(0, len(shape.tokens) - 1), max_size=2))
    ]
    row = st.tuples(*(word for _ in shape.tokens))
    cost = st.just(0) if costs is None else word
    parts = (word, word, word, subset(shape.facts), row, descents(word), cost)
    drawn = tuple(draw(st.lists(st.builds(State, *parts), max_size=4)))
    return Batch(shape, tuple(meanings), drawn, draw(st.booleans()), costs)
