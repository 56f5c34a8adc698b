"""An owner's policy: `policy.toml` beside the key, which holds in every run.

    max_k = 12                        # over all runs of a task, for each peer; also "all"
    max_answers = 20                  # repairs, likewise; also budget (in prices) and ahead

    [allowed]                         # what the terms of a run may be
    solver = ["auto", "projection"]   # one value or several
    threats = ["on-demand", "none"]   # any setting
    harden = "fresh"                  # at least this
    max_repairs = 200                 # at most; also k and time_limit

    [[never]]                         # as a rule of the price "never" (docs/prices.md)
    fact = "(at * depot)"

    [peers.b]                         # in runs with this peer: other bounds, other values allowed
    max_k = 4
    [peers.b.allowed]
    solver = "projection"
    [[peers.b.never]]
    action = "(load-truck truck1 gold *)"

What a peer's table has takes the place of the same key above it; never-rules add up. A run obeys
the strictest that its members need. What is wrong in the file, or with the terms, is an
`InputError` before anything is sent. Nothing in it is in any message.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from tacit.choices import RANKINGS, SOLVERS, settings_of
from tacit.errors import Diagnostic, InputError, misspelled, nearest
from tacit.native import heuristics
from tacit.party.bounds import Bounds
from tacit.party.disclosure.weights import Rule
from tacit.public.protocol.link import Terms
from tacit.public.settings import Settings, hidden_by

FILE = "policy.toml"
BOUNDS = {"max_k": "edges", "max_answers": "repairs", "budget": "price", "ahead": "ahead"}
"""Keys, and the bounds that they are."""
CHOICES = ("solver", "ranking", "heuristic", "change_over")
AT_MOST = ("k", "max_repairs", "time_limit", "improve")
SETTINGS = Settings.__struct_fields__

KeyPath = tuple[str | int, ...]


@dataclass(frozen=True)
class Allowed:
    """What one term may be: one of these values, or at most a number."""

    values: tuple[Any, ...]
    line: int | None


@dataclass(frozen=True)
class Rules:
    """What holds in a run with some peer; a bound that is there as None is "all"."""

    bounds: Mapping[str, int | None] = field(default_factory=dict)
    allowed: Mapping[str, Allowed] = field(default_factory=dict)
    never: tuple[Rule, ...] = ()

    def over(self, general: Rules) -> Rules:
        """These, and what they leave open as in general."""
        return Rules(
            {**general.bounds, **self.bounds},
            {**general.allowed, **self.allowed},
            general.never + self.never,
        )


@dataclass(frozen=True)
class OwnerPolicy:
    """A whole file; without one, a policy that says nothing."""

    name: str = FILE
    general: Rules = Rules()
    peers: Mapping[str, Rules] = field(default_factory=dict)

    def of(self, peer: str) -> Rules:
        return self.peers.get(peer, Rules()).over(self.general)

    def bounds(self, peer: str) -> Bounds:
        """The bounds on what a peer may learn."""
        return Bounds(**{BOUNDS[key]: value for key, value in self.of(peer).bounds.items()})

    def has_bound(self, peers: Sequence[str]) -> bool:
        """Does it bound, for every one of these, what is disclosed, or say that all may be?"""
        return all(self.of(peer).bounds.keys() & {"max_k", "budget"} for peer in peers)

    def bounds_edges(self, peer: str) -> bool:
        """Does it say how many edges a peer may learn, or that all may be?"""
        return "max_k" in self.of(peer).bounds

    def never(self, peers: Sequence[str]) -> tuple[Rule, ...]:
        """What is never disclosed in a run with these peers."""
        return tuple(dict.fromkeys(rule for peer in peers for rule in self.of(peer).never))

    def check(self, terms: Terms, peers: Sequence[str]) -> None:
        """An `InputError` for each term that the policy does not allow with one of these peers."""
        found = _terms(terms)
        wrong: dict[Diagnostic, None] = {}
        for peer in peers:
            for name, allowed in self.of(peer).allowed.items():
                if not _is_allowed(name, found[name], allowed.values):
                    wrong[self._exceeds(name, found[name], allowed, peer)] = None
        if wrong:
            raise InputError(list(wrong))

    def _exceeds(self, name: str, value: Any, allowed: Allowed, peer: str) -> Diagnostic:
        most = "at most " if name in AT_MOST else "at least " if name == "harden" else ""
        known = " or ".join(_text(one) for one in allowed.values)
        whom = f" with '{peer}'" if name in self.peers.get(peer, Rules()).allowed else ""
        message = f"this run has {name} {_text(value)}; the policy allows {most}{known}{whom}"
        hint = "agree on other terms, or change the policy; nothing was sent"
        return Diagnostic(message, self.name, allowed.line, hint=hint)

    def doubts(self, peers: Sequence[str]) -> tuple[str, ...]:
        """Warnings about tables that may be meant for a peer of this run."""
        return tuple(
            f"{self.name}: there is a table for '{name}'; is '{meant}' meant?"
            for name in self.peers
            if name not in peers
            for meant in [misspelled(name, [peer for peer in peers if peer not in self.peers])]
            if meant is not None
        )


def strictest(bounds: Sequence[Bounds]) -> Bounds:
    """The least of each bound."""
    found = Bounds()
    for name in BOUNDS.values():
        known = [getattr(one, name) for one in bounds if getattr(one, name) is not None]
        found = replace(found, **{name: min(known, default=None)})
    return found


def policy_beside(key: Path) -> OwnerPolicy:
    """The policy beside an agent's key, if there is one."""
    path = key.parent / FILE
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return OwnerPolicy()
    except OSError as error:
        raise InputError(Diagnostic(error.strerror or "cannot be read", str(path))) from None
    except UnicodeDecodeError:
        raise InputError(Diagnostic("this is not UTF-8 text", str(path))) from None
    return parse_policy(text, str(path))


