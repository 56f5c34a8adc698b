"""What a page of the docs asks its reader to do: files to write, commands to type, code to run.

* A block with a `title="path"` is written to that path.
* In a `console` block, each `$ …` is a command; it ends with code 0, or N where `# exit N` stands
  behind it, and every line shown below it is a line that it prints (blanks apart, `…` stands for
  anything). A title `on the host of A` says where it is typed.
* A `python` block is executed; its `#> ` lines are all that it prints.
* A block behind `<!-- not run: REASON -->` is not run, and no other block of commands is left out.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^```(\w*)([^\n]*)\n(.*?)^```$", re.M | re.S)
TITLE = re.compile(r'title="([^"]+)"')
HOST = re.compile(r"on the host of (\S+)")
NOT_RUN = re.compile(r"<!-- not run: ([^>]+?) -->\s*\Z")
SHOWN = ("text", "lisp", "toml", "json")
"""Languages of blocks that show something and ask for nothing."""


@dataclass(frozen=True)
class Step:
    """Something a page asks its reader to do, and what it says will come of it."""

    kind: str
    text: str
    shown: list[str]
    code: int = 0
    line: int = 0
    host: str = ""


@dataclass(frozen=True)
class Block:
    """A block of a page; why it is not run, if it is not."""

    language: str
    title: str
    body: str
    line: int
    not_run: str

    @property
    def host(self) -> str:
        found = HOST.fullmatch(self.title)
        return found[1] if found else ""


def blocks_of(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        language, options, body = match.groups()
        title = TITLE.search(options)
        reason = NOT_RUN.search(text, 0, match.start())
        line = text.count("\n", 0, match.start()) + 2
        yield Block(language, title[1] if title else "", body, line, reason[1] if reason else "")


def steps_of(page: Path) -> list[Step]:
    """What a page asks for, in its order."""
    done: list[Step] = []
    for block in blocks_of(page):
        if block.not_run:
            continue
        if block.title and not block.host:
            done.append(Step("file", block.body, [block.title], line=block.line))
        elif block.language == "console":
            done += commands(block)
        elif block.language == "python":
            shown = [row[2:].strip() for row in block.body.split("\n") if row.startswith("#>")]
            done.append(Step("python", block.body, shown, line=block.line))
    return done


def commands(block: Block) -> Iterator[Step]:
    """The `$` lines of a console block, each with what is shown below it."""
    line = block.line
    for part in re.split(r"^\$ ", block.body, flags=re.M)[1:]:
        first, *shown = part.rstrip("\n").split("\n")
        while first.endswith("\\"):
            first = first[:-1] + shown.pop(0).strip()
        code = re.search(r"# exit (\d+)\s*$", first)
        yield Step("command", first, shown, int(code[1]) if code else 0, line, block.host)
        line += part.count("\n")


def bare(line: str) -> str:
    return " ".join(line.split())


def is_printed(line: str, printed: list[str]) -> bool:
    pattern = re.sub(r"([*?\[])", r"[\1]", bare(line)).replace("…", "*")
    return any(fnmatch.fnmatchcase(bare(row), pattern) for row in printed)


def complaints(step: Step, code: int, output: str) -> list[str]:
    """How a step differs from what its page says."""
    if code != step.code:
        return [f"exit code {code}, expected {step.code}:\n{output}"]
    printed = output.split("\n")
    if step.kind == "python":
        found = [row.strip() for row in printed if row.strip()]
        return [] if found == step.shown else [f"printed {found}, shown is {step.shown}"]
    if step.kind == "command":
        missing = [row for row in step.shown if row.strip() and not is_printed(row, printed)]
        return [f"does not print {row!r}, but\n{output}" for row in missing]
    return []
