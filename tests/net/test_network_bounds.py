"""An owner's own bounds: no more is disclosed than they allow, and nobody learns why."""

from __future__ import annotations

import pytest
from support.hosts import all_solved, play, small, traffic

from tacit.cli.main import run as tacit_run
from tacit.errors import InputError
from tacit.net.bounds import Agreement
from tacit.net.config import Outputs, config_of, convert
from tacit.net.faults import Fault
from tacit.party.bounds import Bounds
from tacit.policy import POLICY
from tacit.public.disclosure import PublicEdge
from tacit.public.outcome import Outcome
from tacit.public.protocol.link import Terms
from tacit.public.protocol.messages import (
    Begin,
    Disclose,
    EdgeDisclosed,
    Extended,
    Introduce,
    NotExtended,
    PrefixFails,
    Publish,
    RepairWithheld,
    Replanned,
    Scope,
    Undecided,
    decode,
)
from tacit.public.protocol.recording import read_recording
from tacit.public.settings import Settings
from tacit.safety import SAFETY

SOLVERS = ["projection", "mafs", "auto"]
REPAIRS = POLICY.repair.single_answers


def sent_by(made, agent: str) -> list:
    """All that an agent said to anybody."""
    entries = read_recording(made.configs[agent].outputs.transcript).entries
    return [decode(entry.payload) for entry in entries if entry.is_sent]


def edges_of(made, agent: str) -> set[PublicEdge]:
    """The edges that an agent disclosed to anybody."""
    return {m.edge for m in sent_by(made, agent) if isinstance(m, EdgeDisclosed)}


@pytest.mark.parametrize("ranking", ["m1", "goal"])
@pytest.mark.parametrize("solver", SOLVERS)
def test_an_agent_discloses_no_more_edges_than_its_owner_allows(tmp_path, solver, ranking):
    made = small("logistics", tmp_path, terms=Terms(solver, ranking), secret="b")
    for agent in made.names:
        made.change(agent, bounds=Bounds(edges=1))
    found = play({agent: made.host(agent) for agent in made.names})
    assert {e.outcome for e in found.values()} == {Outcome.UNDECIDED}
    assert len({e.no_more for e in found.values()}) == 1
    assert all(e.no_more for e in found.values())
    for agent in made.names:
        assert len(edges_of(made, agent)) == found[agent].ledger.counts(agent).edges <= 1


@pytest.mark.parametrize("solver", SOLVERS)
def test_within_its_bounds_an_agent_plans_as_ever(tmp_path, solver):
    made = small("logistics", tmp_path, terms=Terms(solver, "goal"), secret="b")
    agent = made.names[0]
    made.change(agent, bounds=Bounds(edges=3, repairs=0))
    found = play({agent: made.host(agent) for agent in made.names})
    assert all_solved(found), found
    assert {e.no_more for e in found.values()} == {()}
    assert len(edges_of(made, agent)) <= 3


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_draining_partner_gets_no_more_than_the_round_in_which_hope_ended(tmp_path, solver):
    """It discloses nothing itself, and the goals need it: the others stop when it says so."""
    free = small("logistics", tmp_path / "free", terms=Terms(solver, "goal"), secret="d")
    needed = play({agent: free.host(agent) for agent in free.names})
    ledger = next(iter(needed.values())).ledger
    partner = max(free.names, key=lambda agent: ledger.counts(agent).edges)
    made = small("logistics", tmp_path / "drained", terms=Terms(solver, "goal"), secret="d")
    made.change(partner, bounds=Bounds(edges=0))
    found = play({agent: made.host(agent) for agent in made.names})
    assert {e.outcome for e in found.values()} == {Outcome.UNDECIDED}
    assert {e.no_more for e in found.values()} == {(partner,)}
    for agent in made.names:
        assert len(edges_of(made, agent)) <= (agent != partner)


