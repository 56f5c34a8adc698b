"""What others know is metered, and audited, in whatever domain there is a generator for."""

from __future__ import annotations

import pytest
from support.audits import traffic_of
from support.forms import factored
from support.problems import instance_of
from support.views import true_edges

from tacit.audit.holder import audit
from tacit.audit.report import as_dict, in_short
from tacit.central.instance import Instance
from tacit.central.leaking import leakage_of
from tacit.central.session import Limits, Session
from tacit.domains import DOMAINS
from tacit.leakage import transitions
from tacit.pddl.factor_writer import factor
from tacit.profile import profile
from tacit.public.protocol.messages import States
from tacit.public.protocol.states import decode_batch
from tacit.public.run_options import RunOptions

FIELDS = [
    *("disclosed", "certain", "guessed", "guessed_right", "undisclosed", "classes"),
    *("bits_a", "bits_b", "bits_b_all", "sums", "lost"),
]
SIZES = ["small", pytest.param("medium", marks=pytest.mark.slow)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("domain", sorted(DOMAINS))
def test_what_others_know_and_an_audit_in_every_domain(domain, size):
    made = DOMAINS.get(domain).generate(size, seed=3)
    whole = instance_of(made.domain, made.problem)
    instance = Instance(factored(factor(whole.source)), {})
    options = RunOptions(drive="roundrobin", record=True)
    session = Session(instance, profile("tacit"), options, online=True)
    result = session.online(Limits(60))
    assert result.solved
    known = leakage_of(session, result)
    assert list(known) == list(instance.agents)
    for agent, own in known.items():
        assert list(own.as_json()) == FIELDS
        assert own.disclosed == result.ledger.counts(agent).disclosed
        assert own.admits, "the owner's own graph is among those that are left"
        assert set(own.certain) <= true_edges(session, agent)
        assert 0 <= own.bits_b.learned <= own.bits_b.all + 1e-9
    first, *_ = instance.agents
    found = audit(traffic_of(session, first))
    assert set(found.agents) >= set(instance.agents) - {first}
    assert not [about.findings for about in found.agents.values() if about.findings]
    assert as_dict(found)["agents"]
    assert all(in_short(about) for about in found.agents.values())


def test_each_batch_of_states_is_read_once(monkeypatch):
    """Whoever is observed: reading states takes most of the time of an audit."""
    made = DOMAINS.get("blocksworld").generate("medium", seed=0)
    options = RunOptions(drive="roundrobin", record=True)
    instance = instance_of(made.domain, made.problem)
    session = Session(instance, profile("tacit"), options, online=True)
    result = session.online(Limits(60))
    batches = [m.batch for m in result.transcript.messages() if isinstance(m, States)]
    assert batches
    transitions.decoded.cache_clear()
    read: list[bytes] = []
    monkeypatch.setattr(transitions, "decode_batch", lambda b: (read.append(b), decode_batch(b))[1])
    leakage_of(session, result)
    audit(traffic_of(session, instance.agents[0]))
    assert len(read) <= len(set(batches))
