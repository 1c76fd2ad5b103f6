from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.task import Clock

from mushcombat.config import Limits
from mushcombat.domain.bans import Ban, BanList
from mushcombat.net import limits as module
from mushcombat.net.limits import LOCAL, Bucket, Doorstep, Gate, site_of

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
HOME, OTHER = "192.0.2.7", "192.0.2.8"


def gate(clock: Clock | None = None, **set_: Any) -> Gate:
    clock = clock or Clock()
    return Gate(Limits(**set_), BanList(), clock.seconds, lambda: NOW)


def test_a_burst_is_free_and_then_the_rate_decides() -> None:
    bucket = Bucket(10, 2)
    assert bucket.take(10, now=0.0) == 0
    assert bucket.take(4, now=0.0) == 2
    assert bucket.take(0, now=1.0) == 1
    assert bucket.take(0, now=2.0) == 0


def test_what_is_owed_is_paid_before_anything_is_free_again() -> None:
    bucket = Bucket(10, 1)
    assert bucket.take(30, now=0.0) == 20
    assert not bucket.has(1, now=20.0)
    assert bucket.has(1, now=21.0)
    assert bucket.take(10, now=1000.0) == 0
    assert bucket.take(1, now=1000.0) == 1


@given(st.lists(st.tuples(st.integers(0, 50), st.floats(0, 5))), st.integers(1, 30))
def test_no_more_comes_through_than_the_burst_and_the_rate(
    taken: list[tuple[int, float]], rate: int
) -> None:
    """Whoever waits as long as they are told to never has more than burst, rate and one packet."""
    bucket, now, through = Bucket(20, rate), 0.0, 0
    burst = max(20, rate)
    for amount, pause in taken:
        assert through <= burst + now * rate + 1e-6
        now += bucket.take(amount, now) + pause
        through += amount


def test_a_rate_of_0_sets_no_limit() -> None:
    bucket = Bucket(0, 0)
    assert bucket.take(10**9, now=0.0) == 0
    assert bucket.has(10**9, now=0.0)


@pytest.mark.parametrize(
    ("address", "site"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("local", "local"),
    ],
)
def test_of_ipv6_the_first_64_bits_are_an_address(address: str, site: str) -> None:
    assert site_of(address) == site


def test_all_together_have_a_limit_and_a_polite_refusal() -> None:
    door = gate(connections=2)
    assert [door.enter(HOME), door.enter(OTHER)] == [None, None]
    assert door.enter("192.0.2.9") == "The server is full: 2 are connected. Try again later."
    door.leave(HOME)
    assert door.enter("192.0.2.9") is None
    assert (door.count, door.refused) == (2, 1)


def test_one_address_has_a_limit_and_others_go_on() -> None:
    door = gate(per_address=1)
    assert door.enter(HOME) is None
    assert door.enter(HOME) == "1 connections come from your address already: close one first."
    assert door.enter(OTHER) is None
    door.leave(HOME)
    assert door.enter(HOME) is None


def test_new_connections_from_one_address_have_a_rate() -> None:
    clock = Clock()
    door = gate(clock, new_per_minute=60)
    for _ in range(60):
        assert door.enter(HOME) is None
        door.leave(HOME)
    refusal = "Too many new connections come from your address. Wait a minute."
    assert door.enter(HOME) == refusal
    assert door.enter(OTHER) is None
    clock.advance(1)
    assert door.enter(HOME) is None
    assert door.enter(HOME) == refusal


def test_peers_of_a_unix_socket_share_no_limit_of_an_address() -> None:
    door = gate(per_address=1, new_per_minute=1)
    assert [door.enter(LOCAL) for _ in range(5)] == [None] * 5


def test_every_limit_is_off_with_0() -> None:
    off = gate(
        connections=0, per_address=0, new_per_minute=0, lines=0, bytes=0, address_lines=0,
        address_bytes=0,
    )  # fmt: skip
    assert [off.enter(HOME) for _ in range(5000)] == [None] * 5000
    assert off.meter().take(10**6, 10**9, 0.0) == 0
    assert off.site(HOME).meter.take(10**6, 10**9, 0.0) == 0


def test_the_defaults_let_1000_connections_of_one_address_in() -> None:
    door = gate()
    assert [door.enter("127.0.0.1") for _ in range(1200)] == [None] * 1200


def test_the_defaults_take_2000_pasted_lines_at_once() -> None:
    assert gate().meter().take(2000, 2000 * 200, 0.0) == 0


def test_a_banned_address_is_told_until_when_and_why() -> None:
    door = gate()
    door.bans.put(Ban("192.0.2.0/24", None, "floods", "Rhea", NOW, NOW + timedelta(hours=2)))
    told = "You are banned here until 2026-03-01 14:00 UTC: floods"
    assert door.enter(HOME) == told
    assert door.enter("198.51.100.1") is None
    door.bans.put(Ban("198.51.100.1", None, "", "Rhea", NOW))
    assert door.enter("198.51.100.1") == "You are banned here."


def test_who_is_within_leaves_so_much_less_room_for_those_who_wait() -> None:
    door = gate(connections=3, per_address=2)
    step = Doorstep(door)
    assert door.enter(HOME) is None
    assert [step.enter(HOME, trusted=False) for _ in range(2)] == [True, False]
    assert step.enter(HOME, trusted=True)
    assert not step.enter(OTHER, trusted=True)
    door.leave(HOME)
    assert step.enter(OTHER, trusted=False)
    for address in (HOME, HOME, OTHER):
        step.leave(address)
    assert (step.count, step._sites, door.refused) == (0, {}, 2)


def test_who_waits_has_no_limit_either_where_there_is_none() -> None:
    step = Doorstep(gate(connections=0, per_address=0))
    assert all(step.enter(HOME, trusted=False) for _ in range(9000))


def test_addresses_without_connections_are_forgotten_when_there_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "REMEMBERED", 10)
    door = gate()
    door.enter(HOME)
    for number in range(1000):
        address = f"198.51.{number // 250}.{number % 250}"
        door.enter(address)
        door.leave(address)
        assert len(door._sites) <= 11
    assert door.site(HOME).count == 1
