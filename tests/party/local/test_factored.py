"""Both forms of a problem are one task; and what crosses while grounding gives nothing away."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import HealthCheck, given, settings
from support.forms import factored, generated
from support.naive import canonical

import tacit
from tacit.central.instance import Instance
from tacit.domains import DOMAINS
from tacit.errors import InputError, ProtocolError
from tacit.party.local.grounding import GroundingAgent
from tacit.pddl.agents import agents_of, natural_order
from tacit.pddl.factor_writer import factor
from tacit.public.protocol.messages import Closing, Opening, Reached, encode
from tacit.testing import problems

CODMAP_DOMAINS = [
    *("blocksworld", "depot", "driverlog", "elevators08"),
    *("logistics00", "rovers", "zenotravel"),
]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("domain", list(DOMAINS))
def test_both_forms_of_generated_problems(domain, seed):
    description = generated(domain, seed)
    ours, theirs = Instance(description, {}), Instance(factored(factor(description)), {})
    assert ours.public.facts == theirs.public.facts
    assert canonical(ours) == canonical(theirs)


@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("domain", CODMAP_DOMAINS)
def test_both_forms_of_codmap_problems(codmap, domain, every):
    folders = sorted((codmap / "unfactored" / domain).iterdir())
    assert len(folders) == 20
    for folder in folders[::every]:
        ours, theirs = tacit.load(folder), tacit.load(codmap / "factored" / domain / folder.name)
        assert ours.public.facts == theirs.public.facts, folder.name
        assert canonical(ours) == canonical(theirs), folder.name


def private_words(texts: dict[str, tuple[str, str]]) -> set[str]:
    """Names that only private blocks declare: objects (agents apart) and predicates."""
    description = factored(texts)
    agents = set(agents_of(description))
    words: set[str] = set()
    for pair in description.pairs:
        words |= {item.name for item in pair.objects if item.private} - agents
        words |= {p.name for p in pair.domain.predicates if p.private}
        public = {p.name for p in pair.domain.predicates if not p.private}
        words |= {a.name for a in pair.domain.actions}
        words -= public | {t.name for t in pair.domain.types}
    return words


def renamed(texts: dict[str, tuple[str, str]], rng: random.Random) -> dict[str, tuple[str, str]]:
    """Private objects, private predicates and actions under random names of random length."""
    done = {}
    for agent, pair in texts.items():
        salt, words = rng.random(), private_words({agent: pair})
        done[agent] = tuple(rename(text, words, salt) for text in pair)
    return done


def rename(text: str, words: set[str], salt: float) -> str:
    def new(match: re.Match[str]) -> str:
        rng = random.Random(f"{salt} {match.group()}")
        return f"x{rng.randrange(10 ** rng.randint(6, 14))}y"

    longest_first = sorted(words, key=len, reverse=True)
    pattern = rf"(?<![\w?:-])({'|'.join(map(re.escape, longest_first))})(?![\w-])"
    return re.sub(pattern, new, text)


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_renaming_private_things_changes_no_byte_that_crosses(domain):
    texts = factor(generated(domain, 1))
    before = Instance(factored(texts), {}).transcript
    assert before.frames
    for seed in range(3):
        after = Instance(factored(renamed(texts, random.Random(seed))), {}).transcript
        assert after.frames == before.frames


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_no_private_name_crosses(domain):
    texts = factor(generated(domain, 2, "medium"))
    words = private_words(texts)
    assert words
    for message in Instance(factored(texts), {}).transcript.messages():
        names: set[str] = set()
        if isinstance(message, Opening):
            names.update(message.changes, message.negates)
        facts = ()
        if isinstance(message, Reached):
            facts = (*message.initial, *message.true, *message.false)
        if isinstance(message, Closing):
            facts = (*message.negated, *message.goals)
        for fact in facts:
            names.update((fact.predicate, *fact.args))
        assert not names & words


def test_every_agent_sees_the_same_transcript_length():
    transcript = Instance(factored(factor(generated("logistics", 0, "medium"))), {}).transcript
    receivers = {frame.receiver for frame in transcript.frames}
    counts = {sum(f.receiver == r for f in transcript.frames) for r in receivers}
    assert len(counts) == 1


class Nowhere:
    def __init__(self):
        self.sent: list[tuple[str, bytes]] = []

    def send(self, receiver: str, frame: bytes) -> None:
        self.sent.append((receiver, frame))


def agent_of(domain: str):
    description = factored(factor(generated(domain)))
    agents = agents_of(description)
    port = GroundingAgent(next(p for p in description.pairs if p.agent == agents[0]), agents)
    return port, agents


BAD_FRAMES = {
    "garbage": lambda me, peer: b"\x00garbage",
    "another's name": lambda me, peer: encode(Opening(me, (), ())),
    "out of turn": lambda me, peer: encode(Reached(peer, 5, (), (), ())),
}


@pytest.mark.parametrize("fault", BAD_FRAMES)
def test_a_peer_that_breaks_the_protocol_is_named(fault):
    port, agents = agent_of("logistics")
    port.open(Nowhere())
    frame = BAD_FRAMES[fault](agents[0], agents[1])
    with pytest.raises(ProtocolError, match=f"{agents[1]}|frame"):
        port.receive(agents[1], frame, Nowhere())


def test_a_peer_that_speaks_twice_is_named():
    port, agents = agent_of("logistics")
    port.open(Nowhere())
    port.receive(agents[1], encode(Opening(agents[1], (), ())), Nowhere())
    with pytest.raises(ProtocolError, match="two messages"):
        port.receive(agents[1], encode(Opening(agents[1], (), ())), Nowhere())


def test_agents_that_disagree_on_the_initial_state_are_an_error():
    texts = factor(generated("logistics"))
    agent = sorted(texts)[-1]
    domain, problem = texts[agent]
    facts = re.findall(r"\(at package\d+ airport\d+\)", problem.split(":goal")[0])
    start = facts[0] if facts else re.search(r"\(at package\d+ [\w-]+\)", problem).group()
    texts[agent] = (domain, problem.replace(start, "", 1))
    with pytest.raises((ProtocolError, InputError), match="disagree"):
        Instance(factored(texts), {})


def test_agents_that_disagree_on_the_goal_are_an_error():
    texts = factor(generated("blocksworld"))
    agent = sorted(texts)[0]
    domain, problem = texts[agent]
    head, goal = problem.split("(:goal")
    texts[agent] = (domain, head + "(:goal" + re.sub(r"\(on\w* [^()]*\)", "", goal, count=1))
    with pytest.raises((ProtocolError, InputError), match="disagree"):
        Instance(factored(texts), {})


@pytest.mark.parametrize("domain", ["depot", "logistics"])
def test_one_speaks_after_the_other_until_all_were_silent_in_a_row(domain):
    instance = Instance(factored(factor(generated(domain))), {})
    messages = instance.transcript.messages()
    turns = {m.turn: m for m in messages if isinstance(m, Reached)}
    order, count = natural_order(instance.agents), len(instance.agents)
    assert sorted(turns) == list(range(1, len(turns) + 1))
    assert all(turns[n].sender == order[(n - 1) % count] for n in turns)
    assert all(turns[n].is_empty for n in range(len(turns) - count + 1, len(turns) + 1))
    assert not turns[len(turns) - count].is_empty


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_nobody_says_what_was_said(domain):
    instance = Instance(factored(factor(generated(domain))), {})
    turns = {m.turn: m for m in instance.transcript.messages() if isinstance(m, Reached)}
    said = [fact for m in turns.values() for fact in m.true]
    assert len(said) == len(set(said))
    made_false = [fact for m in turns.values() for fact in m.false]
    assert len(made_false) == len(set(made_false))


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(problems())
def test_both_forms_were_told_the_same(tiny):
    """Where one process grounds for all, agents know what each would have heard."""
    whole = tiny.load()
    parts = Instance(factored(factor(whole.source)), {})
    for agent in whole.agents:
        heard = [sorted(facts) for facts in whole.local(agent).told if facts]
        assert heard == [sorted(facts) for facts in parts.local(agent).told if facts]
