"""Names hold no characters that a reader cannot see, wherever they are read."""

from __future__ import annotations

import unicodedata

import pytest
from support.delivery import DOMAIN, PROBLEM

from tacit.errors import InputError
from tacit.net.config import convert, read_run_file
from tacit.net.keys import make_keys
from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source
from tacit.spelling import hidden

SIGNS = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
SIGNS |= set(range(0x13430, 0x13440))
"""Format characters that can be seen: they enclose numbers and hieroglyphs."""


def test_which_characters_are_hidden():
    """All control and format characters of Unicode; no letter, digit or mark that can be seen."""
    for number in range(0x110000):
        letter = chr(number)
        kind = unicodedata.category(letter)
        is_space = letter.isspace() or letter == "\x85"
        if kind == "Cf" or (kind == "Cc" and not is_space):
            assert number in SIGNS or hidden(letter), f"U+{number:04X}"
        elif kind in ("Ll", "Lu", "Nd", "Po", "Sm"):
            assert hidden(letter) is None, f"U+{number:04X}"
    assert hidden("größe-1_ß") is None
    assert hidden("a\u202eb") == (1, "bidirectional character U+202E")
    assert hidden("ab\u200b") == (2, "zero-width character U+200B")


@pytest.mark.parametrize("letter", ["\u202e", "\u200b", "\ufe0f"])
def test_an_agent_in_a_file(tmp_path, letter):
    path = tmp_path / "agents.toml"
    tables = f'[agents.a]\naddress = "h:1"\n[agents."b{letter}1"]\naddress = "h:2"\n'
    path.write_text(tables, encoding="utf-8")
    with pytest.raises(InputError, match=r"in the name of agent 'b.1'") as caught:
        read_run_file(path)
    [one] = caught.value.diagnostics
    assert (one.file, one.line, one.column) == (str(path), 3, 11)
    assert letter not in str(one)
    path.write_text(tables.replace(letter, f"\\u{ord(letter):04x}"))
    with pytest.raises(InputError, match=r"in the name of agent 'b.1'"):
        read_run_file(path)
    with pytest.raises(InputError, match="in the name of agent"):
        convert({"agents": {f"x{letter}": {"address": "h:1"}}})
    with pytest.raises(InputError, match="in the name of agent"):
        make_keys(tmp_path / "keys", ["a", f"b{letter}"], 1)


def test_comments_may_hold_them():
    domain = Source("d", f"; \u202e \x1b\n{DOMAIN}")
    assert read_texts(domain, Source("p", PROBLEM)).name == "small"
