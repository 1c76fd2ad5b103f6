"""The web port: a page that tells how to connect, and WebSockets that are links like any other.

Two subprotocols of mudstandards.org/websocket are spoken: telnet (binary messages carry the telnet
stream) and gmcp (binary messages are text, text messages are GMCP).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from html import escape
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit

import h11
from twisted.internet.interfaces import IAddress
from twisted.internet.protocol import Factory, Protocol, connectionDone
from twisted.python.failure import Failure
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, RejectConnection, Request
from wsproto.utilities import RemoteProtocolError

from mushcombat.net.game import Game
from mushcombat.net.operations import answer
from mushcombat.net.sockets import notice_dead_peers
from mushcombat.net.telnet import TelnetFactory, TelnetLink
from mushcombat.net.websocket import UNSUPPORTED, WebSocket
from mushcombat.wire.telnet import escape as doubled
from mushcombat.wire.terminal import UTF_8, Colours

log = logging.getLogger(__name__)

TELNET, GMCP = "telnet.mudstandards.org", "gmcp.mudstandards.org"
PATHS: Final = ("/", "/ws")
"""Where a WebSocket may be asked for."""

REQUEST_SECONDS: Final = 10.0
"""How long a client may take to ask for something."""

MOST_HEAD: Final = 16_384
"""Bytes that a request's head may have."""

Headers = list[tuple[bytes, bytes]]

_SAFE: Headers = [
    (b"Content-Security-Policy", b"default-src 'none'; style-src 'unsafe-inline'"),
    (b"X-Content-Type-Options", b"nosniff"),
    (b"Referrer-Policy", b"no-referrer"),
    (b"Cache-Control", b"no-store"),
    (b"Connection", b"close"),
]

_PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{name}</title></head>
<body>
<h1>{name}</h1>
<p>This is a game of text. Connect with a MUD client, or with telnet: {ports}.</p>
<p>Clients that speak WebSocket connect to this port, with the subprotocol {telnet} or {gmcp}.</p>
</body>
</html>
"""

_REASONS = {
    400: "Bad request",
    403: "Pages of other sites may not connect here",
    404: "There is nothing here",
    405: "Only GET and HEAD are answered",
    408: "Too slow",
    426: "WebSocket version 13 is spoken here",
    431: "Too much in the head",
    503: "The server is going down",
}


class GmcpLink(TelnetLink):
    """A link without telnet: lines of UTF-8 text, and GMCP beside them."""

    def connectionMade(self) -> None:
        """Know what the subprotocol says of its clients, and greet."""
        terminal = self._negotiation.terminal
        terminal.charset, terminal.utf8, terminal.gmcp = UTF_8, True, True
        terminal.colours = Colours.SIXTEEN  # it says ANSI, and no more
        super().connectionMade()
        self._session.terminal_changed()

    def line(self, data: bytes) -> None:
        """Take a message of text: one line or more, the end of the last one needs no mark.

        The subprotocol is in UTF-8; what is not does not make us guess at another encoding.
        """
        text = data.decode("utf-8", errors="replace").encode()
        self.dataReceived(doubled(text if text.endswith(b"\n") else text + b"\n"))

    def gmcp(self, data: bytes) -> None:
        """Take a GMCP message."""
        self._session.gmcp(data)

    def send_gmcp(self, payload: bytes) -> None:
        """Send a GMCP message, behind the text that was before it."""
        self.flush()
        if self._outbox.counts(len(payload)):
            self.transport.send_text(payload)

    def _negotiate(self) -> None:
        self._codec.output()  # nobody there speaks telnet


class WebProtocol(Protocol):
    """One connection to the web port: a request, then its answer or a WebSocket."""

    transport: Any  # Twisted's interfaces are zope's, which mypy does not read
    factory: WebFactory

    def __init__(self) -> None:
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=MOST_HEAD)
        self._socket: WebSocket | None = None
        self._head = False
        self._done = False

    def connectionMade(self) -> None:
        """Wait for a request, but not for ever."""
        reactor = self.factory.game.reactor
        self._patience = reactor.callLater(REQUEST_SECONDS, self._tired)
        notice_dead_peers(self.transport)
        self.factory.open.add(self)

    def dataReceived(self, data: bytes) -> None:
        """Take bytes of a request, or of the WebSocket that it led to."""
        if self._socket is not None:
            self._socket.received(data)
        elif not self._done:
            self._http.receive_data(data)
            try:
                self._read()
            except h11.RemoteProtocolError as problem:
                self._refuse(problem.error_status_hint)

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """Tell the link, if there is one."""
        self._done = True
        self.factory.open.discard(self)
        self._cancel()
        if self._socket is not None:
            self._socket.lost(reason)

    def _read(self) -> None:
        request = self._http.next_event()
        if not isinstance(request, h11.Request):
            return
        self._head = request.method == b"HEAD"
        asked = dict(request.headers)
        if b"transfer-encoding" in asked or asked.get(b"content-length", b"0") != b"0":
            self._refuse(400)
        elif request.method not in (b"GET", b"HEAD"):
            self._refuse(405, [(b"Allow", b"GET, HEAD")])
        elif b"upgrade" in asked:
            self._http.next_event()  # the end of the request: what follows is the WebSocket's
            self._upgrade(request)
        else:
            self._page(_path(request), asked)

    def _page(self, path: str, headers: Iterable[bytes]) -> None:
        host = getattr(self.transport.getPeer(), "host", "local")
        found = answer(self.factory.game, path, host, headers)
        if found is not None:
            self._answer(found.status, found.content_type, found.body)
        elif path == "/":
            self._answer(200, b"text/html; charset=utf-8", self.factory.page().encode())
        else:
            self._refuse(404)

    # a WebSocket

    def _upgrade(self, request: h11.Request) -> None:
        headers = list(request.headers)
        if request.method != b"GET" or request.http_version != b"1.1":
            self._refuse(400)
        elif self.factory.game.closing:
            self._refuse(503)
        elif _path(request) not in PATHS:
            self._refuse(404)
        elif not self.factory.welcomes(headers):
            log.info("a page of another site asked for a WebSocket, and was refused")
            self._refuse(403)
        else:
            self._shake_hands(headers, request.target)

    def _shake_hands(self, headers: Headers, target: bytes) -> None:
        connection = WSConnection(ConnectionType.SERVER)
        try:
            connection.initiate_upgrade_connection(headers, target)
            (asked,) = connection.events()
        except RemoteProtocolError as problem:
            self._reject(problem.event_hint)
            return
        except (h11.ProtocolError, ValueError):  # names of hosts and lists that are no text
            self._refuse(400)
            return
        offered = asked.subprotocols if isinstance(asked, Request) else []
        known = [one for one in offered if one in (TELNET, GMCP)]
        if known:
            self._accept(connection, known[0])
        else:
            self._refuse(400, why=f"Ask for the subprotocol {TELNET} or {GMCP}")

    def _reject(self, hint: Any) -> None:
        rejected = hint if isinstance(hint, RejectConnection) else RejectConnection()
        self._refuse(rejected.status_code, list(rejected.headers))

    def _accept(self, connection: WSConnection, subprotocol: str) -> None:
        self._cancel()
        self.transport.write(connection.send(AcceptConnection(subprotocol=subprotocol)))
        game = self.factory.game
        socket = WebSocket(connection, self.transport, game.reactor, lambda: game.closing)
        self._socket = socket
        trailing, _ = self._http.trailing_data
        self.factory.link(socket, subprotocol)
        if trailing:
            socket.received(trailing)

    # answers

    def _refuse(self, status: int, headers: Headers | None = None, why: str = "") -> None:
        reason = why or _REASONS.get(status, _REASONS[400])
        kind = b"text/plain; charset=utf-8"
        self._answer(status, kind, f"{reason}.\n".encode(), headers or [])

    def _answer(
        self, status: int, kind: bytes, body: bytes, headers: Iterable[tuple[bytes, bytes]] = ()
    ) -> None:
        """Answer, and close: one request a connection is enough here."""
        self._done = True
        head = [(b"Content-Type", kind), (b"Content-Length", str(len(body)).encode())]
        events: list[h11.Event] = [
            h11.Response(
                status_code=status,
                headers=[*head, *headers, *_SAFE],
                reason=HTTPStatus(status).phrase.encode(),
            )
        ]
        if not self._head:
            events.append(h11.Data(data=body))
        for event in (*events, h11.EndOfMessage()):
            self.transport.write(self._http.send(event) or b"")
        # Who does not read that, or goes on sending, is cut off when the patience ends.
        self.transport.loseConnection()

    def _tired(self) -> None:
        if not self._done:
            self._refuse(408)
        self.transport.abortConnection()

    def _cancel(self) -> None:
        if self._patience.active():
            self._patience.cancel()


def _path(request: h11.Request) -> str:
    return request.target.decode("ascii").partition("?")[0]


class WebFactory(Factory[WebProtocol]):
    """Makes the connections of the web port; their links are the telnet factory's, too."""

    noisy = False

    def __init__(self, game: Game, telnet: TelnetFactory, ports: Callable[[], str]) -> None:
        """Take what tells, for the page, where telnet listens."""
        self.game = game
        self.open: set[WebProtocol] = set()
        self._telnet = telnet
        self._ports = ports

    def buildProtocol(self, addr: IAddress | None) -> WebProtocol | None:  # noqa: ARG002 -- Twisted's signature
        """Make the protocol for one connection; none when there are as many as may be at all."""
        most = self.game.config.limits.connections
        if most and len(self.open) >= most:
            return None
        protocol = WebProtocol()
        protocol.factory = self
        return protocol

    def page(self) -> str:
        """Write the page; all in it that is not ours is escaped."""
        name = escape(self.game.config.server.name)
        return _PAGE.format(name=name, ports=escape(self._ports()), telnet=TELNET, gmcp=GMCP)

    def welcomes(self, headers: Headers) -> bool:
        """Tell whether the page that asks may: ours, or of a site that the configuration lists.

        Who sends no Origin is no browser, and needs no protection from other sites' pages.
        """
        host = b"".join(value for name, value in headers if name == b"host").decode("latin-1")
        origins = [value.decode("latin-1") for name, value in headers if name == b"origin"]
        listed = {one.rstrip("/").casefold() for one in self.game.config.web.origins}
        return all(one.casefold() in listed or _same_site(one, host) for one in origins)

    def link(self, socket: WebSocket, subprotocol: str) -> None:
        """Make a WebSocket somebody's link."""
        if subprotocol == TELNET:
            link = TelnetLink(self.game)
            link.factory = self._telnet
            socket.carry(link, lambda data, text: UNSUPPORTED if text else _telnet(link, data))
            return
        mixed = GmcpLink(self.game)
        mixed.factory = self._telnet
        socket.carry(mixed, lambda data, text: _gmcp(mixed, data, text=text))

    def abort(self) -> None:
        """Cut off who is still asking, or does not read the answer."""
        for protocol in list(self.open):
            protocol.transport.abortConnection()


def _telnet(link: TelnetLink, data: bytes) -> int:
    link.dataReceived(data)
    return 0


def _gmcp(link: GmcpLink, data: bytes, *, text: bool) -> int:
    if text:
        link.gmcp(data)
    else:
        link.line(data)
    return 0


def _same_site(origin: str, host: str) -> bool:
    """Tell whether an Origin is the host that was asked: then the page was ours."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return bool(host) and parts.scheme in {"http", "https"} and parts.netloc == host.casefold()
