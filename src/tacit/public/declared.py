"""Declarations: a struct whose fields carry their description is the one list of its options.

`declared` reads it off, so that the command line, configuration files, schemas and docs say the
same.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec


def described(text: str, about: str = "", names: str = "", group: str = "") -> msgspec.Meta:
    """What a field is for, what it is about, the registry that its names are from, and the group of
    options that it is shown in.
    """
    return msgspec.Meta(description=text, extra={"about": about, "names": names, "group": group})


@dataclass(frozen=True)
class Declared:
    """One field: its name, type, default and description."""

    name: str
    kind: Any
    default: Any
    description: str
    about: str = ""
    names: str = ""
    at_least: float | None = None
    is_positive: bool = False
    word: str = ""
    """What may stand instead of a number, such as `all`."""
    group: str = ""
    """The heading that it stands under in `--help`; none for basics."""

    @property
    def flag(self) -> str:
        """As an option of the command line."""
        return "--" + self.name.replace("_", "-")

    @property
    def choices(self) -> tuple[str, ...]:
        """The values of an enumeration; none for other types."""
        is_enum = isinstance(self.kind, type) and issubclass(self.kind, enum.Enum)
        return tuple(str(item.value) for item in self.kind) if is_enum else ()

    @property
    def shown_default(self) -> str:
        """As a user would write it."""
        if isinstance(self.default, enum.Enum):
            return str(self.default.value)
        if isinstance(self.default, bool):
            return "yes" if self.default else "no"
        return "" if self.default in (None, ()) else f"{self.default}"


def declared(struct: type[msgspec.Struct], about: str | None = None) -> Iterator[Declared]:
    """The described fields of a struct, or those that are about one thing."""
    hints = get_type_hints(struct, include_extras=True)
    for field in msgspec.structs.fields(struct):
        metas = list(_metas(hints[field.name]))
        texts = [meta for meta in metas if meta.description is not None]
        if not texts:
            continue
        extra = texts[0].extra or {}
        if about is not None and extra.get("about") != about:
            continue
        bounds = [meta.ge for meta in metas if meta.ge is not None]
        yield Declared(
            field.name,
            _plain(hints[field.name]),
            field.default,
            str(texts[0].description),
            extra.get("about", ""),
            extra.get("names", ""),
            bounds[0] if bounds else None,
            any(meta.gt == 0 for meta in metas),
            next(_words(hints[field.name]), ""),
            extra.get("group", ""),
        )


def _metas(hint: Any) -> Iterator[msgspec.Meta]:
    if get_origin(hint) is Annotated:
        inner, *metas = get_args(hint)
        yield from (meta for meta in metas if isinstance(meta, msgspec.Meta))
        yield from _metas(inner)
    elif get_origin(hint) in (Union, types.UnionType):
        for part in get_args(hint):
            yield from _metas(part)


def _words(hint: Any) -> Iterator[str]:
    """Literals among the types of a field."""
    if get_origin(hint) is Literal:
        yield from map(str, get_args(hint))
    elif get_origin(hint) in (Annotated, Union, types.UnionType):
        for part in get_args(hint):
            yield from _words(part)


def _plain(hint: Any) -> Any:
    """The type without annotations, and without None."""
    if get_origin(hint) is Annotated:
        return _plain(get_args(hint)[0])
    if get_origin(hint) in (Union, types.UnionType):
        return _plain(next(part for part in get_args(hint) if part is not type(None)))
    return hint
