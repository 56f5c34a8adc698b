"""Agents as processes that can open only their own files, started as a user would start them."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.alone import CAN_READ
from support.apart import MOUNTS, NETWORKS, USERS, apart
from support.forms import generated
from support.programs import PROGRAM, arguments, lay_out

from tacit.central.instance import describe
from tacit.central.validate.judge import validate
from tacit.central.validate.plan import read_agent_plans
from tacit.cli.main import run
from tacit.net.rehearsal import HOST, free_ports, toml_of
from tacit.party.disclosure.weights import read_weights
from tacit.pddl.factor_writer import factor
from tacit.pddl.syntax import Description

PATIENCE = 1_200
FIVE = [
    "rovers/p10",
    "logistics00/probLOGISTICS-10-0",
    "elevators08/p01",
    "depot/pfile1",
    "blocksworld/probBLOCKS-9-0",
]


def finished(commands: dict[str, list[str]]) -> dict[str, tuple[int, str, str]]:
    started = {
        agent: subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/"
        )
        for agent, words in commands.items()
    }
    try:
        return {
            agent: (*process.communicate(timeout=PATIENCE)[::-1], process.returncode)[::-1]
            for agent, process in started.items()
        }
    finally:
        for process in started.values():
            if process.poll() is None:
                process.kill()


def check(
    how: str,
    description: Description,
    texts: dict[str, tuple[str, str]],
    tmp_path: Path,
    *more: str,
) -> None:
    """Plan with agents that are kept apart, and validate what they wrote afterwards."""
    with apart(how, list(texts), tmp_path) as place:
        lay_out(texts, place.folder)
        found = finished(
            {a: place.words(a, arguments(a, place.folder, place.where, *more)) for a in texts}
        )
        assert {code for code, _, _ in found.values()} == {0}, found
        plans = [place.folder / agent / f"plan-{agent}.txt" for agent in texts]
        verdict = validate(description, read_agent_plans(plans))
    assert verdict.valid, verdict.message
    assert all(json.loads(out)["solved"] for _, out, _ in found.values())


@pytest.mark.parametrize(
    ("how", "solver"), [(USERS, "mafs"), (MOUNTS, "projection"), (NETWORKS, "mafs")]
)
def test_each_agent_sees_its_own_files_alone(tmp_path, how, solver):
    description = generated("driverlog", 1)
    check(how, description, factor(description), tmp_path, f"--solver={solver}")


@pytest.mark.parametrize("how", [USERS, MOUNTS])
def test_being_kept_apart_is_checked(tmp_path, how):
    """An agent that can read another's files says so, and does not plan."""
    with apart(how, ["a", "b"], tmp_path) as place:
        for agent in place.agents:
            (place.folder / agent).mkdir()
            (place.folder / agent / "problem.pddl").write_text("secret")
        for closed, codes in ((True, {0}), (False, {CAN_READ})):
            ended = finished({a: place.words(a, ["--version"], closed) for a in place.agents})
            assert {code for code, _, _ in ended.values()} == codes, ended


def files_of(description: Description) -> dict[str, tuple[str, str]]:
    return {
        str(pair.agent): (pair.domain.source.text, pair.problem.source.text)
        for pair in description.pairs
    }


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["projection", "mafs"])
@pytest.mark.parametrize("problem", FIVE)
@pytest.mark.parametrize("how", [USERS, MOUNTS, NETWORKS])
def test_the_five_problems(codmap, tmp_path, how, problem, solver):
    description = describe(codmap / "factored" / problem)
    check(how, description, files_of(description), tmp_path, f"--solver={solver}")


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["projection", "mafs"])
@pytest.mark.parametrize("domain", ["rovers", "logistics", "elevators", "depot", "blocksworld"])
@pytest.mark.parametrize("how", [USERS, NETWORKS])
def test_generated_problems(tmp_path, how, domain, solver):
    """Of the same five domains, for where the CoDMAP files are not."""
    description = generated(domain, 2)
    check(how, description, factor(description), tmp_path, f"--solver={solver}")


@pytest.mark.skipif(sys.platform != "linux", reason="ports are not held elsewhere")
def test_ports_are_given_once():
    """Whoever looks for free ports as well finds others, and an agent can listen at these."""
    for port in free_ports(20):
        with socket.socket() as other, pytest.raises(OSError, match="in use"):
            other.bind((HOST, port))
        socket.create_server((HOST, port)).close()


def test_an_agent_that_is_killed(tmp_path):
    """The process is gone, nobody says farewell, and the other ends with a clear error."""
    texts = factor(generated("driverlog", 1))
    ports = free_ports(3)
    where = {agent: f"{HOST}:{port}" for agent, port in zip(texts, ports, strict=False)}
    where["driver3"] = f"{HOST}:{ports[2]}"  # who never comes, so that all are waiting
    agents = lay_out(texts, tmp_path)
    words = {a: [*PROGRAM, *arguments(a, tmp_path, where, "--wait=12")] for a in agents}
    first = subprocess.Popen(words[agents[0]], stderr=subprocess.PIPE, text=True)
    second = subprocess.Popen(words[agents[1]], stderr=subprocess.PIPE, text=True)
    try:
        assert first.stderr is not None
        assert any("is here" in line for line in iter(first.stderr.readline, ""))
        second.kill()
        said = first.communicate(timeout=PATIENCE)[1]
    finally:
        for process in (first, second):
            process.kill()
            process.wait()
    assert f"'{agents[1]}' is gone" in said
    assert "error: no connection with" in said
    assert first.returncode == 23


