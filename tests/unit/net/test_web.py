"""The web port's clocks and its ends; requests and messages are tried over TCP."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from twisted.internet.defer import Deferred
from twisted.internet.protocol import connectionDone
from wsproto import ConnectionType, WSConnection
from wsproto.events import Request

from mushcombat.config import Config
from mushcombat.domain.bans import Ban
from mushcombat.net.http import ANSWER_SECONDS, MOST_HEAD, PLAIN, REQUEST_SECONDS, Answer
from mushcombat.net.telnet import TelnetFactory
from mushcombat.net.web import GMCP, MOST_REFUSED, TELNET, WebFactory
from tests.unit.net.fakes import Table
from tests.unit.net.pipes import Pipe
from tests.unit.support import NOW

Dial = Callable[..., tuple[Any, Pipe]]


class Web:
    """A web port without a port."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.telnet = TelnetFactory(table.game)
        self.factory = WebFactory(table.game, self.telnet, lambda: "port 4201")

    def dial(self, request: bytes = b"", host: str = "127.0.0.1") -> tuple[Any, Pipe]:
        pipe, protocol = Pipe(host), self.factory.buildProtocol(None)
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
    assert pipe.done == ["lose"]
    web.table.reactor.advance(ANSWER_SECONDS)
    assert pipe.done == ["lose", "abort"]
    protocol.connectionLost(connectionDone)
    assert (web.factory.open, web.table.reactor.getDelayedCalls()) == (set(), [])


