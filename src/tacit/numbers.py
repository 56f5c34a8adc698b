"""Numbers with their reasons: frozen groups of them, which are counted, and listed in the docs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, fields, is_dataclass
from typing import Any


def steers(value: Any, why: str) -> Any:
    """A number with its reason."""
    return field(default=value, metadata={"why": why})


def follows(value: Any, source: str, why: str) -> Any:
    """What follows from another number, `source`, and is none of its own."""
    return field(default=value, metadata={"why": why, "source": source})


class Numbers:
    """Groups of numbers."""

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """Every number as `group.name`, its value and its reason; for the docs."""
        for name, value, metadata in self._each():
            source = metadata.get("source")
            why = f"{metadata['why']} (from `{source}`)" if source else metadata["why"]
            yield name, _shown(value), why

    def count(self) -> int:
        """How many numbers there are that follow from no other; a tuple counts its members."""
        own = (value for _, value, metadata in self._each() if "source" not in metadata)
        return sum(map(_count, own))

    def _each(self) -> Iterator[tuple[str, Any, Mapping[str, str]]]:
        for group in fields(self):  # type: ignore[arg-type]
            part = getattr(self, group.name)
            for one in fields(part):
                yield f"{group.name}.{one.name}", getattr(part, one.name), one.metadata


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if is_dataclass(value):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def _count(value: Any) -> int:
    if is_dataclass(value):
        return sum(_count(getattr(value, one.name)) for one in fields(value))
    if isinstance(value, tuple):
        return sum(map(_count, value))
    return isinstance(value, int | float)
