"""What more disclosure buys, and prices on the command line, in sweeps and between hosts."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import msgspec
import pytest
from support.brute import is_supported
from support.hosts import all_solved, play, small
from support.problems import SMALL, generated

from tacit.central.analysis.pareto import Pareto
from tacit.central.analysis.trade import Point, front
from tacit.central.instance import load
from tacit.central.price_policy import PricePolicy
from tacit.cli.main import run as run_command
from tacit.errors import InputError
from tacit.experiment.run.job import Job
from tacit.experiment.run.row import BEST, BEST_PRICE, LOWER, LOWER_PRICE, MINIMUM
from tacit.experiment.run.suite import find
from tacit.experiment.run.sweep import Sweep
from tacit.experiment.run.worker import work
from tacit.experiment.tables import minima, prices
from tacit.net.config import Outputs, config_of, read_run_file
from tacit.party.disclosure.weights import Table, Weights, parse_weights
from tacit.policy import ParetoPolicy, Policy
from tacit.profile import profile
from tacit.public.protocol.link import Terms
from tacit.public.settings import Rule, Settings

PRICES = '[truck0]\ndefault = 5\n["plane*"]\ndefault = 2\n'
SECRETIVE = '[[truck0.rules]]\nfact = "*"\nprice = "never"\n'


@pytest.fixture
def priced(tmp_path):
    path = tmp_path / "prices.toml"
    path.write_text(PRICES)
    return str(path)


@pytest.fixture
def secretive(tmp_path):
    path = tmp_path / "secretive.toml"
    path.write_text(SECRETIVE)
    return str(path)


# ------------------------------------------------------------------ pareto


class Dot(Point):
    def __init__(self, k, price, makespan):
        object.__setattr__(self, "dot", (k, price, makespan))

    @property
    def values(self):
        return self.dot


def test_a_front_has_what_nothing_makes_superfluous():
    dots = [Dot(2, 9, 9), Dot(1, 9, 12), Dot(2, 9, 10), Dot(2, 9, 9), Dot(3, 1, 12), Dot(4, 2, 12)]
    assert [dot.values for dot in front(dots)] == [(1, 9, 12), (2, 9, 9), (3, 1, 12)]


def tries(count: int) -> Policy:
    return Policy(pareto=ParetoPolicy(tries=count))


def test_points_are_plans_that_rest_on_what_they_say():
    weights = Weights((Table("*", (), 3, has_default=True),))
    seen = []
    for domain in ("driverlog", "zenotravel"):
        instance = generated(domain, SMALL[domain][0], 1)
        made = Pareto(
            instance,
            Settings(),
            0,
            PricePolicy(weights),
            lambda t: seen.append(len(t.points)),
            policy=tries(8),
        )
        found = made.run()
        assert found.points
        assert seen
        assert found.points == front(found.points)
        for point in found.points:
            assert point.verdict.valid
            assert point.k >= found.lower["k"]
            assert point.price == 3 * point.k >= found.lower["price"]
            used, _ = made._plans[point.values]
            told = made._trials.choices.by_agent(used)
            for name, agent in made._trials.agents.items():
                own = agent.dependencies
                acts = range(len(own.task.arrays.schema))
                number = {own.task.action_name(a).lower(): a for a in acts}
                steps = [number[str(s)] for s in point.plan.steps if s.agent == name]
                assert len(told[name]) >= point.edges[name]
                assert is_supported(own, told[name], steps)


def test_a_dear_agent_makes_it_quicker():
    price_policy = PricePolicy(parse_weights("[plane2]\ndefault = 20\n"))
    found = Pareto(load("zenotravel/small"), price_policy=price_policy, policy=tries(12)).run()
    assert [point.values for point in found.points] == [(1, 20, 5), (2, 2, 7)]
    assert found.lower == {"k": 1, "price": 2}


def test_a_window_of_a_plan_is_done_otherwise():
    instance = generated("logistics", SMALL["logistics"][1], 0)
    made = Pareto(instance)
    trials = made._trials
    plan = trials.vary(trials.choices.all, 2_000, 60, 0)
    assert plan is not None
    for first, last in ((0, len(plan)), (1, 3), (2, len(plan)), (3, 3)):
        other = trials.vary(trials.choices.all, 2_000, 60, 1, [1] * 9, plan, (first, last))
        assert other is not None
        assert other[:first] == plan[:first]
        assert made._extend(trials.choices.all, trials.in_public(other))


def test_time_is_over_at_once(capsys):
    assert run_command(["pareto", "driverlog/small", "--time-limit", "0"]) == 23
    assert "no plan was found yet" in capsys.readouterr().out


def test_the_picture_and_the_page(capsys, tmp_path, priced):
    drawn, page = tmp_path / "trade.svg", tmp_path / "new" / "trade.html"
    command = ["pareto", "logistics/small", "--weights", priced, "-o", str(drawn)]
    assert run_command([*command, "--html", str(page)]) == 0
    for path in (drawn, page):
        text = path.read_text()
        parts = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
        roots = [ElementTree.fromstring(part) for part in parts if "circle" in part]
        circles = [e for root in roots for e in root.iter() if e.tag.endswith("circle")]
        assert len(circles) % 2 == 0
        assert circles
        assert "price" in text
    out = capsys.readouterr().out
    assert "price (max)" in out
    assert "uses every agent's secrets" in out


def test_pareto_in_json(capsys, secretive):
    assert run_command(["pareto", "logistics/small", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["schema"] == "tacit.pareto/2"
    assert shown["lower_bounds"] == {"k": 2}
    assert shown["points"][0]["k"] == 2
    steps = shown["points"][0]["plan"]
    assert {"agent", "action", "arguments", "start", "end"} == set(steps[0])
    assert max(step["end"] for step in steps) == shown["points"][0]["makespan"]
    assert run_command(["pareto", "logistics/small", "--weights", secretive]) == 11
    assert "no plan under these prices" in capsys.readouterr().out


def test_a_picture_needs_a_suffix(capsys, tmp_path):
    assert run_command(["pareto", "logistics/small", "-o", str(tmp_path / "x.png")]) == 31
    assert "-o draws .svg, and --html a page" in capsys.readouterr().err
    assert run_command(["pareto", "logistics/small", "-o", str(tmp_path / "x.html")]) == 31
    assert f"write --html {tmp_path / 'x.html'}" in capsys.readouterr().err


# ------------------------------------------------------------------ the command line


def test_solve_and_minimum_in_prices(capsys, priced, secretive):
    assert run_command(["solve", "logistics/small", "--weights", priced, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    edges = shown["ledger"]["agents"]["truck0"]["edges"]
    assert shown["agents"]["truck0"]["price"] == 5 * edges
    assert shown["agents"]["truck1"]["never"] == 0
    assert run_command(["minimum", "logistics/small", "--weights", priced, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["in_prices"]
    assert shown["objectives"]["max"]["lower_bound"] == 5
    for name, code in (("solve", 12), ("minimum", 11)):  # online, whoever withholds is named
        assert run_command([name, "logistics/small", "--weights", secretive, "--json"]) == code
        shown = json.loads(capsys.readouterr().out)
        release = shown["release"] if name == "minimum" else shown["explain"]["release"]
        assert release["no_plan_under_these_prices"]
        assert release["by_agent"]["truck0"] == release["at_least"] == 1


def test_wrong_prices_on_the_command_line(capsys, tmp_path, priced):
    assert run_command(["solve", "logistics/small", "--budget", "3"]) == 2
    assert "needs --weights" in capsys.readouterr().err
    assert run_command(["solve", "logistics/small", "--weights", str(tmp_path / "none")]) == 31
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("[truck0]\ndefault = 'dear'\n")
    assert run_command(["solve", "logistics/small", "--weights", str(wrong)]) == 31
    err = capsys.readouterr().err
    assert "wrong.toml:1: truck0.default: 'dear' is not a price" in err
    assert 'expected a whole number from 0 to 10,000, or "never"' in err
    assert run_command(["solve", "rovers/small", "--weights", priced]) == 31
    assert "which is no agent here" in capsys.readouterr().err


# ------------------------------------------------------------------ sweeps


def test_a_sweep_with_prices():
    weights = parse_weights(PRICES)
    problems = find(("logistics/small",))
    sweep = Sweep(problems, Settings(), smallest=True, minimum=True, weights=weights, online=True)
    sweep.check()
    plain = Sweep(problems, Settings(), smallest=True, minimum=True)
    keys = [{job.unit.key for job in one.jobs()} for one in (sweep, plain)]
    assert keys[0].isdisjoint(keys[1])
    runs = []
    for job in sweep.jobs():
        assert msgspec_round_trip(job) == job
        work(job, lambda said: runs.append(said) if hasattr(said, "outcome") else None)
    by_asked = {run.asked: run for run in runs}
    for asked in ("smallest", "online"):
        found = by_asked[asked]
        assert found.price["truck0"] == 5 * found.disclosed["truck0"]
    assert {run.asked for run in runs if run.unit.solver == MINIMUM} == {
        LOWER,
        BEST,
        LOWER_PRICE,
        BEST_PRICE,
    }
    assert by_asked[LOWER_PRICE].price == {"max": 5}
    assert max(by_asked[BEST_PRICE].price.values()) == 5
    assert minima.bounds(runs)["logistics/small"].lower == 2
    (row,) = prices.priced(runs)
    assert row.problems == 1
    assert row.lower == row.best == 5 <= (row.mean or 0)
    assert prices.grid4([row]).rows[0][:4] == ["auto", "logistics", "goal", "1"]
    assert prices.priced([run for run in runs if not run.unit.weights]) == []


def msgspec_round_trip(job: Job) -> Job:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(job), type=Job)


def test_a_sweep_refuses_what_cannot_be_kept():
    sweep = Sweep((), profile("paper"), smallest=True, weights=parse_weights(SECRETIVE))
    with pytest.raises(InputError, match="'never' cannot be guaranteed"):
        sweep.check()


# ------------------------------------------------------------------ between hosts


def test_each_agent_has_its_own_prices(tmp_path):
    """Who has prices is nobody else's business; the plan is the same problem's."""
    made = small("logistics", tmp_path)
    first, *others = made.names
    own = tmp_path / "own.toml"
    own.write_text(f"[{first}]\ndefault = 4\n")
    made.change(first, weights=own)
    assert all_solved(play({agent: made.host(agent) for agent in made.names}))
    made.change(others[0], weights=own)
    with pytest.raises(InputError, match=f"prices for '{first}'.*\n.*nobody else's"):
        made.host(others[0])
    own.write_text('["*"]\ndefault = "never"\n')
    made.change(first, weights=own, terms=Terms(settings=Settings(rule=Rule.PAIRWISE)))
    with pytest.raises(InputError, match="'never' cannot be guaranteed"):
        made.host(first)


def test_a_file_names_prices(tmp_path):
    text = """ca = "ca.pem"
    limits.max_k = "all"
    [agents.a]
    address = "127.0.0.1:1"
    domain = "d"
    problem = "p"
    cert = "c"
    key = "k"
    weights = "a.toml"
    [agents.b]
    address = "127.0.0.1:2"
    """
    path = tmp_path / "agents.toml"
    path.write_text(text)
    config = config_of(read_run_file(path), "a", tmp_path, Outputs())
    assert config.weights == tmp_path / "a.toml"
    assert config_of(read_run_file(path), "a", tmp_path, Outputs()).weights is not None
