"""The command line as a program of its own: terminals, pipes, signals."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys

import pytest
from support.delivery import DOMAIN, PROBLEM
from support.waiting import until_at_work

from tacit.errors import ExitCode

PROGRAM = [sys.executable, "-c", "from tacit.cli.main import main; main()"]


def on_a_terminal(*args: str, **environment: str) -> str:
    """What the program writes to stdout and stderr if both are a terminal."""
    parent, child = pty.openpty()
    variables = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    variables |= {"TERM": "xterm-256color", **environment}
    subprocess.run([*PROGRAM, *args], stdout=child, stderr=child, env=variables, check=False)
    os.close(child)
    output = b""
    try:
        while part := os.read(parent, 65536):
            output += part
    except OSError:  # how Linux says that nothing more will come
        pass
    os.close(parent)
    return output.decode()


@pytest.mark.parametrize(("args", "colour"), [(["inspect", "x"], "\x1b[31m"), (["demo"], "32m")])
def test_colour_is_for_terminals_and_can_be_refused(args, colour):
    assert colour in on_a_terminal(*args)
    assert colour not in on_a_terminal(*args, NO_COLOR="1")
    piped = subprocess.run([*PROGRAM, *args], capture_output=True, check=False)
    assert b"\x1b" not in piped.stdout + piped.stderr


def test_names_that_cannot_be_shown(tmp_path):
    program = subprocess.run(
        [*PROGRAM, "generate", "rovers", "-o", os.fsencode(tmp_path) + b"/\xff"],
        capture_output=True,
        check=False,
    )
    assert (program.returncode, program.stderr) == (0, b"")
    assert b"\\udcff; plan.txt solves the problem." in program.stdout


def test_nobody_reads_on():
    reader, writer = os.pipe()
    os.close(reader)
    program = subprocess.run(
        [*PROGRAM, "inspect", "rovers/small"], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (program.returncode, program.stderr) == (128 + signal.SIGPIPE, b"")


def test_the_plan_file_is_written_though_nobody_reads_on(tmp_path):
    """As in `tacit solve … --plan-file found.txt | head -1`, with a reader that has gone."""
    found = tmp_path / "found.txt"
    reader, writer = os.pipe()
    os.close(reader)
    program = subprocess.run(
        [*PROGRAM, "solve", "logistics/small", "--plan-file", str(found)],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert (program.returncode, program.stderr) == (128 + signal.SIGPIPE, b"")
    checked = subprocess.run([*PROGRAM, "validate", "logistics/small", str(found)], check=False)
    assert checked.returncode == 0


def test_a_long_grounding_can_be_interrupted(tmp_path):
    parameters = " ".join(f"?x{n} - place" for n in range(9))
    (tmp_path / "domain.pddl").write_text(
        DOMAIN.replace("(?a ?b - place)\n", f"(?a ?b - place {parameters})\n")
        .replace("(road ?a ?b))\n", "(road ?a ?b) (not (= ?x8 ?x8)))\n")
    )  # fmt: skip
    places = " ".join(f"place{n}" for n in range(40))
    (tmp_path / "problem.pddl").write_text(PROBLEM.replace("home", places))
    program = subprocess.Popen(
        [*PROGRAM, "inspect", str(tmp_path)], stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    until_at_work(program.pid, 1.0)
    program.send_signal(signal.SIGINT)
    out, err = program.communicate(timeout=20)
    assert (program.returncode, out) == (ExitCode.INTERRUPTED, b"")
    assert b"interrupted" in err
    assert b"Traceback" not in err
