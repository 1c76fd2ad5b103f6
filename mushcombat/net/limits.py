"""What one connection, one address and all of them together may use.

Nothing here reads a clock: `now` is in seconds of one that never goes back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from ipaddress import ip_address, ip_network

from mushcombat.config import Limits
from mushcombat.domain.bans import Ban, BanList
from mushcombat.records import record

REMEMBERED = 10_000
"""Addresses without a connection whose counts are kept at most."""

LOCAL = "local"
"""What a UNIX socket's peers are called: they share no address, and no limit of one."""


class Bucket:
    """A burst that is free, then a rate; more can be taken than it holds, and is owed then."""

    __slots__ = ("_at", "_burst", "_level", "_rate")

    def __init__(self, burst: float, rate: float) -> None:
        """`rate` is what comes back a second; 0 sets no limit."""
        self._burst = max(burst, rate)
        self._rate = rate
        self._level = self._burst
        self._at = 0.0

    def take(self, amount: float, now: float) -> float:
        """Take so much; gives the seconds until nothing is owed any more, 0 when nothing is."""
        if not self._rate:
            return 0.0
        level = min(self._burst, self._level + (now - self._at) * self._rate) - amount
        self._level, self._at = level, now
        return -level / self._rate if level < 0 else 0.0

    def has(self, amount: float, now: float) -> bool:
        """Tell whether it holds so much."""
        self._refill(now)
        return not self._rate or self._level >= amount

    def until(self, owed: float, now: float) -> float:
        """Give the seconds until no more than so much is owed, 0 when that is so already."""
        self._refill(now)
        return max(0.0, (-self._level - owed) / self._rate) if self._rate else 0.0

    def _refill(self, now: float) -> None:
        self._level = min(self._burst, self._level + (now - self._at) * self._rate)
        self._at = now


@record(frozen=True, slots=True)
class Meter:
    """How many lines and bytes come in from somewhere."""

    lines: Bucket
    size: Bucket

    def take(self, lines: int, size: int, now: float) -> float:
        """Count what came; gives the seconds for which nothing more should be read."""
        by_lines, by_size = self.lines.take(lines, now), self.size.take(size, now)
        return by_lines if by_lines > by_size else by_size


@dataclass(slots=True)
class Site:
    """One address: how many connections it has, how fast new ones come, and what they send."""

    arrivals: Bucket
    meter: Meter
    count: int = 0


def site_of(address: str) -> str:
    """Give what counts as one address: all that one customer of a provider may have."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if ip.version == 4:
        return str(ip)
    return str(ip.ipv4_mapped or ip_network(f"{ip.compressed}/64", strict=False))


def banned(ban: Ban) -> str:
    """Write to somebody whom a ban keeps out."""
    end = f" until {ban.until:%Y-%m-%d %H:%M} UTC" if ban.until else ""
    why = f": {ban.reason}" if ban.reason else "."
    return f"You are banned here{end}{why}"


Enter = Callable[[str], str | None]
"""Lets a connection of an address in, or gives the one line that says why not."""


@dataclass(slots=True)
class Gate:
    """Lets connections in, and knows how many there are, and how many it did not let in."""

    limits: Limits
    bans: BanList
    seconds: Callable[[], float]
    clock: Callable[[], datetime]
    count: int = 0
    refused: int = 0
    _sites: dict[str, Site] = field(default_factory=dict)

    def enter(self, address: str) -> str | None:
        """Let a connection in, or give the one line that says why not; either is counted."""
        refusal = self.knock(address)
        self.refused += refusal is not None
        return refusal

    def knock(self, address: str) -> str | None:
        """Do as `enter`, but leave it to the caller to count in `refused` who is not let in."""
        refusal = self._refusal(address)
        if refusal is None:
            self.count += 1
            self.site(address).count += 1
        return refusal

    def leave(self, address: str) -> None:
        """Count a connection out that was let in."""
        self.count -= 1
        self.site(address).count -= 1

    def meter(self) -> Meter:
        """Make what counts the lines and bytes of one connection."""
        mine = self.limits
        return Meter(Bucket(mine.lines_burst, mine.lines), Bucket(mine.bytes_burst, mine.bytes))

    def site(self, address: str) -> Site:
        """Give the counts of an address."""
        key = site_of(address)
        found = self._sites.get(key)
        if found is None:
            self._forget()
            found = self._sites[key] = self._new_site(key)
        return found

    def _new_site(self, key: str) -> Site:
        mine = self.limits
        free = key == LOCAL
        arrivals = Bucket(mine.new_per_minute, 0 if free else mine.new_per_minute / 60)
        lines = Bucket(2 * mine.address_lines, 0 if free else mine.address_lines)
        size = Bucket(2 * mine.address_bytes, 0 if free else mine.address_bytes)
        return Site(arrivals, Meter(lines, size))

    def _refusal(self, address: str) -> str | None:
        ban = self.bans.of_address(address, self.clock())
        if ban:
            return banned(ban)
        mine, site = self.limits, self.site(address)
        if mine.connections and self.count >= mine.connections:
            return f"The server is full: {mine.connections} are connected. Try again later."
        if mine.per_address and site_of(address) != LOCAL and site.count >= mine.per_address:
            many = mine.per_address
            return f"{many} connections come from your address already: close one first."
        now = self.seconds()
        if not site.arrivals.has(1, now):
            return "Too many new connections come from your address. Wait a minute."
        site.arrivals.take(1, now)
        return None

    def _forget(self) -> None:
        """Make room for another address, when too many are known, by those without connections."""
        if len(self._sites) < REMEMBERED:
            return
        gone = [key for key, site in self._sites.items() if not site.count]
        for key in gone[: max(1, len(gone) // 2)]:
            del self._sites[key]


@dataclass(slots=True)
class Doorstep:
    """Counts connections that have yet to say who they are: by a TLS handshake or a PROXY header.

    They take room as those do that were let in, but are told nothing: there is no way to yet.
    """

    gate: Gate
    count: int = 0
    _sites: Counter[str] = field(default_factory=Counter)

    def enter(self, address: str, *, trusted: bool) -> bool:
        """Count one, and tell whether there is room; `trusted`: it may be a proxy, for many."""
        if not self._has_room(address, trusted=trusted):
            self.gate.refused += 1
            return False
        self.count += 1
        self._sites[site_of(address)] += 1
        return True

    def _has_room(self, address: str, *, trusted: bool) -> bool:
        limits = self.gate.limits
        if limits.connections and self.count + self.gate.count >= limits.connections:
            return False
        here = self._sites[site_of(address)] + self.gate.site(address).count
        return trusted or not limits.per_address or here < limits.per_address

    def leave(self, address: str) -> None:
        """Count one out that there was room for."""
        self.count -= 1
        key = site_of(address)
        self._sites[key] -= 1
        if not self._sites[key]:
            del self._sites[key]
