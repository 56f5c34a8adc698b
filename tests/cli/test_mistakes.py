"""Twelve mistakes that people make, each with its exit code and all that is printed about it."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from support.delivery import DOMAIN, PROBLEM

from tacit.net.keys import make_keys

LOAD = "(and (not (at ?p ?l)) (holds ?t ?p))"
"""The effect of loading, in line 21."""
IN_FILES = {
    "a misspelled predicate": (
        (LOAD, "(and (not (at ?p ?l)) (hold ?t ?p))"),
        31,
        "error: domain.pddl:21:36: predicate 'hold' is not declared\n"
        "  hint: did you mean 'holds'?\n",
    ),
    "a missing parenthesis": (
        ("(at ?p ?l))\n    :effect (and (not (at", "(at ?p ?l)\n    :effect (and (not (at"),
        31,
        "error: domain.pddl:17:3: this '(' is still open where '(:action' begins in line 22\n"
        "  hint: add the missing ')' before that\n",
    ),
    "a wrong type": (
        ("(at p1 depot)", "(at home depot)"),
        31,
        "error: problem.pddl:9:9: 'home' is of type 'place', but 'at' expects 'package' as ?p\n"
        "  hint: it is declared as (at ?p - package ?l - place)\n",
    ),
    "an unknown object": (
        ("(at p1 shop)", "(at p1 shopp)"),
        31,
        "error: problem.pddl:11:22: object 'shopp' in (at p1 shopp) is not declared\n"
        "  hint: did you mean 'shop'?\n",
    ),
    "an undeclared requirement": (
        (" :action-costs)", ")"),
        0,
        "warning: domain.pddl:11:15: used but not declared: ':action-costs'; add what is missing "
        "to ':requirements'\n",
    ),
    "a missing agent": (
        (
            ":agent ?t - truck\n    :parameters (?a ?b - place)",
            ":parameters (?t - truck ?a ?b - place)",
        ),
        31,
        "error: domain.pddl:12:12: action 'drive' has no ':agent'\n"
        "  hint: write ':agent ?a - TYPE' to say whose action it is\n",
    ),
    "another's private object in the goal": (
        ("(at p1 shop)", "(parked t2 yard)"),
        31,
        "error: problem.pddl:11:15: the goal (parked t2 yard) belongs to no agent here: it is "
        "private to two agents, 'parked' to 't2' and 'yard' to 't1'\n"
        "  hint: use what is public, or private to one of them\n",
    ),
    "another's private object in init": (
        ("(parked t2 shop)", "(parked t2 yard)"),
        0,
        "warning: problem.pddl:8:27: ignored (parked t2 yard): it is private to two agents, "
        "'parked' to 't2' and 'yard' to 't1'; use what is public, or private to one of them\n",
    ),
    "a numeric fluent": (
        ("(and (parked ?t ?a) (road ?a ?b))", "(and (parked ?t ?a) (> (length ?a ?b) 1))"),
        34,
        "error: domain.pddl:15:39: '>': numeric conditions are not supported\n"
        "  hint: Tacit has facts and costs: write levels as objects, and what counts as "
        "(total-cost)\n",
    ),
    "a conditional effect": (
        (LOAD, "(and (not (at ?p ?l)) (when (road ?l ?l) (holds ?t ?p)))"),
        34,
        "error: domain.pddl:21:35: 'when': conditional effects are not supported\n"
        "  hint: write an action for each case, with the condition as a precondition\n",
    ),
}


@pytest.mark.parametrize("mistake", IN_FILES)
def test_in_files(tacit, tmp_path, monkeypatch, mistake):
    (old, new), code, said = IN_FILES[mistake]
    assert old in DOMAIN + PROBLEM
    (tmp_path / "domain.pddl").write_text(DOMAIN.replace(old, new))
    (tmp_path / "problem.pddl").write_text(PROBLEM.replace(old, new))
    monkeypatch.chdir(tmp_path)
    found = tacit("solve", "domain.pddl", "problem.pddl")
    assert (found.code, found.err) == (code, said)


WRONG_FILES = {
    "solve problem.pddl": "problem.pddl: this is one file; a problem has two\n"
    "  hint: name its folder, or both files: tacit inspect domain.pddl problem.pddl",
    "solve problem.pddl domain.pddl": "problem.pddl:1:9: expected '(domain NAME)': this is a "
    "problem file\n  hint: name the domain first and the problem second",
    "validate . domain.pddl": "domain.pddl:1:10: expected a plan, found a domain file\n"
    "  hint: write '(action argument …)', one action per line",
    "audit domain.pddl": "domain.pddl: this is not a transcript\n  hint: 'tacit agent --transcript "
    "FILE' writes one; those of other versions are not read",
    "compare domain.pddl domain.pddl": "'domain.pddl' is not a store of Tacit (file is not a "
    "database)\n  hint: 'tacit sweep -o runs.db' makes one, and 'tacit restore' one of CSV files",
    "agent --name t1 --config domain.pddl": "domain.pddl: this is not TOML: Invalid statement (at "
    "line 1, column 1)\n  hint: expected a file as 'tacit init' and 'tacit provision' write it: "
    "agents.toml",
}


@pytest.mark.parametrize("command", WRONG_FILES)
def test_a_wrong_file(tacit, delivery, monkeypatch, command):
    monkeypatch.chdir(delivery)
    found = tacit(*command.split())
    assert (found.code, found.err) == (31, f"error: {WRONG_FILES[command]}\n")


@pytest.fixture
def host(tacit, delivery, monkeypatch) -> Path:
    """A folder with files and certificates of agents t1 and t2."""
    monkeypatch.chdir(delivery)
    assert tacit("factor", ".", "-o", "own").code == 0
    make_keys(Path("keys"), ["t1", "t2"], 1)
    return delivery


def agent(tacit, port: int, **files: str):
    named = {"cert": "keys/t1.pem", "key": "keys/t1.key", "ca": "keys/ca.pem", **files}
    own = ["--domain", "own/domain-t1.pddl", "--problem", "own/problem-t1.pddl", "--no-ledger"]
    where = ["--listen", f"127.0.0.1:{port}", "--peer", "t2=127.0.0.1:1", "--max-k", "1"]
    given = [word for name, path in named.items() for word in (f"--{name}", path)]
    return tacit("agent", "--name", "t1", *own, *where, *given)


def test_a_wrong_certificate(tacit, host):
    found = agent(tacit, 0, cert="keys/t2.pem", key="keys/t2.key")
    assert found.code == 31
    assert re.fullmatch(
        r"error: \S+/keys/t2\.pem: this certificate does not name the agent 't1'\n"
        r"  hint: its alternative names need the URI tacit:t1; it names tacit:t2, t2\n",
        found.err,
    )
    found = agent(tacit, 0, cert="keys/t2.pem")
    assert found.code == 31
    assert re.fullmatch(
        r"error: \S+/keys/t2\.pem: this certificate and its key do not belong together\n"
        r"  hint: the key is \S+/keys/t1\.key; it must be PEM and not encrypted\n",
        found.err,
    )


def test_a_port_in_use(tacit, host):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        found = agent(tacit, port)
    assert (found.code, found.err) == (
        31,
        f"error: cannot listen at 127.0.0.1:{port}: the port is in use\n"
        "  hint: this agent may still be running, or another program: end it, or choose another "
        "port (--listen HOST:PORT) and let the peers know\n",
    )


PLUGIN = """from tacit.party.disclosure.ranking import RANKINGS


