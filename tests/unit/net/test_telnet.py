"""A telnet link with everything behind it but the network."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from twisted.internet.testing import StringTransport

from mushcombat.config import Config
from mushcombat.net.sockets import notice_dead_peers
from mushcombat.net.telnet import LINGER, QUIET, TelnetFactory, TelnetLink
from tests.unit.net.fakes import Table, password_of, quick_hashing

SCRIPT = bytes.fromhex("FFFD18 FFFD1F FFFB2A FFFB46 FFFBC9 FFFB19")
NOP = b"\xff\xf1"
KEEPALIVE = 90


class Transport(StringTransport):
    """Notes also what closes it."""

    cut = False

    def abortConnection(self) -> None:  # noqa: N802 -- Twisted's
        self.cut = True


def transport() -> Any:
    """Make one; Twisted's are zope's, which mypy does not read."""
    made: Any = Transport
    return made()


class Wire:
    """One link, its transport, and the factory that made it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.factory = TelnetFactory(table.game)
        self.factory.startFactory()
        self.transport = transport()
        self.link: TelnetLink = self.factory.buildProtocol(None)
        self.link.makeConnection(self.transport)  # type: ignore[no-untyped-call]

    @property
    def terminal(self) -> Any:
        return self.link._session.terminal

    def sent(self) -> bytes:
        """Give what was sent since this was last asked."""
        self.table.reactor.advance(0)
        data = bytes(self.transport.value())
        self.transport.clear()
        return data

    def hear(self, data: bytes) -> bytes:
        """Let bytes arrive, and give what they bring about."""
        self.link.dataReceived(data)
        return self.sent()

    def later(self, seconds: float) -> bytes:
        self.table.reactor.advance(seconds)
        return self.sent()


@pytest.fixture
def wire(table: Table) -> Wire:
    made = Wire(table)
    made.sent()
    return made


def test_options_go_before_the_banner_and_nothing_is_waited_for(table: Table) -> None:
    assert Wire(table).sent() == SCRIPT + b"Welcome.\r\n"


def test_a_silent_client_logs_in_without_another_odd_byte(wire: Wire) -> None:
    told = wire.hear(b"connect Ada " + password_of("Ada").encode() + b"\n")
    assert b"Connected as Ada." in told
    assert b"\xff" not in told + wire.later(QUIET) + wire.later(3600)


def test_what_the_client_tells_is_known_to_the_session(wire: Wire) -> None:
    wire.hear(b"\xff\xfb\x1f\xff\xfa\x1f\0\x64\0\x28\xff\xf0\xff\xfd\x19\xff\xfd\xc9")
    assert (wire.terminal.columns, wire.terminal.rows) == (100, 40)
    assert wire.terminal.telnet
    assert wire.terminal.marks_prompts
    assert wire.terminal.gmcp


def test_charset_is_asked_for_the_other_way_round_when_nothing_comes(wire: Wire) -> None:
    wire.hear(b"\xff\xfb\x1f")
    assert wire.later(QUIET - 0.1) == b""
    assert wire.later(0.1) == b"\xff\xfd\x2a"


def test_answers_are_in_the_characters_that_were_agreed_on(wire: Wire) -> None:
    wire.hear(b"connect Ada " + password_of("Ada").encode() + b"\r\n\xff\xfd\x2a")
    told = wire.hear(b"say \xc3\xa9\r\n\xff\xfa\x2a\x02ISO-8859-1\xff\xf0say \xc3\xa9\r\n")
    assert told == b'You say, "\xe9"\r\nYou say, "\xc3\xa9"\r\n', "the first was UTF-8 then"
    told = wire.hear(b"\xff\xfa\x2a\x02US-ASCII\xff\xf0say na\xefve\r\n")
    assert told == b'You say, "naive"\r\n'


def test_mtts_says_more_than_a_line_that_is_no_utf_8(wire: Wire) -> None:
    wire.hear(b"connect Ada " + password_of("Ada").encode() + b"\r\n\xff\xfb\x18")
    assert wire.hear(b"say \xe9\r\n") == b'You say, "\xe9"\r\n'
    wire.hear(b"\xff\xfa\x18\0MTTS 5\xff\xf0")
    assert wire.hear(b"say \xe9\r\n") == b'You say, "\xc3\xa9"\r\n'


def test_a_password_prompt_is_marked_after_its_text(wire: Wire) -> None:
    wire.hear(b"\xff\xfd\x19")
    assert wire.hear(b"connect Ada\r\n") == b"\xff\xfb\x01Password: \xff\xef"
    wire.hear(b"\xff\xfe\x19")
    wire.hear(b"wrong\r\n")
    assert wire.hear(b"connect Ada\r\n") == b"\xff\xfb\x01Password: "


