"""Characters that no name may hold, because a reader cannot see them or is misled by them.

Control characters play tricks on a terminal, bidirectional ones show a name in another order than
it has, and those without a width make two names look the same. All of them are refused where a
name is read: in PDDL, in `agents.toml`, and on the command line.
"""

from __future__ import annotations

import re

from tacit.errors import Diagnostic, InputError

_CONTROL = r"\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"
_BIDIRECTIONAL = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_WITHOUT_WIDTH = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)
HIDDEN = re.compile(f"[{_CONTROL}{_BIDIRECTIONAL}{_WITHOUT_WIDTH}]")
"""One such character."""

_KINDS = (
    (re.compile(f"[{_CONTROL}]"), "control character"),
    (re.compile(f"[{_BIDIRECTIONAL}]"), "bidirectional character"),
)


def hidden(text: str) -> tuple[int, str] | None:
    """Where the first such character is, and what it is; None if there is none."""
    found = HIDDEN.search(text)
    if found is None:
        return None
    kinds = (kind for pattern, kind in _KINDS if pattern.match(found[0]))
    return found.start(), f"{next(kinds, 'zero-width character')} U+{ord(found[0]):04X}"


def check_spelling(name: str, file: str | None = None, text: str = "") -> None:
    """Refuse an agent's name that holds one; `text` is that of the file that the name stands in."""
    found = hidden(name)
    if found is None:
        return
    line = column = None
    if name in text:
        at = text.index(name) + found[0]
        line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    plain = HIDDEN.sub("?", name[:40])
    message = f"unexpected {found[1]} in the name of agent '{plain}'"
    hint = "write the name anew: it has a character that cannot be seen"
    raise InputError(Diagnostic(message, file, line, column, hint))
