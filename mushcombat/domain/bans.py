"""Bans: whom staff keep out, by player, address or network, for how long and why."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Protocol

from mushcombat.errors import MushError
from mushcombat.records import record

Network = IPv4Network | IPv6Network

LONGEST_DAYS = 3650
"""The longest ban with an end, in days; one without an end is typed without a time."""

_SPAN = re.compile(r"([0-9]+) ?(d|days?|h|hours?)", re.IGNORECASE)
_MOST_DIGITS = 7
"""Of a number of hours or days that timedelta takes; longer ones are too long anyway."""


@record(frozen=True, slots=True)
class Ban:
    """One ban. `target` is an address, a network in CIDR, or a player's name.

    `subject` is the player's character, None for addresses. `until` is None for ever.
    """

    target: str
    subject: int | None
    reason: str
    by: str
    since: datetime
    until: datetime | None = None

    def holds(self, now: datetime) -> bool:
        """Tell whether it keeps anybody out still: at its end it does so no longer."""
        return self.until is None or now < self.until


class BanReads(Protocol):
    """What a store tells of bans."""

    def bans(self) -> list[Ban]:
        """Give all bans, those that have run out too, by target."""
        ...


class BanWrites(BanReads, Protocol):
    """What a store notes of bans."""

    def ban(self, ban: Ban) -> None:
        """Keep a ban, in place of an older one of the same target."""
        ...

    def lift_ban(self, target: str) -> bool:
        """Forget a ban; tells whether there was one."""
        ...


def network(text: str) -> Network | None:
    """Read an address or a network in CIDR; None is something else. Host bits are cut off.

    An IPv4 address written as IPv6 (::ffff:192.0.2.1) is the IPv4 address.
    """
    try:
        if "/" not in text:
            return ip_network(_plain(text))
        return ip_network(text, strict=False)
    except ValueError:
        return None


def _plain(text: str) -> str:
    address = ip_address(text)
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(mapped or address.compressed.partition("%")[0])


def covers(target: str, address: str) -> bool:
    """Tell whether an address lies in a network; a UNIX socket's "local" lies in none."""
    wide, narrow = network(target), network(address)
    if wide is None or narrow is None or wide.version != narrow.version:
        return False
    return narrow.network_address in wide and narrow.prefixlen >= wide.prefixlen


def span(text: str) -> timedelta | None:
    """Read `3 days`, `12h`; None is something else. MushError for nothing, or for too long."""
    found = _SPAN.fullmatch(text.strip())
    if found is None:
        return None
    unit = "days" if found[2][0] in "dD" else "hours"
    digits = found[1].lstrip("0")
    length = timedelta(**{unit: int(digits or "0")}) if len(digits) <= _MOST_DIGITS else None
    if length is None or not timedelta() < length <= timedelta(days=LONGEST_DAYS):
        problem = f"A ban lasts 1 hour to {LONGEST_DAYS} days."
        raise MushError("ban", problem, "For one without an end, leave the time out.")
    return length


class BanList:
    """The bans that hold, as the server's picture of them."""

    def __init__(self) -> None:
        self._bans: dict[str, Ban] = {}

    def load(self, bans: Iterable[Ban]) -> None:
        """Take in what the database holds at the start."""
        self._bans = {ban.target: ban for ban in bans}

    def put(self, ban: Ban) -> None:
        """Add a ban, or change the one of the same target."""
        self._bans[ban.target] = ban

    def lift(self, target: str) -> None:
        """Take a ban away."""
        self._bans.pop(target, None)

    def of_address(self, address: str, now: datetime) -> Ban | None:
        """Give a ban that keeps an address out."""
        about = (ban for ban in self._bans.values() if ban.subject is None and ban.holds(now))
        return next((ban for ban in about if covers(ban.target, address)), None)

    def of_player(self, character: int, now: datetime) -> Ban | None:
        """Give a ban that keeps a player out, whatever they are called now."""
        about = (ban for ban in self._bans.values() if ban.subject == character)
        return next((ban for ban in about if ban.holds(now)), None)
