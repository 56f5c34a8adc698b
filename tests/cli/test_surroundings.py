"""What the system lacks, and plugins that fail: each a clear error, never a bug in Tacit."""

from __future__ import annotations

import errno
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tacit.errors import ExitCode, InputError, lack_error, plugin_error
from tacit.registry import load_plugin

PROGRAM = [sys.executable, "-c", "from tacit.cli.main import main; main()"]
MAFS = ("--solver", "mafs", "--drive", "processes")
FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")


def program(*args: object, files: int | None = None, **more: object):
    """Run it as a program; `files` is how many it may have open."""

    def limit() -> None:
        if files is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

    words = [*PROGRAM, *map(str, args)]
    environment = {k: v for k, v in os.environ.items() if k != "TACIT_TRACEBACK"}
    return subprocess.run(
        words,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=limit,
        timeout=100,
        env=environment,
        check=False,
        **{"stdout": subprocess.PIPE, **more},
    )


def is_clear(done: subprocess.CompletedProcess[str], text: str) -> None:
    assert re.search(text, done.stderr), done.stderr
    assert "bug in Tacit" not in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert done.returncode == ExitCode.BAD_INPUT


@needs_full
def test_a_full_disk(tmp_path):
    with FULL.open("w") as full:
        is_clear(program("generate", "--list", stdout=full), "the disk is full")
    is_clear(program("solve", "rovers/small", "--plan-file", FULL), "No space left|disk is full")


def test_too_few_open_files(tmp_path):
    done = program("rehearse", "rovers/small", "-o", tmp_path / "r", files=12)
    is_clear(done, "too many files are open")


RANKING = '''
from tacit.party.disclosure.ranking import RANKINGS


@RANKINGS.add("{name}")
class Toy:
    """It fails."""

    def __init__(self, graph, public, seed):
        pass

    def next(self):
        {statement}

    def saw(self, agent, item):
        """The others do not matter."""
'''


@pytest.mark.parametrize(
    ("name", "statement", "text", "options"),
    [
        ("divides", "return 1 // 0", "ZeroDivisionError: .* by zero", ()),
        ("leaves", "raise SystemExit(3)", "SystemExit: 3", ()),
        ("reads", "open('/nowhere/at/all')", "FileNotFoundError", MAFS),
    ],
)
def test_a_plugin_that_raises_is_blamed_with_its_line(tmp_path, name, statement, text, options):
    plugin = tmp_path / "toy.py"
    plugin.write_text(RANKING.format(name=name, statement=statement))
    done = program(
        "solve", "logistics/small", "--plugin", plugin, "--ranking", name, "--seed", 1, *options
    )
    is_clear(done, rf"toy\.py:13: the plugin fails: {text}")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("import nothing_like_it", r"bad\.py:1: the plugin fails: ModuleNotFoundError"),
        ("x = 1\nraise SystemExit", r"bad\.py:2: the plugin fails: SystemExit"),
        ("x = (", r"bad\.py:1: the plugin fails: SyntaxError"),
        ("\0", r"bad\.py.*the plugin fails: (SyntaxError|ValueError)"),
        ("def f():\n    return 1 / 0\nf()", r"bad\.py:2: the plugin fails: ZeroDivisionError"),
    ],
)
def test_a_plugin_that_cannot_be_loaded(tmp_path, content, text):
    (tmp_path / "bad.py").write_text(content)
    with pytest.raises(InputError, match=text):
        load_plugin(tmp_path / "bad.py")


def test_what_no_plugin_raised_is_not_blamed_on_one():
    with pytest.raises(ValueError, match="here") as caught:
        raise ValueError("here")
    assert plugin_error(caught.value) is None
    assert lack_error(caught.value) is None
    assert lack_error(FileNotFoundError(errno.ENOENT, "no such file")) is None
    assert str(lack_error(OSError(errno.EDQUOT, "x", "f"))).startswith("f: the quota")
