"""What crosses while planning: nothing that depends on private names, and edges in one order."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import pytest
from brute import tinies
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_factored import factored, generated

import tacit
from tacit.central.instance import Instance
from tacit.central.solve import Limits, Session
from tacit.domains import DOMAINS
from tacit.pddl.agents import agents_of
from tacit.pddl.factor_writer import factor
from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source
from tacit.pddl.syntax import Description
from tacit.public.protocol.messages import Carried, Disclose, Disclosed, Publish, Published
from tacit.public.protocol.transcript import Transcript
from tacit.public.settings import Extension, Settings, Threats

# Private words that are part of the language or of the problem's public text.
KEYWORDS = {"and", "not", "object", "define", "domain", "problem", "increase", "either"}
LIMITS = Limits(20, 12)


def private_words(description: Description) -> set[str]:
    """Names that nobody else has to know: private objects and predicates, and actions."""
    words: set[str] = set()
    public: set[str] = set(agents_of(description)) | KEYWORDS
    for pair in description.pairs:
        words |= {item.name for item in pair.objects if item.private}
        words |= {p.name for p in pair.domain.predicates if p.private}
        words |= {a.name for a in pair.domain.actions}
        public |= {item.name for item in pair.objects if not item.private}
        public |= {p.name for p in pair.domain.predicates if not p.private}
        public |= {t.name for t in pair.domain.types}
        public |= {f.name for f in pair.domain.functions}
        public |= {pair.domain.name, pair.problem.name}
    return words - public


def renaming(words: set[str], rng: random.Random) -> dict[str, str]:
    """New names of different lengths that sort otherwise and occur nowhere by chance."""
    order = sorted(words)
    rng.shuffle(order)
    return {
        word: f"{rng.choice('abkmz')}{'q' * rng.randint(1, 9)}{rng.randrange(10**9, 10**10)}w{n}"
        for n, word in enumerate(order)
    }


def rename(text: str, names: dict[str, str]) -> str:
    longest_first = sorted(names, key=len, reverse=True)
    pattern = rf"(?<![\w?:-])({'|'.join(map(re.escape, longest_first))})(?![\w-])"
    return re.sub(pattern, lambda match: names[match.group()], text)


def read(domain: str, problem: str) -> Description:
    return read_texts(Source("domain.pddl", domain), Source("problem.pddl", problem))


def transcripts(
    description: Description,
    ranking: str = "m3",
    choice: Settings = Settings(),  # noqa: B008
) -> list[Transcript]:
    """What crossed while grounding, and while planning with several budgets."""
    instance = Instance(description, {})
    session = Session(instance, choice, ranking)
    limits = LIMITS if choice.repairs else Limits()
    for k in sorted({0, 1, session.largest // 2, session.largest}):
        result = session.at(k, limits)
    return [instance.transcript, result.transcript]


def payloads(found: list[Transcript]) -> list[tuple[str, str, bytes]]:
    return [(f.sender, f.receiver, f.payload) for t in found for f in t.frames]


def check_renaming(
    texts: dict[str | None, tuple[str, str]],
    read_all,
    seed: int,
    ranking: str = "m3",
    choice: Settings = Settings(),  # noqa: B008
) -> None:
    """`texts` per agent, or under None for all; every agent's are renamed in their own way."""
    before = payloads(transcripts(read_all(texts), ranking, choice))
    assert before
    rng = random.Random(seed)
    secret: set[str] = set()
    done = {}
    for agent, (domain, problem) in texts.items():
        words = private_words(read_all({agent: (domain, problem)}))
        assert words
        names = renaming(words, rng)
        secret |= set(names.values())
        done[agent] = (rename(domain, names), rename(problem, names))
    assert done != texts
    after = payloads(transcripts(read_all(done), ranking, choice))
    assert after == before
    joined = b"\n".join(payload for _, _, payload in after)
    assert not [name for name in secret if name.encode() in joined]


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_private_names_change_no_byte_of_an_unfactored_problem(domain):
    for seed in range(2):
        made = DOMAINS.get(domain).generate("small", seed)
        check_renaming({None: (made.domain, made.problem)}, lambda t: read(*t[None]), seed)


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_private_names_change_no_byte_of_a_factored_problem(domain):
    for seed in range(2):
        check_renaming(factor(generated(domain, seed)), factored, seed)


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(tinies(), st.integers(0, 9))
def test_private_names_change_no_byte_of_random_problems(tiny, seed):
    check_renaming({None: tiny.texts}, lambda t: read(*t[None]), seed)


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_names_as_they_are_do_not_cross_either(domain):
    """Whole words in frames, as many short names are part of other words."""
    description = generated(domain, 2)
    words = private_words(description)
    frames = payloads(transcripts(description))
    seen = {
        word.decode() for _, _, payload in frames for word in re.findall(rb"[\w-]{2,}", payload)
    }
    protocol = {"publish", "disclose", "carry", "meet", "drop", "object", "strict"}
    assert not seen & (words - protocol)


