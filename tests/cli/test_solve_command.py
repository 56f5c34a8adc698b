"""`tacit solve`: online by default, offline where a budget is named; what it prints of either."""

from __future__ import annotations

import inspect
import json
from collections import Counter

import msgspec
import pytest
from support.delivery import PROBLEM

import tacit as package
from tacit.central import leaking
from tacit.central.price_policy import Weights
from tacit.central.result import Result
from tacit.cli.layouts import SolveLayout
from tacit.errors import ExitCode, InputError, LimitReached
from tacit.public.protocol.disclosing import EdgeDisclosed
from tacit.public.protocol.extending import PrefixFails, Threatened
from tacit.solvers.coordinator import Coordinator

OFFLINE = [("--k", "9"), ("--percent", "100"), ("--smallest",), ("--iterative", "--solver", "mafs")]
ONE_EACH = '["*"]\ndefault = 1\n'
SECRETIVE = '[[truck0.rules]]\nfact = "*"\nprice = "never"\n'


def found_by(tacit, *args: object, code: int = 0) -> dict:
    """The JSON of a run, which fits its schema."""
    done = tacit("solve", *args, "--json")
    assert done.code == code, done.out + done.err
    found = json.loads(done.out)
    layout = msgspec.convert(found, SolveLayout)
    assert msgspec.to_builtins(layout).items() <= found.items()
    return found


def test_online_is_the_default(tacit):
    found = found_by(tacit, "driverlog/small")
    assert (found["schema"], found["mode"], found["solved"]) == ("tacit.solve/2", "online", True)
    assert (found["explain"], found["unreachable"], found["no_more"]) == (None, None, [])
    text = tacit("solve", "driverlog/small").out
    assert "driverlog-0: solved online; k = 2, at most 2 disclosed by one agent, 2 by all" in text
    assert "driver1 disclosed most, 2; the sum over agents is 2." in text
    assert "offline" not in text


@pytest.mark.parametrize("options", OFFLINE)
def test_a_budget_makes_it_an_offline_search_and_it_says_so(tacit, options):
    assert found_by(tacit, "driverlog/small", *options)["mode"] == "offline"
    text = tacit("solve", "driverlog/small", *options).out
    assert ": solved offline; k = " in text
    assert "An offline search: all of this is as if this k alone had been run." in text


def disclosed_in_frames(result: Result) -> dict[str, tuple[int, int]]:
    """Edges and repairs of each agent, counted from nothing but what crossed."""
    edges: dict[str, set] = {agent: set() for agent in result.dependencies}
    repairs: dict[str, set] = {agent: set() for agent in result.dependencies}
    prefixes, transcript = Counter[str](), result.transcript
    for frame, message in zip(transcript.frames, transcript.messages(), strict=True):
        if isinstance(message, EdgeDisclosed):
            edges[message.sender].add(message.edge)
        elif isinstance(message, Threatened):
            repairs[message.sender].update(message.threats, message.restored)
        elif isinstance(message, PrefixFails):
            prefixes[message.sender] += frame.receiver == "solver"
    return {a: (len(edges[a]), len(repairs[a]) + prefixes[a]) for a in edges}


@pytest.mark.parametrize("problem", ["blocksworld/small", "depot/small", "elevators/small"])
@pytest.mark.parametrize(("solver", "ranking"), [("auto", "goal"), ("projection", "m3")])
def test_the_ledger_is_what_the_frames_disclosed(tacit, problem, solver, ranking):
    result = package.solve(package.load(problem), solver, ranking)
    counted = disclosed_in_frames(result)
    found = found_by(tacit, problem, "--solver", solver, "--ranking", ranking)
    shown = found["ledger"]["agents"]
    assert {a: (own["edges"], own["repairs"]) for a, own in shown.items()} == counted
    sums = {agent: sum(both) for agent, both in counted.items()}
    assert found["ledger"]["largest"] == max(sums.values())
    assert found["ledger"]["sum"] == sum(sums.values())
    assert found["k"] == max(edges for edges, _ in counted.values())
    for agent, own in found["agents"].items():
        assert own["dependencies"] == shown[agent]["edges"] + shown[agent]["kept"]
        assert not own.keys() & {"disclosed", "repairs"}
    assert solver == "auto" or any(repairs for _, repairs in counted.values())


def test_the_table_shows_the_ledger(tacit):
    found = found_by(tacit, "depot/small", "--solver", "projection")
    lines = tacit("solve", "depot/small", "--solver", "projection").out.splitlines()
    head = next(line for line in lines if line.strip().startswith("agent"))
    assert head.split() == [
        "agent",
        "dependencies",
        "edges",
        "repairs",
        "disclosed",
        "share",
        "undisclosed",
    ]
    rows = {line.split()[0]: line.split()[1:] for line in lines if "%" in line or "–" in line}
    for agent, own in found["ledger"]["agents"].items():
        total, both = found["agents"][agent]["dependencies"], own["edges"] + own["repairs"]
        cells = [cell for cell in rows[agent] if cell != "%"]
        assert cells[:4] == [str(n) for n in (total, own["edges"], own["repairs"], both)]
        assert cells[-1] == str(own["kept"])


