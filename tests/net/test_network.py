"""Agents as peers: they find plans together, each with its own files, and write it down."""

from __future__ import annotations

import random
import re

import pytest
from support.forms import factored, generated
from support.hosts import all_solved, play, small, together, traffic, troupe, untimed
from support.renaming import private_words, rename, renaming

import tacit
from tacit.central.instance import Instance
from tacit.domains import DOMAINS
from tacit.errors import ExitCode, LimitReached
from tacit.net.conclusion import Conclusion
from tacit.net.numbering import spacing_for
from tacit.party.agent import Agent
from tacit.pddl.agents import natural_order
from tacit.pddl.factor_writer import factor
from tacit.profile import profile
from tacit.public.outcome import Outcome
from tacit.public.protocol.election import leader
from tacit.public.protocol.link import Hello, Terms
from tacit.public.protocol.messages import Publication, States, decode
from tacit.public.protocol.recording import read_recording
from tacit.public.protocol.states import decode_batch, padded_size
from tacit.public.settings import Cost, Settings, hardening

SOLVERS = ("projection", "mafs")


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("domain", ["logistics", "rovers", "secrets"])
def test_peers_find_a_plan(domain, solver, tmp_path):
    made = small(domain, tmp_path, terms=Terms(solver))
    found = play({agent: made.host(agent) for agent in made.names})
    together(found, made, generated(domain))
    assert len({(e.k, e.leader) for e in found.values()}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("domain", list(DOMAINS))
def test_peers_find_a_plan_in_every_domain(domain, solver, tmp_path):
    for seed in (1, 2):
        made = small(domain, tmp_path / str(seed), seed, terms=Terms(solver))
        found = play({agent: made.host(agent) for agent in made.names})
        if not tacit.solve(Instance(generated(domain, seed), {}), solver).solved:
            assert {e.outcome for e in found.values()} == {Outcome.UNDECIDED}
            continue
        together(found, made, generated(domain, seed))


@pytest.mark.parametrize("cost", Cost)
@pytest.mark.parametrize("domain", ["logistics", "depot"])
def test_peers_find_the_cheapest_plan_on_their_ledger(domain, cost, tmp_path):
    terms = Terms("mad-astar", heuristic="lmcut", settings=Settings(cost=cost))
    made = small(domain, tmp_path, terms=terms)
    found = play({agent: made.host(agent) for agent in made.names})
    together(found, made, generated(domain))
    batches = [
        decode_batch(message.batch)
        for agent in made.names
        for entry in read_recording(made.configs[agent].outputs.transcript).entries
        if isinstance(message := decode(entry.payload), States)
    ]
    assert {batch.costs for batch in batches} == {cost}
    meanings = [index for batch in batches for index in batch.indices]
    has_private_actions = domain == "logistics"
    assert any(index.tolls for index in meanings) == (cost is Cost.TOTAL and has_private_actions)
    assert cost is Cost.TOTAL or not any(index.shut for index in meanings)


@pytest.mark.parametrize("names", ["fresh,once,pad", "secure,pad"])
def test_hardened_peers_find_a_plan(names, tmp_path):
    settings = Settings(harden=hardening(names))
    made = small("logistics", tmp_path, terms=Terms("mafs", settings=settings))
    found = play({agent: made.host(agent) for agent in made.names})
    together(found, made, generated("logistics"))
    for config in made.configs.values():
        frames = read_recording(config.outputs.transcript).entries
        batches = [m.batch for m in (decode(f.payload) for f in frames) if isinstance(m, States)]
        assert batches
        assert all(padded_size(len(batch)) == len(batch) for batch in batches)


def test_peers_agree_with_agents_of_one_process(tmp_path):
    """The projection is the same, so the smallest budget is."""
    description = generated("driverlog", 1)
    made = troupe(factor(description), tmp_path, secret="x")
    found = play({agent: made.host(agent) for agent in made.names})
    together(found, made, description)
    here = tacit.solve(Instance(factored(factor(description)), {}))
    assert {e.k for e in found.values()} == {here.k}
    assert {a: e.dependencies for a, e in found.items()} == here.dependencies


def test_no_plan_within_the_bounds_names_those_who_disclose_no_more(tmp_path):
    made = small("logistics", tmp_path, terms=Terms(k=0))
    found = play({agent: made.host(agent) for agent in made.names})
    assert {(e.outcome, e.k, e.plan) for e in found.values()} == {(Outcome.UNDECIDED, 0, None)}
    named = {e.no_more for e in found.values()}
    assert len(named) == 1
    assert set(*named) <= set(made.names)
    assert named != {()}
    assert not list(tmp_path.glob("plan-*"))


@pytest.mark.parametrize("solver", ["projection", "mafs"])
def test_time_to_plan_ends_a_run_for_all_alike(tmp_path, solver):
    made = small("logistics", tmp_path, terms=Terms(solver, seconds=0.0))
    found = play({agent: made.host(agent) for agent in made.names})
    assert {(e.outcome, e.plan) for e in found.values()} == {(Outcome.TIME, None)}


def test_an_agent_holds_its_own_limit_on_memory(tmp_path):
    made = small("logistics", tmp_path)
    for agent in made.names:
        made.change(agent, memory=1)
    with pytest.raises(LimitReached, match="memory while reading") as caught:
        made.host(made.names[0])
    assert caught.value.exit_code == ExitCode.MEMORY


def test_an_agent_out_of_memory_ends_the_run_and_says_why(tmp_path, monkeypatch):
    made = small("logistics", tmp_path)
    answer, full = Agent.answer, made.names[0]

    def limited(agent, sender, frame):
        if agent.name == full:
            raise LimitReached("memory", "ranking")
        return answer(agent, sender, frame)

    monkeypatch.setattr(Agent, "answer", limited)
    found = play({agent: made.host(agent) for agent in made.names})
    for agent, ended in found.items():
        if isinstance(ended, Conclusion):  # it led, and could still say how it ended
            assert ended.outcome is Outcome.MEMORY
        else:
            words = "out of memory while ranking" if agent == full else "it ran out of memory"
            assert words in str(ended)


def test_the_profile_of_the_paper_and_an_interactive_ranking(tmp_path):
    for number, terms in enumerate(
        (
            Terms(settings=profile("paper")),
            Terms("mafs", settings=profile("paper")),
            Terms("mafs", "m3"),
        )
    ):
        made = small("logistics", tmp_path / str(number), 1, terms=terms)
        found = play({agent: made.host(agent) for agent in made.names})
        together(found, made, generated("logistics", 1))


def test_an_agents_warnings_are_about_its_own_files(tmp_path):
    texts = factor(generated("logistics"))
    odd = {a: (d, p.replace("(:init", f"(:init (seen-by {a})")) for a, (d, p) in texts.items()}
    agents = troupe(odd, tmp_path)
    for name in agents.names:
        [warning] = agents.host(name).warnings
        assert warning.startswith(f"{agents.configs[name].problem}:")
        assert f"(seen-by {name})" in warning


@pytest.mark.parametrize("solver", SOLVERS)
def test_private_names_change_nothing_that_crosses(tmp_path, solver):
    texts = factor(generated("logistics", 1))
    rng = random.Random(3)
    others, secret = {}, set()
    for agent, (domain, problem) in texts.items():
        names = renaming(private_words(factored({agent: (domain, problem)})), rng)
        secret |= set(names.values())
        others[agent] = (rename(domain, names), rename(problem, names))
    assert secret
    for attempt in range(1 if solver == "projection" else 4):
        seen = []
        for number, given in enumerate((texts, others)):
            folder = tmp_path / f"{attempt} {number}"
            made = troupe(given, folder, Terms(solver, k=4), secret="same")
            assert all_solved(play({agent: made.host(agent) for agent in made.names}))
            seen.append(traffic(made))
        before, after = seen
        joined = b"\n".join(payload for payloads in after.values() for payload in payloads)
        assert not [name for name in secret if name.encode() in joined]
        if solver != "projection":
            # How states are batched, and how far a search gets before more is disclosed, depends on
            # time; all else does not, up to how often is polled.
            before, after = ({k: untimed(v) for k, v in one.items()} for one in seen)
        if before == after:
            return
    pytest.fail("private names change what crosses")


def test_a_transcript_has_both_sides_of_everything(tmp_path):
    made = small("logistics", tmp_path, terms=Terms("mafs"))
    assert all_solved(play({agent: made.host(agent) for agent in made.names}))
    seen = traffic(made)
    for agent, peer, is_sent in list(seen):
        if is_sent:
            received = seen[peer, agent, False]
            assert seen[agent, peer, True][: len(received)] == received
            assert isinstance(decode(received[0]), Hello)
    messages = [decode(p) for payloads in seen.values() for p in payloads]
    assert any(isinstance(m, States) for m in messages)


def test_the_record_says_what_was_disclosed_in_own_words(tmp_path):
    """To every other agent, what the ledger has; and all hold the same ledger."""
    made = small("logistics", tmp_path, terms=Terms(ranking="m3", k=4), secret="r")
    found = play({agent: made.host(agent) for agent in made.names})
    assert all_solved(found), found
    assert len({tuple(entry.line() for entry in e.ledger) for e in found.values()}) == 1
    leader = next(iter(found.values())).leader
    for agent in made.names:
        text = made.configs[agent].outputs.record.read_text()
        edges = [line for line in text.splitlines() if "dependency" in line]
        pattern = r"[\dT:.-]+Z  to \S+  dependency \d: .+ achieves \(.+\)"
        assert all(re.match(pattern, line) for line in edges)
        for peer in made.names:
            to_peer = sum(f"to {peer}  " in line for line in edges)
            expected = found[agent].ledger.counts(agent).edges if peer != agent else 0
            assert to_peer == expected
        if agent == leader:
            continue
        published = sum("public action" in line and "is (" in line for line in text.splitlines())
        sent = map(decode, traffic(made)[agent, leader, True])
        assert published == sum(len(m.actions) for m in sent if isinstance(m, Publication))


def test_a_task_that_is_out_of_reach_discloses_nothing(tmp_path):
    """A truck is nowhere: everybody learns which goals are out of reach, and nothing else."""
    broken = {
        agent: (domain, re.sub(r"\(at truck\d [^)]*\)", "", problem))
        for agent, (domain, problem) in factor(generated("logistics")).items()
    }
    made = troupe(broken, tmp_path, secret="o")
    found = play({agent: made.host(agent) for agent in made.names})
    assert {e.outcome for e in found.values()} == {Outcome.NO_PLAN}, found
    assert all(len(e.ledger) == 0 for e in found.values())
    assert all(e.unreachable for e in found.values())


def test_all_agents_elect_the_same_leader():
    names = [f"a{n}" for n in range(5)]
    lots = {leader({name: bytes([n]) * 32 for name in names}) for n in range(60)}
    assert lots == set(names)
    shuffled = random.Random(1).sample(names, 5)
    nonces = {name: name.encode() * 16 for name in names}
    assert leader(nonces) == leader({name: nonces[name] for name in shuffled})


def test_natural_order_decides_which_agent_calls():
    assert natural_order(["a10", "a2"]) == ("a2", "a10")


def test_many_private_actions_in_a_row_need_larger_numbers(tmp_path):
    from types import SimpleNamespace

    from tacit.party.extension.extension import LocalPlan

    task = SimpleNamespace(arrays=SimpleNamespace(is_public=[False, True]))
    few = LocalPlan(tuple((0, 0) for _ in range(999)))
    many = LocalPlan(tuple((0, 0) for _ in range(1000)))
    assert spacing_for(task, few) == 1_000
    assert spacing_for(task, many) == 10_000
