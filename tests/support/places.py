"""Where tests and benches find things: parts of the repository, and what is not part of Tacit."""

from __future__ import annotations

import os
from pathlib import Path

SUPPORT = Path(__file__).resolve().parent
TESTS = SUPPORT.parent
ROOT = TESTS.parent

MOODS = str(SUPPORT / "moods.py")
"""A plugin with solvers that fail in every way there is."""

CODMAP = Path(os.environ.get("TACIT_CODMAP") or ROOT.parent / "shared" / "benchmarks" / "codmap")
"""The CoDMAP problems: `TACIT_CODMAP`, or a folder beside the repository."""

NO_CODMAP = f"there are no CoDMAP problems at {os.path.relpath(CODMAP)}; TACIT_CODMAP can name them"