@pytest.mark.parametrize("problem", ["logistics/small", "sensors/small"])
@pytest.mark.parametrize("options", [(), ("--smallest",)])
def test_a_plan_is_a_list_of_steps_that_can_be_executed_in_their_order(tacit, problem, options):
    found = found_by(tacit, problem, *options)
    steps = found["plan"]
    assert [list(step) for step in steps] == [
        ["agent", "action", "arguments", "start", "end"] for _ in range(found["plan_length"])
    ]
    instance = package.load(problem)
    made = [package.Step(s["agent"], s["action"], tuple(s["arguments"])) for s in steps]
    assert package.validate(instance, made).valid
    at_once = sorted(zip((s["start"] for s in steps), made, strict=True), key=lambda pair: pair[0])
    times = tuple(start for start, _ in at_once)
    plan = package.Plan(tuple(step for _, step in at_once), times=times)
    assert package.validate(instance, plan).valid
    assert all(step["end"] == step["start"] + 1 for step in steps)
    assert max(step["end"] for step in steps) == found["makespan"]


LEAKAGE = [
    *("disclosed", "certain", "guessed", "guessed_right", "undisclosed", "classes"),
    *("bits_a", "bits_b", "bits_b_all", "sums", "lost"),
]


@pytest.mark.parametrize("options", [(), ("--smallest",), ("--solver", "mafs"), ("--k", "1")])
def test_what_others_know(tacit, options):
    """The numbers of the ledger, and of the strongest attack, which knows all in logistics."""
    code = ExitCode.NO_PLAN if options == ("--k", "1") else 0
    found = found_by(tacit, "logistics/small", "--leakage", *options, code=code)
    assert set(found["leakage"]) == set(found["agents"])
    for agent, own in found["leakage"].items():
        assert list(own) == LEAKAGE
        counts = found["ledger"]["agents"][agent]
        assert own["disclosed"] == counts["edges"] + counts["repairs"]
        assert own["guessed_right"] <= min(own["guessed"], own["undisclosed"])
        assert own["guessed_right"] == own["undisclosed"]
        assert own["classes"] <= counts["edges"]
        assert 0 <= own["bits_b"] <= own["bits_b_all"]
    assert "leakage" not in found_by(tacit, "logistics/small", *options, code=code)


def test_what_others_know_by_states_counts_with_the_default_solver(tacit):
    """It searches forward where the first plan cannot be extended, and states cross."""
    found = found_by(tacit, "blocksworld/medium", "--leakage")
    assert found["solved_by"] == "mafs", "an example where it does"
    assert all(own["bits_a"] > 0 for own in found["leakage"].values())


def test_a_plan_is_shown_even_if_there_is_no_time_to_measure_what_others_know(
    tacit, tmp_path, monkeypatch
):
    def slow(*_: object) -> None:
        raise LimitReached("time", "measuring")

    monkeypatch.setattr(leaking, "leakage_in", slow)
    page = tmp_path / "page.html"
    done = tacit("solve", "logistics/small", "--leakage", "--html", page, "--time-limit", "60")
    assert done.code == 0
    assert "valid: The plan is valid" in done.out
    assert "What others can know was not measured: out of time; --time-limit sets it." in done.err
    assert "What all others together can know" not in done.out + page.read_text()


def test_what_others_know_as_a_table(tacit):
    out = tacit("solve", "logistics/small", "--leakage").out
    assert "What all others together can know of it" in out
    assert "undisclosed" in out


def test_goals_out_of_reach_are_named_and_nothing_is_disclosed(tacit, delivery):
    (delivery / "problem.pddl").write_text(PROBLEM.replace("(road depot shop)", ""))
    found = found_by(tacit, delivery, code=ExitCode.NO_PLAN)
    assert (found["outcome"], found["plan"], found["no_more"]) == ("no plan", None, [])
    assert found["unreachable"] == {"goals": ["(at p1 shop)"], "agents": []}
    assert found["explain"]["reason"] == "out of reach"
    assert found["explain"]["missing"]
    assert (found["ledger"]["largest"], found["ledger"]["sum"]) == (0, 0)
    done = tacit("solve", delivery)
    assert done.code == ExitCode.NO_PLAN
    assert "small: no plan, online; k = 0, nothing disclosed" in done.out
    table, _, why = done.out.partition("Nobody disclosed anything.\n")
    assert "undisclosed" in table
    assert "(at p1 shop)" in why


