"""The web port's clocks and its ends; requests and messages are tried over TCP."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from twisted.internet.protocol import connectionDone
from wsproto import ConnectionType, WSConnection
from wsproto.events import Request

from mushcombat.config import Config
from mushcombat.net.telnet import TelnetFactory
from mushcombat.net.web import GMCP, REQUEST_SECONDS, TELNET, WebFactory
from tests.unit.net.fakes import Table
from tests.unit.net.pipes import Pipe

Dial = Callable[..., tuple[Any, Pipe]]


class Web:
    """A web port without a port."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.telnet = TelnetFactory(table.game)
        self.factory = WebFactory(table.game, self.telnet, lambda: "port 4201")

    def dial(self, request: bytes = b"") -> tuple[Any, Pipe]:
        pipe, protocol = Pipe(), self.factory.buildProtocol(None)
        assert protocol is not None
        protocol.makeConnection(pipe)  # type: ignore[no-untyped-call]
        if request:
            protocol.dataReceived(request)
        return protocol, pipe


@pytest.fixture
def web(table: Table) -> Web:
    return Web(table)


def upgrade(subprotocol: str = GMCP) -> bytes:
    client = WSConnection(ConnectionType.CLIENT)
    return client.send(Request(host="x", target="/ws", subprotocols=[subprotocol]))


def test_who_asks_for_nothing_in_time_is_told_so_and_cut_off(web: Web) -> None:
    protocol, pipe = web.dial(b"GET / HTTP/1.1\r\n")
    web.table.reactor.advance(REQUEST_SECONDS)
    assert pipe.sent.startswith(b"HTTP/1.1 408 ")
    assert pipe.done == ["lose", "abort"]
    protocol.connectionLost(connectionDone)
    assert web.factory.open == set()


def test_who_does_not_read_the_answer_is_cut_off(web: Web) -> None:
    protocol, pipe = web.dial(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    protocol.dataReceived(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    assert pipe.take().count(b"HTTP/1.1 200") == 1
    web.table.reactor.advance(REQUEST_SECONDS)
    assert (pipe.done, pipe.sent) == (["lose", "abort"], b"")


@pytest.mark.parametrize("subprotocol", [TELNET, GMCP])
def test_a_websocket_is_a_link_of_the_telnet_factory(web: Web, subprotocol: str) -> None:
    protocol, pipe = web.dial(upgrade(subprotocol))
    assert pipe.take().startswith(b"HTTP/1.1 101 ")
    assert len(web.telnet.links) == 1
    web.table.reactor.advance(REQUEST_SECONDS)
    assert b"Welcome." in pipe.sent
    assert pipe.done == []
    protocol.connectionLost(connectionDone)
    assert web.telnet.links == set()


def test_a_server_that_is_about_to_end_takes_no_websocket(web: Web) -> None:
    web.table.game.closing = True
    _, pipe = web.dial(upgrade())
    assert pipe.sent.startswith(b"HTTP/1.1 503 ")


def test_who_still_asks_when_the_server_ends_is_cut_off(web: Web) -> None:
    _, pipe = web.dial(b"GET / HTTP")
    web.factory.abort()
    assert pipe.done == ["abort"]


def metrics(*headers: bytes) -> bytes:
    return b"\r\n".join([b"GET /metrics HTTP/1.1", b"Host: x", *headers, b"", b""])


def test_metrics_are_told_to_whom_they_may_be_and_to_nobody_behind_a_proxy(web: Web) -> None:
    _, pipe = web.dial(metrics())
    assert b"mushcombat_connections" in pipe.take()
    _, pipe = web.dial(metrics(b"X-Forwarded-For: 192.0.2.7"))
    assert pipe.take().startswith(b"HTTP/1.1 404 ")


def test_health_is_503_while_the_server_ends(web: Web) -> None:
    web.table.game.closing = True
    _, pipe = web.dial(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    assert pipe.take().startswith(b"HTTP/1.1 503 ")


def test_no_more_connections_are_taken_than_there_may_be_at_all() -> None:
    table = Table(config=Config.model_validate({"limits": {"connections": 2}}))
    web = Web(table)
    web.dial()
    protocol, _ = web.dial()
    assert web.factory.buildProtocol(None) is None
    protocol.connectionLost(connectionDone)
    assert web.factory.buildProtocol(None) is not None


def test_who_takes_data_and_does_not_read_is_cut_off_too(web: Web) -> None:
    _, pipe = web.dial(upgrade(GMCP))
    (link,) = web.telnet.links
    link._outbox.pauseProducing()
    most = web.table.game.config.limits.output
    for _ in range(most // 10_000 + 1):
        link.send_gmcp(b"Comm.Channel.Text " + b"x" * 10_000)
    assert pipe.done == ["abort"]
    assert web.table.game.waiting.cut_off == 1
