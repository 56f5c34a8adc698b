"""The Dockerfile, without Docker: its steps are carried out as they stand, in empty folders.

Each stage has a folder for its `/` and a Python environment of its own. `apt-get` is left out, as
it would change this machine; a compiler must be here.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.places import ROOT

WORDS = {"FROM", "RUN", "COPY", "WORKDIR", "USER", "ENTRYPOINT", "CMD"}


def instructions() -> list[tuple[str, str]]:
    """The lines of the Dockerfile, without comments and continued lines joined."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", text, flags=re.M)).splitlines()
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in lines if line]


def is_sent(path: str) -> bool:
    """Whether Docker would get a file: .dockerignore has it not."""
    ignored = (ROOT / ".dockerignore").read_text().split()
    first = path.split("/", maxsplit=1)[0]
    return first not in ignored and not first.startswith(".")


def test_the_steps_can_be_read_and_name_what_is_there():
    found = instructions()
    assert {word for word, _ in found} == WORDS
    assert "NOT RUN WITH DOCKER" in (ROOT / "Dockerfile").read_text()
    for word, rest in found:
        if word == "COPY" and not rest.startswith("--from"):
            for name in rest.split()[:-1]:
                assert (ROOT / name).exists(), name
                assert is_sent(name), name
        if word == "RUN" and "pip install" in rest:
            for command in rest.split("&&"):
                assert "--require-hashes" in command or "--no-index" in command, command
    assert json.loads(dict(found)["ENTRYPOINT"]) == ["tacit"]


@dataclass
class Stage:
    """One FROM: its root, its environment, and where it is."""

    root: Path
    folder: Path

    @classmethod
    def new(cls, root: Path) -> Stage:
        venv.create(root / "env", with_pip=True)
        return cls(root, root)

    def copy(self, sources: list[Path], to: str) -> None:
        """As Docker does: what is in a folder goes into the folder that is named."""
        for source in sources:
            if source.is_dir():
                unwanted = shutil.ignore_patterns("__pycache__", "*.so")
                shutil.copytree(source, self.folder / to, ignore=unwanted)
            else:
                shutil.copy(source, self.folder / to)

    def run(self, command: str, folder: Path | None = None) -> str:
        kept = {n: v for n, v in os.environ.items() if not n.startswith(("PYTHON", "VIRTUAL"))}
        done = subprocess.run(
            ["sh", "-ec", command],
            cwd=folder or self.folder,
            env={**kept, "PATH": f"{self.root / 'env' / 'bin'}:{os.environ['PATH']}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}"
        return done.stdout


def carried_out(place: Path) -> Stage:
    """The last stage, after all instructions."""
    stages: dict[str, Stage] = {}
    stage: Stage | None = None
    for word, rest in instructions():
        if word == "FROM":
            name = rest.partition(" AS ")[2] or "last"
            stage = stages[name] = Stage.new(place / name)
            continue
        assert stage is not None
        if word == "WORKDIR":
            stage.folder = stage.root / rest.lstrip("/")
            stage.folder.mkdir(exist_ok=True)
        elif word == "COPY":
            *sources, to = rest.split()
            where = ROOT
            if sources[0].startswith("--from="):
                where = stages[sources.pop(0).removeprefix("--from=")].root
            stage.copy([where / name.lstrip("/") for name in sources], to)
        elif word == "RUN" and not rest.startswith("apt-get"):
            stage.run(rest)
    assert stage is not None
    return stage


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.skipif(
    shutil.which("g++") is None, reason="the image installs g++, this test does not"
)
def test_what_the_steps_make_works(tmp_path):
    """It plans in the folder of a partner, with nothing of this environment."""
    stage = carried_out(tmp_path)
    where = stage.run("python -c 'import tacit; print(tacit.__file__)'").strip()
    assert Path(where).is_relative_to(tmp_path)
    assert "The plan is valid" in stage.run("tacit demo")
    stage.run("tacit init workshop && tacit provision workshop -o partners")
    assert "valid: The plan is valid" in stage.run("tacit rehearse workshop -o trial")
    assert sorted(path.name for path in (stage.folder / "partners").glob("*.tar.gz")) == [
        *("finish-ltd.tar.gz", "ironworks.tar.gz", "swift.tar.gz")
    ]
    assert sys.prefix not in stage.run("python -c 'import sys; print(sys.path)'")
