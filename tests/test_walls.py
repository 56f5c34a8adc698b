"""The folders are the walls (docs/architecture.md): imports, names, and secrets that stay put."""

from __future__ import annotations

import ast
import copy
import pickle
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import tacit
from tacit.party.local.task import PrivateFact
from tacit.public.task import PublicFact

PACKAGE = Path(tacit.__file__).parent
BASE = {"errors", "files", "watch", "words"}
MAY_IMPORT = {
    "errors": set(),
    "words": set(),
    "spelling": {"errors"},
    "files": {"errors"},
    "watch": {"errors"},
    "registry": BASE,
    "native": {"watch"},
    "garbage": set(),
    "natural": set(),
    "numbers": set(),
    "policy": {"numbers"},
    "safety": {"numbers"},
    "choices": BASE | {"public", "native", "party", "planners", "profile", "solvers"},
    "profile": BASE | {"public"},
    "pddl": BASE | {"spelling", "natural"},
    "public": {"errors", "files"},
    "domains": BASE | {"registry"},
    "planners": BASE | {"public", "native", "registry", "policy"},
    "party": BASE | {"public", "planners", "pddl", "native", "registry", "policy", "safety"},
    "transport": BASE | {"public", "policy", "safety"},
    "solvers": BASE | {"public", "registry", "policy", "safety"},
    "searchers": BASE | {"public", "native", "planners", "solvers"},
    "draw": BASE | {"party"},
    "net": BASE
    | {
        "public",
        "party",
        "pddl",
        "native",
        "transport",
        "solvers",
        "searchers",
        "registry",
        "profile",
        "policy",
        "safety",
        "choices",
        "spelling",
    },
    "central": BASE
    | {
        "public",
        "party",
        "planners",
        "pddl",
        "native",
        "transport",
        "solvers",
        "searchers",
        "leakage",
        "domains",
        "registry",
        "profile",
        "policy",
        "choices",
        "draw",
    },
    "leakage": BASE | {"public", "native", "natural", "registry"},
    "audit": BASE | {"public", "party", "pddl", "leakage", "natural"},
    "experiment": BASE
    | {"central", "leakage", "public", "pddl", "registry", "domains", "garbage", "choices", "draw"},
    "cli": BASE
    | {
        "central",
        "net",
        "audit",
        "leakage",
        "public",
        "pddl",
        "registry",
        "domains",
        "experiment",
        "profile",
        "garbage",
        "policy",
        "choices",
        "native",
        "draw",
    },
    "unified_planning": BASE | {"central", "pddl", "public"},
    "testing": BASE | {"central", "pddl"},
    "__init__": BASE | {"central", "public"},
    "__main__": {"cli"},
}
VALIDATOR = {"central.validate.judge", "central.validate.steps", "central.validate.plan"}
SHOWS = {"draw.lanes"}
"""What a plan looks like in a notebook, which nothing is decided by."""
OWNER = {"audit.owner", "audit.replay", "audit.names"}
"""The part of an audit for which somebody's own files are needed."""


def modules():
    return sorted(PACKAGE.rglob("*.py"))


