"""Settings and notes of hypothesis tests."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import HealthCheck, currently_in_test_context, note, seed, settings

SEED = "TACIT_SEED"
"""The environment variable with the seed of all examples; `--hypothesis-seed` sets it."""

F = TypeVar("F", bound=Callable[..., Any])


def say(text: object) -> None:
    """A note to a failing example, if there is one."""
    if currently_in_test_context():
        note(str(text))


def quick(examples: int) -> Callable[[F], F]:
    """The same examples every time, as some tests count what came of them.

    Which examples these are hangs on the test's name and the seed, and not on the text of the test,
    as it would with `derandomize` alone. A test must pass for any seed:

        python -m pytest --hypothesis-seed 7 ...
    """
    quiet = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
    chosen = settings(
        max_examples=examples, deadline=None, suppress_health_check=quiet, derandomize=True
    )

    def decorate(test: F) -> F:
        name = f"{os.environ.get(SEED, '0')} {test.__qualname__}"
        return seed(zlib.crc32(name.encode()))(chosen(test))

    return decorate
