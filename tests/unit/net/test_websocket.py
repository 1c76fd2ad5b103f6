"""A WebSocket's clocks and ends, on a clock that a test moves; its messages are tried over TCP."""

from __future__ import annotations

from typing import Any

import pytest
from twisted.internet.protocol import connectionDone
from twisted.internet.task import Clock
from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Event,
    Ping,
    Pong,
    Request,
    TextMessage,
)

from mushcombat.net.websocket import CLOSE_SECONDS, PING_SECONDS, WebSocket
from tests.unit.net.pipes import Pipe


class Ground:
    """A link, of which only its end is noted."""

    lost = 0

    def makeConnection(self, transport: Any) -> None:
        self.transport = transport

    def connectionLost(self, reason: Any) -> None:
        self.lost += 1


class Ends:
    """Both ends of a WebSocket that is open."""

    def __init__(self, *, going: bool = False, code: int = 0) -> None:
        self.client = WSConnection(ConnectionType.CLIENT)
        server = WSConnection(ConnectionType.SERVER)
        server.receive_data(self.client.send(Request(host="x", target="/")))
        list(server.events())
        self.client.receive_data(server.send(AcceptConnection()))
        list(self.client.events())
        self.pipe, self.clock, self.link = Pipe(), Clock(), Ground()
        self.socket = WebSocket(server, self.pipe, self.clock, lambda: going)
        self.messages: list[tuple[bytes, bool]] = []
        self.code = code
        self.socket.carry(self.link, self.take)

    def take(self, data: bytes, text: bool) -> int:
        self.messages.append((data, text))
        return self.code

    def send(self, *events: Event) -> None:
        self.socket.received(b"".join(self.client.send(event) for event in events))

    def heard(self) -> list[Event]:
        self.client.receive_data(self.pipe.take())
        return list(self.client.events())

    def codes(self) -> list[int]:
        return [int(e.code) for e in self.heard() if isinstance(e, CloseConnection)]


def test_messages_go_both_ways() -> None:
    ends = Ends()
    ends.send(BytesMessage(data=b"look"), TextMessage(data="Core.Ping"))
    assert ends.messages == [(b"look", False), (b"Core.Ping", True)]
    ends.socket.write(b"")
    ends.socket.write(b"A hall.")
    ends.socket.send_text("Ä".encode())
    assert [event.data for event in ends.heard() if hasattr(event, "data")] == [b"A hall.", "Ä"]


def test_a_quiet_peer_is_asked_and_one_that_does_not_answer_is_cut_off() -> None:
    ends = Ends()
    ends.clock.advance(PING_SECONDS)
    assert [type(event) for event in ends.heard()] == [Ping]
    ends.send(Pong())
    ends.clock.advance(PING_SECONDS)
    assert [type(event) for event in ends.heard()] == [Ping]
    assert ends.pipe.done == []
    ends.clock.advance(PING_SECONDS)
    assert ends.pipe.done == ["abort"]
    assert ends.clock.getDelayedCalls() == []


def test_our_close_waits_for_theirs() -> None:
    ends = Ends()
    ends.socket.loseConnection()
    ends.socket.loseConnection()
    ends.socket.write(b"too late")
    ends.socket.send_text(b"too late")
    ends.socket.pauseProducing()
    (close,) = ends.heard()
    assert isinstance(close, CloseConnection)
    assert close.code == 1000
    ends.send(close.response())
    assert ends.pipe.done == ["resume", "lose"]
    ends.clock.advance(CLOSE_SECONDS)
    assert ends.pipe.done == ["resume", "lose", "abort"]


def test_our_close_does_not_wait_for_ever() -> None:
    ends = Ends()
    ends.socket.loseConnection()
    ends.socket.received(ends.client.send(BytesMessage(data=b"x")) + ends.client.send(Ping()))
    assert ends.messages == []
    ends.clock.advance(CLOSE_SECONDS)
    assert ends.pipe.done == ["resume", "lose"]


def test_a_server_that_ends_says_that_it_goes_away() -> None:
    ends = Ends(going=True)
    ends.socket.loseConnection()
    assert ends.codes() == [1001]


def test_their_close_is_answered_and_nothing_is_taken_after_it() -> None:
    ends = Ends()
    ends.send(CloseConnection(code=1000))
    assert ends.codes() == [1000]
    ends.socket.received(b"\x82\x80" + bytes(4))
    ends.socket.write(b"x")
    ends.socket.loseConnection()
    assert (ends.pipe.done, ends.pipe.sent, ends.messages) == (["lose"], b"", [])


def test_a_message_that_is_not_taken_ends_the_connection() -> None:
    ends = Ends(code=1003)
    ends.send(BytesMessage(data=b"a"), BytesMessage(data=b"b"))
    assert (ends.messages, ends.codes()) == ([(b"a", False)], [1003])


@pytest.mark.parametrize("paused", [True, False])
def test_reading_stops_and_goes_on(paused: bool) -> None:
    ends = Ends()
    (ends.socket.pauseProducing if paused else ends.socket.resumeProducing)()
    assert ends.pipe.done == ["pause" if paused else "resume"]


def test_a_slow_reader_is_the_links_to_know_of() -> None:
    ends = Ends()
    ends.socket.registerProducer(self_ := object(), True)
    assert ends.pipe.producer is self_
    ends.socket.unregisterProducer()
    assert ends.pipe.producer is None
    assert ends.socket.getPeer().host == "127.0.0.1"


def test_a_link_is_told_of_the_end_once_and_no_clock_runs_on() -> None:
    ends = Ends()
    ends.socket.lost(connectionDone)
    assert ends.link.lost == 1
    assert ends.clock.getDelayedCalls() == []
