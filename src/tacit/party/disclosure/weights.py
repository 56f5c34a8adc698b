"""A file of prices: what disclosing a dependency costs, and what agents never disclose.

    [truck1]                                # an agent, by name or by a pattern
    default = 1                             # what no rule is about; 1 if missing

    [[truck1.rules]]
    fact = "(at * depot)"                   # the private fact that is achieved or deleted
    price = 5

    [[truck1.rules]]
    action = "(load-truck truck1 gold *)"   # the public action, or "(the initial state)"
    price = "never"

In a pattern `*` stands for any text, and `?` for one character. A rule matches a dependency if its
action and its fact do, as far as it names them. **The last rule that matches counts**; the rules of
all tables that match an agent follow each other as in the file, and of their defaults the last
counts. Prices are whole numbers. `never` is also for threats and for all else that an agent could
disclose of a dependency.

The file is a secret of its agents: a price decides what an agent discloses, and is in no message.
`tacit.party.disclosure.prices` compares the rules with one agent's names.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from tacit.errors import Diagnostic, InputError, nearest
from tacit.public.settings import Extension, Settings
from tacit.public.settings import Rule as States

NEVER = "never"
MOST = 10_000
"""The highest price; bounds are looked for in steps of prices."""

_EXPECTED = f'a whole number from 0 to {MOST:,}, or "{NEVER}"'


class Rule(msgspec.Struct, frozen=True):
    """A price for what matches; None is never. `key` and `line` are its place in the file, which is
    that of all prices unless `file` names another.
    """

    price: int | None
    action: str | None = None
    fact: str | None = None
    key: str = ""
    line: int | None = None
    file: str = ""


class Table(msgspec.Struct, frozen=True):
    """The rules for the agents that a pattern matches. `default` is None for never."""

    agent: str
    rules: tuple[Rule, ...] = ()
    default: int | None = 1
    has_default: bool = False
    line: int | None = None

    @property
    def has_never(self) -> bool:
        """May there be something that is never disclosed?"""
        return self.default is None or any(rule.price is None for rule in self.rules)

    def check(self, settings: Settings) -> None:
        """Raise an `InputError` where `never` could not be guaranteed."""
        for is_so, what, hint in (
            (settings.extension is Extension.REPLAN, "extension 'replan'", "extension 'strict'"),
            (settings.rule is States.PAIRWISE, "rule 'pairwise'", "rule 'supported'"),
            (settings.own_values, "values of one's own view", "profile 'tacit'"),
        ):
            if self.has_never and is_so:
                message = (
                    f"'never' cannot be guaranteed with {what}: it shows more than was disclosed"
                )
                raise InputError(message, f"choose {hint}")


class Weights(msgspec.Struct, frozen=True):
    """A whole file; `name` is for messages."""

    tables: tuple[Table, ...]
    name: str = "weights"

    def of(self, agent: str) -> Table:
        """All of one agent's tables, as one."""
        found = [table for table in self.tables if matches(table.agent, agent)]
        with_default = [table for table in found if table.has_default]
        rules = tuple(rule for table in found for rule in table.rules)
        default = with_default[-1].default if with_default else 1
        has_default = bool(with_default)
        return Table(agent, rules, default, has_default, found[0].line if found else None)

    def check_agents(self, agents: Iterable[str], hint: str | None = None) -> None:
        """Raise an `InputError` for tables that are about nobody here."""
        known = tuple(agents)
        wrong = [
            Diagnostic(
                f"prices for '{table.agent}', which is no agent here",
                self.name,
                table.line,
                hint=hint or nearest(table.agent, known) or f"agents: {', '.join(known)}",
            )
            for table in self.tables
            if not any(matches(table.agent, agent) for agent in known)
        ]
        if wrong:
            raise InputError(wrong)

    def with_rules(self, agent: str, rules: tuple[Rule, ...]) -> Weights:
        """The same with more rules for an agent, which count before all others."""
        return Weights((*self.tables, Table(agent, rules)), self.name)

    @property
    def digest(self) -> str:
        """A short name for the prices; comments, line breaks and the file's name do not matter."""
        plain = [
            (t.agent, t.default, t.has_default, [(r.action, r.fact, r.price) for r in t.rules])
            for t in self.tables
        ]
        return hashlib.sha256(msgspec.json.encode(plain)).hexdigest()[:32]


def read_weights(path: str | os.PathLike[str]) -> Weights:
    """A file of prices, or an `InputError` that says what is wrong, where, and what is expected."""
    name = os.fspath(path)
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(Diagnostic(error.strerror or "cannot be read", name)) from None
    except UnicodeDecodeError:
        raise InputError(Diagnostic("this is not UTF-8 text", name)) from None
    return parse_weights(text, name)


def weights_text(table: Table) -> str:
    """One agent's table as a file of its own."""
    name = json.dumps(table.agent)
    lines = [f"[{name}]", f"default = {_price_text(table.default)}"]
    for rule in table.rules:
        lines += ["", f"[[{name}.rules]]"]
        for key, text in (("action", rule.action), ("fact", rule.fact)):
            lines += [] if text is None else [f"{key} = {json.dumps(text)}"]
        lines.append(f"price = {_price_text(rule.price)}")
    return "\n".join(lines) + "\n"


