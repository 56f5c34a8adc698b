"""Private names over the network: they change nothing that crosses, and are nowhere in it.

The same agents plan twice, the second time with everything private renamed at random, each in its
own way. With the same secrets for what is random, all frames of the projection are the same to the
byte. In forward search who comes to a state first is a matter of time. So it is compared where time
has no part, with agents that take turns in one process: all frames are the same to the byte there
too. Over the network all messages but states and counts are the same.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.forms import factored, generated
from support.hosts import Troupe, play, traffic, troupe, untimed
from support.renaming import private_words, rename, renaming

from tacit.audit.names import names_in
from tacit.central.instance import Instance
from tacit.central.session import Session
from tacit.domains import DOMAINS
from tacit.net.conclusion import Conclusion
from tacit.pddl.factor_writer import factor
from tacit.public.protocol.link import Terms
from tacit.public.protocol.messages import States, decode
from tacit.public.protocol.states import decode_batch
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings
from tacit.solvers.limits import Limits

Texts = dict[str, tuple[str, str]]


def renamed(texts: Texts, rng: random.Random) -> tuple[Texts, set[str]]:
    """The same files with new private names, and these."""
    done, secret = {}, set()
    for agent, (domain, problem) in texts.items():
        names = renaming(private_words(factored({agent: (domain, problem)})), rng)
        assert names
        secret |= set(names.values())
        done[agent] = (rename(domain, names), rename(problem, names))
    return done, secret


def both(domain: str, seed: int, folder: Path, terms: Terms) -> tuple[Troupe, Troupe, set[str]]:
    """A run, one with other private names, and these."""
    texts = factor(generated(domain, seed))
    others, secret = renamed(texts, random.Random(seed))
    runs = []
    for name, given in (("before", texts), ("after", others)):
        made = troupe(given, folder / name, terms, secret="same")
        ended = play({agent: made.host(agent) for agent in made.names})
        assert all(isinstance(e, Conclusion) for e in ended.values()), ended
        runs.append(made)
    return (*runs, secret)


def no_name_is_in(made: Troupe, names: set[str]) -> None:
    payloads = [payload for payloads in traffic(made).values() for payload in payloads]
    joined = b"\n".join(payloads)
    assert not [name for name in names if name.encode() in joined]
    assert not names_in(payloads, names)


def check_projection(domain: str, seed: int, folder: Path, k: int, ranking: str) -> None:
    """Without changing over to forward search, in which hosts search at the same time: what they
    send depends on who is faster. Agents that take turns show that below.
    """
    terms = Terms("projection", ranking, k, repairs=20, change_over=False)
    before, after, secret = both(domain, seed, folder, terms)
    assert traffic(before) == traffic(after)
    no_name_is_in(after, secret)


def test_projection(tmp_path):
    check_projection("rovers", 0, tmp_path, 3, "goal")


@pytest.mark.slow
@pytest.mark.parametrize("ranking", ["goal", "m3", "random"])
@pytest.mark.parametrize("domain", list(DOMAINS))
def test_projection_of_every_domain(tmp_path, domain, ranking):
    check_projection(domain, 1, tmp_path, 6, ranking)


def taking_turns(texts: Texts, k: int, ranking: str) -> list[tuple[str, str, bytes]]:
    """All frames of a forward search by agents that take turns in one process."""
    instance = Instance(factored(texts), {})
    run_options = RunOptions("mafs", drive="roundrobin", record=True)
    session = Session(instance, Settings(), replace(run_options, ranking=ranking, seed=7))
    result = session.at(min(k, session.largest), Limits(evaluations=2_000))
    frames = [*instance.transcript.frames, *result.transcript.frames]
    return [(frame.sender, frame.receiver, frame.payload) for frame in frames]


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_forward_search_of_agents_that_take_turns(domain):
    texts = factor(generated(domain, 1))
    others, secret = renamed(texts, random.Random(1))
    before, after = taking_turns(texts, 8, "goal"), taking_turns(others, 8, "goal")
    assert before == after
    assert any(isinstance(decode(payload), States) for _, _, payload in after)
    assert not names_in((payload for _, _, payload in after), secret)


def shown_states(made: Troupe) -> set[frozenset[int]]:
    """The public facts of all states that anybody sent."""
    found: set[frozenset[int]] = set()
    for (_, _, is_sent), payloads in traffic(made).items():
        for message in map(decode, payloads if is_sent else ()):
            if isinstance(message, States):
                found |= {state.facts for state in decode_batch(message.batch).states}
    return found


def test_states_of_a_search_that_finds_nothing(tmp_path):
    """Which dead ends are sent before they are found to be dead is a matter of time."""
    before, after, secret = both("blocksworld", 1, tmp_path, Terms("mafs", "m3", 8))
    assert len(shown_states(before) & shown_states(after)) > 20
    no_name_is_in(after, secret)


@pytest.mark.slow
@pytest.mark.parametrize("domain", list(DOMAINS))
def test_forward_search_of_every_domain(tmp_path, domain):
    before, after, secret = both(domain, 1, tmp_path, Terms("mafs", "goal", 6, seconds=20))
    one, other = traffic(before), traffic(after)
    assert {key: untimed(value) for key, value in one.items()} == {
        key: untimed(value) for key, value in other.items()
    }
    no_name_is_in(after, secret)