def test_gmcp_is_sent_to_who_takes_it(wire: Wire) -> None:
    wire.link.send_gmcp(b"Core.Ping")
    assert wire.sent() == b""
    wire.hear(b"\xff\xfd\xc9")
    wire.link.send_gmcp(b"Core.Ping")
    assert wire.sent() == b"\xff\xfa\xc9Core.Ping\xff\xf0"


def test_gmcp_is_handed_to_the_session(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[bytes] = []
    monkeypatch.setattr(wire.link._session, "gmcp", heard.append)
    message = b"\xff\xfa\xc9Core.Ping\xff\xf0"
    assert wire.hear(message + b"\xff\xfd\xc9" + message) == b""
    assert heard == [b"Core.Ping"]


def test_a_quiet_telnet_link_is_kept_alive(wire: Wire) -> None:
    wire.hear(b"\xff\xfb\x63")
    wire.later(QUIET)
    nops = [wire.later(10) for _ in range(27)]
    assert nops.count(NOP) in (2, 3)
    assert set(nops) == {b"", NOP}


def test_a_link_that_is_used_is_not(wire: Wire) -> None:
    wire.hear(b"\xff\xfb\x63")
    told = b""
    for _ in range(20):
        told += wire.hear(b"WHO\r\n") + wire.later(KEEPALIVE - 15)
    assert NOP not in told


def test_nobody_is_kept_alive_who_does_not_want_it(wire: Wire) -> None:
    wire.hear(b"\xff\xfb\x63")
    wire.later(QUIET)
    wire.hear(b"set keepalive off\r\n")
    wire.later(QUIET)
    assert wire.later(3600) == b""


def test_keepalive_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(config=Config.model_validate({"server": {"keepalive": 0}}))
    quick_hashing(monkeypatch, table)
    wire = Wire(table)
    wire.hear(b"\xff\xfb\x63")
    wire.later(QUIET)
    assert wire.later(3600) == b""


def test_the_factory_ends_with_its_last_port(wire: Wire) -> None:
    wire.later(QUIET)
    wire.factory.stopFactory()
    assert wire.table.reactor.getDelayedCalls() == []


def test_a_link_that_is_lost_leaves_no_clock_running(wire: Wire) -> None:
    wire.link.connectionLost()
    wire.factory.stopFactory()
    assert wire.table.reactor.getDelayedCalls() == []
    assert not wire.factory.links


def test_who_does_not_read_the_last_lines_is_cut_off(wire: Wire) -> None:
    assert wire.hear(b"QUIT\r\n") == b"Goodbye.\r\n"
    assert wire.transport.disconnecting
    wire.later(LINGER - 1)
    cut_before = wire.transport.cut
    wire.later(1)
    assert (cut_before, wire.transport.cut) == (False, True)


def test_who_never_reads_is_cut_off_at_the_limit(wire: Wire) -> None:
    most, line = wire.table.game.config.limits.output, b"x" * 1024
    wire.transport.producer.pauseProducing()
    for _ in range(most // 1024):
        wire.link.send(line)
        wire.sent()
    cut_before = wire.transport.cut
    wire.link.send(line)
    wire.sent()
    assert (cut_before, wire.transport.cut) == (False, True)


def test_who_reads_now_and_then_is_not(wire: Wire) -> None:
    most = wire.table.game.config.limits.output
    for _ in range(5):
        wire.transport.producer.pauseProducing()
        wire.link.send(b"x" * most)
        wire.sent()
        wire.transport.producer.resumeProducing()
        assert len(wire.sent()) == most
    assert not wire.transport.cut


def test_who_comes_while_the_server_ends_is_told_nothing(table: Table) -> None:
    table.game.closing = True
    wire = Wire(table)
    assert wire.sent() == b""
    assert wire.transport.disconnecting


class Handle:
    """A transport with a socket, inside so many others."""

    def __init__(self, handle: socket.socket, depth: int = 0) -> None:
        if depth:
            self.wrappedProtocol = None
            self.transport = Handle(handle, depth - 1)
        else:
            self.getHandle = lambda: handle


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_the_kernel_notices_dead_peers_within_three_minutes(depth: int) -> None:
    with socket.socket() as made:
        notice_dead_peers(Handle(made, depth))
        assert made.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        options = [socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT]
        idle, interval, count = (made.getsockopt(socket.IPPROTO_TCP, o) for o in options)
        assert (idle, interval, count) == (60, 20, 4)
        assert made.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 140_000


def test_a_unix_socket_and_no_socket_at_all_are_left_alone() -> None:
    notice_dead_peers(transport())
    with socket.socket(socket.AF_UNIX) as made:
        notice_dead_peers(Handle(made))
        assert made.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 0
