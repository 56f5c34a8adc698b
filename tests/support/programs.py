"""Agents as programs: their folders and their command lines."""

from __future__ import annotations

import sys
from pathlib import Path

from support.hosts import keys_for

PROGRAM = [sys.executable, "-m", "tacit"]


def lay_out(texts: dict[str, tuple[str, str]], folder: Path) -> list[str]:
    """A folder for each agent, with its own files and key and nobody else's."""
    keys = keys_for(*texts)
    for agent, (domain, problem) in texts.items():
        own = folder / agent
        own.mkdir(parents=True)
        (own / "domain.pddl").write_text(domain)
        (own / "problem.pddl").write_text(problem)
        (own / "ca.pem").write_bytes((keys / "ca.pem").read_bytes())
        for kind in ("pem", "key"):
            (own / f"own.{kind}").write_bytes((keys / f"{agent}.{kind}").read_bytes())
        (own / "own.key").chmod(0o600)
    return list(texts)


def arguments(agent: str, folder: Path, where: dict[str, str], *more: str) -> list[str]:
    own = folder / agent
    peers = [f"--peer={other}={at}" for other, at in where.items() if other != agent]
    files = [f"--{what}={own / what}.pddl" for what in ("domain", "problem")]
    shown = [f"--cert={own / 'own.pem'}", f"--key={own / 'own.key'}", f"--ca={own / 'ca.pem'}"]
    place = [f"--name={agent}", f"--listen={where[agent]}", *peers, f"--output={own}"]
    bound = (
        [] if any(m.startswith(("--k", "--max-k", "--budget")) for m in more) else ["--max-k=all"]
    )
    limits = ["--wait=150", "--silence=100", *bound]
    return ["agent", *place, *files, *shown, "--json", *limits, *more]
