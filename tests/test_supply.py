"""What Tacit is made of: few packages at run time, and locks with hashes for what make installs."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
LOCKS = {"core": (), "net": ("net",), "test": ("test",)}
LOCKS |= {"docs": ("test", "docs"), "bench": ("test", "bench")}
BLOCK = re.compile(
    r"(?P<requirement>[^\s#].*?) \\\n(?P<hashes>(?: +--hash=sha256:[0-9a-f]{64}.*\n)+)"
)

RUNTIME = {"click", "rich", "msgspec"}
THEIRS = {"markdown-it-py", "mdurl", "pygments"}
BUILD = {"scikit-build-core", "nanobind", "cmake", "ninja"}
ITS = {"packaging", "pathspec"}


def locked(name: str) -> list[Requirement]:
    """What a lock names; it has nothing else in it."""
    text = (ROOT / "requirements" / f"{name}.lock").read_text()
    rest = BLOCK.sub("", text)
    assert all(line.startswith("#") for line in rest.splitlines() if line), rest
    return [Requirement(found["requirement"]) for found in BLOCK.finditer(text)]


def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def names(requirements: list[Requirement]) -> set[str]:
    return {canonicalize_name(one.name) for one in requirements}


def test_what_tacit_needs_to_run():
    """A package more is a decision: it sees every secret."""
    assert names([Requirement(text) for text in project()["dependencies"]]) == RUNTIME
    assert names(locked("core")) == RUNTIME | THEIRS | BUILD | ITS


@pytest.mark.parametrize("name", list(LOCKS))
def test_a_lock_names_versions_and_no_places(name):
    text = (ROOT / "requirements" / f"{name}.lock").read_text()
    assert not re.search(r"://|file:|--(extra-)?index|--find-links|@ ", text)
    assert not re.search(r"(^|\s)/\w", text), "no path of a machine"
    for one in locked(name):
        [spec] = one.specifier
        assert (spec.operator, one.url, one.extras) == ("==", None, set()), one


@pytest.mark.parametrize("name", list(LOCKS))
def test_the_locks_have_what_the_project_asks_for(name):
    before = ["core", "test"] if name in ("docs", "bench") else ["core"]
    there = [one for lock in dict.fromkeys((*before, name)) for one in locked(lock)]
    extras = project()["optional-dependencies"]
    asked = [*project()["dependencies"], *(t for extra in LOCKS[name] for t in extras[extra])]
    asked += (ROOT / "requirements" / "build.in").read_text().split()
    for wanted in map(Requirement, asked):
        found = [o for o in there if canonicalize_name(o.name) == canonicalize_name(wanted.name)]
        assert found, f"{wanted}: run 'make locks'"
        for one in found:
            [spec] = one.specifier
            assert wanted.specifier.contains(spec.version), f"{wanted}: run 'make locks'"


@pytest.mark.parametrize("name", ["core", "test"])
def test_what_is_installed_is_what_is_locked(name):
    for one in locked(name):
        if one.marker is not None and not one.marker.evaluate():
            continue
        try:
            found = version(one.name)
        except PackageNotFoundError:
            pytest.fail(f"{one} is not installed")
        [spec] = one.specifier
        assert found == spec.version, one


def test_make_installs_nothing_else():
    text = (ROOT / "Makefile").read_text()
    lines = [
        line for line in text.splitlines() if re.search(r"\bpip\b.*install|PIP\) install", line)
    ]
    assert len(lines) >= 2
    for line in lines:
        assert "--require-hashes" in line or (
            "--no-deps" in line and "--no-build-isolation" in line
        )


def test_nothing_is_installed_by_a_name_that_nobody_owns_yet():
    """There is no release: a package of that name would be somebody else's."""
    places = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    places += [*(ROOT / "src" / "tacit").rglob("*.py"), *(ROOT / "examples").rglob("*")]
    for path in places:
        if path.is_file() and path.suffix in (".md", ".py", ".toml", ".sh"):
            assert not re.search(r"install [\"']?tacit|tacit-planner\[", path.read_text()), path


def test_the_workflow_calls_what_there_is():
    """It cannot be run here, but read: every command exists, and wheels are for a tag alone."""
    yaml = pytest.importorskip("yaml")
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())["jobs"]
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for job in jobs.values():
        assert set(job.get("needs", ())) <= set(jobs)
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step)
            assert re.fullmatch(r"[\w-]+/[\w-]+@v[\d.]+", step.get("uses", "a/b@v1"))
            word, *rest = step.get("run", "make demo").split()
            assert (ROOT / word).is_file() or (word == "make" and set(rest) <= targets), step
    wheels = jobs["wheels"]
    assert "refs/tags/v" in wheels["if"]
    assert {"ubuntu-24.04-arm", "macos-14"} <= set(wheels["strategy"]["matrix"]["runner"])
