"""The size of the client's window (NAWS, RFC 1073)."""

from __future__ import annotations

from typing import Final

COLUMNS: Final = (20, 500)
ROWS: Final = (5, 500)
"""The narrowest and the widest that is believed."""


def window(payload: bytes) -> tuple[int, int] | None:
    """Read columns and rows, 0 for one that the client does not tell; None if it is no size.

    Sizes beyond what a screen can be are brought to the nearest that is believed. Some clients
    don't double an FF: two of them in a row then came as one, so three bytes do if one is FF.
    """
    if len(payload) == 3 and b"\xff" in payload:
        payload = payload.replace(b"\xff", b"\xff\xff", 1)
    if len(payload) != 4:
        return None
    columns = int.from_bytes(payload[:2], "big")
    rows = int.from_bytes(payload[2:], "big")
    return _clamp(columns, *COLUMNS), _clamp(rows, *ROWS)


def _clamp(told: int, least: int, most: int) -> int:
    return min(max(told, least), most) if told else 0
