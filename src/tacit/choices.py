"""A user's choices, checked once: a profile with changes on top, and names that exist.

The command line, the Python interface, sweeps and agents on separate hosts all come through here,
and find the registries of what can be chosen here.
"""

from __future__ import annotations

import enum
import math
from typing import Any, get_origin

import msgspec

from tacit.errors import InputError, nearest
from tacit.native import admissible_heuristics, heuristics
from tacit.party.disclosure.ranking import RANKINGS as RANKINGS
from tacit.planners import PLANNERS as PLANNERS
from tacit.profile import profile as find_profile
from tacit.public.declared import declared
from tacit.public.run_options import Drive, RunOptions
from tacit.public.settings import Settings, hardening
from tacit.solvers import SOLVERS as SOLVERS
from tacit.solvers.solver import Solver as Solver


def chosen(profile: str | Settings, **choices: Any) -> tuple[Settings, RunOptions]:
    """Settings and options by name; an `InputError` for a name that is neither."""
    options = {n: v for n, v in choices.items() if n in RunOptions.__struct_fields__}
    if options.get("time_limit") == math.inf:
        del options["time_limit"]
    changes = {n: v for n, v in choices.items() if n not in RunOptions.__struct_fields__}
    return settings_of(profile, **changes), RunOptions(**options)


def settings_of(profile: str | Settings, **changes: Any) -> Settings:
    """The settings of a profile with a user's own choices on top; None leaves it to the profile."""
    base = profile if isinstance(profile, Settings) else find_profile(profile)
    kinds = {one.name: one for one in declared(Settings)}
    chosen: dict[str, Any] = {}
    for name, value in changes.items():
        if value is None:
            continue
        if name not in kinds:
            known = (*RunOptions.__struct_fields__, *kinds)
            hint = nearest(name, known) or f"there are: {', '.join(known)}"
            raise InputError(f"there is no option or setting called '{name}'", hint)
        chosen[name] = _value(kinds[name].kind, name, value)
    return msgspec.structs.replace(base, **chosen)


def _value(kind: Any, name: str, value: Any) -> Any:
    """What a user wrote, as the setting's own type."""
    if not isinstance(value, str):
        return value
    if get_origin(kind) is tuple:
        return hardening(value)
    if not issubclass(kind, enum.Enum):
        return kind(value)
    known = [str(item.value) for item in kind]
    if value not in known:
        hint = nearest(value, known) or f"there are: {', '.join(known)}"
        raise InputError(f"'{value}' is no value of the setting '{name}'", hint)
    return kind(value)


def heuristic_of(options: RunOptions) -> str:
    """What guides forward search: what was chosen, or else what the solver takes."""
    return options.heuristic or SOLVERS.get(options.solver).heuristic


def check(options: RunOptions, settings: Settings) -> None:
    """An `InputError` for names that do not exist, and for settings that the solver cannot keep."""
    SOLVERS.get(options.solver).check(settings)
    RANKINGS.get(options.ranking)
    PLANNERS.get(options.planner)
    heuristic, known = heuristic_of(options), heuristics()
    if heuristic not in known:
        hint = nearest(heuristic, known) or f"there are: {', '.join(known)}"
        raise InputError(f"there is no heuristic called '{heuristic}'", hint)
    if SOLVERS.get(options.solver).is_optimal and heuristic not in admissible_heuristics():
        hint = f"choose one of: {', '.join(sorted(admissible_heuristics()))}"
        text = f"with heuristic '{heuristic}' solver '{options.solver}' would prove nothing"
        raise InputError(text, hint)
    if options.drive not in list(Drive):
        hint = nearest(options.drive, list(Drive)) or f"there are: {', '.join(Drive)}"
        raise InputError(f"there is no drive called '{options.drive}'", hint)
