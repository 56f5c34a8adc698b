"""The page for engineers, played as it is printed: a desk, and a network namespace for each host.

The namespaces are joined by a bridge in a namespace of its own, so this machine's network is not
touched. The addresses are those of the page. Hosts share the disk, so archives are copied.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path

import pytest
from support.pages import Step, complaints, steps_of
from support.places import ROOT

from tacit.central.instance import describe
from tacit.central.validate.judge import validate
from tacit.central.validate.plan import read_agent_plans

PAGE = ROOT / "docs" / "engineers.md"
AGENTS = ("carrier1", "carrier2", "carrier3")
PATIENCE = 240

pytestmark = pytest.mark.slow


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


@pytest.fixture(scope="module")
def namespaces() -> Iterator[dict[str, str]]:
    """The namespace of each host, with its address on a common network."""
    if sys.platform != "linux" or shutil.which("ip") is None:
        pytest.skip("needs Linux and iproute2 for network namespaces")
    if os.geteuid() != 0:
        pytest.skip("only root makes network namespaces")
    names = {agent: f"tacit-{os.getpid()}-{agent}" for agent in ("switch", *AGENTS)}
    made = []
    try:
        try:
            for name in names.values():
                ip("netns", "add", name)
                made.append(name)
            _join(names)
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no network namespaces here: {error.stderr.strip()}")
        yield names
    finally:
        for name in made:
            subprocess.run(["ip", "netns", "del", name], check=False)


def _join(names: dict[str, str]) -> None:
    switch = names["switch"]
    ip("-n", switch, "link", "add", "lan", "type", "bridge")
    ip("-n", switch, "link", "set", "lan", "up")
    for agent, address in addresses().items():
        port = f"to-{agent}"
        ip("-n", switch, "link", "add", port, "type", "veth", "peer", "eth0", "netns", names[agent])
        ip("-n", switch, "link", "set", port, "master", "lan", "up")
        ip("-n", names[agent], "addr", "add", f"{address}/24", "dev", "eth0")
        ip("-n", names[agent], "link", "set", "eth0", "up")
        ip("-n", names[agent], "link", "set", "lo", "up")


def addresses() -> dict[str, str]:
    """As the page has them."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.findall(r'^\[agents\.(\w+)\]\naddress = "([\d.]+):7411"$', text, re.M)
    assert [agent for agent, _ in found] == list(AGENTS)
    return dict(found)


class Terminal:
    """Where somebody types: it stays in the folder that `cd` led to."""

    def __init__(self, folder: Path, namespace: str = ""):
        folder.mkdir()
        self.folder = folder
        self._before = ["ip", "netns", "exec", namespace] if namespace else []
        self._place = folder.with_name(f"{folder.name}.pwd")

    def type(self, command: str) -> tuple[int, str]:
        script = f'{command}\ncode=$?\npwd > "$PLACE"\nexit $code'
        paths = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        surroundings = {"PATH": paths, "COLUMNS": "100", "NO_COLOR": "1", "PLACE": self._place}
        done = subprocess.run(
            [*self._before, "bash", "-c", script],
            cwd=self.folder,
            env={**os.environ, **surroundings},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        self.folder = Path(self._place.read_text().strip())
        return done.returncode, done.stdout

    def play(self, steps: list[Step]) -> list[str]:
        """Do all of this; what came out otherwise than the page says."""
        wrong = []
        for step in steps:
            if step.kind == "file":
                (self.folder / step.shown[0]).write_text(step.text, encoding="utf-8")
                continue
            assert step.kind == "command"
            found = complaints(step, *self.type(step.text))
            wrong += [f"{PAGE.name}:{step.line}: {complaint}" for complaint in found]
        return wrong


def rounds(steps: list[Step]) -> Iterator[dict[str, list[Step]]]:
    """What is done at the same time: a new round begins where a host has its turn again."""
    now: dict[str, list[Step]] = {}
    for host, own in groupby(steps, key=lambda step: step.host):
        if host in now or "" in (host, *now):
            yield now
            now = {}
        now[host] = list(own)
    yield now


def test_the_page_for_engineers_between_hosts(namespaces: dict[str, str], tmp_path: Path) -> None:
    desk = Terminal(tmp_path / "desk")
    hosts = {agent: Terminal(tmp_path / agent, namespaces[agent]) for agent in AGENTS}
    steps = steps_of(PAGE)
    assert {step.host for step in steps} == {"", *AGENTS}
    with ThreadPoolExecutor(len(AGENTS)) as pool:
        for together in rounds(steps):
            places = {host: hosts[host] if host else desk for host in together}
            for agent in AGENTS:  # the block of scp, which is not run
                archive = desk.folder / "partners" / f"{agent}.tar.gz"
                if archive.is_file() and not (tmp_path / agent / archive.name).exists():
                    shutil.copy(archive, tmp_path / agent)
            playing = [pool.submit(places[host].play, own) for host, own in together.items()]
            wrong = [complaint for one in playing for complaint in one.result()]
            assert not wrong, "\n".join(wrong)
    plans = [tmp_path / agent / agent / f"plan-{agent}.txt" for agent in AGENTS]
    assert validate(describe((str(desk.folder / "freight"),)), read_agent_plans(plans)).valid


def test_hosts_reach_each_other(namespaces: dict[str, str]) -> None:
    """By the bridge alone: the port of the page is closed there as long as no agent listens."""
    code = "import socket; socket.create_connection(('{}', 7411), 2)"
    for agent, address in addresses().items():
        other = namespaces[next(name for name in AGENTS if name != agent)]
        words = ["ip", "netns", "exec", other, sys.executable, "-c", code.format(address)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert "ConnectionRefusedError" in done.stderr