@RANKINGS.add("{name}")
class Mine:
    def __init__(self{more}):
        {begin}

    def {next}(self):
        return {found}
"""
DONE = {"name": "mine", "more": ", graph, public, seed", "begin": "self.graph = graph"}
DONE |= {"next": "next", "found": "None"}
IN_PLUGINS = {
    "another name": ({"name": "goal"}, ":4: there are two rankings called 'goal'"),
    "no parameters": ({"more": "", "begin": "pass"}, ":6: ranking 'mine' cannot be made: "),
    "no method": ({"next": "following"}, ":6: ranking 'mine' has no method 'next'"),
    "no edge": ({"found": "7"}, ":6: ranking 'mine' returns 7 and not an edge of its graph"),
    "an edge twice": ({"found": "self.graph.edges[0]"}, ":6: ranking 'mine' returns an edge twice"),
    "an error": ({"found": "self.grap"}, ":10: the plugin fails: AttributeError: 'Mine' object"),
    "no Python": ({"found": "("}, ":10: the plugin fails: SyntaxError: '(' was never closed"),
}


@pytest.mark.parametrize("mistake", IN_PLUGINS)
def test_in_a_plugin(tmp_path, mistake):
    """In a process of its own, since a plugin stays loaded."""
    changes, said = IN_PLUGINS[mistake]
    wanted = {**DONE, **changes}
    file = tmp_path / "mine.py"
    file.write_text(PLUGIN.format(**wanted))
    solve = ["solve", "logistics/small", "--plugin", file, "--ranking", wanted["name"]]
    command = [sys.executable, "-m", "tacit", *map(str, solve)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 31, done.stderr
    assert done.stderr.startswith(f"error: {file}{said}"), done.stderr
