"""`tacit audit` as a user calls it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest
from support.hosts import play, small

from tacit.cli.layouts import AuditLayout
from tacit.cli.main import run
from tacit.public.protocol.link import Terms
from tacit.public.protocol.recording import read_recording


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    """Three agents that have planned, each with a folder of its own."""
    made = small(
        "logistics", tmp_path_factory.mktemp("trial"), 1, terms=Terms(ranking="m3", k=4), secret="s"
    )
    ended = play({agent: made.host(agent) for agent in made.names})
    return made, next(iter(ended.values())).leader


@pytest.fixture(scope="module")
def counts(trial):
    """How many edges each agent of the trial disclosed, by its own record."""
    made, _ = trial
    texts = {agent: made.configs[agent].outputs.record.read_text() for agent in made.names}
    return {a: len(set(re.findall(r"dependency (\d+):", text))) for a, text in texts.items()}


def transcript(made, agent: str) -> str:
    return str(made.configs[agent].outputs.transcript)


def owned(made, agent: str, *more: str) -> list[str]:
    config = made.configs[agent]
    files = ["--domain", str(config.domain), "--problem", str(config.problem)]
    return ["--agent", agent, *files, *more]


def record(made, agent: str) -> list[str]:
    return ["--record", str(made.configs[agent].outputs.record)]


def audited(capsys, *args: str) -> tuple[int, dict]:
    code = run(["audit", "--json", *args])
    found = json.loads(capsys.readouterr().out)
    msgspec.convert(found, AuditLayout)
    return code, found


def test_what_a_holder_can_know(trial, counts, capsys):
    made, leader = trial
    code, found = audited(capsys, transcript(made, leader))
    assert (code, found["clean"], found["schema"]) == (0, True, "tacit.audit/2")
    (told,) = found["runs"]
    assert (told["holders"], told["k"], told["whole"]) == ([leader], 4, True)
    assert told["mode"] == "online"
    assert set(told["agents"]) == set(made.names) - {leader}
    for agent, about in told["agents"].items():
        assert about["clean"]
        assert 0 < len(about["edges"]) == counts[agent] <= 4
        assert "dependencies" not in about  # no frame has totals
        assert about["tokens"] == 2
        assert about["plans"]["confirmed"] >= 1  # the first plan, and those that are cheaper
        for action in about["public_actions"]:
            assert all(fact.startswith("(at package") for fact in action["needs"])


def test_all_agents_hold_the_same_ledger_and_it_is_what_records_say(trial, counts, capsys):
    made, _ = trial
    for holder in made.names:
        _, found = audited(capsys, transcript(made, holder))
        ledger = found["runs"][0]["ledger"]
        assert {agent: own["edges"] for agent, own in ledger["agents"].items()} == counts
        assert ledger["sum"] == sum(counts.values())
        assert ledger["largest"] == max(counts.values())
        for agent in set(made.names) - {holder}:
            owner = owned(made, agent, *record(made, agent))
            _, found = audited(capsys, transcript(made, holder), *owner)
            about = found["runs"][0]["agents"][agent]
            assert about["compared_with"] == "its files and record"
            assert (about["clean"], about["inferred"]) == (True, [])


@pytest.mark.parametrize("run_options", ["record", "seed", "neither"])
def test_with_the_files_of_the_other(trial, capsys, run_options):
    made, _ = trial
    expected = {"record": " and record", "seed": " and secret seed", "neither": ""}[run_options]
    for agent in made.names:
        seed = ["--secret-seed", made.configs[agent].seed]
        more = {"record": record(made, agent), "seed": seed, "neither": []}[run_options]
        for holder in made.names:
            code, found = audited(capsys, transcript(made, holder), *owned(made, agent, *more))
            about = found["runs"][0]["agents"][agent]
            assert about["compared_with"] == "its files" + expected
            assert (code, about["findings"]) == (0, [])


def test_what_can_be_concluded_is_shown_and_is_no_finding(trial, capsys):
    made, leader = trial
    (agent, *_) = sorted(set(made.names) - {leader})
    code, found = audited(capsys, transcript(made, leader))
    about = found["runs"][0]["agents"][agent]["leakage"]
    assert code == 0
    assert about["disclosed"] == len(found["runs"][0]["agents"][agent]["edges"])
    assert (about["scored"], about["initial"], about["guessed_right"]) == (None, None, None)
    assert 0 < about["bits_b"] < about["bits_b_all"]
    assert sum(about["bits_b_by_source"].values()) >= about["bits_b"]
    more = owned(made, agent, *record(made, agent))
    code, found = audited(capsys, transcript(made, leader), *more)
    about = found["runs"][0]["agents"][agent]["leakage"]
    assert code == 0
    assert about["scored"]["precision"] == about["scored"]["recall"] == 1.0
    assert about["guessed"] == about["guessed_right"] == about["undisclosed"] > 0
    assert about["initial"]["edges"] >= about["initial"]["disclosed"]
    run(["audit", transcript(made, leader), "--details", *more])
    out = capsys.readouterr().out
    assert "guesses that are right" in out
    assert f"{agent}: nothing was disclosed beyond" in out
    assert "bits of its graph by rounds" in out
    assert "shown" not in out


def test_observers_are_chosen(trial, capsys):
    made, _ = trial
    paths = [transcript(made, agent) for agent in made.names]
    one, other, third = made.names
    _, found = audited(capsys, *paths, "--observers", f"{one}, {other}")
    (told,) = found["runs"]
    assert told["holders"] == sorted([one, other])
    assert set(told["agents"]) == {third}
    _, alone = audited(capsys, *paths, "--observers", one)
    few, all_of = (f["runs"][0]["agents"][third]["leakage"]["bits_b"] for f in (alone, found))
    assert few <= all_of + 1e-6
    assert run(["audit", *paths, "--observers", "nobody"]) == 31


def test_a_smaller_budget_than_was_used(trial, capsys):
    made, leader = trial
    code, found = audited(capsys, transcript(made, leader), "--k", "1")
    assert (code, found["clean"]) == (1, False)
    kinds = {f["kind"] for about in found["runs"][0]["agents"].values() for f in about["findings"]}
    assert kinds == {"budget"}


def test_another_profile_than_was_used(trial, capsys):
    made, leader = trial
    assert audited(capsys, transcript(made, leader), "--profile", "tacit")[0] == 0
    assert audited(capsys, transcript(made, leader), "--profile", "paper")[0] == 1


def test_transcripts_of_one_run_are_put_together(trial, capsys, tmp_path):
    made, leader = trial
    paths = [transcript(made, agent) for agent in made.names]
    _, found = audited(capsys, *paths[:2])
    (told,) = found["runs"]
    assert told["holders"] == made.names[:2]
    assert list(told["agents"]) == made.names[2:]
    other = small("logistics", tmp_path, 1, terms=Terms(k=4))
    play({agent: other.host(agent) for agent in other.names})
    _, found = audited(capsys, *paths, transcript(other, leader))
    assert [run["holders"] for run in found["runs"]] == [made.names, [leader]]


def test_files_of_somebody_else(trial, capsys):
    made, leader = trial
    one, other = (name for name in made.names if name != leader)
    args = owned(made, other)
    args[1] = one
    code, found = audited(capsys, transcript(made, leader), *args)
    assert code == 1
    kinds = {f["kind"] for f in found["runs"][0]["agents"][one]["findings"]}
    assert kinds & {"files", "published"}


def test_the_record_of_somebody_else(trial, capsys):
    made, leader = trial
    one, other = (name for name in made.names if name != leader)
    args = owned(made, one, *record(made, other))
    code, found = audited(capsys, transcript(made, leader), *args)
    findings = found["runs"][0]["agents"][one]["findings"]
    assert (code, [f["kind"] for f in findings]) == (1, ["record"])


def test_for_people(trial, counts, capsys):
    made, leader = trial
    other = next(name for name in made.names if name != leader)
    assert run(["audit", transcript(made, leader), "--details"]) == 0
    said = capsys.readouterr().out
    assert f"What {leader} can know" in said
    assert f"{other}: nothing was disclosed beyond {counts[other]} edges and 0 repairs." in said
    assert f"{other}: disclosed: " in said
    assert run(["audit", transcript(made, leader), "--k", "1"]) == 1
    assert f"it disclosed {counts[other]} edges, and k is 1 (budget)" in capsys.readouterr().out


def test_a_transcript_that_is_cut_short(trial, capsys, tmp_path):
    made, leader = trial
    other = next(name for name in made.names if name != leader)
    data = Path(transcript(made, leader)).read_bytes()
    for percent in range(5, 100, 10):
        cut = data[: len(data) * percent // 100]
        (tmp_path / "t").write_bytes(cut)
        if read_recording(tmp_path / "t").is_whole:  # cut between two entries
            (tmp_path / "t").write_bytes(cut[:-1])
        args = owned(made, other, *record(made, other))
        code, found = audited(capsys, str(tmp_path / "t"), *args)
        assert code == 0, (percent, found)
        assert not found["runs"][0]["whole"]


@pytest.mark.parametrize(
    ("args", "code", "text"),
    [
        (["--agent", "x"], 2, "go together"),
        (["--record", "x"], 2, "need --agent"),
        (["--profile", "x"], 31, "there is no profile called 'x'"),
    ],
)
def test_wrong_usage(trial, capsys, args, code, text):
    made, leader = trial
    assert run(["audit", transcript(made, leader), *args]) == code
    assert text in capsys.readouterr().err


def test_files_that_are_something_else(trial, capsys, tmp_path):
    made, leader = trial
    other = next(name for name in made.names if name != leader)
    (tmp_path / "t").write_text("nothing of the kind")
    assert run(["audit", str(tmp_path / "t")]) == 31
    assert "this is not a transcript" in capsys.readouterr().err
    args = owned(made, other, "--record", str(tmp_path / "t"))
    assert run(["audit", transcript(made, leader), *args]) == 31
    assert "this is not a disclosure record" in capsys.readouterr().err
    args = owned(made, other)
    args[1] = "nobody"
    assert run(["audit", transcript(made, leader), *args]) == 31
    assert "about no agent 'nobody'" in capsys.readouterr().err
