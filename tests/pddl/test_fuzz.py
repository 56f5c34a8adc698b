"""Whatever the input, the answer is an instance or a clear error, and soon: never a traceback."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from support.mutations import MUTATIONS, Mutation

from tacit.central.instance import Instance
from tacit.domains import DOMAINS
from tacit.errors import InputError, ProtocolError, TacitError
from tacit.party.local import compiled
from tacit.pddl.factor_writer import factor
from tacit.pddl.reader import read_agent, read_texts
from tacit.pddl.source import Source
from tacit.pddl.syntax import Description, Form
from tacit.public.protocol.messages import Closing, Opening, Reached, decode, encode
from tacit.public.task import PublicFact

EXAMPLES = int(os.environ.get("TACIT_FUZZ", "400"))
SECONDS = 10
Files = dict[str, tuple[str, str]]

fuzz = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize="TACIT_FUZZ" not in os.environ,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(autouse=True)
def _small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "MAX_GROUND_ACTIONS", 20_000)


class Hang(BaseException):
    """Raised by the alarm; no handler for ordinary errors catches it."""


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    def ring(*_: object) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, ring)
    outer, _ = signal.setitimer(signal.ITIMER_REAL, seconds)  # pytest-timeout has set this clock
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, outer)
        signal.signal(signal.SIGALRM, before)


@cache
def problems() -> tuple[Files, ...]:
    """Every embedded domain in both forms; the unfactored one has the agent ''."""
    done: list[Files] = []
    for name in DOMAINS:
        made = DOMAINS.get(name).generate("small", seed=1)
        whole = read_texts(Source("domain", made.domain), Source("problem", made.problem))
        done += [{"": (made.domain, made.problem)}, factor(whole)]
    return tuple(done)


@cache
def texts() -> tuple[str, ...]:
    return tuple(text for files in problems() for pair in files.values() for text in pair)


def describe(files: Files) -> Description:
    if "" in files:
        domain, problem = files[""]
        return read_texts(Source("domain", domain), Source("problem", problem))
    parts = [read_agent(a, Source(f"d-{a}", d), Source(f"p-{a}", p)) for a, (d, p) in files.items()]
    return Description(Form.FACTORED, "fuzz", tuple(part.pairs[0] for part in parts))


def survives(files: Files) -> bool:
    """Load; True for an instance, False for an error that can be read; all else fails the test."""
    with limit(SECONDS):
        try:
            use(Instance(describe(files), {}))
        except TacitError as error:
            told = str(error)
        else:
            return True
    assert 0 < len(told) < 25_000
    return False


def use(instance: Instance) -> None:
    """Ask for everything that an instance can tell."""
    for agent in instance.agents:
        local = instance.local(agent)
        assert len(instance.publications()[agent].actions) <= local.counts["public_actions"]
        assert all(action.name for action in local.actions)
        assert all(local.fact_name(fact) for fact in (*local.init, *local.goal))


number = st.integers(0, 1 << 20)
steps = st.lists(st.tuples(st.sampled_from(MUTATIONS), number, number, number), max_size=6)


@fuzz
@given(number, steps)
def test_mutated_problems(which: int, mutations: list[tuple[Mutation, int, int, int]]) -> None:
    files = dict(problems()[which % len(problems())])
    for mutation, a, b, where in mutations:
        agent = list(files)[where // 2 % len(files)]
        pair = list(files[agent])
        pair[where % 2] = mutation(pair[where % 2], a, b, texts())
        files[agent] = (pair[0], pair[1])
    assert survives(files) or mutations  # without any mutation, it must be an instance


@pytest.mark.parametrize(
    "precondition",
    [
        pytest.param("()", id="free parameters"),
        pytest.param("(and (q ?x0 ?x1) (q ?x2 ?x3) (q ?x4 ?x5) (q ?x6 ?x7))", id="joins"),
        pytest.param("(not (= ?x7 ?x7))", id="never equal"),
        pytest.param("(and (q ?x0 ?x1) (not (= ?x0 ?x0)))", id="joined"),
        pytest.param("(not (p ?a))", id="waiting for a negation"),
    ],
)
def test_a_grounding_that_explodes_is_given_up(precondition: str) -> None:
    parameters = " ".join(f"?x{n} - thing" for n in range(8))
    names = [f"o{n}" for n in range(20)]
    pairs = " ".join(f"(q {a} {b})" for a in names for b in names)
    domain = f"""(define (domain d) (:types agent thing)
      (:predicates (p ?x - agent) (q ?x ?y - thing))
      (:action a :agent ?a - agent :parameters ({parameters})
       :precondition {precondition} :effect (p ?a)))"""
    problem = f"""(define (problem p) (:domain d) (:objects a - agent {" ".join(names)} - thing)
      (:init (p a) {pairs}) (:goal (p a)))"""
    with limit(60), pytest.raises(InputError, match="too large to ground"):
        Instance(describe({"": (domain, problem)}), {})


words = st.sampled_from(sorted({w for text in texts() for w in text.split()} | {"(", ")", "\n"}))
anything = st.lists(words | st.text(max_size=8), max_size=40).map(" ".join)


@fuzz
@given(anything, anything)
@example("", "")
@example("\ufeff", "\0")
def test_random_words(domain: str, problem: str) -> None:
    survives({"": (domain, problem)})
    survives({"": (f"(define (domain d) {domain})", f"(define (problem p) (:domain d) {problem})")})


facts = st.builds(PublicFact, st.text(), st.lists(st.text(), max_size=3).map(tuple), st.booleans())
many = st.lists(facts, max_size=3).map(tuple)
names = st.lists(st.text(), max_size=3).map(tuple)
messages = st.one_of(
    st.builds(Opening, st.text(), names, names),
    st.builds(Reached, st.text(), st.integers(0, 1 << 60), many, many, many),
    st.builds(Closing, st.text(), many, many),
)


def decodes(frame: bytes) -> None:
    """A frame is a message, which is encoded and decoded again, or a `ProtocolError`."""
    try:
        message = decode(frame)
    except ProtocolError:
        return
    assert decode(encode(message)) == message


@fuzz
@given(st.binary(max_size=60))
def test_random_frames(frame: bytes) -> None:
    decodes(frame)


@fuzz
@given(messages, number, number, st.binary(max_size=4))
def test_mutated_frames(message: Opening | Reached | Closing, a: int, b: int, new: bytes) -> None:
    frame = encode(message)
    assert decode(frame) == message
    one, two = sorted((a % (len(frame) + 1), b % (len(frame) + 1)))
    decodes(frame[:one] + new + frame[two:])
    decodes(frame[:one])


@pytest.mark.parametrize("depth", [10, 1_000, 100_000])
def test_deeply_nested_frames(depth: int) -> None:
    with pytest.raises(ProtocolError):
        decode(b"\x91" * depth)
