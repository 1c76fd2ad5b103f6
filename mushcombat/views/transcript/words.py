"""Text of a log on its way to a file: nothing in it can steer a terminal or turn a page round."""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

HARMFUL = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f"  # C0 but the line feed, DEL, C1
    "\u00ad\u180e\u200b\u2060-\u206f\ufeff"  # what shows nothing: it could break a tag up
    "\u061c\u200e\u200f\u202a-\u202e"  # bidi marks, embeddings and overrides
    "\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufff9-\ufffb"  # separators, surrogates, annotation
    "\U000e0000-\U000e00ff"  # tags
    + "".join(f"{chr(p + 0xFFFE)}{chr(p + 0xFFFF)}" for p in range(0, 0x110000, 0x10000))
    + "]"
)
"""What the telnet side takes out of every typed line; a log from elsewhere may hold it."""


def printable(text: str) -> str:
    """Give text whose control characters are shown as pictures (ESC as U+241B), others as U+FFFD.

    A tab is four spaces. Line feeds stay, and joiners, which several scripts need.
    """
    return HARMFUL.sub(_picture, text)


def _picture(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code == 0x09:
        return "    "
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"


def zone_of(name: str) -> tzinfo:
    """Give a time zone by its name; UTC if there is none of that name here."""
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (OSError, ValueError):  # not there, a folder of zones, or no name of one
        return UTC
    except KeyError:  # ZoneInfoNotFoundError is one
        return UTC


def zone_label(at: datetime, zone: tzinfo) -> str:
    """Name a zone as it is at a time: `Europe/Berlin, UTC+01:00`, or `UTC`."""
    return "UTC" if zone is UTC else f"{zone}, {offset_label(at, zone)}"


def offset_label(at: datetime, zone: tzinfo) -> str:
    """Write how far a zone's clocks are from UTC at a time: `UTC+01:00`."""
    offset = f"{at.astimezone(zone):%z}"
    return f"UTC{offset[:3]}:{offset[3:]}"