def imported(path: Path) -> set[str]:
    """The modules of tacit that a file names, as 'folder.module'."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            if node.module == "tacit":
                found |= {alias.name for alias in node.names}
            elif node.module.startswith("tacit."):
                inner = node.module.removeprefix("tacit.")
                names = {alias.name for alias in node.names}
                is_package = (PACKAGE / inner.replace(".", "/")).is_dir()
                found |= {f"{inner}.{n}" for n in names} if is_package else {inner}
        elif isinstance(node, ast.Import):
            found |= {
                alias.name.removeprefix("tacit.")
                for alias in node.names
                if alias.name.startswith("tacit.")
            }
        assert not (isinstance(node, ast.ImportFrom) and node.level), f"relative import in {path}"
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_stay_within_the_walls(path):
    own = path.relative_to(PACKAGE).with_suffix("").parts[0]
    allowed = MAY_IMPORT[own] | {own}
    foreign = {name for name in imported(path) if name.split(".")[0] not in allowed}
    if own == "native":
        foreign -= {"_core"}
    assert not foreign


@pytest.mark.parametrize("module", sorted(VALIDATOR))
def test_the_validator_uses_neither_grounder_nor_solver(module):
    names = imported(PACKAGE / f"{module.replace('.', '/')}.py")
    allowed = {"errors", "words", "pddl", "public"}
    foreign = {n for n in names if n.split(".")[0] not in allowed and n not in VALIDATOR | SHOWS}
    assert not foreign


def test_the_holder_of_a_transcript_needs_no_secrets():
    """What a transcript shows is inferred from messages; names are all that is read otherwise."""
    for path in sorted((PACKAGE / "audit").glob("*.py")):
        if f"audit.{path.stem}" in OWNER:
            continue
        names = imported(path)
        allowed = {"errors", "words", "public", "audit", "leakage", "natural"}
        foreign = {n for n in names if n.split(".")[0] not in allowed}
        assert not foreign | (names & OWNER), path.name


def test_only_native_imports_the_core():
    users = [p for p in modules() if "_core" in imported(p)]
    assert [p.name for p in users] == ["native.py"]


TESTS = Path(__file__).parent


def test_tests_share_by_way_of_support_alone():
    """Nobody imports a test: what two of them need is in `tests/support`."""
    pattern = re.compile(r"^\s*(?:from|import) ((?:\w+\.)*(?:test_\w+|conftest))\b", re.M)
    found = {path.name: pattern.findall(path.read_text()) for path in TESTS.rglob("*.py")}
    assert not {name: modules for name, modules in found.items() if modules}


CORE = TESTS.parent / "src" / "core"
MAY_INCLUDE = {
    "util": set(),
    "strips": {"util"},
    "grounding": {"util"},
    "heuristics": {"strips", "util"},
    "search": {"heuristics", "strips", "util"},
    "minimum": {"heuristics", "strips", "util"},
    "analysis": {"minimum", "strips", "util"},
    "privacy": {"analysis", "grounding", "util"},
    "ranking": {"search", "strips", "util"},
    "extension": {"grounding", "privacy", "strips", "util"},
    "mafs": {"grounding", "heuristics", "search", "strips", "util"},
}
"""Per folder of the core, those it includes from; `python` may include all. They go one way."""


def included(path: Path) -> set[str]:
    return {name.partition("/")[0] for name in re.findall(r'#include "(.+)"', path.read_text())}


@pytest.mark.parametrize("folder", sorted(p.name for p in CORE.iterdir()))
def test_includes_of_the_core_go_one_way(folder):
    allowed = MAY_INCLUDE.get(folder, set(MAY_INCLUDE)) | {folder}
    for path in (CORE / folder).glob("*.?pp"):
        assert included(path) <= allowed, path.name


def test_no_folder_of_the_core_includes_itself_by_way_of_others():
    left = dict(MAY_INCLUDE)
    while left:
        free = [folder for folder, others in left.items() if not others & left.keys()]
        assert free, f"a circle among {sorted(left)}"
        for folder in free:
            del left[folder]


def test_public_names_are_locked():
    assert tacit.__all__ == [
        "InputError",
        "Instance",
        "Plan",
        "ProtocolError",
        "PublicTask",
        "Result",
        "Step",
        "TacitError",
        "UnsupportedError",
        "Verdict",
        "__version__",
        "load",
        "solve",
        "validate",
    ]
    assert all(hasattr(tacit, name) for name in tacit.__all__)
    assert dir(tacit) == sorted(tacit.__all__)
    with pytest.raises(AttributeError):
        tacit.nothing_of_this_name  # noqa: B018


def test_import_is_light():
    heavy = ("msgspec", "rich", "click", "tacit._core")
    code = f"import sys, tacit; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.fixture(scope="module")
def secret() -> PrivateFact:
    return tacit.load("rovers/small").local("rover1").private_facts[0]


def test_a_private_fact_shows_nothing(secret):
    assert repr(secret) == str(secret) == f"{secret}" == "<private fact>"


@pytest.mark.parametrize("leave", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_private_fact_cannot_leave(secret, leave):
    with pytest.raises(TypeError, match="cannot be pickled or copied"):
        leave(secret)
    with pytest.raises(TypeError, match="secrets"):
        leave(tacit.load("rovers/small").local("rover1"))


def test_a_private_fact_cannot_be_written_into_a_message(secret):
    with pytest.raises(TypeError):
        msgspec.msgpack.encode(secret)
    with pytest.raises(TypeError):
        msgspec.msgpack.encode({"fact": secret})
    assert not isinstance(secret, PublicFact)


def test_equal_handles_are_equal_and_others_are_not(secret):
    task = tacit.load("rovers/small").local("rover1")
    one, other = task.private_facts[0], task.private_facts[1]
    assert one == task.private_facts[0]
    assert hash(one) == hash(task.private_facts[0])
    assert one != other
    assert one != secret
    assert one != "x"
