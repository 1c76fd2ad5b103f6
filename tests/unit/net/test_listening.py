"""Connections that wait until it is known who is there; on a clock that a test moves."""

from __future__ import annotations

import asyncio
from ipaddress import ip_network
from types import SimpleNamespace
from typing import Any

import pytest
from twisted.internet.protocol import Factory, Protocol, connectionDone
from twisted.internet.task import Clock

from mushcombat.config import Limits
from mushcombat.domain.bans import BanList
from mushcombat.net.limits import Doorstep, Gate
from mushcombat.net.listening import (
    PATIENCE,
    QUEUE,
    Forwarded,
    Handshaken,
    WaitingFactory,
    listen,
)
from tests.unit.net.pipes import Pipe
from tests.unit.support import NOW

PROXY = b"PROXY TCP4 203.0.113.7 127.0.0.1 40000 4201\r\n"
PROXY_6 = b"PROXY TCP6 2001:db8::7 ::1 40000 4201\r\n"
LOCAL = b"PROXY UNKNOWN\r\n"


class Game(Protocol):
    transport: Any
    peer = ""
    got = b""
    ends = 0

    def connectionMade(self) -> None:
        self.peer = self.transport.getPeer().host
        self.transport.write(b"Welcome")

    def dataReceived(self, data: bytes) -> None:
        self.got += data

    def connectionLost(self, reason: object = connectionDone) -> None:
        self.ends += 1


class Games(Factory[Game]):
    noisy = False

    def __init__(self) -> None:
        self.made: list[Game] = []

    def buildProtocol(self, addr: object) -> Game:
        self.made.append(Game())
        return self.made[-1]


def doorstep(**limits: int) -> Doorstep:
    return Doorstep(Gate(Limits(**limits), BanList(), lambda: 0.0, lambda: NOW))


def joined(kind: type, host: str = "127.0.0.1", *trusted: str) -> tuple[Any, Pipe, Game, Clock]:
    """Make a connection of a kind; gives it with what is below it and above."""
    games, clock, pipe = Games(), Clock(), Pipe(host)
    networks = [ip_network(one) for one in trusted or ("127.0.0.0/8",)]
    factory = WaitingFactory(games, clock, networks, doorstep())
    factory.protocol = kind
    waiting: Any = factory.buildProtocol(pipe.getPeer())
    waiting.makeConnection(pipe)
    return waiting, pipe, games.made[0], clock


def test_nothing_is_said_before_the_handshake() -> None:
    waiting, pipe, game, clock = joined(Handshaken)
    assert pipe.sent == b""
    waiting.handshakeCompleted()
    waiting.dataReceived(b"look")
    assert (pipe.sent, game.got, clock.getDelayedCalls()) == (b"Welcome", b"look", [])
    waiting.connectionLost(connectionDone)
    assert game.ends == 1


@pytest.mark.parametrize("kind", [Handshaken, Forwarded])
def test_who_does_not_begin_in_time_is_cut_off(kind: type) -> None:
    waiting, pipe, game, clock = joined(kind)
    clock.advance(PATIENCE)
    waiting.connectionLost(connectionDone)
    assert (pipe.done, pipe.sent, game.ends) == (["abort"], b"", 0)


@pytest.mark.parametrize("kind", [Handshaken, Forwarded])
def test_who_goes_before_it_began_leaves_no_clock_running(kind: type) -> None:
    waiting, _, game, clock = joined(kind)
    waiting.connectionLost(connectionDone)
    assert (game.ends, clock.getDelayedCalls()) == (0, [])


@pytest.mark.parametrize(
    ("header", "peer"),
    [(PROXY, "203.0.113.7"), (PROXY_6, "2001:db8::7"), (LOCAL, "127.0.0.1")],
)
def test_the_address_is_known_when_the_game_begins(header: bytes, peer: str) -> None:
    waiting, pipe, game, _ = joined(Forwarded)
    waiting.dataReceived(header[:9])
    assert pipe.sent == b""
    waiting.dataReceived(header[9:] + b"look")
    waiting.dataReceived(b" up")
    assert (game.peer, game.got, pipe.sent) == (peer, b"look up", b"Welcome")