@pytest.mark.usefixtures("_never_pessimistic")
def test_an_agent_discloses_no_more_repairs_than_its_owner_allows(tmp_path):
    terms = Terms("projection", change_over=False)
    free = small("blocksworld", tmp_path / "free", 1, terms=terms, secret="t")
    needed = play({agent: free.host(agent) for agent in free.names})
    ledger = next(iter(needed.values())).ledger
    agent = max(free.names, key=lambda agent: ledger.counts(agent).repairs)
    most = ledger.counts(agent).repairs
    assert most > 0, "this problem takes repairs"
    assert needed[agent].leader != agent, "its answers cross"
    made = small("blocksworld", tmp_path / "bound", 1, terms=terms, secret="t")
    made.change(agent, bounds=Bounds(repairs=most - 1))
    found = play({agent: made.host(agent) for agent in made.names})
    assert {e.ledger.counts(agent).repairs <= most - 1 for e in found.values()} == {True}
    assert any(isinstance(m, RepairWithheld) for m in sent_by(made, agent))


def priced(made, folder, budget: int, factor: int = 1) -> None:
    """Every agent has prices of its own, and may spend so much; all of it times a factor."""
    for agent in made.names:
        file = folder / f"{agent}.toml"
        rules = f'[["{agent}".rules]]\naction = "(the initial state)"\nprice = {3 * factor}\n'
        file.write_text(f'["{agent}"]\ndefault = {2 * factor}\n\n{rules}')
        made.change(agent, weights=file, bounds=Bounds(price=budget * factor))


@pytest.mark.parametrize("ranking", ["m1", "goal"])
@pytest.mark.parametrize("solver", ["projection", "mafs"])
def test_an_agent_spends_no_more_than_its_budget(tmp_path, solver, ranking):
    """Too little to plan with: each discloses one edge at most, and says no more."""
    made = small("logistics", tmp_path / "run", terms=Terms(solver, ranking), secret="b")
    priced(made, tmp_path, budget=3)
    found = play({agent: made.host(agent) for agent in made.names})
    assert {e.outcome for e in found.values()} == {Outcome.UNDECIDED}, found
    assert found[made.names[0]].no_more
    for agent in made.names:
        assert len(edges_of(made, agent)) <= 1


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_budget_that_is_enough(tmp_path, solver):
    """It is as without one."""
    made = small("logistics", tmp_path / "run", terms=Terms(solver, "goal", k=2), secret="b")
    priced(made, tmp_path, budget=6)
    found = play({agent: made.host(agent) for agent in made.names})
    assert all_solved(found), found
    for agent in made.names:
        assert len(edges_of(made, agent)) <= 2


def test_no_price_and_no_budget_crosses(tmp_path):
    """With all of them times seven, each byte is the same."""
    crossed = []
    for factor in (1, 7):
        made = small(
            "logistics", tmp_path / str(factor), terms=Terms("projection", "goal"), secret="b"
        )
        priced(made, tmp_path, 5, factor)
        play({agent: made.host(agent) for agent in made.names})
        crossed.append(traffic(made))
    assert crossed[0] == crossed[1]


def test_a_budget_needs_prices(tmp_path):
    agents = {name: {"address": "h:1", "domain": "d", "problem": "p"} for name in "ab"}
    agents["a"] |= {"cert": "c", "key": "k"}
    plain = {"agents": agents, "ca": "ca", "limits": {"budget": 3}}
    with pytest.raises(InputError, match="a budget is in prices"):
        config_of(convert(plain), "a", tmp_path, Outputs())
    agents["a"]["weights"] = "prices.toml"
    assert config_of(convert(plain), "a", tmp_path, Outputs()).bounds == Bounds(
        repairs=REPAIRS, price=3
    )


SETTINGS = Settings()
FISHING = {
    "another ranking": [Publish("b", SETTINGS, "m2")],
    "other settings": [Publish("b", Settings(repair=False), "goal")],
    "publishing twice": [Publish("b", SETTINGS, "goal")] * 2,
    "meeting twice": [Introduce("b", ())] * 2,
    "budgets one by one": [Publish("b", SETTINGS, "goal", offline=True)],
    "everything at once": [Disclose("b", 3)],
    "a search that was not agreed on": [Begin("b", 1)],
}


