"""Bounds that last are not had again by starting again: whole runs, of the same seed or others."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.between import Between
from support.daily import known, ledgers_of
from support.forms import factored, generated
from support.hosts import play, small

import tacit
from tacit.audit.recorded import read_record
from tacit.central.instance import Instance
from tacit.net.lasting import LastingLedger
from tacit.net.lasting_files import Place, read_peer, read_runs
from tacit.net.task_digest import digest_of
from tacit.party.bounds import Bounds
from tacit.pddl.factor_writer import factor
from tacit.public.ledger import Kind
from tacit.public.outcome import Outcome
from tacit.public.protocol.link import Terms
from tacit.public.settings import Count, Settings


@pytest.mark.parametrize("domain", ["logistics", "rovers"])
def test_runs_that_count_classes_stay_within_a_bound_of_classes(tmp_path, domain):
    """The bound is what one run takes in classes, fewer than its edges; the run is possible within
    it, and restarts do not bring the bound back.
    """
    instance = tacit.load(f"{domain}/medium")
    settings = Settings(count=Count.CLASSES)
    free = Between(instance, settings=settings).run()
    need = {agent: free.ledger.counts(agent).counted for agent in instance.agents}
    edges = {agent: free.ledger.counts(agent).edges for agent in instance.agents}
    assert any(edges[agent] > need[agent] for agent in need)
    bounds = {agent: Bounds(edges=count) for agent, count in need.items()}
    pairs = {pair.agent: pair for pair in factored(factor(instance.source)).pairs}
    for seed in range(3):
        own = {
            agent: LastingLedger(
                Place(tmp_path / "ledger", agent),
                digest_of(pairs[agent]),
                {peer: bounds[agent] for peer in instance.agents if peer != agent},
            )
            for agent in instance.agents
        }
        run = Between(instance, settings=settings, bounds=bounds, lasting=own, seed=seed)
        assert run.run().outcome is Outcome.SOLVED
        for kept in own.values():
            kept.close()
        for agent in instance.agents:
            place = Place(tmp_path / "ledger", agent)
            for peer in need.keys() - {agent}:
                (task,) = read_peer(place, peer)
                found = [line for line in task.disclosed if line.kind is Kind.EDGE]
                assert len({line.alike for line in found}) <= need[agent]
                assert all(line.alike for line in found)


def collected(
    tmp_path: Path | None, restarts: int, ranking: str, bound: int
) -> dict[str, set[str]]:
    """What others learn from agents that are started again and again, with another seed each
    time, and asked until they say "no more".
    """
    problem = generated("logistics", 0)
    instance = Instance(problem, {})
    found: dict[str, set[str]] = {agent: set() for agent in instance.agents}
    for restart in range(restarts):
        bounds = Bounds(edges=bound)
        lasting = ledgers_of(problem, tmp_path, bounds) if tmp_path else {}
        in_run = {} if tmp_path else dict.fromkeys(instance.agents, bounds)
        run = Between(instance, ranking=ranking, bounds=in_run, seed=restart, lasting=lasting)
        run.run()
        for agent in instance.agents:
            while type(run.coordinator.take_turn(agent, must=True)).__name__ == "EdgeDisclosed":
                pass
            own = run.agents[agent]
            found[agent].update(map(own.dependencies.describe, own.disclosed))
        for ledger_of in lasting.values():
            ledger_of.close()
    return found


@pytest.mark.parametrize(
    ("ranking", "restarts"),
    [("random", 20), ("goal", 5), pytest.param("random", 100, marks=pytest.mark.slow)],
)
def test_restarts_show_no_edge_beyond_the_ledger(tmp_path, ranking, restarts):
    """Bounds that look at one run alone are had again by starting again."""
    found = collected(tmp_path, restarts, ranking, bound=1)
    print(f"{restarts} restarts: { ({agent: len(edges) for agent, edges in found.items()}) } edges")
    for agent, edges in found.items():
        on_ledger = known(tmp_path, agent) | known(tmp_path, agent, of_states=True)
        assert len(edges) == len(on_ledger) == 1, (agent, edges)
    if ranking == "random":
        without = collected(None, restarts, ranking, bound=1)
        assert all(len(edges) > 1 for edges in without.values()), "this is what it is against"


@pytest.mark.parametrize("ranking", ["random", "goal"])
def test_between_hosts_bounds_hold_over_runs_and_a_run_is_named_by_both(tmp_path, ranking):
    made = small("logistics", tmp_path, terms=Terms("projection", ranking, k=1))
    for agent in made.names:
        made.change(agent, ledger=tmp_path / "ledger", bounds=Bounds(edges=1))
    for number in (1, 2, 3):
        found = play({agent: made.host(agent) for agent in made.names})
        assert {e.outcome for e in found.values()} == {Outcome.UNDECIDED}, found
        for agent in made.names:
            peers = [peer for peer in made.names if peer != agent]
            runs = read_runs(Place(tmp_path / "ledger", agent), peers[0])
            assert [getattr(line, "theirs", line.run) for line in runs][-2:] == [number, number]
    for agent in made.names:
        edges = known(tmp_path / "ledger", agent)
        assert len(edges | known(tmp_path / "ledger", agent, of_states=True)) <= 1
        text = made.configs[agent].outputs.record.read_text()
        assert text.count("; what ") == 3, "records are appended to"
        for peer in made.names:
            assert (f"run 3 with '{peer}', there run 3" in text) == (peer != agent)
        assert "there run 3; terms: solver projection" in text
        record = read_record(made.configs[agent].outputs.record)
        assert len(record.others) == 2
        assert len(record.actions) == len(record.others[0].actions) > 0
