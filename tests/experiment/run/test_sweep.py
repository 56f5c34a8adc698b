"""Sweeps: complete, the same however they are run, and not to be stopped by a crash or a kill."""

from __future__ import annotations

import contextlib
import os
import pty
import subprocess
from fractions import Fraction

import msgspec
import pytest
from msgspec.structs import replace
from support.ferries import FERRIES, ferries
from support.forward import TURNS
from support.sweeps import LEVELS, PROGRAM, SEVERAL, small, stored, swept

import tacit
from tacit.central.instance import load
from tacit.central.session import Session
from tacit.central.validate.judge import validate
from tacit.central.validate.plan import plan_of
from tacit.errors import InputError
from tacit.experiment.run import levels
from tacit.experiment.run.row import ONLINE, PROVED, RunOutcome
from tacit.experiment.run.store import Store
from tacit.experiment.run.sweep import outlook, parse_ties
from tacit.experiment.tables import coverage as tables
from tacit.profile import profile
from tacit.public.run_options import RunOptions
from tacit.public.settings import Harden


def test_rows_are_what_a_session_finds(tmp_path):
    sweep = small("driverlog/small", rankings=("m1", "random"), seeds=2, smallest=True)
    rows = swept(tmp_path / "runs.db", sweep)
    instance = load("driverlog/small")
    for job in sweep.jobs():
        session = Session(
            instance, profile("tacit"), RunOptions(ranking=job.unit.ranking, seed=job.unit.seed)
        )
        asked = levels.asked(LEVELS, ["smallest"], session.largest)
        for item in asked:
            found = rows.pop((job.unit.key, item))
            result = session.first() if item == "smallest" else session.at(int(item))
            assert found.outcome.value == result.outcome.value
            assert found.k == result.k
            assert found.dependencies == result.dependencies
            if found.settled_by is None and not found.detail.startswith(PROVED):
                assert (found.expanded, found.disclosed, found.repairs) == (
                    result.counters.expanded,
                    result.disclosed,
                    result.repairs,
                )
            else:
                assert found.disclosed == {}, "nothing was run"
            if result.plan:
                plan = plan_of(found.plan.splitlines())
                verdict = validate(instance.source, plan)
                assert verdict.valid
                assert (found.cost, found.makespan) == (verdict.cost, verdict.makespan)
                assert found.makespan_paper == verdict.makespan_paper
                assert all(found.used[a] <= found.disclosed[a] for a in instance.agents)
    assert not rows


def test_a_random_order_is_swept_with_every_solver(tmp_path):
    """Forward search has as many seeds of `random` as the projection, at the same budgets."""
    solvers = ("projection", "mafs")
    sweep = small(solvers=solvers, rankings=("random",), seeds=3, smallest=True)
    rows = swept(tmp_path / "runs.db", sweep).values()
    asked = {
        name: {(r.unit.seed, r.asked) for r in rows if r.unit.solver == name} for name in solvers
    }
    assert {seed for seed, _ in asked["mafs"]} == {0, 1, 2}
    assert asked["mafs"] == asked["projection"]
    instance = load("logistics/small")
    for row in rows:
        is_run = row.settled_by is None and not row.detail.startswith(PROVED)
        if row.unit.solver == "mafs" and row.asked.isdecimal() and is_run:
            found = Session(
                instance, profile("tacit"), replace(TURNS, ranking="random", seed=row.unit.seed)
            ).at(row.k)
            assert (row.outcome.value, row.disclosed) == (found.outcome.value, found.disclosed)


@pytest.mark.parametrize("solver", ["auto", "projection", "mafs"])
@pytest.mark.parametrize("ranking", ["goal", "m1"])
def test_online_rows_are_what_solve_finds(tmp_path, solver, ranking):
    """Whether budgets were tried before makes no difference: an online run has its own session."""
    chosen = {"solvers": (solver,), "rankings": (ranking,), "online": True}
    alone = small("driverlog/small", levels=(), **chosen)
    both = small("driverlog/small", smallest=True, **chosen)
    result = tacit.solve(load("driverlog/small"), solver, ranking, drive="roundrobin")
    rows = swept(tmp_path / "alone.db", alone)
    assert [asked for _, asked in rows] == [ONLINE]
    for found in (*rows.values(), swept(tmp_path / "both.db", both)[next(iter(rows))]):
        assert found.mode == result.mode == "online"
        assert found.outcome.value == result.outcome.value
        assert (found.k, found.disclosed, found.repairs) == (
            result.ledger.k,
            result.disclosed,
            result.repairs,
        )
        assert found.most_disclosed == result.ledger.largest
        assert found.sum_disclosed == result.ledger.sum
        assert found.dependencies == result.dependencies
        assert found.plan.splitlines() == [str(step) for step in result.plan.steps]
    assert swept(tmp_path / "alone.db", both).keys() == swept(tmp_path / "both.db", both).keys()


