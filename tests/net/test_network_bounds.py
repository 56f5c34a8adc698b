"""An owner's own bounds: no more is told than they allow, and everybody learns whose they were."""

from __future__ import annotations

import pytest
from support.hosts import all_solved, play, small, traffic

from tacit.cli.main import run as tacit_run
from tacit.errors import InputError
from tacit.net.bounds import BUDGETS, Agreement, Allowance, Bounded
from tacit.net.config import Outputs, config_of, convert
from tacit.net.faults import Fault
from tacit.public.disclosure import PublicEdge
from tacit.public.outcome import Outcome
from tacit.public.protocol.link import Terms
from tacit.public.protocol.messages import (
    Begin,
    Disclose,
    Disclosed,
    EdgeDisclosed,
    Extend,
    Extended,
    Introduce,
    NextEdge,
    NotExtended,
    Publish,
    RepairWithheld,
    Threatened,
    decode,
    encode,
)
from tacit.public.protocol.recording import read_recording
from tacit.public.settings import Settings


def sent_by(made, agent: str) -> list:
    """All that an agent said to anybody."""
    entries = read_recording(made.configs[agent].outputs.transcript).entries
    return [decode(entry.payload) for entry in entries if entry.is_sent]


def edges_of(made, agent: str) -> set[PublicEdge]:
    """The edges that an agent told, whoever asked for them."""
    told = set()
    for message in sent_by(made, agent):
        if isinstance(message, Disclosed):
            told |= set(message.edges)
        elif isinstance(message, EdgeDisclosed):
            told |= {message.edge} - {None}
        elif isinstance(message, Begin):
            told |= set(dict(message.disclosed)[agent])
    return told


@pytest.mark.parametrize("ranking", ["m1", "goal"])
@pytest.mark.parametrize("solver", ["projection", "mafs"])
def test_an_agent_discloses_no_more_edges_than_its_owner_allows(tmp_path, solver, ranking):
    made = small("logistics", tmp_path, terms=Terms(solver, ranking), secret="b")
    for agent in made.names:
        made.change(agent, allowance=Allowance(edges=1))
    found = play({agent: made.host(agent) for agent in made.names})
    assert {e.outcome for e in found.values()} == {Outcome.UNDECIDED}
    assert {e.bounded for e in found.values()} == {tuple(made.names)}
    for agent in made.names:
        assert len(edges_of(made, agent)) <= 1
        totals = {m.total for m in sent_by(made, agent) if isinstance(m, Disclosed)}
        assert totals <= {1}, "how many there are is nobody's business"


@pytest.mark.parametrize("solver", ["projection", "mafs"])
def test_within_its_bounds_an_agent_plans_as_ever(tmp_path, solver):
    made = small("logistics", tmp_path, terms=Terms(solver, "goal"), secret="b")
    agent = made.names[0]
    made.change(agent, allowance=Allowance(edges=3, repairs=0))
    found = play({agent: made.host(agent) for agent in made.names})
    assert all_solved(found), found
    assert {e.bounded for e in found.values()} == {()}
    assert len(edges_of(made, agent)) <= 3


def test_a_bound_that_did_not_matter_is_not_blamed(tmp_path):
    made = small("logistics", tmp_path, terms=Terms(k=0))
    made.change(made.names[0], allowance=Allowance(edges=1))
    found = play({agent: made.host(agent) for agent in made.names})
    assert {(e.outcome, e.bounded) for e in found.values()} == {(Outcome.NO_PLAN, ())}


@pytest.mark.usefixtures("_never_pessimistic")
def test_an_agent_discloses_no_more_repairs_than_its_owner_allows(tmp_path):
    terms = Terms(k=100)
    free = small("blocksworld", tmp_path / "free", 1, terms=terms, secret="r")
    needed = play({agent: free.host(agent) for agent in free.names})
    agent, most = max(((a, e.repairs) for a, e in needed.items()), key=lambda item: item[1])
    assert most > 0, "this problem takes repairs"
    made = small("blocksworld", tmp_path / "bound", 1, terms=terms, secret="r")
    made.change(agent, allowance=Allowance(repairs=most - 1))
    found = play({agent: made.host(agent) for agent in made.names})
    assert {e.outcome for e in found.values()} == {Outcome.UNDECIDED}
    assert {e.bounded for e in found.values()} == {(agent,)}
    assert found[agent].repairs <= most - 1


def priced(made, folder, budget: int, factor: int = 1) -> None:
    """Every agent has prices of its own, and may spend so much; all of it times a factor."""
    for agent in made.names:
        file = folder / f"{agent}.toml"
        rules = f'[["{agent}".rules]]\naction = "(the initial state)"\nprice = {3 * factor}\n'
        file.write_text(f'["{agent}"]\ndefault = {2 * factor}\n\n{rules}')
        made.change(agent, weights=file, allowance=Allowance(price=budget * factor))


