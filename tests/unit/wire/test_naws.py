"""Windows: columns and rows of four bytes (RFC 1073), and clients that forget to double an FF."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.wire import codes
from mushcombat.wire.naws import window
from mushcombat.wire.telnet import subnegotiation
from tests.unit.wire.peers import Server, will

START = b"\xff\xfa\x1f"
END = b"\xff\xf0"


@pytest.mark.parametrize(
    ("payload", "size"),
    [
        (b"\0\x50\0\x18", (80, 24)),
        (b"\0\xff\0\x18", (255, 24)),
        (b"\0\x05\0\x01", (20, 5)),
        (b"\xff\xff\xff\xff", (500, 500)),
        (b"\0\0\0\0", (0, 0)),
        (b"\0\0\0\x18", (0, 24)),
        (b"\xff\0\x18", (500, 24)),
        (b"\0\x50\0", None),
        (b"\0\x50", None),
        (b"", None),
        (b"\0\x50\0\x18\0", None),
    ],
)
def test_a_window_is_four_bytes_within_what_a_screen_can_be(
    payload: bytes, size: tuple[int, int] | None
) -> None:
    assert window(payload) == size


def seen(data: bytes) -> tuple[int, int, list[bytes]]:
    server = Server()
    server.hear(will(codes.NAWS) + data + b"look\r\n")
    return server.terminal.columns, server.terminal.rows, server.lines


@pytest.mark.parametrize(
    "data",
    [
        START + b"\0\xff\xff\0\x32" + END,  # doubled, as it should be
        START + b"\0\xff\0\x32" + END,  # not doubled
    ],
)
def test_255_columns_are_read_whether_the_ff_is_doubled_or_not(data: bytes) -> None:
    assert seen(data) == (255, 50, [b"look"])


@pytest.mark.parametrize("data", [START + b"\0\x50\0\xff\xff" + END, START + b"\0\x50\0\xff" + END])
def test_255_rows_are_read_whether_the_ff_is_doubled_or_not(data: bytes) -> None:
    assert seen(data) == (80, 255, [b"look"])


@given(st.integers(0, 65535), st.integers(0, 65535), st.booleans())
def test_any_size_is_read_with_its_ff_doubled(columns: int, rows: int, cut: bool) -> None:
    data = subnegotiation(codes.NAWS, columns.to_bytes(2, "big") + rows.to_bytes(2, "big"))
    server = Server()
    server.hear(will(codes.NAWS))
    for part in [data[i : i + 1] for i in range(len(data))] if cut else [data]:
        server.hear(part)
    server.hear(b"look\r\n")
    assert server.lines == [b"look"]
    assert server.terminal.columns == (min(max(columns, 20), 500) if columns else 0)
    assert server.terminal.rows == (min(max(rows, 5), 500) if rows else 0)
