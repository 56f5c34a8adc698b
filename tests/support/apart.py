"""Agents as processes that are kept apart by the system: for tests.

`USERS`: each runs as an unprivileged user of its own, who can open no folder but its own. `MOUNTS`:
each runs in a mount namespace in which the others' folders are empty. `NETWORKS`: as `MOUNTS`, each
in a network namespace of its own besides, with nothing between them but a bridge. Each agent's own
process tries to open the others' files before and after it plans, and says so if it can (`alone`).
"""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tacit.net.rehearsal import HOST, free_ports

USERS, MOUNTS, NETWORKS = "users", "mounts", "networks"
FIRST_USER = 61_000
ALONE = Path(__file__).with_name("alone.py")


def works(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def _unshare() -> list[str] | None:
    """A command that makes a mount namespace in which one may mount."""
    for words in (["unshare", "-m"], ["unshare", "-r", "-m"]):
        if works(*words, "sh", "-c", "mount -t tmpfs -o size=4k none /mnt"):
            return words
    return None


class Apart:
    """Where the agents of one run live, and how each is started. Folders and files are there."""

    def __init__(self, how: str, agents: list[str], folder: Path, where: dict[str, str]):
        self.how = how
        self.agents = agents
        self.folder = folder
        self.where = where

    def words(self, agent: str, arguments: list[str], closed: bool = True) -> list[str]:
        """`tacit` with some arguments, for this agent alone; kept apart if `closed`."""
        own = self.folder / agent
        others = [self.folder / other for other in self.agents if other != agent]
        foreign = [str(file) for other in others for file in sorted(other.iterdir())]
        assert foreign
        user = "-"
        if self.how == USERS and closed:
            user = str(self._user(agent))
            for path in [own, *own.iterdir()]:
                os.chown(path, int(user), int(user))
            own.chmod(0o700)
        words = [sys.executable, str(ALONE), user, str(own), *foreign, "--", *arguments]
        if self.how == USERS or not closed:
            return words
        covers = [f"mount -t tmpfs -o size=4k none {shlex.quote(str(o))}" for o in others]
        script = " && ".join([*covers, f"exec {shlex.join(words)}"])
        return [*self._network(agent), *(_unshare() or []), "sh", "-c", script]

    def _user(self, agent: str) -> int:
        return FIRST_USER + self.agents.index(agent)

    def _network(self, agent: str) -> list[str]:
        if self.how != NETWORKS:
            return []
        return ["ip", "netns", "exec", _namespace(self.agents.index(agent))]


@contextlib.contextmanager
def apart(how: str, agents: list[str], folder: Path) -> Iterator[Apart]:
    """Namespaces and addresses for these agents; the test is skipped where there can be none."""
    if how == USERS:
        if not works(sys.executable, "-c", f"import os; os.setgroups([]); os.setuid({FIRST_USER})"):
            pytest.skip("no process may become another user here")
        with tempfile.TemporaryDirectory(prefix="tacit-apart-") as name:
            Path(name).chmod(0o711)
            yield Apart(how, agents, Path(name), _addresses(agents))
        return
    if _unshare() is None:
        pytest.skip("there are no mount namespaces here")
    if how == MOUNTS:
        yield Apart(how, agents, folder, _addresses(agents))
        return
    with _bridged(len(agents)):
        where = {agent: f"{_address(n)}:7411" for n, agent in enumerate(agents)}
        yield Apart(how, agents, folder, where)


def _addresses(agents: list[str]) -> dict[str, str]:
    return {a: f"{HOST}:{port}" for a, port in zip(agents, free_ports(len(agents)), strict=True)}


def _namespace(number: int) -> str:
    return f"tacit-{os.getpid()}-{number}"


def _address(number: int) -> str:
    return f"10.77.0.{number + 1}"


@contextlib.contextmanager
def _bridged(count: int) -> Iterator[None]:
    """Network namespaces, and one more with a bridge between them; the host's own is untouched."""
    hub = f"tacit-{os.getpid()}-hub"
    try:
        _ip("netns add", hub)
        _ip(f"-n {hub} link add bridge type bridge")
        _ip(f"-n {hub} link set bridge up")
        for number in range(count):
            own = _namespace(number)
            _ip("netns add", own)
            _ip(f"-n {own} link add eth type veth peer name port{number} netns {hub}")
            _ip(f"-n {hub} link set port{number} master bridge up")
            _ip(f"-n {own} addr add {_address(number)}/24 dev eth")
            _ip(f"-n {own} link set eth up")
        yield
    finally:
        for name in (hub, *map(_namespace, range(count))):
            works("ip", "netns", "del", name)


def _ip(words: str, *more: str) -> None:
    if not works("ip", *words.split(), *more):
        pytest.skip(f"'ip {words}' does not work here")
