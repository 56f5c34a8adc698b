"""What to report if a problem has no plan with every dependency disclosed.

That it is unsolvable follows only if disclosing everything loses no plan. Chain rule `object` does
not count every achiever, and direct threats may exclude plans that could be extended: other
settings may find a plan, and no message may deny that.
"""

from __future__ import annotations

from tacit.public.settings import Settings


def without_any_plan(settings: Settings) -> str:
    """One sentence, or two with a suggestion."""
    if settings.loses_no_plan:
        return "There is no plan even if everything is disclosed."
    other = "--threats on-demand" if settings.chain.is_complete else "--chain tight"
    return (
        "There is no plan even if all dependencies under these settings are disclosed, but they "
        f"may miss plans. Try {other}."
    )