def _price_text(price: int | None) -> str:
    return json.dumps(NEVER if price is None else price)


def parse_weights(text: str, name: str = "weights") -> Weights:
    """The same, from a text."""
    import tomllib  # noqa: PLC0415 - most runs have no prices

    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", str(error))
        what = str(error)[: at.start()] if at else str(error)
        line = int(at[1]) if at and at[1] else text.count("\n") + 1
        column = int(at[2]) if at and at[2] else None
        raise InputError(Diagnostic(f"this is not TOML: {what}", name, line, column)) from None
    reader = _Reader(text, name)
    tables = tuple(reader.tables(found))
    if reader.wrong:
        raise InputError(reader.wrong)
    return Weights(tables, name)


def pattern(text: str) -> re.Pattern[str]:
    """A pattern over names as a regular expression over such names in lower case.

    >>> bool(pattern("( at  *  depot? )").fullmatch("(at parcel1 depot2)"))
    True
    """
    inner = " ".join(text.lower().split())
    if inner.startswith("(") and inner.endswith(")"):
        inner = inner[1:-1].strip()
    parts = (".*" if c == "*" else "." if c == "?" else re.escape(c) for c in f"({inner})")
    return re.compile("".join(parts))


def matches(agent: str, name: str) -> bool:
    """Does a pattern match an agent's name?"""
    return pattern(agent).fullmatch(f"({name.lower()})") is not None


class _Reader:
    """Reads tables and collects what is `wrong`, all of it."""

    def __init__(self, text: str, name: str):
        self._lines = text.split("\n")
        self._name = name
        self.wrong: list[Diagnostic] = []

    def tables(self, found: dict[str, Any]) -> Iterator[Table]:
        for agent, content in found.items():
            line = self._line(rf"\[+\s*{_key(agent)}\s*[.\]]") or self._line(rf"{_key(agent)}\s*=")
            if not isinstance(content, dict):
                self._complain(agent, "expected a table of an agent", line, f"write [{agent}]")
                continue
            for key in content.keys() - {"default", "rules"}:
                hint = nearest(key, ("default", "rules")) or "there are: default, rules"
                self._complain(f"{agent}.{key}", "an agent has no such key", line, hint)
            has_default = "default" in content
            default: int | None = 1
            if has_default:
                default = self._price(content["default"], f"{agent}.default", line)
            yield Table(agent, tuple(self._rules(agent, content)), default, has_default, line)

    def _rules(self, agent: str, content: dict[str, Any]) -> Iterator[Rule]:
        rules = content.get("rules", [])
        first = self._line(rf"\[+\s*{_key(agent)}\s*[.\]]")
        if not isinstance(rules, list):
            hint = f"write [[{agent}.rules]]"
            self._complain(f"{agent}.rules", "expected a list of rules", first, hint)
            return
        header = rf"\[\[\s*{_key(agent)}\s*\.\s*{_key('rules')}\s*\]\]"
        for number, rule in enumerate(rules):
            key = f"{agent}.rules[{number + 1}]"
            line = self._line(header, number) or first
            if not isinstance(rule, dict):
                self._complain(key, "expected a table with action, fact and price", line)
                continue
            made = self._rule(rule, key, line)
            if made is not None:
                yield made

    def _rule(self, rule: dict[str, Any], key: str, line: int | None) -> Rule | None:
        names = ("action", "fact", "price")
        for other in rule.keys() - set(names):
            hint = nearest(other, names) or f"there are: {', '.join(names)}"
            self._complain(f"{key}.{other}", "a rule has no such key", line, hint)
        for name in ("action", "fact"):
            if name in rule and (not isinstance(rule[name], str) or not rule[name].strip()):
                hint = 'as "(at * depot)": * stands for any text, ? for one character'
                self._complain(f"{key}.{name}", "expected a pattern over names", line, hint)
                return None
        if not rule.keys() & {"action", "fact"}:
            hint = "name what it is a price of; the price of all the rest is 'default'"
            self._complain(key, "a rule needs an action, a fact, or both", line, hint)
            return None
        if "price" not in rule:
            self._complain(key, "a rule needs a price", line, f"expected {_EXPECTED}")
            return None
        price = self._price(rule["price"], f"{key}.price", line)
        return Rule(price, rule.get("action"), rule.get("fact"), key, line)

    def _price(self, value: Any, key: str, line: int | None) -> int | None:
        if value == NEVER:
            return None
        if type(value) is not int or not 0 <= value <= MOST:
            self._complain(key, f"{value!r} is not a price", line, f"expected {_EXPECTED}")
            return 1
        return value

    def _line(self, header: str, number: int = 0) -> int | None:
        """The line of the number-th such header; None if it is written otherwise."""
        found = [n for n, row in enumerate(self._lines, 1) if re.match(rf"\s*{header}", row)]
        return found[number] if number < len(found) else None

    def _complain(self, key: str, what: str, line: int | None, hint: str | None = None) -> None:
        self.wrong.append(Diagnostic(f"{key}: {what}", self._name, line, hint=hint))


def _key(name: str) -> str:
    """How a key may be written, as a regular expression."""
    return rf"(?:{re.escape(name)}|[\"']{re.escape(name)}[\"'])"
