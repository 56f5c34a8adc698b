"""No kind of message goes out, or is audited, that nobody has thought about."""

from __future__ import annotations

from typing import get_args

import pytest

from tacit.errors import InternalError
from tacit.leakage.reading.collecting import PASSED_OVER, TAKEN
from tacit.net.record import RECORDED, WITHOUT_SECRETS, DisclosureRecord
from tacit.public.protocol.base import Message
from tacit.public.protocol.messages import AnyMessage

KINDS = set(get_args(AnyMessage))


def test_every_message_is_on_the_owners_record_or_shows_nothing():
    assert RECORDED | WITHOUT_SECRETS == KINDS
    assert not RECORDED & WITHOUT_SECRETS


def test_every_message_is_audited_or_shows_nothing():
    assert set(TAKEN) | PASSED_OVER == KINDS
    assert not set(TAKEN) & PASSED_OVER


def test_what_is_on_no_record_is_not_sent(tmp_path):
    class Secret(Message, frozen=True, tag="secret"):
        what: str

    record = DisclosureRecord(tmp_path / "record.txt", "a")
    with pytest.raises(InternalError, match="'secret' is on no record"):
        record.sent("b", Secret("a", "this"))
