"""Try the wheel in dist/ as a stranger would: an empty environment, and no compiler.

The packages that Tacit needs to run come from requirements/core.lock, by hash, without the build
tools; then the wheel. `tacit demo` runs outside of this folder, with no PATH but the environment's.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from importlib.metadata import requires
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^([\w.-]+)==.*\\\n(?:[ ]+--hash=\S+(?: \\)?\n)+", re.MULTILINE)
COMPILERS = ("cc", "c++", "gcc", "g++", "clang", "clang++", "cmake", "ninja")


def main() -> None:
    [wheel] = (ROOT / "dist").glob("*.whl")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        lock = place / "run.lock"
        text = (ROOT / "requirements" / "core.lock").read_text()
        needed = _needed("tacit-planner")
        lock.write_text("".join(b[0] for b in BLOCK.finditer(text) if _plain(b[1]) in needed))
        venv.create(place / "env", with_pip=True)
        programs = place / "env" / "bin"
        pip = [programs / "python", "-m", "pip", "--disable-pip-version-check", "install", "-q"]
        pip += ["--only-binary", ":all:"]
        subprocess.run([*pip, "--require-hashes", "-r", lock], check=True)
        subprocess.run([*pip, "--no-deps", "--no-index", wheel], check=True)
        found = [name for name in COMPILERS if shutil.which(name, path=str(programs))]
        if found:
            sys.exit(f"this environment is not empty: it has {', '.join(found)}")
        alone = {name: os.environ[name] for name in ("HOME", "LANG") if name in os.environ}
        alone["PATH"] = str(programs)
        subprocess.run([programs / "tacit", "demo"], check=True, cwd=place, env=alone)
    print(f"{wheel.name} works in an empty environment, without a compiler.")


def _needed(package: str) -> set[str]:
    """What a package needs to run, and what that needs."""
    found: set[str] = set()
    waiting = [package]
    while waiting:
        for line in requires(waiting.pop()) or ():
            name = _plain(re.split(r"[\s;<>=!~\[(]", line)[0])
            if "extra ==" not in line and name not in found:
                found.add(name)
                waiting.append(name)
    return found


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    main()