def test_who_does_not_read_the_answer_is_cut_off(web: Web) -> None:
    protocol, pipe = web.dial(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    protocol.dataReceived(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    assert pipe.take().count(b"HTTP/1.1 200") == 1
    web.table.reactor.advance(ANSWER_SECONDS)
    assert (pipe.done, pipe.sent) == (["lose", "abort"], b"")


def test_who_asks_late_has_as_long_to_read_the_answer_as_anybody(web: Web) -> None:
    protocol, pipe = web.dial(PAGE[:-1])
    web.table.reactor.advance(REQUEST_SECONDS - 1)
    protocol.dataReceived(PAGE[-1:])
    web.table.reactor.advance(ANSWER_SECONDS - 1)
    assert pipe.sent.startswith(b"HTTP/1.1 200 ")
    assert pipe.done == ["lose"]


def test_who_goes_before_their_answer_is_found_leaves_no_clock_running(web: Web) -> None:
    found: Deferred[Answer] = Deferred()
    protocol, pipe = web.dial()
    protocol.answer_with(found)
    protocol.connectionLost(connectionDone)
    found.callback(Answer(200, PLAIN, b"ok\n"))
    assert (pipe.sent, pipe.done, web.table.reactor.getDelayedCalls()) == (b"", [], [])


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


def test_who_takes_data_and_does_not_read_is_cut_off_too(web: Web) -> None:
    _, pipe = web.dial(upgrade(GMCP))
    (link,) = web.telnet.links
    link._outbox.pauseProducing()
    most = web.table.game.config.limits.output
    for _ in range(most // 10_000 + 1):
        link.send_gmcp(b"Comm.Channel.Text " + b"x" * 10_000)
    assert pipe.done == ["abort"]
    assert web.table.game.waiting.cut_off == 1


# requests


def asking(target: str, *lines: str) -> bytes:
    return "\r\n".join((f"GET {target} HTTP/1.1", *(lines or ("Host: x",)), "", "")).encode()


def of_size(size: int) -> bytes:
    """Give a request whose head has so many bytes."""
    empty = asking("/", "Host: x", "X: ")
    return empty[:-4] + b"y" * (size - len(empty)) + empty[-4:]


@pytest.mark.parametrize("piece", [1_000, 1 << 20])
@pytest.mark.parametrize(
    ("size", "status"), [(MOST_HEAD, 200), (MOST_HEAD + 1, 431), (60_000, 431)]
)
def test_a_head_is_too_long_whether_it_comes_whole_or_in_pieces(
    web: Web, piece: int, size: int, status: int
) -> None:
    protocol, pipe = web.dial()
    request = of_size(size)
    for start in range(0, size, piece):
        protocol.dataReceived(request[start : start + piece])
    assert pipe.sent.startswith(f"HTTP/1.1 {status} ".encode())


def test_what_comes_behind_a_head_is_none_of_it(web: Web) -> None:
    _, pipe = web.dial(of_size(MOST_HEAD) + b"z" * MOST_HEAD)
    assert pipe.sent.startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("http://x/healthz", 200),
        ("HTTPS://x.example:4280/healthz?y=http://z/", 200),
        ("http://x", 200),
        ("http://x?y", 200),
        ("http://x/nothing", 404),
        ("http:///healthz", 404),
        ("ftp://x/healthz", 404),
        ("/http://x/healthz", 404),
    ],
)
def test_a_target_may_name_the_host_too(web: Web, target: str, status: int) -> None:
    _, pipe = web.dial(asking(target))
    assert pipe.sent.startswith(f"HTTP/1.1 {status} ".encode())


def test_the_host_in_the_target_is_the_one_whose_pages_may_connect(web: Web) -> None:
    for host, status in (("x", 101), ("y", 403)):
        origin = f"Origin: http://{host}"
        request = websocket("Connection: Upgrade", "Upgrade: websocket", "Host: y", origin)
        _, pipe = web.dial(request.replace(b"GET /ws", b"GET http://x/ws"))
        assert pipe.sent.startswith(f"HTTP/1.1 {status} ".encode())


def websocket(*lines: str) -> bytes:
    """Give a request for a WebSocket but for what asks for one: Connection and Upgrade."""
    key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
    rest = (key, "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Protocol: {GMCP}")
    return asking("/ws", *lines, *rest)


@pytest.mark.parametrize(
    "lines",
    [
        ("Connection: Upgrade", "Upgrade: WebSocket"),
        ("Connection: keep-alive, upgrade", "Upgrade: h2c, websocket"),
        ("Connection: Upgrade", "Connection: keep-alive", "Upgrade: websocket", "Upgrade: h2c"),
    ],
)
def test_a_websocket_may_be_one_of_those_that_are_asked_for(
    web: Web, lines: tuple[str, ...]
) -> None:
    _, pipe = web.dial(websocket("Host: x", *lines))
    assert pipe.sent.startswith(b"HTTP/1.1 101 ")


@pytest.mark.parametrize("path", ["/", "/healthz", "/metrics"])
@pytest.mark.parametrize(
    "lines",
    [
        ("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"),
        ("Connection: Upgrade", "Upgrade: TLS/1.2, websockets"),
        ("Connection: keep-alive", "Upgrade: websocket"),
        ("Upgrade: websocket",),
    ],
)
def test_an_upgrade_to_what_we_do_not_speak_is_ignored(
    web: Web, path: str, lines: tuple[str, ...]
) -> None:
    _, pipe = web.dial(asking(path, "Host: x", *lines))
    assert pipe.sent.startswith(b"HTTP/1.1 200 ")


# places


def limited(**limits: int) -> Web:
    return Web(Table(config=Config.model_validate({"limits": limits})))


HOME, OTHER = "192.0.2.7", "192.0.2.8"
PAGE, HEALTH = (f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode() for path in ("/", "/healthz"))


def test_a_request_has_a_place_among_all_connections_until_it_is_over() -> None:
    web = limited(connections=2)
    web.dial(host=HOME)
    protocol, _ = web.dial(host=HOME)
    _, refused = web.dial(PAGE, OTHER)
    assert refused.sent.startswith(b"HTTP/1.1 503 ")
    assert b"\r\n\r\nThe server is full: 2 are connected." in refused.sent
    protocol.connectionLost(connectionDone)
    _, pipe = web.dial(PAGE, OTHER)
    assert pipe.sent.startswith(b"HTTP/1.1 200 ")
    assert web.table.game.gate.count == 2


def test_one_address_has_so_many_requests_at_once_and_others_go_on() -> None:
    web = limited(per_address=2)
    web.dial(host=HOME)
    web.dial(host=HOME)
    _, refused = web.dial(PAGE, HOME)
    assert b"2 connections come from your address already" in refused.sent
    _, pipe = web.dial(PAGE, OTHER)
    assert pipe.sent.startswith(b"HTTP/1.1 200 ")


def test_requests_from_one_address_have_a_rate() -> None:
    web = limited(new_per_minute=3)
    for _ in range(3):
        protocol, pipe = web.dial(PAGE)
        assert pipe.sent.startswith(b"HTTP/1.1 200 ")
        protocol.connectionLost(connectionDone)
    _, refused = web.dial(PAGE)
    assert b"Too many new connections come from your address." in refused.sent


def test_who_is_refused_a_page_is_told_the_health_all_the_same() -> None:
    web = limited(per_address=1)
    web.dial()
    _, pipe = web.dial(HEALTH)
    assert pipe.sent.startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("subprotocol", [TELNET, GMCP])
def test_a_websocket_takes_over_the_place_of_the_request_that_asked_for_it(
    subprotocol: str,
) -> None:
    web = limited(connections=1, per_address=1, new_per_minute=1)
    gate = web.table.game.gate
    protocol, pipe = web.dial(upgrade(subprotocol))
    assert b"Welcome." in settled(web, pipe)
    assert (gate.count, gate.site(pipe.host).count, gate.refused) == (1, 1, 0)
    protocol.connectionLost(connectionDone)
    assert (gate.count, gate.site(pipe.host).count) == (0, 0)


def settled(web: Web, pipe: Pipe) -> bytes:
    web.table.reactor.advance(0)
    return pipe.sent


def test_who_finds_no_place_reads_why_on_the_screen_of_their_client() -> None:
    web = limited(connections=1)
    web.dial()
    protocol, pipe = web.dial(upgrade())
    assert b"The server is full: 1 are connected." in settled(web, pipe)
    assert web.table.game.sessions == set()
    protocol.connectionLost(connectionDone)
    assert (web.table.game.gate.count, web.factory.refused) == (1, set())


REFUSED = [PAGE, b"", b"GET / HTTP/2\r\n\r\n", upgrade(TELNET), upgrade(GMCP)]


@pytest.mark.parametrize("request_", REFUSED, ids=lambda request_: repr(request_[-24:]))
def test_a_connection_that_is_not_let_in_counts_once(request_: bytes) -> None:
    web = limited(per_address=1)
    web.dial()
    protocol, _ = web.dial(request_)
    web.table.reactor.advance(0)
    protocol.connectionLost(connectionDone)
    assert (web.table.game.gate.refused, web.table.game.gate.count) == (1, 1)


@pytest.mark.parametrize("path", ["/healthz", "/metrics"])
def test_who_is_answered_though_there_is_no_room_is_not_among_those_refused(path: str) -> None:
    web = limited(per_address=1)
    web.dial()
    protocol, pipe = web.dial(asking(path))
    assert pipe.sent.startswith(b"HTTP/1.1 200 ")
    protocol.connectionLost(connectionDone)
    assert web.table.game.gate.refused == 0


def test_no_more_than_so_many_wait_to_be_told_that_there_is_no_place() -> None:
    web = limited(connections=1)
    web.dial()
    pipes = [web.dial()[1] for _ in range(MOST_REFUSED + 3)]
    assert [pipe.done for pipe in pipes] == [[]] * MOST_REFUSED + [["abort"]] * 3


def test_a_banned_address_is_told_so_on_the_web_too(web: Web) -> None:
    web.table.world.bans.put(Ban(HOME, None, "floods", "Rhea", NOW))
    _, pipe = web.dial(PAGE, HOME)
    assert pipe.sent.endswith(b"\r\n\r\nYou are banned here: floods\n")