@pytest.mark.parametrize("what", list(FISHING))
def test_what_was_not_agreed_on_is_not_answered(what):
    agreement = Agreement(Terms("projection", k=2, change_over=False), "b")
    *before, last = FISHING[what]
    for question in before:
        agreement.check(question)
    with pytest.raises(Fault, match="asks for something that was not agreed on"):
        agreement.check(last)


def test_repairs_are_counted_against_the_terms():
    agreement = Agreement(Terms(repairs=1), "b")
    repair = PrefixFails("a", 1, Scope.OWN)
    for answer in (repair, Extended("a"), NotExtended("a"), repair):
        agreement.count(answer)
    with pytest.raises(Fault, match="more repairs than was agreed"):
        agreement.count(repair)


@pytest.mark.parametrize("answer", [NotExtended("a"), Undecided("a"), Replanned("a", False)])
def test_plans_that_fail_are_bounded_whatever_the_answer(answer):
    agreement = Agreement(Terms(), "b")
    for _ in range(SAFETY.leader.failures):
        agreement.count(answer)
        agreement.count(Extended("a"))
    with pytest.raises(Fault, match="more repairs than was agreed"):
        agreement.count(answer)


def test_a_leader_that_asks_on_and_on_learns_no_more():
    agreement = Agreement(Terms(), "b")
    for _ in range(SAFETY.leader.withheld):
        agreement.count(RepairWithheld("a"))
    with pytest.raises(Fault, match="more repairs than was agreed"):
        agreement.count(RepairWithheld("a"))


@pytest.mark.parametrize(
    ("limits", "terms", "bounds"),
    [
        ({"max_k": 3}, {}, Bounds(3, REPAIRS)),
        ({"max_k": "all"}, {}, Bounds(repairs=REPAIRS)),
        ({"max_k": "all", "max_answers": "all"}, {}, Bounds()),
        ({"max_k": "all", "max_answers": 7}, {}, Bounds(repairs=7)),
        ({"ahead": 2, "max_k": "all"}, {}, Bounds(ahead=2, repairs=REPAIRS)),
        ({}, {"k": 4}, Bounds(repairs=REPAIRS)),
        ({}, {"k": 4, "profile": "paper"}, Bounds()),
        ({}, {}, None),
        ({"ahead": 2}, {}, None),
    ],
)
def test_a_bound_must_be_chosen(tmp_path, limits, terms, bounds):
    agents = {name: {"address": "h:1", "domain": "d", "problem": "p"} for name in "ab"}
    agents["a"] |= {"cert": "c", "key": "k"}
    plain = {"agents": agents, "ca": "ca", "limits": limits, "terms": terms}
    if bounds is None:
        with pytest.raises(InputError, match="no bound on what it discloses"):
            config_of(convert(plain), "a", tmp_path, Outputs())
    else:
        assert config_of(convert(plain), "a", tmp_path, Outputs()).bounds == bounds


def test_bounds_cannot_be_kept_where_agents_replan(tmp_path):
    agents = {name: {"address": "h:1", "domain": "d", "problem": "p"} for name in "ab"}
    agents["a"] |= {"cert": "c", "key": "k"}
    plain = {"agents": agents, "ca": "ca", "limits": {"max_k": 3}}
    assert config_of(convert(plain), "a", tmp_path, Outputs()).bounds == Bounds(3, REPAIRS)
    plain["terms"] = {"extension": "replan"}
    with pytest.raises(InputError, match="cannot be kept with extension 'replan'"):
        config_of(convert(plain), "a", tmp_path, Outputs())
    plain["limits"] = {"max_k": "all"}
    assert config_of(convert(plain), "a", tmp_path, Outputs()).bounds == Bounds()


def test_a_rehearsal_with_a_budget_needs_prices(tmp_path, capsys):
    folder = tmp_path / "out"
    assert tacit_run(["rehearse", "logistics/small", "--budget", "3", "-o", str(folder)]) == 2
    assert "it needs --weights" in capsys.readouterr().err
    assert not folder.exists()
