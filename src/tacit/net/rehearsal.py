"""All agents of a run on one machine, each a process of its own: a rehearsal of the real thing.

The processes are what `tacit agent` is anywhere. Nothing goes between them but what goes over the
network; this only starts them, shows what they print, and collects how they ended.
"""

from __future__ import annotations

import contextlib
import json
import random
import signal
import socket
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tacit.errors import InputError
from tacit.party.disclosure.weights import read_weights, weights_text

HOST = "127.0.0.1"
PORTS = range(20_000, 32_000)
"""Below the ports that systems give to callers, so that no caller takes one away."""

HELD = 256
"""How many of these this process reserves for agents that are about to start."""

GRACE = 10.0
"""Seconds that the others get when one was asked to stop."""


@dataclass(frozen=True)
class Ended:
    """How one agent's process ended: its exit code, and what it reported if it did."""

    agent: str
    code: int
    report: dict[str, Any] | None


def free_ports(count: int) -> list[int]:
    """Ports that are free, and that are not given out again for a while."""
    found: list[int] = []
    for port in random.SystemRandom().sample(PORTS, len(PORTS)):
        holder = socket.socket()
        try:
            holder.bind((HOST, port))  # it fails if the port is bound, listening or not
        except OSError:
            holder.close()
            continue
        _hold(holder)
        found.append(port)
        if len(found) == count:
            return found
    raise InputError("there are not enough free ports")


_holders: deque[socket.socket] = deque()


def _hold(holder: socket.socket) -> None:
    """Reserve a port, and let an agent listen at it. Linux lets
    a second socket listen if both may share an address; elsewhere the port is merely let go.
    """
    if sys.platform != "linux":
        holder.close()
        return
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    _holders.append(holder)
    while len(_holders) > HELD:
        _holders.popleft().close()


def toml_of(
    agents: Sequence[str],
    ports: Sequence[int],
    terms: dict[str, Any],
    limits: dict[str, Any],
    with_prices: bool = False,
) -> str:
    """An `agents.toml` for files and keys beside it, and files of prices if there are some."""
    lines = ['ca = "keys/ca.pem"']
    for title, table in (("terms", terms), ("limits", limits)):
        lines += ["", f"[{title}]", *(f"{n} = {json.dumps(v)}" for n, v in table.items())]
    for agent, port in zip(agents, ports, strict=True):
        lines += ["", f"[agents.{json.dumps(agent)}]", f'address = "{HOST}:{port}"']
        for key, value in (
            ("domain", f"domain-{agent}.pddl"),
            ("problem", f"problem-{agent}.pddl"),
            ("cert", f"keys/{agent}.pem"),
            ("key", f"keys/{agent}.key"),
            *([("weights", f"weights-{agent}.toml")] if with_prices else []),
        ):
            lines.append(f"{key} = {json.dumps(value)}")
    return "\n".join(lines) + "\n"


def own_prices(weights: Path, agents: Sequence[str]) -> dict[str, str]:
    """A file of all agents' prices taken apart: one for each, with its own prices alone."""
    found = read_weights(weights)
    found.check_agents(agents)
    return {f"weights-{agent}.toml": weights_text(found.of(agent)) for agent in agents}


def rehearse(
    agents: Sequence[str],
    arguments: Callable[[str], list[str]],
    show: Callable[[str], None],
) -> list[Ended]:
    """Start `tacit agent` for every agent and wait for all of them."""
    started: list[subprocess.Popen[str]] = []
    try:
        for agent in agents:
            started.append(_started(["--name", agent, *arguments(agent)]))
        readers = [_relayed(process.stderr, show) for process in started]
        outputs = [_output(process) for process in started]
    except BaseException:
        _stop(started)
        raise
    for reader in readers:
        reader.join(GRACE)
    return [
        Ended(agent, process.returncode, _report(output))
        for agent, process, output in zip(agents, started, outputs, strict=True)
    ]


def _started(arguments: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tacit", "agent", "--json", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="backslashreplace",
    )


def _relayed(stream: IO[str] | None, show: Callable[[str], None]) -> threading.Thread:
    """What a process prints, line by line."""

    def relay() -> None:
        assert stream is not None
        for line in stream:
            show(line.rstrip("\n"))

    thread = threading.Thread(target=relay, daemon=True)
    thread.start()
    return thread


def _output(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    output = process.stdout.read()
    process.wait()
    return output


def _stop(processes: Sequence[subprocess.Popen[str]]) -> None:
    """Ask all to stop; those that do not are killed."""
    for process in processes:
        with contextlib.suppress(OSError):
            process.send_signal(signal.SIGINT)
    for process in processes:
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _report(output: str) -> dict[str, Any] | None:
    with contextlib.suppress(ValueError):
        found = json.loads(output)
        return found if isinstance(found, dict) else None
    return None
