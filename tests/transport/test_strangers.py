"""Places at the door, and lines in the log: what strangers may cost."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tacit.safety import DoorLimits
from tacit.transport.strangers import Guest, Lobby, SparingLog, network_of

FEW = DoorLimits(per_address=3, waiting=5, log_lines=2, log_seconds=60.0)


@dataclass
class Stream:
    """One that has come so far."""

    progress: int


def enter(lobby: Lobby, address: str, progress: int = 0) -> Guest:
    guest, _ = lobby.enter(address)
    guest.stream = Stream(progress)
    return guest


def sent_away(guests: list[Guest]) -> list[int]:
    return [at for at, guest in enumerate(guests) if guest.is_sent_away]


def test_the_oldest_of_an_address_goes_for_the_newest():
    lobby = Lobby(FEW)
    other = enter(lobby, "10.0.0.2")
    guests = [enter(lobby, "10.0.0.1") for _ in range(5)]
    assert sent_away(guests) == [0, 1]
    assert not other.is_sent_away
    assert len(lobby) == 4


def test_who_has_come_further_stays():
    lobby = Lobby(FEW)
    peer = enter(lobby, "10.0.0.1", 1)
    known = enter(lobby, "10.0.0.1", 2)
    silent = [enter(lobby, "10.0.0.1") for _ in range(20)]
    assert sent_away([peer, known]) == []
    assert sent_away(silent) == list(range(19))
    talkers = [enter(lobby, "10.0.0.1", 1) for _ in range(2)]
    assert sent_away([*silent, peer, *talkers]) == [*range(20), 20]


def test_together_they_have_some_places_and_the_largest_crowd_gives_way():
    lobby = Lobby(FEW)
    crowd = [enter(lobby, "10.0.0.1") for _ in range(3)]
    others = [enter(lobby, f"10.0.1.{n}", progress=1) for n in range(4)]
    assert sent_away(crowd) == [0, 1], "until no address has more than another"
    assert sent_away(others) == []
    assert len(lobby) == FEW.waiting
    enter(lobby, "10.0.2.1")
    assert sent_away([*crowd, *others]) == [0, 1, 2], "then whoever has come least far"


def test_who_has_left_takes_no_place():
    lobby = Lobby(FEW)
    for _ in range(20):
        guest, is_crowded = lobby.enter("10.0.0.1")
        assert not is_crowded
        lobby.leave(guest)
        lobby.leave(guest)
    assert len(lobby) == 0


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("10.0.0.1", "10.0.0.1", True),
        ("10.0.0.1", "10.0.0.2", False),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
    ],
)
def test_what_one_host_can_call_from(one, other, is_same):
    assert (network_of(one) == network_of(other)) == is_same


def test_lines_are_counted_that_are_not_logged():
    now, lines = [0.0], []
    log = SparingLog(lines.append, FEW, lambda: now[0])
    for at in range(1000):
        log(f"line {at}")
    assert lines == ["line 0", "line 1"]
    log.catch_up()
    assert len(lines) == 2
    now[0] = 60.0
    log.catch_up()
    assert lines[2:] == ["left out: 998 more lines about strangers"]
    log("another")
    log("more")
    log("and more")
    log.catch_up(is_end=True)
    log.catch_up(is_end=True)
    assert lines[3:] == ["another", "more", "left out: 1 more line about strangers"]
