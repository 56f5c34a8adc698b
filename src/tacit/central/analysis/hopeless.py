"""What may be said of a problem that has no plan with every dependency disclosed.

That there is none at all follows only where disclosing everything loses no plan. Chain rule
`object` does not count every achiever, and direct threats may exclude plans that could be carried
out: other settings may find a plan there, and no message may deny it.
"""

from __future__ import annotations

from tacit.public.settings import Settings


def without_any_plan(settings: Settings) -> str:
    """One sentence, or two with what to try."""
    if settings.loses_no_plan:
        return "There is no plan even if everything is disclosed."
    other = "--threats on-demand" if settings.chain.is_complete else "--chain tight"
    return (
        "There is none even if all that these settings count as a dependency is disclosed; they "
        f"may miss plans. Try {other}."
    )
