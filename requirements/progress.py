"""Show how far an installation is: `pip install -v … 2>&1 | python requirements/progress.py LOG`.

All that is read goes to the file LOG; shown is what the compiler is at, on one line of a terminal
or on a line each. If the last line is FAILED, the end of the log is shown too, and this fails.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

STEP = re.compile(r"\[(\d+)/(\d+)\] (?:Building|Linking) .* (\S+)$")
FOLDER = re.compile(r"unity_([a-z]\w*)_cxx")
FAILED = "FAILED"
SHOWN = 60


def main() -> None:
    log = Path(sys.argv[1])
    log.parent.mkdir(parents=True, exist_ok=True)
    begin, end = ("\r", "\x1b[K") if sys.stdout.isatty() else ("", "\n")
    lines: list[str] = []
    with log.open("w", encoding="utf-8") as file:
        for line in sys.stdin:
            file.write(line)
            lines.append(line)
            step = STEP.search(line)
            if step:
                print(
                    f"{begin}compiling {step[1]} of {step[2]}: {_what(step[3])}",
                    end=end,
                    flush=True,
                )
    print(begin, end=end.strip("\n"), flush=True)
    if lines and lines[-1].strip() == FAILED:
        print("".join(lines[-SHOWN - 1 : -1]), f"This did not work; all of it is in {log}.", sep="")
        sys.exit(1)


def _what(path: str) -> str:
    """The folder that was compiled, or the library or module that was linked."""
    folder = FOLDER.search(path)
    return folder[1] if folder else "nanobind" if "nanobind" in path else "the module"


if __name__ == "__main__":
    main()
