"""Where tests and benches find what is not part of Tacit."""

from __future__ import annotations

import os
from pathlib import Path

_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "benchmarks" / "codmap"

CODMAP = Path(os.environ.get("TACIT_CODMAP") or _BESIDE)
"""The CoDMAP problems: `TACIT_CODMAP`, or a folder beside the repository."""

NO_CODMAP = f"there are no CoDMAP problems at {os.path.relpath(CODMAP)}; TACIT_CODMAP can name them"
