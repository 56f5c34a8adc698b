"""What each partner of a run is handed: a folder with all that `tacit agent` needs, and a page.

One party writes the problem of all (`tacit init` is a start) and an `agents.toml` with everybody's
address and the terms. From these each partner gets its own two files, its certificate and key, the
CA's certificate, an `agents.toml` that knows nothing of the others but their addresses, a
`policy.toml` for its own bounds, and a README with five commands.

Whoever provisions has seen everything: the problem and all keys. That is right for a trial, and for
partners who trust this one party. Otherwise each partner writes its own two files and has its own
certificate, and takes the rest as a pattern; the README says so.
"""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from tacit import files
from tacit.errors import InputError, nearest
from tacit.net.config import RunFile, TermsTable, address_of
from tacit.net.keys import make_keys
from tacit.net.limits import LimitsTable

POLICY = """\
# What holds for you in every run, whatever a run is started with. Nothing in it is ever sent.
# docs/network.md has all keys.

max_k = {max_k}    # dependencies that a partner may learn, over all runs; "all" for no bound

# [allowed]                      # what the terms of a run may be
# solver = ["auto", "projection"]

# [[never]]                      # what is never disclosed
# fact = "(at * depot)"
"""

README = """\
# {agent}: plan with {others}

This folder is yours alone: it has your private files and your key. Keep it where nobody else can
read it.

| file | |
|---|---|
| `domain.pddl`, `problem.pddl` | your own part of the problem; nobody else gets them |
| `agents.toml` | where you listen, where the others do, and the terms that all agreed on |
| `policy.toml` | your own bounds on what is disclosed; edit it as you like |
| `{agent}.pem`, `{agent}.key`, `ca.pem` | your certificate, its key, and whom you trust |

You listen at {listen}. Five commands, in this folder:

{commands}

All partners run the third one within {wait} seconds. It writes `plan-{agent}.txt`, your part of the
plan, and `disclosed-{agent}.txt`, what you disclosed, in your own words.

Whoever made this folder has seen your files and your key. If that must not be, write the two PDDL
files yourself, and use a certificate from a CA of your own choice.
"""


COMMANDS = (
    ("python -m pip install '.[net]'", "once, in Tacit's own folder"),
    ("tacit agent --config agents.toml --name {agent} --check", "is everything in place?"),
    ("tacit agent --config agents.toml --name {agent} --transcript run", "plan, with all others"),
    ("tacit audit run --ca ca.pem", "what you can know of them now"),
    ("tacit ledger ledger --name {agent}", "what each of them knows of you"),
)
"""What a partner types, and what for."""


def provision(
    texts: Mapping[str, tuple[str, str]], run: RunFile, folder: Path, days: float
) -> list[Path]:
    """Write a folder and an archive for each agent; the archives."""
    agents = _tables(texts, run)
    for agent in texts:
        files.check_agent_name(agent)
        if (folder / agent).exists():
            raise InputError(f"'{folder / agent}' is there already", "name a new folder")
    made = {agent: _own_files(agent, texts[agent], agents, run) for agent in texts}
    keys = {path.name: path for path in make_keys(folder / "keys", list(texts), days)}
    archives = []
    for agent, own in made.items():
        for name in (f"{agent}.pem", f"{agent}.key", "ca.pem"):
            own[name] = keys[name].read_bytes()
        archives.append(_write(folder, agent, own))
    for path in keys.values():
        path.unlink()
    (folder / "keys").rmdir()
    return archives


def _tables(texts: Mapping[str, tuple[str, str]], run: RunFile) -> dict[str, Any]:
    """Each agent's table, by its name in the problem; letter case does not matter."""
    tables = {name.lower(): table for name, table in run.agents.items()}
    known = {agent.lower(): agent for agent in texts}
    for name in tables.keys() - known.keys():
        hint = nearest(name, known) or f"agents: {', '.join(texts)}"
        raise InputError(f"agents.toml has '{name}', which the problem has not", hint)
    for name in known.keys() - tables.keys():
        hint = f'add [agents.{name}] with address = "HOST:PORT"'
        raise InputError(f"agents.toml has no agent '{name}'", hint)
    for table in tables.values():
        address_of(table.address)
    return {known[name]: table for name, table in tables.items()}


def _own_files(
    agent: str, texts: tuple[str, str], agents: dict[str, Any], run: RunFile
) -> dict[str, bytes]:
    max_k = run.limits.max_k if run.limits.max_k is not None else "all"
    others = [other for other in agents if other != agent]
    page = README.format(
        agent=agent,
        commands=_commands(agent),
        others=" and ".join([", ".join(others[:-1]), others[-1]] if others[1:] else others),
        listen=agents[agent].listen or agents[agent].address,
        wait=f"{run.limits.wait:g}",
    )
    found = {
        "domain.pddl": texts[0],
        "problem.pddl": texts[1],
        "agents.toml": _toml(agent, agents, run),
        "policy.toml": POLICY.format(max_k=json.dumps(max_k)),
        "README.md": page,
    }
    return {name: text.encode() for name, text in found.items()}


def _commands(agent: str) -> str:
    lines = [(text.format(agent=agent), why) for text, why in COMMANDS]
    width = max(len(text) for text, _ in lines)
    return "\n".join(
        f"    {text:{width}}  # {number}. {why}" for number, (text, why) in enumerate(lines, 1)
    )


def _toml(agent: str, agents: dict[str, Any], run: RunFile) -> str:
    """An `agents.toml` for one agent, with the terms as they were given."""
    terms, limits = _given(run.terms, TermsTable()), _given(run.limits, LimitsTable())
    limits.pop("max_k", None)  # it is in the policy, where its owner may change it
    lines = ['ca = "ca.pem"']
    for title, table in (("terms", terms), ("limits", limits)):
        lines += ["", f"[{title}]", *(f"{name} = {json.dumps(v)}" for name, v in table.items())]
    for other, table in agents.items():
        lines += ["", f"[agents.{json.dumps(other)}]", f"address = {json.dumps(table.address)}"]
        if other == agent:
            own = {"domain": "domain.pddl", "problem": "problem.pddl"}
            own |= {"cert": f"{agent}.pem", "key": f"{agent}.key", "ledger": "ledger"}
            own |= {"listen": table.listen} if table.listen else {}
            lines += [f"{name} = {json.dumps(value)}" for name, value in own.items()]
    return "\n".join(lines) + "\n"


def _given(table: Any, default: Any) -> dict[str, Any]:
    """What a table has that is not the default."""
    usual = msgspec.to_builtins(default)
    return {name: v for name, v in msgspec.to_builtins(table).items() if v != usual[name]}


def _write(folder: Path, agent: str, own: Mapping[str, bytes]) -> Path:
    """The folder and the archive of one agent, both for its owner's eyes alone."""
    place, packed = folder / agent, io.BytesIO()
    place.mkdir(mode=0o700)
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, data in own.items():
            with files.create(place / name) as file:
                files.write_all(file, data)
            entry = tarfile.TarInfo(f"{agent}/{name}")
            entry.size, entry.mode = len(data), files.OWNER_ONLY
            archive.addfile(entry, io.BytesIO(data))
    path = folder / f"{agent}.tar.gz"
    with files.create(path) as file:
        files.write_all(file, packed.getvalue())
    return path
