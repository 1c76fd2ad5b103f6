"""Our codec against telnetlib3's, which has nothing in common with it but the RFCs."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from telnetlib3.stream_writer import TelnetWriter

from mushcombat.wire import codes
from mushcombat.wire.telnet import Line, Telnet, escape, subnegotiation
from tests.unit.wire.peers import Server, will


class Transport:
    """What telnetlib3 writes to."""

    def __init__(self) -> None:
        self.sent = b""

    def write(self, data: bytes) -> None:
        self.sent += data

    def is_closing(self) -> bool:
        return False

    def get_extra_info(self, name: str, default: object = None) -> object:
        return default


class Other:
    """A server by telnetlib3."""

    def __init__(self) -> None:
        transport: Any = Transport()
        self.writer = TelnetWriter(transport, self, server=True)
        self.windows: list[tuple[int, int]] = []
        self.writer.set_ext_callback(codes.NAWS.to_bytes(), self._window)

    def _window(self, rows: int, columns: int) -> None:
        self.windows.append((columns, rows))

    def text(self, data: bytes) -> bytes:
        """Take bytes; give those that are no telnet."""
        return b"".join(
            data[i : i + 1] for i in range(len(data)) if self.writer.feed_byte(data[i : i + 1])
        )


_options = st.sampled_from([codes.ECHO, codes.TTYPE, codes.NAWS, codes.CHARSET, codes.EOR, 99])
_pieces = st.one_of(
    st.binary(max_size=8).map(lambda data: escape(data.translate(None, b"\0\r"))),
    st.sampled_from([b"\n", b"look\n", b"\xff\xf1", b"\xff\xf9"]),
    st.builds(
        lambda command, option: bytes((codes.IAC, command, option)),
        st.sampled_from([codes.WONT, codes.DONT]),
        _options,
    ),
    st.sampled_from([b"Core.Ping", b"A.B {}", b'A "\xff\xf0"']).map(
        lambda said: subnegotiation(codes.GMCP, said)
    ),
)
well_formed = st.lists(_pieces, max_size=30).map(b"".join)


@settings(max_examples=300, deadline=None)
@given(well_formed)
def test_the_text_between_telnets_own_bytes_is_the_same(data: bytes) -> None:
    ours = [token.raw for token in Telnet().receive(data + b"\n") if isinstance(token, Line)]
    theirs = Other().text(data + b"\n")
    assert ours == theirs.split(b"\n")[:-1]


@settings(deadline=None)
@given(st.integers(20, 500), st.integers(5, 500))
def test_a_window_is_of_the_same_size(columns: int, rows: int) -> None:
    size = columns.to_bytes(2, "big") + rows.to_bytes(2, "big")
    data = will(codes.NAWS) + subnegotiation(codes.NAWS, size)
    other, ours = Other(), Server()
    other.writer.iac(codes.DO.to_bytes(), codes.NAWS.to_bytes())
    other.text(data)
    ours.hear(data)
    assert other.windows == [(ours.terminal.columns, ours.terminal.rows)] == [(columns, rows)]