def test_an_online_run_that_is_hopeless_says_why(tmp_path):
    (tmp_path / "domain.pddl").write_text(FERRIES)
    (tmp_path / "problem.pddl").write_text(ferries(2, 1, frozenset(["(route l1 p1 p2)"])))
    rows = swept(tmp_path / "runs.db", small(str(tmp_path), levels=(), online=True))
    (found,) = rows.values()
    assert (found.outcome, found.k, found.sum_disclosed) == (RunOutcome.NO_PLAN, 0, 0)
    assert found.detail == "out of reach: (at c1 p2), (at c2 p2)"


def test_equal_budgets_run_once_and_proofs_settle_what_is_below(tmp_path):
    rows = list(swept(tmp_path / "runs.db", small(levels=levels.parse_levels("0:100:1"))).values())
    assert sorted(int(r.asked) for r in rows) == [0, 1, 2, 3, 4]  # logistics/small has 4 edges
    by_k = {r.k: r for r in rows}
    assert by_k[2].solved
    assert by_k[1].outcome is RunOutcome.NO_PLAN
    assert by_k[1].settles
    assert by_k[1].detail.startswith(PROVED)
    assert by_k[0].settled_by == 1


def test_what_was_run_before_there_were_proofs_is_kept_and_the_rest_is_proved(tmp_path):
    sweep = small("depot/small", levels=levels.parse_levels("0:100:10"))
    rows = swept(tmp_path / "whole.db", sweep)
    proof = max((r for r in rows.values() if r.detail.startswith(PROVED)), key=lambda r: r.k)
    assert sum(r.settled_by == proof.k for r in rows.values()) > 1
    old = msgspec.structs.replace(proof, outcome=RunOutcome.TIME, settles=False, detail="")
    with Store.open(tmp_path / "part.db", write=True) as store:
        store.add(old)
    part = swept(tmp_path / "part.db", sweep)
    assert part.keys() == rows.keys()
    assert part.pop((old.unit.key, old.asked)) == old
    below = [r for r in part.values() if r.k < proof.k]
    assert all(r.outcome is RunOutcome.NO_PLAN for r in below)
    assert sum(r.detail.startswith(PROVED) for r in below) == 1


def test_without_proofs_solvers_find_out_themselves(tmp_path):
    rows = swept(tmp_path / "runs.db", small("depot/small", proofs=False)).values()
    proved = swept(tmp_path / "proved.db", small("depot/small")).values()
    assert not any(r.detail for r in rows)
    assert any(r.detail.startswith(PROVED) for r in proved)
    assert {(r.k, r.outcome) for r in rows} == {(r.k, r.outcome) for r in proved}


def test_replanning_goes_beyond_what_is_disclosed_so_nothing_is_proved(tmp_path):
    sweep = small("depot/small", settings=profile("paper"), solvers=("projection", "mafs"))
    rows = swept(tmp_path / "runs.db", sweep).values()
    proofs = {r.unit.solver for r in rows if r.detail.startswith(PROVED)}
    assert proofs == {"mafs"}


def test_with_ranked_threats_only_unreachability_settles(tmp_path):
    settings = profile("paper")
    wanted = levels.parse_levels("0:100:2")
    solvers = ("projection",)
    sweep = small("blocksworld/small", settings=settings, levels=wanted, solvers=solvers)
    rows = list(swept(tmp_path / "runs.db", sweep).values())
    session = Session(load("blocksworld/small"), settings)
    for found in rows:
        if found.settles:
            assert not session.may_be_reachable(found.k)
        if found.outcome is RunOutcome.NO_PLAN and not found.settles:
            assert found.settled_by is not None or session.may_be_reachable(found.k)
        if found.settled_by is not None:
            assert not session.may_be_reachable(found.k)
    assert any(r.settled_by is not None for r in rows)


