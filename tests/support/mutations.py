"""Ways to spoil an MA-PDDL text. Each takes the text, two numbers that choose, and other texts."""

from __future__ import annotations

import re
from collections.abc import Callable

Mutation = Callable[[str, int, int, tuple[str, ...]], str]

TOKEN = re.compile(r"[()]|[^\s()]+")
WORDS = (
    *("and", "not", "or", "when", "forall", "exists", "imply", "either", "increase", "total-cost"),
    *("=", "-", "?", ":", "?x", "object", "number", "define", "domain", "problem", "minimize"),
    *(":private", ":agent", ":parameters", ":precondition", ":effect", ":action", ":init", ":goal"),
    *(":types", ":objects", ":constants", ":predicates", ":functions", ":metric", ":domain"),
    *(":factored-privacy", ":unfactored-privacy", ":durative-action", ":derived", ":duration"),
    *("0", "-1", "1e9", "99999999999999999999", "1e999", "nan", "0.5", "1_0", "٣", "(= (f) 1)"),
    *("(either)", "(and)", "()", "((", "))", "(not)", "(=)", "(:private)", "(increase)"),
)
CHARACTERS = "\0\x1b\x7f\x85\xa0\u2028\ufeff\u202e\U0001f600İßΣ\ud800\t\r\n\f\v;()?:-='\"\\[]{}%"


def _spans(text: str) -> list[tuple[int, int]]:
    return [m.span() for m in TOKEN.finditer(text)] or [(0, len(text))]


def _forms(text: str) -> list[tuple[int, int]]:
    """Every parenthesised form that is closed."""
    opened: list[int] = []
    found: list[tuple[int, int]] = []
    for match in re.finditer(r"[()]", text):
        if match[0] == "(":
            opened.append(match.start())
        elif opened:
            found.append((opened.pop(), match.end()))
    return found or [(0, len(text))]


def _replace(text: str, span: tuple[int, int], new: str) -> str:
    return f"{text[: span[0]]}{new}{text[span[1] :]}"


def _swap(text: str, one: tuple[int, int], two: tuple[int, int]) -> str:
    one, two = sorted((one, two))
    if one[1] > two[0]:
        return _replace(text, one, text[slice(*two)])
    return (
        text[: one[0]] + text[slice(*two)] + text[one[1] : two[0]] + text[slice(*one)]
        + text[two[1] :]
    )  # fmt: skip


def _at(items: list[tuple[int, int]], number: int) -> tuple[int, int]:
    return items[number % len(items)]


def delete_token(text: str, a: int, b: int, others: tuple[str, ...]) -> str:
    return _replace(text, _at(_spans(text), a), "")


def double_token(text: str, a: int, b: int, others: tuple[str, ...]) -> str:
    span = _at(_spans(text), a)
    return _replace(text, span, f"{text[slice(*span)]} {text[slice(*span)]}")


def swap_tokens(text: str, a: int, b: int, others: tuple[str, ...]) -> str:
    spans = _spans(text)
    return _swap(text, _at(spans, a), _at(spans, b))


def replace_token(text: str, a: int, b: int, others: tuple[str, ...]) -> str:
    spans = _spans(text)
    return _replace(text, _at(spans, a), text[slice(*_at(spans, b))])


def replace_by_word(text: str, a: int, b: int, others: tuple[str, ...]) -> str:
    return _replace(text, _at(_spans(text), a), f" {WORDS[b % len(WORDS)]} ")


def delete_character(text: str, a: int, b: int, others: tuple[str, ...]) -> str:
    at = a % (len(text) or 1)
    return text[:at] + text[at + 1 :]


def insert_character(text: str, a: int, b: int, others: tuple[str, ...]) -> str:
    at = a % (len(text) + 1)
    return text[:at] + CHARACTERS[b % len(CHARACTERS)] + text[at:]


def delete_form(text: str, a: int, b: int, others: tuple[str, ...]) -> str:
    return _replace(text, _at(_forms(text), a), "")


def double_form(text: str, a: int, b: int, others: tuple[str, ...]) -> str:
    span = _at(_forms(text), a)
    return _replace(text, span, text[slice(*span)] * 2)


def swap_forms(text: str, a: int, b: int, others: tuple[str, ...]) -> str:
    forms = _forms(text)
    return _swap(text, _at(forms, a), _at(forms, b))


def splice(text: str, a: int, b: int, others: tuple[str, ...]) -> str:
    other = others[b % len(others)]
    return _replace(text, _at(_forms(text), a), other[slice(*_at(_forms(other), a + b))])


def cut(text: str, a: int, b: int, others: tuple[str, ...]) -> str:
    return text[: a % (len(text) + 1)]


def nest(text: str, a: int, b: int, others: tuple[str, ...]) -> str:
    depth = (3, 50, 61, 5000)[b % 4]
    span = _at(_forms(text), a)
    return _replace(text, span, "(and " * depth + text[slice(*span)] + ")" * depth)


def lengthen(text: str, a: int, b: int, others: tuple[str, ...]) -> str:
    return _replace(text, _at(_spans(text), a), "n" * (300, 20_000)[b % 2])


def shout(text: str, a: int, b: int, others: tuple[str, ...]) -> str:
    return text.upper()


def windows(text: str, a: int, b: int, others: tuple[str, ...]) -> str:
    return "\ufeff" + text.replace("\n", "\r\n")


MUTATIONS: tuple[Mutation, ...] = (
    *(delete_token, double_token, swap_tokens, replace_token, replace_by_word, delete_form),
    *(double_form, swap_forms, splice, delete_character, insert_character, cut, nest, lengthen),
    *(shout, windows),
)