def published(transcript: Transcript) -> list[Published]:
    return [m for m in transcript.messages() if isinstance(m, Published)]


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_the_seed_decides_everything(domain):
    def run(seed: int) -> tacit.Result:
        return Session(Instance(generated(domain, 1), {}), Settings(), seed=seed).at(3, LIMITS)

    one, again, other = run(5), run(5), run(6)
    assert one.transcript.frames == again.transcript.frames
    assert (one.outcome, one.plan) == (again.outcome, again.plan)
    assert published(one.transcript) != published(other.transcript)

    def shapes(result: tacit.Result) -> list[list[tuple]]:
        return [
            sorted((a.cost, a.needs, a.adds, a.deletes, len(a.tokens)) for a in part.actions)
            for part in published(result.transcript)
        ]

    assert shapes(one) == shapes(other), "only numbers differ"


@pytest.mark.parametrize("ranking", ["m1", "m2", "m3", "m4", "random"])
@pytest.mark.parametrize("domain", list(DOMAINS))
def test_edges_at_k_are_a_set_of_those_at_k_plus_1(domain, ranking):
    session = Session(Instance(generated(domain, 1), {}), Settings(), ranking)
    order = list(range(min(session.largest, 40) + 1))
    asked = [*order, *reversed(order)]
    told: dict[str, dict[int, tuple]] = {agent: {} for agent in session.agents}
    start = len(session._party.transcript.frames)
    for k in asked:
        session._solver.projection(k)
    messages = list(session._party.transcript.messages())[start:]
    for question, answer in zip(messages[::2], messages[1::2], strict=True):
        assert isinstance(question, Disclose)
        assert isinstance(answer, Disclosed)
        assert answer.total == session._solver.totals[answer.sender]
        assert len(answer.edges) == min(question.budget, answer.total)
        earlier = told[answer.sender].setdefault(question.budget, answer.edges)
        assert earlier == answer.edges, "asked again, the same"
        assert list(answer.edges) == sorted(set(answer.edges)), "their order tells nothing"
    for agent, edges in told.items():
        own = session.agents[agent]._ready()
        first = [own.show(edge) for edge in own._met().first(order[-1])]
        for less, more in pairwise(order):
            assert set(edges[less]) <= set(edges[more])
            assert set(edges[less]) == set(first[: len(edges[less])])


@pytest.mark.parametrize(
    "choice",
    [Settings(threats=Threats.NONE), Settings(repair=False), Settings(extension=Extension.REPLAN)],
)
def test_where_repairs_help_nobody_no_reason_is_told(choice):
    """That it cannot is all that an agent says of a plan."""
    session = Session(Instance(generated("blocksworld", 1), {}), choice, "m3")
    answers = [
        message
        for message in session.at(session.largest, Limits(20)).transcript.messages()
        if isinstance(message, Carried)
    ]
    failed = [answer for answer in answers if not answer.succeeded]
    assert failed
    assert all(answer == Carried(answer.sender, False, answer.decided) for answer in failed)


def test_only_questions_and_answers_of_the_protocol_cross():
    description = generated("blocksworld", 1)
    grounding, planning = transcripts(description)
    agents = set(Instance(description, {}).agents)
    assert not grounding.frames, "one trusted user grounds an unfactored problem"
    assert {f.sender for f in planning.frames} == agents | {"solver"}
    for question, answer in zip(planning.frames[::2], planning.frames[1::2], strict=True):
        assert (question.sender, question.receiver) == (answer.receiver, answer.sender)
    assert sum(isinstance(m, Publish) for m in planning.messages()) == len(agents)