@pytest.mark.parametrize("ranking", ["m1", "goal"])
@pytest.mark.parametrize("solver", ["projection", "mafs"])
def test_an_agent_spends_no_more_than_its_budget(tmp_path, solver, ranking):
    """Too little to plan with: each tells one edge at most, and everybody knows why it ended so."""
    made = small("logistics", tmp_path / "run", terms=Terms(solver, ranking), secret="b")
    priced(made, tmp_path, budget=3)
    found = play({agent: made.host(agent) for agent in made.names})
    assert {e.outcome for e in found.values()} == {Outcome.UNDECIDED}, found
    assert found[made.names[0]].bounded
    for agent in made.names:
        assert len(edges_of(made, agent)) <= 1
        assert found[agent].disclosed_in_all <= 1


@pytest.mark.parametrize("solver", ["projection", "mafs"])
def test_a_budget_that_is_enough(tmp_path, solver):
    """It is as without one, but for agents that could not pay for all, who are bounded."""
    made = small("logistics", tmp_path / "run", terms=Terms(solver, "goal", k=2), secret="b")
    priced(made, tmp_path, budget=6)
    found = play({agent: made.host(agent) for agent in made.names})
    assert all_solved(found), found
    said = [m for m in sent_by(made, made.names[0]) if isinstance(m, Disclosed)]
    assert all(m.bounded for m in said), "it has four edges, of two or three each"
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
    assert config_of(convert(plain), "a", tmp_path, Outputs()).allowance == Allowance(price=3)


class Failing:
    """An agent that can never carry out a plan, and has another reason each time."""

    name = "a"

    def __init__(self):
        self._asked = 0

    def answer(self, sender: str, frame: bytes) -> bytes:
        self._asked += 1
        return encode(Threatened("a", (PublicEdge(self._asked, 0, False),)))


def test_a_leader_that_asks_on_and_on_learns_no_more():
    one = Bounded(Failing(), Allowance(repairs=3))
    answers = [one.answer("b", Extend("b", ())) for _ in range(3 + BUDGETS)]
    assert [len(answer.threats) for answer in answers[:3]] == [1] * 3
    assert answers[3:] == [RepairWithheld("a")] * BUDGETS
    assert one.repairs == 3
    with pytest.raises(Fault, match="asks for more repairs than the owner"):
        one.answer("b", Extend("b", ()))


SETTINGS = Settings()
FISHING = {
    "another ranking": [Publish("b", SETTINGS, "m2")],
    "other settings": [Publish("b", Settings(repair=False), "goal")],
    "publishing twice": [Publish("b", SETTINGS, "goal")] * 2,
    "meeting twice": [Introduce("b", ())] * 2,
    "a larger budget": [Disclose("b", 3)],
    "more turns": [NextEdge("b")] * 3,
    "a search that was not agreed on": [Begin("b", 1, ())],
}


@pytest.mark.parametrize("what", list(FISHING))
def test_what_was_not_agreed_on_is_not_answered(what):
    agreement = Agreement(Terms(k=2), "b")
    *before, last = FISHING[what]
    for question in before:
        agreement.check(question)
    with pytest.raises(Fault, match="asks for something that was not agreed on"):
        agreement.check(last)


def test_repairs_are_counted_against_the_terms():
    agreement = Agreement(Terms(repairs=1), "b")
    for _ in range(2 * BUDGETS):
        agreement.count(NotExtended("a"))
    agreement.count(Extended("a"))
    with pytest.raises(Fault, match="more repairs than was agreed"):
        agreement.count(NotExtended("a"))


def test_bounds_cannot_be_kept_where_agents_replan(tmp_path):
    agents = {name: {"address": "h:1", "domain": "d", "problem": "p"} for name in "ab"}
    agents["a"] |= {"cert": "c", "key": "k"}
    plain = {"agents": agents, "ca": "ca", "limits": {"max_k": 3}}
    config = config_of(convert(plain), "a", tmp_path, Outputs())
    assert config.allowance == Allowance(3, None)
    plain["terms"] = {"extension": "replan"}
    with pytest.raises(InputError, match="cannot be kept with extension 'replan'"):
        config_of(convert(plain), "a", tmp_path, Outputs())
    plain["limits"] = {}
    assert config_of(convert(plain), "a", tmp_path, Outputs()).allowance == Allowance()


def test_a_rehearsal_with_a_budget_needs_prices(tmp_path, capsys):
    folder = tmp_path / "out"
    assert tacit_run(["rehearse", "logistics/small", "--budget", "3", "-o", str(folder)]) == 2
    assert "it needs --weights" in capsys.readouterr().err
    assert not folder.exists()
