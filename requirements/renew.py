"""Write the lock files of this folder anew: what `make` installs, by version and hash.

    python requirements/renew.py             keeps the versions that are locked, as far as it can
    python requirements/renew.py --upgrade   takes the newest ones

Each lock holds for every system and for every Python that Tacit supports, with the hashes of all
files of a version. What `core.lock` has is not repeated in the others, nor what `test.lock` has in
those of docs and bench: these are installed first. The versions are found by `uv`, which is
installed in a folder of its own and is no part of Tacit.
"""

from __future__ import annotations

import re
import subprocess
import sys
import venv
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent
TOOLS = ROOT / "build" / "locks"
UV = "uv==0.13.8"
OLDEST = "3.11"
LOCKS: dict[str, tuple[str, ...]] = {
    "core": (),
    "net": ("net",),
    "test": ("test",),
    "docs": ("test", "docs"),
    "bench": ("test", "bench"),
}
"""The locks, and the extras of the project that each has besides what Tacit always needs."""

HEAD = "# Written by requirements/renew.py ('make locks'): what make installs, with hashes.\n"


def main() -> None:
    uv = _tool()
    everything = sorted({extra for extras in LOCKS.values() for extra in extras})
    known = TOOLS / "all.txt"  # versions that hold in all locks
    known.write_text("".join(p.read_text() for p in sorted(FOLDER.glob("*.lock"))))
    _compile(uv, everything, known, ["--upgrade"] if "--upgrade" in sys.argv else [])
    found: dict[str, list[str]] = {}
    for name, extras in LOCKS.items():
        path = TOOLS / f"{name}.txt"
        path.write_text(known.read_text())
        _compile(uv, extras, path, ["--constraints", str(known)])
        blocks = _blocks(path.read_text())
        before = {"core": [], "net": found.get("core"), "test": found.get("core")}.get(name)
        if before is None:
            before = [*found["core"], *found["test"]]
        found[name] = [block for block in blocks if block not in before]
        (FOLDER / f"{name}.lock").write_text(HEAD + "".join(found[name]))
        print(f"{name}.lock: {len(found[name])} packages")


def _tool() -> Path:
    """`uv`, in an environment of its own."""
    venv.create(TOOLS / "venv", with_pip=True)
    folder = TOOLS / "venv" / "bin"
    subprocess.run([folder / "python", "-m", "pip", "install", "-q", UV], check=True)
    return folder / "uv"


def _compile(uv: Path, extras: list[str] | tuple[str, ...], path: Path, more: list[str]) -> None:
    words = [uv, "pip", "compile", "pyproject.toml", "requirements/build.in", "-o", path, "-q"]
    words += ["--universal", "--python-version", OLDEST, "--generate-hashes"]
    words += ["--only-binary", ":all:", "--no-header", "--no-annotate", "--no-emit-index-url"]
    words += [f"--extra={extra}" for extra in extras]
    subprocess.run([*words, *more], check=True, cwd=ROOT)


def _blocks(text: str) -> list[str]:
    """A requirement and its hashes each."""
    return re.findall(r"^\S.*\\\n(?:[ ]+--hash=\S+(?: \\)?\n)+", text, re.MULTILINE)


if __name__ == "__main__":
    main()
