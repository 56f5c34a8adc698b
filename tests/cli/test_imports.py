"""What the command line imports before it does anything: a newcomer waits for it every time."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

PROGRAM = """
import json, sys
from tacit.cli.main import run
code = run(sys.argv[1:])
print(json.dumps([code, sorted(sys.modules)]))
"""
SELDOM = {
    "asyncio",
    "email",
    "importlib.metadata",
    "multiprocessing",
    "rich._emoji_codes",
    "ssl",
    "subprocess",
    "tacit.central.analysis",
    "tacit.experiment",
    "tacit.net",
    "tomllib",
}
"""What most commands do without."""


def imported(*args: str) -> set[str]:
    """The modules there are after a command; the interpreter's own start is not counted."""
    words = [sys.executable, "-c", PROGRAM, *args]
    program = subprocess.run(words, capture_output=True, text=True, check=True)
    code, modules = json.loads(program.stdout.splitlines()[-1])
    assert code == 0
    return set(modules)


def test_help_runs_no_command():
    found = imported("--help")
    ours = {name for name in found if name.partition(".")[0] == "tacit"}
    assert ours == {"tacit", "tacit.cli", "tacit.cli.main", "tacit.errors", "tacit.garbage"}
    assert not found & {"msgspec", "rich", *SELDOM}
    assert len(found) <= 140


@pytest.mark.parametrize(("command", "most"), [("solve", 375), ("inspect", 362)])
def test_commands_import_what_they_need(command, most):
    found = imported(command, "logistics/small")
    assert not found & SELDOM
    assert "tacit.domains.logistics" in found
    assert "tacit.domains.rovers" not in found, "a domain is found without the others"
    assert len(found) <= most