def test_ctrl_c_ends_an_agent(tmp_path):
    texts = factor(generated("driverlog", 1))
    ports = free_ports(2)
    where = {agent: f"{HOST}:{port}" for agent, port in zip(texts, ports, strict=True)}
    agents = lay_out(texts, tmp_path)
    words = [*PROGRAM, *arguments(agents[0], tmp_path, where)]
    one = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    try:
        assert one.stderr is not None
        assert "listens" in one.stderr.readline()
        one.send_signal(signal.SIGINT)
        said = one.communicate(timeout=PATIENCE)[1]
    finally:
        one.kill()
        one.wait()
    assert one.returncode == 130
    assert said.rstrip().endswith("error: interrupted")


def test_a_config_file(tmp_path, capsys):
    """What is wrong with one is said, and no agent is started."""
    texts = factor(generated("driverlog", 1))
    file = tmp_path / "agents.toml"
    good = toml_of(list(texts), [7001, 7002], {"k": 3}, {"wait": 1})
    for text, expected in (
        (good.replace("k = 3", "kk = 3"), "unknown field `kk`"),
        (good.replace("k = 3", ""), "this agent has no bound on what it discloses"),
        (good.replace("k = 3", "k = -3"), ">= 0"),
        (good.replace("k = 3", 'k = 3\nsolver = "x"'), "there is no solver called 'x'"),
        (good.replace("k = 3", 'k = 3\nranking = "x"'), "x"),
        (good.replace("k = 3", 'k = 3\nprofile = "x"'), "there is no profile called 'x'"),
        (good.replace("127.0.0.1:7001", "nowhere"), "is no address"),
        (good.replace("[terms]", "[terms"), "not TOML"),
        (good, "No such file"),
    ):
        file.write_text(text)
        code = run(["agent", "--config", str(file), "--name", "driver1", "-o", str(tmp_path)])
        assert code == 31, text
        assert expected in capsys.readouterr().err
    code = run(["agent", "--config", str(file), "--name", "driver9"])
    assert code == 31
    assert "agent 'driver9' has no address" in capsys.readouterr().err
    assert run(["agent", "--name", "a", "--peer", "b", "--listen", "x:1"]) == 31
    assert "is no peer" in capsys.readouterr().err


def test_up_with_prices(tmp_path, capsys):
    """Each agent gets its own part of the file and no more, and keeps to the budget."""
    file = tmp_path / "prices.toml"
    file.write_text('["driver*"]\ndefault = 2\n[[driver2.rules]]\nfact = "*"\nprice = 3\n')
    texts = factor(generated("driverlog", 1))
    for agent, (domain, problem) in texts.items():
        (tmp_path / f"domain-{agent}.pddl").write_text(domain)
        (tmp_path / f"problem-{agent}.pddl").write_text(problem)
    out = tmp_path / "out"
    words = [
        "rehearse",
        str(tmp_path),
        "--weights",
        str(file),
        "--budget",
        "0",
        "-o",
        str(out),
        "--json",
    ]
    assert run([*words, "--wait", "100"]) == 12
    found = json.loads(capsys.readouterr().out)
    assert {e["outcome"] for e in found["agents"].values()} == {"undecided"}
    assert found["ledger"]["sum"] == 0
    assert all(own["kept"] > 0 for own in found["ledger"]["agents"].values())
    own = {agent: read_weights(out / f"weights-{agent}.toml") for agent in texts}
    assert {a: [t.agent for t in w.tables] for a, w in own.items()} == {a: [a] for a in texts}
    assert [len(own[agent].of(agent).rules) for agent in sorted(texts)] == [0, 1]
    assert {weights.of(agent).default for agent, weights in own.items()} == {2}
    assert run(["rehearse", str(out / "agents.toml"), "--weights", str(file)]) == 2


def test_up_says_who_failed(tmp_path, capsys):
    """One agent's file is broken: it says so, and the other does not wait for ever."""
    folder = tmp_path / "run"
    texts = factor(generated("driverlog", 1))
    agents = lay_out(texts, folder)
    lines = [f'ca = "{agents[0]}/ca.pem"', "[limits]", "wait = 3", "max_k = 'all'"]
    for agent, port in zip(agents, free_ports(2), strict=True):
        lines += [f"[agents.{agent}]", f'address = "{HOST}:{port}"']
        lines += [f'{what} = "{agent}/{what}.pddl"' for what in ("domain", "problem")]
        lines += [f'cert = "{agent}/own.pem"', f'key = "{agent}/own.key"']
    (folder / "agents.toml").write_text("\n".join(lines))
    (folder / agents[1] / "problem.pddl").write_text("(define")
    began = time.monotonic()
    code = run(["rehearse", str(folder / "agents.toml"), "-o", str(tmp_path / "out")])
    assert time.monotonic() - began < PATIENCE
    assert code in (23, 31)
    said = capsys.readouterr()
    assert f"{agents[1]}: ended with code 31" in said.out
    assert f"{agents[0]}: ended with code 23" in said.out
    assert os.listdir(tmp_path / "out")
