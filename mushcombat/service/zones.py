"""Time zones: by the names that the world uses, `Europe/Berlin`."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from mushcombat.domain.text import clip
from mushcombat.errors import MushError

_NO_PLACE = frozenset({"Factory", "localtime", "posixrules"})


@lru_cache(maxsize=1)
def _zones() -> dict[str, str]:
    """Give all zones that this machine knows, by their names in small letters."""
    names = (available_timezones() - _NO_PLACE) | {"UTC"}
    return {name.casefold(): name for name in sorted(names)}


def read_zone(typed: str) -> str:
    """Give the name of a zone in its own letters; MushError, with an example, for none."""
    name = _zones().get(typed.casefold())
    if name is None:
        raise MushError(
            "zone", f'zone: "{clip(typed)}" is not one.', "Name a city: Europe/Berlin, or UTC."
        )
    return name


def in_zone(at: datetime, zone: str) -> datetime:
    """Give a time as clocks in a zone show it; in UTC if this machine does not know the zone."""
    place: tzinfo = UTC
    if zone != "UTC":
        try:
            place = ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError):
            place = UTC
    return at.astimezone(place)


def dated(at: datetime, zone: str) -> str:
    """Write a time with its date and zone: `2026-03-01 21:14 Europe/Berlin`."""
    return f"{in_zone(at, zone):%Y-%m-%d %H:%M} {zone}"


def clock_time(at: datetime, now: datetime, zone: str) -> str:
    """Write a time of today as 21:14, any other with its date."""
    here, today = in_zone(at, zone), in_zone(now, zone).date()
    return f"{here:%H:%M}" if here.date() == today else f"{here:%Y-%m-%d %H:%M}"
