"""Tacit: plan together, disclose little.

Collaborative privacy-preserving planning with a disclosure budget.

>>> import tacit
>>> instance = tacit.load("logistics/small")
>>> instance.agents
('plane1', 'truck0', 'truck1')
>>> instance.local("truck1")
<local task of 'truck1'>

Names are imported when they are first used, so that `import tacit` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tacit.errors import InputError, ProtocolError, TacitError, UnsupportedError

if TYPE_CHECKING:
    from tacit.central.instance import Instance, load
    from tacit.central.result import Result
    from tacit.central.solve import solve, validate
    from tacit.central.validate.judge import Verdict
    from tacit.central.validate.plan import Plan, Step
    from tacit.public.task import PublicTask

    __version__: str

__all__ = [
    "InputError",
    "Instance",
    "Plan",
    "ProtocolError",
    "PublicTask",
    "Result",
    "Step",
    "TacitError",
    "UnsupportedError",
    "Verdict",
    "__version__",
    "load",
    "solve",
    "validate",
]

_HOMES = {
    "Instance": "tacit.central.instance",
    "Plan": "tacit.central.validate.plan",
    "PublicTask": "tacit.public.task",
    "Result": "tacit.central.result",
    "Step": "tacit.central.validate.plan",
    "Verdict": "tacit.central.validate.judge",
    "load": "tacit.central.instance",
    "solve": "tacit.central.solve",
    "validate": "tacit.central.solve",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415 - slow, and seldom needed

        return version("tacit-planner")
    if name not in _HOMES:
        raise AttributeError(f"module 'tacit' has no attribute '{name}'")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