def test_a_bad_header_is_the_end_and_what_follows_is_not_read() -> None:
    waiting, pipe, game, clock = joined(Forwarded)
    waiting.dataReceived(b"connect ada x\r\n")
    waiting.dataReceived(PROXY)
    assert (pipe.done, game.peer, clock.getDelayedCalls()) == (["abort"], "", [])


@pytest.mark.parametrize(
    ("host", "trusted", "taken"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("10.1.2.3", "10.0.0.0/8", True),
        ("::ffff:10.1.2.3", "10.0.0.0/8", True),
        ("fe80::1%eth0", "fe80::/10", True),
        ("", "192.0.2.0/24", True),  # a UNIX socket: the rights of its file decide
        ("10.1.2.3", "192.0.2.0/24", False),
        ("::1", "127.0.0.0/8", False),
    ],
)
def test_only_proxies_that_are_trusted_are_believed(host: str, trusted: str, taken: bool) -> None:
    waiting, pipe, game, _ = joined(Forwarded, host, trusted)
    waiting.dataReceived(PROXY)
    assert (pipe.done == [], game.peer == "203.0.113.7") == (taken, taken)


def test_those_who_wait_have_room_as_those_within_and_give_it_back() -> None:
    games, clock, step = Games(), Clock(), doorstep(per_address=2, connections=3)
    factory = WaitingFactory(games, clock, (), step)
    factory.protocol = Handshaken

    def dial(host: str) -> tuple[Any, Pipe]:
        pipe = Pipe(host)
        waiting: Any = factory.buildProtocol(pipe.getPeer())
        waiting.makeConnection(pipe)
        return waiting, pipe

    (one, _), (two, _) = dial("192.0.2.7"), dial("192.0.2.7")
    late, pipe = dial("192.0.2.7")
    assert pipe.done == ["abort"]
    late.connectionLost(connectionDone)
    _, pipe = dial("192.0.2.8")
    assert pipe.done == []
    one.handshakeCompleted()
    assert step.count == 2
    one.connectionLost(connectionDone)
    two.connectionLost(connectionDone)
    assert step.count == 1
    assert [dial("192.0.2.7")[1].done for _ in range(3)] == [[], [], ["abort"]]
    clock.advance(PATIENCE)
    assert (step.count, clock.getDelayedCalls()) == (3, [])  # the kernel has yet to say so


class Nowhere(Clock):
    """A reactor that notes where it would listen."""

    def __init__(self) -> None:
        super().__init__()
        self.factory: Any = None
        self.queues: list[int] = []

    def listenTCP(  # noqa: N802 -- Twisted's
        self, port: int, factory: Any, *, backlog: int, interface: str
    ) -> object:
        self.factory = factory
        self.queues.append(backlog)
        return SimpleNamespace(socket=SimpleNamespace(listen=self.queues.append))


def test_only_what_is_said_to_be_behind_a_proxy_waits_for_a_header() -> None:
    for description, kind in (("tcp:0", Games), ("haproxy:tcp:0", WaitingFactory)):
        reactor = Nowhere()
        listener = asyncio.run(_listen(reactor, description))
        assert (type(reactor.factory), listener.description) == (kind, description)
        assert listener.reload is None


def test_many_may_knock_at_once_unless_the_description_says_how_many() -> None:
    for description, queue in (("tcp:0", QUEUE), ("haproxy:tcp:0", QUEUE), ("tcp:0:backlog=7", 7)):
        reactor = Nowhere()
        asyncio.run(_listen(reactor, description))
        assert reactor.queues[-1] == queue


async def _listen(reactor: Any, description: str) -> Any:
    return await listen(reactor, description, Games(), (), doorstep())
