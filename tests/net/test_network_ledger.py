"""Between hosts, too, the ledger is what frames disclose: each item, to all, and no more."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.audits import transcripts
from support.hosts import Troupe, play, small, troupe
from support.notes import quick, say
from support.walks import walks

from tacit.leakage.reading.traffic import read_runs
from tacit.net.conclusion import Conclusion
from tacit.pddl.factor_writer import factor
from tacit.public.ledger import Kind, Ledger
from tacit.public.protocol.link import Terms
from tacit.public.protocol.messages import EdgeDisclosed, PrefixFails, Threatened
from tacit.testing import problems

SOLVERS = ("auto", "mafs", "projection")
ORDERS = ("m1", "m2", "m3", "m4", "random", "goal")


def in_frames(made: Troupe, sender: str, receiver: str) -> Counter[tuple[Kind, object]]:
    """What one agent disclosed to another, by the frames between them."""
    found: Counter[tuple[Kind, object]] = Counter()
    (traffic,) = read_runs(transcripts(made))
    for seen in traffic.frames:
        if (seen.sender, seen.receiver) != (sender, receiver):
            continue
        match seen.message:
            case EdgeDisclosed():
                found[Kind.EDGE, seen.message.edge] += 1
            case Threatened():
                found.update((Kind.THREAT, edge) for edge in seen.message.threats)
                found.update((Kind.TOKEN, token) for token in seen.message.restored)
            case PrefixFails():
                found[Kind.PREFIX, None] += 1
    return found


def on_ledger(ledger: Ledger, agent: str) -> Counter[tuple[Kind, object]]:
    return Counter(
        (entry.kind, None if entry.kind is Kind.PREFIX else entry.item)
        for entry in ledger
        if entry.agent == agent and entry.kind is not Kind.FREE
    )


def check(made: Troupe) -> Counter[Kind]:
    """Run it, and compare all ledgers with all frames."""
    ended = play({agent: made.host(agent) for agent in made.names})
    kinds: Counter[Kind] = Counter()
    for holder, found in ended.items():
        assert isinstance(found, Conclusion), found
        for agent in made.names:
            expected = on_ledger(found.ledger, agent)
            kinds.update(kind for kind, _ in expected)
            for receiver in made.names:
                if receiver != agent:
                    assert in_frames(made, agent, receiver) == expected, (holder, agent, receiver)
    return kinds


def test_random_problems_of_hosts_report_what_they_disclose(tmp_path_factory):
    kinds: Counter[Kind] = Counter()

    @quick(8)
    @given(st.one_of(problems(), walks, walks), st.sampled_from(SOLVERS), st.sampled_from(ORDERS))
    def run(tiny, solver, ranking):
        say("\n".join(tiny.texts))
        terms = Terms(solver, ranking)
        texts = factor(tiny.load().source)
        kinds.update(check(troupe(texts, tmp_path_factory.mktemp("run"), terms, secret="s")))

    run()
    assert kinds[Kind.EDGE] > 0


@pytest.mark.slow
@pytest.mark.parametrize(("solver", "ranking"), list(product(SOLVERS, ORDERS)))
def test_hosts_of_small_problems_report_what_they_disclose(tmp_path, solver, ranking):
    kinds: Counter[Kind] = Counter()
    for domain in ("logistics", "rovers", "blocksworld", "secrets"):
        made = small(domain, tmp_path / domain, terms=Terms(solver, ranking), secret="s")
        kinds.update(check(made))
    assert kinds[Kind.EDGE] > 0
