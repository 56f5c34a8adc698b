"""One way to add a method: write one file, decorate one thing in it.

A `Registry` maps names to things of one kind (instance generators, rankings, solvers, ...). It
fills itself on first use: it imports every module of its package and every entry
point of its group `tacit.<kind>`, and their decorators do the rest. A name that a module of the
package has is found there, without the others. No second list exists; the command line, the docs
and the tests all read the registry.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import pkgutil
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from tacit.errors import PLUGIN, Diagnostic, InputError, TacitError, nearest, plugin_error

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")


class Registry(Generic[T]):
    """Named things of one kind, found in `package` and in installed plugins."""

    def __init__(self, kind: str, package: str):
        self.kind = kind
        self._package = package
        self._items: dict[str, T] = {}
        self._filling = threading.RLock()
        self._begun = self._complete = False

    def add(self, name: str) -> Callable[[T], T]:
        """Decorator: register a thing under a name that is not taken."""

        def keep(item: T) -> T:
            is_foreign = not str(getattr(item, "__module__", "")).startswith(self._package)
            if is_foreign and self._has_module(name):
                self._is_at_home(name)
            if self._items.setdefault(name, item) is not item:
                text = f"there are two {self.kind}s called '{name}'"
                raise InputError(text, "choose another name for yours" if is_foreign else None)
            return item

        return keep

    def get(self, name: str) -> T:
        """The thing of this name, or an `InputError` that lists the names there are."""
        if name not in self:
            hint = nearest(name, self._items) or f"there are: {', '.join(self)}"
            raise InputError(f"there is no {self.kind} called '{name}'", hint)
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        self._fill()
        return iter(sorted(self._items))

    def __contains__(self, name: object) -> bool:
        if self._is_at_home(name):
            return True
        self._fill()
        return name in self._items

    def _is_at_home(self, name: object) -> bool:
        """Whether it is registered, at the latest by the module of its name."""
        if name not in self._items and isinstance(name, str) and self._has_module(name):
            importlib.import_module(f"{self._package}.{name}")
        return name in self._items

    def _has_module(self, name: str) -> bool:
        """Whether a module of the package has this name."""
        if not name.isidentifier():
            return False
        return importlib.util.find_spec(f"{self._package}.{name}") is not None

    def _fill(self) -> None:
        if self._complete:
            return
        with self._filling:  # other threads wait; modules being loaded may read it
            if self._begun:
                return
            self._begun = True
            package = importlib.import_module(self._package)
            for module in pkgutil.iter_modules(package.__path__):
                importlib.import_module(f"{self._package}.{module.name}")
            for point in _installed(f"tacit.{self.kind}"):
                _load_point(point)
            self._complete = True


def _installed(group: str) -> Iterable[EntryPoint]:
    """The entry points of a group. Most users have no plugin, and to read what all packages say of
    themselves is slow: that is done only if a file of entry points names some group of ours.
    """
    if not any(_may_have_plugins(folder or ".") for folder in sys.path):
        return ()
    from importlib.metadata import entry_points  # noqa: PLC0415

    return entry_points(group=group)


def _may_have_plugins(folder: str) -> bool:
    if not os.path.isdir(folder):
        return os.path.exists(folder)  # an archive, say
    try:
        names = [name for name in os.listdir(folder) if name.endswith((".dist-info", ".egg-info"))]
        files = (Path(folder, name, "entry_points.txt") for name in names)
        return any(b"[tacit." in file.read_bytes() for file in files if file.is_file())
    except OSError:  # an agent may see its own files alone
        return False


def _load_point(point: EntryPoint) -> None:
    """An installed plugin; its package is marked as one."""
    try:
        setattr(importlib.import_module(point.module.partition(".")[0]), PLUGIN, True)
        point.load()
    except TacitError:
        raise
    except (Exception, SystemExit) as error:
        raise plugin_error(error) or InputError(
            f"the plugin '{point.value}' fails: {type(error).__name__}: {error}",
            f"it is the entry point '{point.name}' of the group '{point.group}'",
        ) from error


def _in_plugin(path: Path, error: InputError) -> InputError:
    """What a plugin asked for cannot be done: in which line of it."""
    frames = traceback.walk_tb(error.__traceback__)
    lines = [line for frame, line in frames if frame.f_code.co_filename == os.path.abspath(path)]
    first = error.diagnostics[0]
    if first.file is not None:
        return error
    place = lines[-1] if lines else None
    return InputError(Diagnostic(first.message, str(path), place, hint=first.hint))


_loaded: set[tuple[Path, bytes]] = set()


def load_plugin(path: Path) -> None:
    """Run a user's file, whose decorators register what it defines; once, if it is the same."""
    if not path.is_file():
        raise InputError(f"there is no plugin '{path}'")
    try:
        key = (path.resolve(), path.read_bytes())
    except OSError as error:
        raise InputError(Diagnostic(error.strerror or "cannot be read", str(path))) from None
    if key in _loaded:
        return
    spec = importlib.util.spec_from_file_location(f"tacit_plugin_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise InputError(f"'{path}' is not a Python file")
    module = importlib.util.module_from_spec(spec)
    setattr(module, PLUGIN, True)
    try:
        spec.loader.exec_module(module)
    except InputError as error:
        raise _in_plugin(path, error) from error
    except TacitError:
        raise
    except (Exception, SystemExit) as error:
        line = getattr(error, "lineno", None)
        message = f"the plugin fails: {type(error).__name__}: {error}"
        raise plugin_error(error) or InputError(Diagnostic(message, str(path), line)) from error
    _loaded.add(key)
