from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.bans import LONGEST_DAYS, Ban, BanList, covers, network, span
from mushcombat.errors import MushError

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


def ban(target: str, subject: int | None = None, until: datetime | None = None) -> Ban:
    return Ban(target, subject, "", "Rhea", NOW, until)


def test_a_ban_holds_until_its_end_and_no_longer() -> None:
    assert ban("192.0.2.7").holds(NOW + timedelta(days=9999))
    ending = ban("192.0.2.7", until=NOW + HOUR)
    assert ending.holds(NOW + HOUR - timedelta(microseconds=1))
    assert not ending.holds(NOW + HOUR)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("192.0.2.7", "192.0.2.7/32"),
        ("192.0.2.7/24", "192.0.2.0/24"),
        ("2001:DB8::1", "2001:db8::1/128"),
        ("2001:db8::1/48", "2001:db8::/48"),
        ("::ffff:192.0.2.7", "192.0.2.7/32"),
        ("fe80::1%eth0", "fe80::1/128"),
    ],
)
def test_addresses_and_networks_are_read(typed: str, read: str) -> None:
    assert str(network(typed)) == read


@pytest.mark.parametrize("typed", ["Bram", "local", "192.0.2", "192.0.2.7/33", "::/-1", "", "1"])
def test_what_is_no_address_is_something_else(typed: str) -> None:
    assert network(typed) is None


@given(st.text(max_size=60))
def test_whatever_is_typed_is_a_network_or_none(text: str) -> None:
    found = network(text)
    assert found is None or network(str(found)) == found


@pytest.mark.parametrize(
    ("target", "address", "inside"),
    [
        ("192.0.2.0/24", "192.0.2.200", True),
        ("192.0.2.0/24", "::ffff:192.0.2.200", True),
        ("192.0.2.0/24", "192.0.3.1", False),
        ("192.0.2.7", "192.0.2.7", True),
        ("192.0.2.7", "192.0.2.0/24", False),
        ("2001:db8::/32", "2001:db8:5::1", True),
        ("2001:db8::/32", "192.0.2.7", False),
        ("192.0.2.7", "local", False),
        ("Bram", "192.0.2.7", False),
    ],
)
def test_a_network_covers_the_addresses_in_it(target: str, address: str, inside: bool) -> None:
    assert covers(target, address) is inside


@given(st.ip_addresses())
def test_every_address_is_covered_by_itself(address: object) -> None:
    assert covers(str(address), str(address))


@pytest.mark.parametrize(
    ("typed", "length"),
    [
        ("3d", timedelta(days=3)),
        ("1 day", timedelta(days=1)),
        ("12 Hours", timedelta(hours=12)),
        ("1h", HOUR),
        ("0000000001h", HOUR),
        (f"{LONGEST_DAYS}d", timedelta(days=LONGEST_DAYS)),
        ("3", None),
        ("three days", None),
        ("spamming", None),
        ("", None),
    ],
)
def test_days_and_hours_are_a_time_and_nothing_else_is(typed: str, length: object) -> None:
    assert span(typed) == length


@pytest.mark.parametrize(
    "typed",
    [
        "0d",
        "0 hours",
        f"{LONGEST_DAYS + 1}d",
        "99999 days",
        "999999d",
        "1000000h",
        "9" * 4000 + "d",
    ],
)
def test_no_time_and_too_long_a_time_are_refused(typed: str) -> None:
    with pytest.raises(MushError, match="leave the time out"):
        span(typed)


def test_the_list_finds_the_ban_of_an_address_or_a_player() -> None:
    bans = BanList()
    bans.load([ban("192.0.2.0/24"), ban("Bram", 12)])
    assert bans.of_address("192.0.2.9", NOW) == ban("192.0.2.0/24")
    assert bans.of_address("192.0.3.9", NOW) is None
    assert bans.of_player(12, NOW) == ban("Bram", 12)
    assert bans.of_player(11, NOW) is None
    bans.lift("192.0.2.0/24")
    bans.lift("nobody")
    assert bans.of_address("192.0.2.9", NOW) is None


def test_a_ban_that_has_run_out_keeps_nobody_out() -> None:
    bans = BanList()
    bans.put(ban("192.0.2.7", until=NOW + HOUR))
    bans.put(ban("Bram", 12, NOW + HOUR))
    later = NOW + HOUR
    assert bans.of_address("192.0.2.7", NOW)
    assert bans.of_player(12, NOW)
    assert bans.of_address("192.0.2.7", later) is None
    assert bans.of_player(12, later) is None
