"""A text that was read, and the way from an offset in it to a line and a column."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from pathlib import Path

from tacit.errors import Diagnostic, InputError

MAX_BYTES = 64 * 1024 * 1024


class Source:
    """One text with its name. Syntax nodes keep offsets into it and no positions of their own."""

    def __init__(self, name: str, text: str):
        self.name = name
        self.text = text.removeprefix("\ufeff")  # a byte order mark is not part of the text

    @classmethod
    def read(cls, path: Path) -> Source:
        """Read a file, turning every way this can fail into an `InputError`."""
        try:
            with path.open(encoding="utf-8") as file:
                text = file.read(MAX_BYTES + 1)  # what is no file may never end
            if len(text) > MAX_BYTES:
                raise InputError(
                    Diagnostic(f"the file is larger than {MAX_BYTES >> 20} MiB", str(path))
                )
            return cls(str(path), text)
        except OSError as error:
            reason = error.strerror or "the file cannot be read"
            raise InputError(Diagnostic(reason, str(path))) from None
        except UnicodeDecodeError as error:
            hint = f"byte {error.start} is not UTF-8; save the file as UTF-8 text"
            raise InputError(Diagnostic("this is not a text file", str(path), hint=hint)) from None
        except ValueError as error:
            raise InputError(Diagnostic(str(error), repr(str(path)))) from None

    @cached_property
    def _line_starts(self) -> list[int]:
        lengths = (len(line) for line in self.text.split("\n"))
        return list(accumulate((n + 1 for n in lengths), initial=0))

    def place(self, at: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        line = bisect_right(self._line_starts, at) - 1
        return line + 1, at - self._line_starts[line] + 1

    def before(self, at: int, word: str) -> int:
        """The last offset before `at` where a word occurs in any letter case; else `at`."""
        found = self.text[:at].lower().rfind(word)
        return found if found >= 0 else at

    def where(self, at: int) -> str:
        """`file:line:column` of an offset."""
        return "{}:{}:{}".format(self.name, *self.place(at))

    def diagnostic(
        self, at: int, message: str, hint: str | None = None, unsupported: bool = False
    ) -> Diagnostic:
        """A diagnostic that points at an offset of this text."""
        line, column = self.place(at)
        return Diagnostic(message, self.name, line, column, hint, unsupported)

    def __repr__(self) -> str:
        return f"Source({self.name!r})"