def test_settings_that_came_later_do_not_make_old_rows_new():
    """What a row of 0.1.0 has in its key; a setting counts there once it is chosen."""
    first = next(iter(small().jobs())).unit
    assert first.settings == (
        '{"chain":"tight","no_op":"drop","threats":"on-demand","extension":"strict",'
        '"repair":true,"merge":true,"rule":"supported","own_values":false}'
    )
    hardened = msgspec.structs.replace(profile("tacit"), harden=(Harden.PAD,))
    other = next(iter(small(settings=hardened).jobs())).unit
    assert '"harden":["pad"]' in other.settings


def test_the_rows_do_not_depend_on_how_many_work(tmp_path):
    sweep = small(*SEVERAL, rankings=("m2",), levels=levels.parse_levels("0,30,60,100"))
    one = swept(tmp_path / "one.db", sweep, jobs=1)
    assert one == swept(tmp_path / "two.db", sweep, jobs=3)
    assert one == swept(tmp_path / "two.db", sweep, jobs=1)


def test_both_solvers_are_swept_alike(tmp_path):
    both = ("projection", "mafs")
    sweep = small(*SEVERAL, levels=levels.parse_levels("0:100:50"), solvers=both, smallest=True)
    rows = swept(tmp_path / "all.db", sweep, jobs=2)
    assert {row.unit.solver for row in rows.values() if row.solved} == set(both)
    for level in sweep.levels:  # what was tried before makes no difference
        one = small(*SEVERAL, levels=(level,), solvers=both)
        for key, row in swept(tmp_path / f"{level}.db", one, jobs=2).items():
            assert (row.outcome, row.plan) == (rows[key].outcome, rows[key].plan)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nothing"], "no folder, list file or embedded suite 'nothing'"),
        (["quik"], "did you mean 'quick'?"),
        (["rovers/smal"], "did you mean 'rovers/small'?"),
        (["empty"], "there is no MA-PDDL problem in 'empty' or below"),
        (["empty.txt"], "'empty.txt' lists no problems"),
        (["wrong.txt"], "wrong.txt:2: there is no folder or embedded problem 'nowhere'"),
        (["quick", "--rankings", "m9"], "there is no ranking called 'm9'"),
        (["quick", "--rankings", "m1,,m2"], "empty name"),
        (["quick", "--solvers", "magic"], "there is no solver called 'magic'"),
        (["quick", "--solvers", "maffs"], "did you mean 'mafs'?"),
        (["quick", "--profile", "papr"], "did you mean 'paper'?"),
        (["quick", "--levels", "0:100"], "'0:100' is not a list of levels"),
        (["quick", "--threats", "paper-index"], "for counting only"),
        (["quick", "--plugin", "none.py"], "there is no plugin"),
    ],
)
def test_bad_input_is_reported(tmp_path, monkeypatch, capsys, args, said):
    from tacit.cli.main import run as command_line

    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty.txt").write_text("# nothing\n")
    (tmp_path / "wrong.txt").write_text("rovers/small\nnowhere\n")
    assert command_line(["sweep", *args, "-o", "runs.db"]) == 31
    assert said in capsys.readouterr().err
    assert not (tmp_path / "runs.db").exists()


def test_a_dry_run_counts_and_leaves_no_trace(tmp_path, monkeypatch, capsys):
    from tacit.cli.main import run as command_line

    monkeypatch.chdir(tmp_path)
    args = ["sweep", "logistics/small", "--rankings", "m1,random", "--seeds", "3", "-o", "runs.db"]
    args += ["--levels", "0:100:5", "--time-limit", "60", "--smallest"]
    for jobs, longest in (("1", "1 h 28 min"), ("2", "44 min")):
        assert command_line([*args, "--jobs", jobs, "--dry-run"]) == 0
        told = capsys.readouterr().out
        assert "1 problem, 4 units" in told
        assert "0 runs are done, at most 88 are left" in told
        assert f"{jobs} at a time: at most {longest}" in told
    assert not list(tmp_path.iterdir())
    assert command_line([*args, "--json"]) == 0
    out = msgspec.json.decode(capsys.readouterr().out)
    assert out["runs"] == sum(out["outcomes"].values()) == 4 * 6
    assert command_line([*args, "--dry-run", "--json"]) == 0
    again = msgspec.json.decode(capsys.readouterr().out)
    assert (again["runs_done"], again["runs_left_at_most"]) == (24, 0)
    wider = [arg if arg != "0:100:5" else "0:100:1" for arg in args]
    assert command_line([*wider, "--dry-run", "--json"]) == 0
    assert msgspec.json.decode(capsys.readouterr().out)["runs_left_at_most"] == 0


