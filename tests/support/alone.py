"""Run `tacit` as one agent that cannot open the others' files, and show it: a program for tests.

    python alone.py USER OWN FOREIGN… -- ARGUMENTS

It becomes user USER (- for staying who it is), tries to open every FOREIGN file, and goes on only
if none can be opened. While `tacit ARGUMENTS` runs, whatever it tries to open beside its folder
OWN, where the others' folders are, is taken down, and there must be nothing. In the end the others'
files must still be out of reach. Modules are loaded before it becomes another user, who need not be
able to read where Python is installed.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from importlib.metadata import version
from pathlib import Path

CAN_READ, LOOKED_AROUND = 97, 98
"""Exit codes: another agent's file could be read; an attempt was made to open one."""


def load() -> None:
    """All that an agent may need later."""
    import tacit.cli.agent
    import tacit.net

    names = [f"tacit.net.{module.name}" for module in pkgutil.iter_modules(tacit.net.__path__)]
    for name in (*names, "tacit.cli.main", "encodings.idna", "concurrent.futures.thread"):
        importlib.import_module(name)
    from tacit.party.disclosure.ranking import RANKINGS

    assert "goal" in RANKINGS, "all of them are loaded by now"
    assert version("tacit-planner"), "what this takes is loaded, too"


def become(user: int) -> None:
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def can_read(path: str) -> bool:
    try:
        with open(path, "rb"):
            return True
    except OSError:
        return False


def observed_facts(own: Path) -> list[str]:
    """From now on, the files beside an agent's own folder that this process tries to open."""
    around, found = own.parent.resolve(), []

    def look(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
            path = Path(os.path.abspath(os.fsdecode(arguments[0])))
            if path.is_relative_to(around) and not path.is_relative_to(own.resolve()):
                found.append(str(path))

    sys.addaudithook(look)
    return found


def main() -> int:
    user, own, *rest = sys.argv[1:]
    at = rest.index("--")
    foreign, arguments = rest[:at], rest[at + 1 :]
    load()
    if user != "-":
        become(int(user))
    if any(map(can_read, foreign)):
        return CAN_READ
    opened = observed_facts(Path(own))
    from tacit.cli.main import run

    code = run(arguments)
    if opened:
        print(f"opened {opened}", file=sys.stderr)
        return LOOKED_AROUND
    return CAN_READ if any(map(can_read, foreign)) else code


if __name__ == "__main__":
    sys.exit(main())
