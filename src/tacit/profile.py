"""Profiles: named bundles of settings (docs/solving.md).

`tacit` is what we stand for. `paper` reproduces the published numbers.
"""

from __future__ import annotations

from tacit.errors import InputError, nearest
from tacit.public.settings import Chain, Extension, NoOp, Rule, Settings, Threats

PROFILES: dict[str, Settings] = {
    "tacit": Settings(),
    "paper": Settings(
        chain=Chain.OBJECT,
        no_op=NoOp.KEEP,
        threats=Threats.RANKED,
        extension=Extension.REPLAN,
        repair=False,
        merge=False,
        rule=Rule.AUTHORS,
        clean=False,
    ),
}


def profile(name: str) -> Settings:
    """The settings of a profile, or an `InputError` that lists the profiles there are."""
    if name not in PROFILES:
        hint = nearest(name, PROFILES) or f"there are: {', '.join(PROFILES)}"
        raise InputError(f"there is no profile called '{name}'", hint)
    return PROFILES[name]