def test_a_terminal_gets_bars_and_a_pipe_gets_lines(tmp_path):
    args = [*PROGRAM, "sweep", "logistics/small", "rovers/small", "--levels", "100"]
    args += ["--jobs", "1", "-o"]  # so that they end in this order
    parent, child = pty.openpty()
    with subprocess.Popen([*args, tmp_path / "a.db"], stdout=child, stderr=child) as program:
        os.close(child)
        shown = b""
        with contextlib.suppress(OSError):  # how Linux says that nothing more will come
            while part := os.read(parent, 65536):
                shown += part
    os.close(parent)
    assert program.returncode == 0
    text = shown.decode()
    assert all(f"{domain} " in text for domain in ("logistics", "rovers"))
    assert "1/1" in text
    assert "2 runs (2 solved)" in text
    piped = subprocess.run([*args, tmp_path / "b.db"], capture_output=True, text=True, check=True)
    assert "\x1b" not in piped.stdout + piped.stderr
    assert "[2/2] rovers/small auto goal: 1 solved" in piped.stderr


def test_a_ranking_of_ones_own_can_draw(tmp_path):
    plugin = tmp_path / "mine.py"
    plugin.write_text(
        "from tacit.choices import RANKINGS\n"
        "class Mine(RANKINGS.get('random')):\n    drawn = True\n"
        "RANKINGS.add('mine')(Mine)\n"
    )
    path = tmp_path / "runs.db"
    args = ["sweep", "logistics/small", "--rankings", "mine", "--plugin", plugin, "--seeds", "3"]
    args += ["--levels", "100", "-o", path]
    subprocess.run([*PROGRAM, *args], check=True, capture_output=True)
    assert {row.unit.seed for row in stored(path).values()} == {0, 1, 2}
    plugin.write_text(plugin.read_text() + "# edited\n")
    subprocess.run([*PROGRAM, *args], check=True, capture_output=True)
    assert len(stored(path)) == 6  # edited code is other code


def test_ties_are_a_dimension_of_their_own(tmp_path, capsys):
    path = tmp_path / "runs.db"
    ties = (None, 0, 1)
    sweep = small(rankings=("m1", "random"), seeds=2, ties=ties, levels=(), smallest=True)
    rows = swept(path, sweep)
    drawn = {(r.unit.ranking, r.unit.seed, r.unit.ties): r for r in rows.values()}
    assert set(drawn) == {*(("m1", 0, t) for t in ties), ("random", 0, None), ("random", 1, None)}
    instance = load("logistics/small")
    for (ranking, seed, tied), row in drawn.items():
        session = Session(
            instance, profile("tacit"), RunOptions(ranking=ranking, seed=seed, ties=tied)
        )
        assert row.k == session.first().k
    assert {r.unit.series for r in rows.values()} == {"m1", "m1 ties", "random"}
    with Store.open(path) as store:
        row1 = tables.table1([run for run in store.rows() if run.asked == "smallest"])[0]
    assert set(row1.cells) == {"m1", "m1 ties", "random"}
    assert outlook(sweep, Store.open(path)).todo == ()


@pytest.mark.parametrize("text", ["", "a", "3:1", "0:10000", "-1", "1:2:3", "1,,2"])
def test_bad_ties_are_reported(text):
    with pytest.raises(InputError, match="not a list of seeds for ties"):
        parse_ties(text)


def test_a_level_is_found_by_its_budget(tmp_path):
    rows = swept(tmp_path / "runs.db", small())
    runs = {r.asked: r for r in rows.values()}
    assert levels.result_at(runs, Fraction(100)).k == 4
    assert levels.result_at(runs, Fraction(20)).k == 1
