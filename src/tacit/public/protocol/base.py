"""What all messages have in common: a sender, and a check that they can be true of a run.

A message is declared once, with its check beside it, in the module of the phase that it belongs to;
it goes into the union at the end of that module, and the codec takes it from there.
"""

from __future__ import annotations

import msgspec

from tacit.public.protocol.known import Known


class Message(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The base of all messages; `sender` is the agent that sends it."""

    sender: str

    def fits(self, known: Known) -> bool:
        """Are its numbers those of facts, tokens and actions that exist?"""
        return True

    def answers(self, question: Message, known: Known) -> bool:
        """The same, of an answer to this question."""
        return self.fits(known)
