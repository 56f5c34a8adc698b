"""docs/protocol.md has every message with every field, and what each costs in privacy."""

from __future__ import annotations

import enum
import re
from typing import get_args

import pytest
from support.places import ROOT

from tacit.party import phases
from tacit.public.disclosure import PublicEdge, PublicStep, RestoredToken
from tacit.public.outcome import Outcome
from tacit.public.protocol.link import Reason, Stage, Terms
from tacit.public.protocol.messages import AnyMessage, Question, tag_of
from tacit.public.settings import Chain, Extension, NoOp, Rule, Settings, Threats
from tacit.public.task import PublicAction, PublicFact

PAGE = ROOT / "docs" / "protocol.md"
TEXT = PAGE.read_text(encoding="utf-8")
TABLES = re.findall(r"^\| (?:message|question).*\n\|[-|]+\n((?:\|.*\n)+)", TEXT, re.M)
ROWS = [row for table in TABLES for row in table.splitlines()]


def row_of(tag: str) -> tuple[str, str, str]:
    """The row of a message: its name, its fields, and what it tells. Of `a` → `b`, both parts."""
    found = [row for row in ROWS if re.search(rf"`{tag}`", row.split("|")[1])]
    assert len(found) == 1, f"docs/protocol.md has {len(found)} rows for '{tag}'"
    name, fields, cost = (cell.strip() for cell in found[0].strip("|").split("|"))
    return name, fields, cost


def fields_in(tag: str) -> set[str]:
    name, fields, _ = row_of(tag)
    if "→" in name:
        question, _, answer = fields.partition("→")
        fields = question if re.search(rf"`{tag}` →", name) else answer
    return set(re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", fields)))


MESSAGES = [kind for kind in get_args(AnyMessage) if tag_of(kind) != "ack"]


@pytest.mark.parametrize("kind", MESSAGES, ids=tag_of)
def test_every_message_has_its_fields_and_its_cost(kind):
    tag = tag_of(kind)
    assert fields_in(tag) == set(kind.__struct_fields__) - {"sender"}
    assert len(row_of(tag)[2].split()) > 1


def test_no_message_is_there_that_there_is_not():
    known = {tag_of(kind) for kind in get_args(AnyMessage)}
    named = {tag for row in ROWS for tag in re.findall(r"`([\w-]+)`", row.split("|")[1])}
    assert named == known


@pytest.mark.parametrize("kind", [PublicFact, PublicAction, PublicEdge, PublicStep, RestoredToken])
def test_arrays_have_as_many_parts_as_the_page_says(kind):
    word = {"publicfact": "fact", "publicaction": "action", "publicedge": "edge"}
    word |= {"publicstep": "step", "restoredtoken": "restored token"}
    row = next(r for r in TEXT.splitlines() if r.startswith(f"| {word[kind.__name__.lower()]} |"))
    parts = re.sub(r"\([^)]*\)", "", row.split("|")[2]).split(",")
    assert len(parts) == len(kind.__struct_fields__)


@pytest.mark.parametrize("kind", [Settings, Terms])
def test_every_setting_and_term_is_named(kind):
    for name in kind.__struct_fields__:
        assert f"`{name}`" in TEXT


@pytest.mark.parametrize("kind", [Reason, Stage, Outcome, Chain, NoOp, Threats, Extension, Rule])
def test_every_word_of_a_fixed_list_is_named(kind: type[enum.Enum]):
    for item in kind:
        assert f"`{item.value}`" in TEXT


def test_every_question_is_answered_in_some_phase():
    answered = {kind for phase in phases.TRANSITIONS for kind in phases.expected(phase)}
    assert answered == set(get_args(Question))
