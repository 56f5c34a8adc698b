"""The generated parts of the docs: option tables, settings, the policy, schemas.

    python docs/generate.py            writes them
    python docs/generate.py --check    exits with 1 if a page is not current

A generated part of a page stands between `<!-- generated: NAME -->` and `<!-- end -->`; NAME says
which table it is. The schemas are files of their own, in `docs/schemas/`. A test checks that all of
it is current.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from tacit.choices import PLANNERS, SOLVERS
from tacit.cli.grouped import Command, groups
from tacit.cli.layouts import AuditLayout, LedgerLayout, SolveLayout
from tacit.net.config import RunFile
from tacit.net.limits import LimitsTable
from tacit.numbers import Numbers
from tacit.policy import POLICY
from tacit.profile import PROFILES
from tacit.public.declared import Declared, declared
from tacit.public.protocol.messages import AnyMessage
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings
from tacit.safety import SAFETY

DOCS = Path(__file__).parent
sys.path.append(str(DOCS.parent / "bench"))
from ablation_table import table  # noqa: E402
from rows import stored  # noqa: E402

PART = re.compile(r"(<!-- generated: ([\w -]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def options(command: str) -> str:
    """The options of a command, as it explains them itself."""
    found = importlib.import_module(f"tacit.cli.{command}").command
    if not isinstance(found, Command):
        shown = [one for one in found.params if isinstance(one, click.Option) and not one.hidden]
        return _table(("option", ""), ((_flags(one), _help(one)) for one in shown))
    tables = (
        _table((f"**{name}**", ""), ((_flags(one), _help(one)) for one in members))
        for name, members in groups(found.params).items()
    )
    return "\n".join(tables)


def _flags(option: click.Option) -> str:
    words = [*option.opts, *option.secondary_opts]
    flags = ", ".join(f"`{word}`" for word in words if word.startswith("-"))
    if option.is_flag or option.count:
        return flags
    context = click.Context(click.Command(""))
    metavar = option.make_metavar(context).strip("[]")
    if isinstance(option.type, click.Choice) or "|" in metavar:
        return f"{flags} " + " \\| ".join(f"`{word}`" for word in metavar.split("|"))
    plain = {"INTEGER": "N", "INTEGER RANGE": "N", "FLOAT RANGE": "X", "FLOAT": "X"}
    return f"{flags} *{plain.get(metavar, metavar)}*"


def _help(option: click.Option) -> str:
    text = (option.help or "").replace("|", "\\|")
    is_shown = option.show_default and not option.is_flag and option.default not in (None, ())
    return f"{text} Default: `{option.default}`." if is_shown else text


def struct_table(struct: type[msgspec.Struct]) -> Callable[[], str]:
    """The fields of a struct, with their defaults."""

    def made() -> str:
        rows = (
            (f"`{one.name}`", _values(one), _default(one), one.description)
            for one in declared(struct)
        )
        return _table(("name", "values", "default", ""), rows)

    return made


def settings() -> str:
    """All settings, and what each profile makes of them."""
    head = ("setting", "values", *(f"profile `{name}`" for name in PROFILES), "")
    rows = (
        (
            f"`{one.name}`",
            _values(one),
            *(f"`{_shown(getattr(own, one.name))}`" for own in PROFILES.values()),
            one.description,
        )
        for one in declared(Settings)
    )
    return _table(head, rows)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(getattr(value, "value", value)) if value != () else "none"


def _values(one: Declared) -> str:
    if one.choices:
        return ", ".join(f"`{value}`" for value in one.choices)
    if one.names:
        return f"a {one.names}"
    if one.word:
        return f"a number, or `{one.word}`"
    return {bool: "yes or no", int: "a number", float: "seconds"}.get(
        one.kind, "names, with commas"
    )


def _default(one: Declared) -> str:
    return f"`{one.shown_default}`" if one.shown_default else ""


def numbers(of: Numbers) -> Callable[[], str]:
    """Every number of these, with its reason."""
    rows = ((f"`{name}`", value, why) for name, value, why in of.rows())
    return lambda: _table(("number", "value", "why"), rows)


def ablation() -> str:
    """What each stage of the policy is worth, as `make ablate` measured it."""
    first, rest = (stored(DOCS / "results" / f"ablation{n}.csv") for n in ("", "-rest"))
    return (
        f"{table(first)}\nThe rest, each beside the same problems in its own run:\n\n{table(rest)}"
    )


def solvers() -> str:
    """What is registered, in its own words."""
    rows = (
        (f"`{name}`", SOLVERS.get(name).summary, _names(SOLVERS.get(name).understands))
        for name in SOLVERS
    )
    return _table(("solver", "", "understands"), rows)


def planners() -> str:
    """What is registered, in its own words."""
    rows = ((f"`{name}`", (PLANNERS.get(name).__doc__ or "").split("\n")[0]) for name in PLANNERS)
    return _table(("planner", ""), rows)


def _names(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in sorted(words))


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


TABLES: dict[str, Callable[[], str]] = {
    "settings": settings,
    "run options": struct_table(RunOptions),
    "limits": struct_table(LimitsTable),
    "policy": numbers(POLICY),
    "safety": numbers(SAFETY),
    "ablation": ablation,
    "solvers": solvers,
    "planners": planners,
}
SCHEMAS: dict[str, Any] = {
    "settings": Settings,
    "run-options": RunOptions,
    "agents-toml": RunFile,
    "messages": AnyMessage,
    "solve": SolveLayout,
    "ledger": LedgerLayout,
    "audit": AuditLayout,
}


def part(name: str) -> str:
    """A generated part by its name."""
    if name.startswith("options of "):
        return options(name.removeprefix("options of "))
    return TABLES[name]()


def page(text: str) -> str:
    """A page with its generated parts as they should be."""
    return PART.sub(lambda found: f"{found[1]}\n{part(found[2])}\n{found[3]}", text)


def current() -> Iterator[tuple[Path, str]]:
    """All files with generated parts, as they should be."""
    for path in sorted([*DOCS.glob("*.md"), *DOCS.glob("results/*.md")]):
        text = path.read_text(encoding="utf-8")
        if PART.search(text):
            yield path, page(text)
    for name, kind in SCHEMAS.items():
        schema = msgspec.json.format(msgspec.json.encode(msgspec.json.schema(kind)), indent=2)
        yield DOCS / "schemas" / f"{name}.json", schema.decode() + "\n"


def main() -> int:
    is_check = "--check" in sys.argv[1:]
    stale = []
    for path, text in current():
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(path)
        if not is_check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    for path in stale:
        print(f"{'not current' if is_check else 'wrote'}: {path.relative_to(DOCS.parent)}")
    return 1 if stale and is_check else 0


if __name__ == "__main__":
    sys.exit(main())
