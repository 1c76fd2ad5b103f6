"""Answers over real sockets: what the kernel drops, no pipe in memory shows."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from twisted.internet.selectreactor import SelectReactor

from mushcombat.net.http import ANSWER_SECONDS, REQUEST_SECONDS
from mushcombat.net.telnet import TelnetFactory
from mushcombat.net.web import WebFactory
from tests.unit.net.fakes import Table

PATIENCE = 30.0
"""Seconds to wait for what the kernel does at once."""


class Loopback:
    """A web port on this machine, whose clocks are moved by the test."""

    def __init__(self, table: Table) -> None:
        self.clock = table.reactor
        self.web = WebFactory(table.game, TelnetFactory(table.game), lambda: "")
        reactor: Any = SelectReactor
        self._reactor = reactor()
        self._port = self._reactor.listenTCP(0, self.web, interface="127.0.0.1")

    def dial(self) -> socket.socket:
        """Connect, and wait until the server knows of it."""
        client = socket.create_connection(("127.0.0.1", self._port.getHost().port), PATIENCE)
        client.setblocking(False)
        self.until(lambda: bool(self.web.open))
        return client

    def until(self, done: Callable[[], bool]) -> None:
        """Let the server work until something is so."""
        end = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < end
            self._reactor.iterate(0.01)

    def send(self, client: socket.socket, data: bytes) -> None:
        """Send all of it, and let the server read as much as it does."""
        left = memoryview(data)
        while left:
            try:
                left = left[client.send(left) :]
            except BlockingIOError:
                self._reactor.iterate(0.01)

    def hear(self, client: socket.socket) -> bytes:
        """Give all that comes until the server says that this was it; a reset is an error."""
        parts: list[bytes] = []

        def over() -> bool:
            try:
                parts.append(client.recv(1 << 16))
            except BlockingIOError:
                return False
            return not parts[-1]

        self.until(over)
        return b"".join(parts)

    def end(self) -> None:
        self.web.abort()
        self._port.stopListening()
        self.until(lambda: not self.web.open)
        self._reactor.removeAll()


@pytest.fixture
def loopback(table: Table) -> Iterator[Loopback]:
    made = Loopback(table)
    yield made
    made.end()


@pytest.mark.parametrize("begun", [b"", b"GET / HT"])
def test_who_asks_for_nothing_in_time_hears_so_before_the_end(
    loopback: Loopback, begun: bytes
) -> None:
    with loopback.dial() as client:
        loopback.send(client, begun)
        loopback.clock.advance(REQUEST_SECONDS)
        answer = loopback.hear(client)
    assert answer.startswith(b"HTTP/1.1 408 Request Timeout\r\n")
    assert answer.endswith(b"\r\n\r\nToo slow.\n")


def test_who_never_closes_after_the_answer_is_cut_off(loopback: Loopback) -> None:
    with loopback.dial():
        loopback.clock.advance(REQUEST_SECONDS)
        loopback.clock.advance(ANSWER_SECONDS)
        loopback.until(lambda: not loopback.web.open)


def test_who_closes_is_over_at_once(loopback: Loopback) -> None:
    with loopback.dial() as client:
        loopback.send(client, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert loopback.hear(client).startswith(b"HTTP/1.1 200 ")
    loopback.until(lambda: not loopback.web.open)
    assert loopback.clock.getDelayedCalls() == []


def test_who_sends_on_hears_what_was_wrong_all_the_same(loopback: Loopback) -> None:
    with loopback.dial() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_096)
        loopback.send(client, b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 1_000_000)
        assert loopback.hear(client).startswith(b"HTTP/1.1 431 ")