def parse_policy(text: str, name: str = FILE) -> OwnerPolicy:
    """A policy from a text; all mistakes in it are one `InputError`."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(Diagnostic(f"this is not TOML: {error}", name)) from None
    reader = _Reader(text, name)
    peers = reader.table(found.pop("peers", {}), ("peers",))
    general = reader.rules(found, (), ("peers",))
    others = {
        peer.lower(): reader.rules(reader.table(content, ("peers", peer)), ("peers", peer))
        for peer, content in peers.items()
    }
    if len(others) < len(peers):
        reader.complain(("peers",), "two peers are called the same; letter case does not matter")
    if reader.wrong:
        raise InputError(reader.wrong)
    return OwnerPolicy(name, general, others)


class _Reader:
    """Reads tables and collects what is `wrong`, all of it."""

    def __init__(self, text: str, name: str):
        self._name = name
        self._lines = _lines_of(text)
        self.wrong: list[Diagnostic] = []

    def rules(self, content: dict[str, Any], at: KeyPath, more: Sequence[str] = ()) -> Rules:
        """What stands in a table: bounds, what is allowed, and what never is."""
        known = (*BOUNDS, "allowed", "never", *more)
        self._check_keys(content, at, known)
        bounds = {k: self._count(content[k], (*at, k)) for k in BOUNDS if k in content}
        allowed = self.table(content.get("allowed", {}), (*at, "allowed"))
        return Rules(bounds, dict(self._allowed(allowed, at)), tuple(self._never(content, at)))

    def table(self, content: Any, at: KeyPath) -> dict[str, Any]:
        if isinstance(content, dict):
            return content
        self.complain(at, f"expected a table, as [{_dotted(at)}]")
        return {}

    def _check_keys(self, content: dict[str, Any], at: KeyPath, known: Sequence[str]) -> None:
        for key in content.keys() - set(known):
            hint = nearest(key, known) or f"there are: {', '.join(known)}"
            self.complain((*at, key), "there is no such key in a policy", hint)

    def _count(self, value: Any, at: KeyPath) -> int | None:
        if value == "all" and at[-1] == "max_k":
            return None
        if type(value) is int and value >= 0:
            return value
        also = ', or "all"' if at[-1] == "max_k" else ""
        self.complain(at, f"{value!r} is no bound", f"expected a whole number from 0{also}")
        return 0

    def _allowed(self, content: dict[str, Any], at: KeyPath) -> Iterator[tuple[str, Allowed]]:
        at = (*at, "allowed")
        self._check_keys(content, at, (*CHOICES, *AT_MOST, *SETTINGS))
        for name, given in content.items():
            if name not in (*CHOICES, *AT_MOST, *SETTINGS):
                continue
            values = given if isinstance(given, list) else [given]
            where, made = (*at, name), list[Any]()
            for value in values:
                try:
                    made.append(_value(name, value))
                except InputError as error:
                    one = error.diagnostics[0]
                    self.complain(where, one.message, one.hint)
            if not values:
                self.complain(where, "nothing is allowed", "name a value, or leave the key out")
            yield name, Allowed(tuple(made), self._line(where))

    def _never(self, content: dict[str, Any], at: KeyPath) -> Iterator[Rule]:
        found = content.get("never", [])
        if not isinstance(found, list):
            self.complain((*at, "never"), f"expected a list, as [[{_dotted((*at, 'never'))}]]")
            return
        for number, rule in enumerate(found):
            where: KeyPath = (*at, "never", number)
            if not isinstance(rule, dict):
                self.complain(where, "expected a table with action, fact, or both")
                continue
            self._check_keys(rule, where, ("action", "fact"))
            patterns = [rule[key] for key in ("action", "fact") if key in rule]
            if not patterns or not all(isinstance(p, str) and p.strip() for p in patterns):
                hint = 'as fact = "(at * depot)": * stands for any text, ? for one character'
                self.complain(where, "a rule needs an action, a fact, or both", hint)
                continue
            key = f"{_dotted((*at, 'never'))}[{number + 1}]"
            line = self._line(where)
            yield Rule(None, rule.get("action"), rule.get("fact"), key, line, self._name)

    def _line(self, at: KeyPath) -> int | None:
        """Where a key stands; where its table does if the key is written otherwise."""
        while at and at not in self._lines:
            at = at[:-1]
        return self._lines.get(at)

    def complain(self, at: KeyPath, what: str, hint: str | None = None) -> None:
        place = Diagnostic(f"{_dotted(at)}: {what}", self._name, self._line(at), hint=hint)
        self.wrong.append(place)


def _value(name: str, value: Any) -> Any:
    """A value that a term may have, in its own type; an `InputError` if it can have no such."""
    registries: dict[str, Iterable[str]] = {
        "solver": SOLVERS,
        "ranking": RANKINGS,
        "heuristic": heuristics(),
    }
    if name in registries:
        known = list(registries[name])
        if value not in known:
            hint = nearest(str(value), known) or f"there are: {', '.join(known)}"
            raise InputError(f"there is no {name} called '{value}'", hint)
        return value
    if name in AT_MOST:
        if type(value) not in (int, float) or value < 0:
            raise InputError(f"{value!r} is no bound", "expected a number from 0")
        return value
    is_flag = name == "change_over" or isinstance(getattr(Settings(), name), bool)
    if is_flag != isinstance(value, bool) or not isinstance(value, bool | str):
        expected = "true or false" if is_flag else "a name"
        raise InputError(f"{value!r} is no value of '{name}'", f"expected {expected}")
    return value if is_flag else getattr(settings_of("tacit", **{name: value}), name)


def _terms(terms: Terms) -> dict[str, Any]:
    """The terms of a run by the names that users know."""
    settings = {name: getattr(terms.settings, name) for name in SETTINGS}
    limits = {"k": terms.k, "max_repairs": terms.repairs, "time_limit": terms.seconds}
    limits["improve"] = terms.improve
    return {name: getattr(terms, name) for name in CHOICES} | limits | settings


def _is_allowed(name: str, value: Any, allowed: Sequence[Any]) -> bool:
    if name in AT_MOST:
        return value is not None and any(value <= most for most in allowed)
    if name == "harden":
        return any(hidden_by(value).issuperset(least) for least in allowed)
    return value in allowed


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(_text(part) for part in value) or "none"
    if value is None:
        return "without a bound"
    return str(msgspec.to_builtins(value)).lower()


def _dotted(at: KeyPath) -> str:
    """A key with its tables, as a user would write it."""
    return "".join(f"[{p + 1}]" if isinstance(p, int) else f".{p}" for p in at).lstrip(".")


_HEADER = re.compile(r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?")
_NAME = r"(?:[\w-]+|\"[^\"]*\"|'[^']*')"
_KEY = re.compile(rf"\s*({_NAME}(?:\s*\.\s*{_NAME})*)\s*=")


def _lines_of(text: str) -> dict[KeyPath, int]:
    """Per key and table the line where it is written, as far as it is written in the usual way."""
    found: dict[KeyPath, int] = {}
    table: KeyPath = ()
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.fullmatch(line):
            table = _parts(header[2])
            if header[1] == "[[":
                table = (*table, sum(at[:-1] == table for at in found if isinstance(at[-1], int)))
            found.setdefault(table, number)
        elif key := _KEY.match(line):
            found.setdefault((*table, *_parts(key[1])), number)
    return found


def _parts(dotted: str) -> KeyPath:
    return tuple(part.strip("\"'") for part in re.split(r"\s*\.\s*", dotted))
