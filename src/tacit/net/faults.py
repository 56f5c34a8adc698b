"""How a run with others ends early: which agent is at fault, and what is sent to the others.

A fault names agents and a reason from a fixed list, never anything that is private or was sent.
"""

from __future__ import annotations

from tacit.errors import ExitCode, InputError, LimitReached, ProtocolError
from tacit.public.protocol.link import Reason


class Fault(ProtocolError):
    """A run that cannot go on. `reason` and `about` are sent to the other agents."""

    def __init__(self, message: str, reason: Reason, about: str | None = None):
        super().__init__(message)
        self.reason = reason
        self.about = about


class OutOfTime(Fault):
    """An agent took too long."""

    exit_code = ExitCode.TIME

    def __init__(self, message: str):
        super().__init__(message, Reason.TIME)


def lost(peer: str, why: str) -> Fault:
    return Fault(f"agent '{peer}' is gone: {why}", Reason.LOST, peer)


def out_of_turn(peer: str) -> Fault:
    return Fault(f"agent '{peer}' sent a message out of turn", Reason.PROTOCOL, peer)


def senseless(peer: str) -> Fault:
    return Fault(f"agent '{peer}' sent a message that makes no sense here", Reason.PROTOCOL, peer)


def reason_of(error: BaseException) -> tuple[Reason, str | None]:
    """What is sent to the others about an error."""
    if isinstance(error, Fault):
        return error.reason, error.about
    if isinstance(error, LimitReached):
        return Reason(error.outcome), None
    if isinstance(error, ProtocolError):
        return Reason.PROTOCOL, None
    if isinstance(error, InputError):
        return Reason.INPUT, None
    if isinstance(error, MemoryError):
        return Reason.MEMORY, None
    if isinstance(error, KeyboardInterrupt):
        return Reason.INTERRUPTED, None
    return Reason.INTERNAL, None