def test_a_budget_bounds_an_online_run(tacit, tmp_path):
    weights = tmp_path / "prices.toml"
    weights.write_text(ONE_EACH)
    args = ("logistics/small", "--weights", weights, "--budget")
    found = found_by(tacit, *args, 1, code=ExitCode.UNDECIDED)
    assert (found["outcome"], found["mode"]) == ("undecided", "online")
    assert found["no_more"] == ["plane1", "truck1"]
    assert found["unreachable"] is None
    assert found["ledger"]["largest"] <= 1
    assert found["explain"]["reason"] == "bound"
    assert found["explain"]["budget"] == {"budget": 1, "lower": 2, "best": 2}
    done = tacit("solve", *args, 1)
    assert done.code == ExitCode.UNDECIDED
    said = " ".join(done.out.split())
    assert "plane1 and truck1" in said
    assert "--budget" in said
    found = found_by(tacit, *args, 2)
    assert (found["mode"], found["ledger"]["largest"], found["budget"]) == ("online", 2, 2)
    found = found_by(tacit, *args, 2, "--k", 9)
    assert (found["mode"], found["k"], found["ledger"]["largest"]) == ("offline", 9, 2)


def test_what_is_never_disclosed_may_be_the_reason(tacit, tmp_path):
    weights = tmp_path / "prices.toml"
    weights.write_text(SECRETIVE)
    found = found_by(tacit, "logistics/small", "--weights", weights, code=ExitCode.UNDECIDED)
    assert "truck0" in found["no_more"]
    assert found["agents"]["truck0"]["never"] == 3
    assert found["explain"]["release"]["by_agent"]["truck0"] == 1
    done = tacit("solve", "logistics/small", "--weights", weights)
    assert done.code == ExitCode.UNDECIDED
    assert "The least that would have to be released: truck0 1." in done.out


def test_without_any_plan_nobody_is_the_reason(tacit, delivery):
    """A package cannot be in two places: all is disclosed in the end, and there is no plan."""
    goals = "(at p1 shop) (at p1 depot)"
    (delivery / "problem.pddl").write_text(PROBLEM.replace("(and (at p1 shop))", f"(and {goals})"))
    found = found_by(tacit, delivery, code=ExitCode.NO_PLAN)
    assert (found["mode"], found["outcome"], found["unreachable"]) == ("online", "no plan", None)
    assert found["no_more"] == []
    assert {own["kept"] for own in found["ledger"]["agents"].values()} == {0}
    assert "no plan even if everything is disclosed" in tacit("solve", delivery).out


def test_no_plan_at_one_budget_says_what_to_try(tacit):
    found = found_by(tacit, "logistics/small", "--k", 0, code=ExitCode.NO_PLAN)
    assert (found["mode"], found["outcome"], found["no_more"]) == ("offline", "no plan", [])
    text = " ".join(tacit("solve", "logistics/small", "--k", 0).out.split())
    assert "logistics-0: no plan, offline; k = 0, nothing disclosed" in text
    assert "Try a larger --k, or --smallest" in text


def test_the_same_from_python():
    instance = package.load("logistics/small")
    online = package.solve(instance)
    assert (online.mode, online.ledger.sum) == ("online", 4)
    for asked in ({"k": 2}, {"percent": 50}, {"smallest": True}):
        result = package.solve(instance, **asked)
        assert (result.mode, result.k, result.solved) == ("offline", 2, True)
    iterative = package.solve(instance, "mafs", iterative=True)
    assert (iterative.mode, iterative.refuted) == ("offline", iterative.k - 1)
    named = inspect.signature(package.solve).parameters
    assert [named[n].default for n in ("k", "percent", "smallest", "iterative")] == [
        *(None, None, False, False)
    ]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"k": -1}, "k cannot be negative"),
        ({"percent": 100.5}, "between 0 and 100"),
        ({"percent": float("nan")}, "between 0 and 100"),
        ({"k": 1, "smallest": True}, "exclude each other"),
        ({"percent": 1, "iterative": True}, "exclude each other"),
        ({"budget": 3}, "a budget is in prices"),
    ],
)
def test_wrong_input_from_python(asked, said):
    with pytest.raises(InputError, match=said):
        package.solve(package.load("logistics/small"), **asked)


def test_a_bound_makes_it_undecided_and_no_bound_never_does():
    instance = package.load("logistics/small")
    results = [package.solve(instance, weights=Weights(()), budget=n) for n in range(5)]
    assert [r.outcome.value for r in results] == [*["undecided"] * 2, *["solved"] * 3]
    for budget, result in enumerate(results):
        assert result.ledger.k <= budget
        assert bool(result.no_more) is not result.solved
        assert all(result.kept(agent) for agent in result.no_more)


def test_ctrl_c_says_what_was_disclosed_by_then(tacit, monkeypatch):
    """It cannot be taken back, whatever becomes of the run."""
    take_turn = Coordinator.take_turn

    def interrupted(coordinator, agent, must=False):
        if coordinator.ledger.sum == 2:
            raise KeyboardInterrupt
        return take_turn(coordinator, agent, must)

    monkeypatch.setattr(Coordinator, "take_turn", interrupted)
    done = tacit("solve", "driverlog/small")
    assert done.code == ExitCode.INTERRUPTED
    expected = "driver1 2 edges and 0 repairs, driver2 0 edges and 0 repairs"
    assert f"Disclosed so far: {expected}." in done.err
