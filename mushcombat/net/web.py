"""The web port: a page that tells how to connect, and WebSockets that are links like any other.

Two subprotocols of mudstandards.org/websocket are spoken: telnet (binary messages carry the telnet
stream) and gmcp (binary messages are text, text messages are GMCP).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from html import escape
from typing import Any, Final
from urllib.parse import urlsplit

import h11
from twisted.internet.interfaces import IAddress
from twisted.internet.protocol import Factory, connectionDone
from twisted.python.failure import Failure
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, RejectConnection, Request
from wsproto.utilities import RemoteProtocolError

from mushcombat.net.game import Game
from mushcombat.net.http import (
    Answer,
    Headers,
    HttpProtocol,
    headers_of,
    names_of,
    path_of,
    tokens_of,
)
from mushcombat.net.limits import Enter
from mushcombat.net.operations import answer
from mushcombat.net.telnet import TelnetFactory, TelnetLink
from mushcombat.net.websocket import UNSUPPORTED, WebSocket
from mushcombat.wire.telnet import escape as doubled
from mushcombat.wire.terminal import UTF_8, Colours

log = logging.getLogger(__name__)

TELNET, GMCP = "telnet.mudstandards.org", "gmcp.mudstandards.org"
PATHS: Final = ("/", "/ws")
"""Where a WebSocket may be asked for."""

MOST_REFUSED: Final = 32
"""Connections that may wait at once to be told why they were not let in."""

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
        """Take a GMCP message; its bytes count as those of text do."""
        self._session.received(len(data))
        self._session.gmcp(data)

    def send_gmcp(self, payload: bytes) -> None:
        """Send a GMCP message, behind the text that was before it."""
        self.flush()
        if self._outbox.counts(len(payload)):
            self.transport.send_text(payload)

    def _negotiate(self) -> None:
        self._codec.output()  # nobody there speaks telnet


class WebProtocol(HttpProtocol):
    """One connection to the web port: a request, then its answer or a WebSocket.

    It has a place among all connections and among those of its address, as one of telnet has; a
    WebSocket's link takes that over. Who gets none is told so when they ask, or finds it on the
    screen of their client.
    """

    factory: WebFactory

    def __init__(self, game: Game) -> None:
        super().__init__(game.reactor)
        self._gate = game.gate
        self._socket: WebSocket | None = None
        self._has_place = False
        self._refusal: str | None = None
        self._uncounted = False  # a refusal that is not among those refused yet

    def connectionMade(self) -> None:
        """Take a place, and wait for a request."""
        super().connectionMade()
        self._refusal = self._gate.knock(self.host)
        self._has_place = self._refusal is None
        self._uncounted = not self._has_place
        if self._uncounted:
            self.factory.refused.add(self)
            if len(self.factory.refused) > MOST_REFUSED:
                self.transport.abortConnection()

    def dataReceived(self, data: bytes) -> None:
        """Take bytes of a request, or of the WebSocket that it led to."""
        if self._socket is not None:
            self._socket.received(data)
        else:
            super().dataReceived(data)

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """Give the place back, and tell the link, if there is one."""
        super().connectionLost(reason)
        self.factory.refused.discard(self)
        self._count_refused()
        if self._has_place:
            self._has_place = False
            self._gate.leave(self.host)
        if self._socket is not None:
            self._socket.lost(reason)

    def asked(self, request: h11.Request) -> None:
        """Answer, or make it a WebSocket."""
        if _asks_for_websocket(request):
            self._http.next_event()  # the end of the request: what follows is the WebSocket's
            self._upgrade(request)
        else:
            self._page(request)

    def _page(self, request: h11.Request) -> None:
        """Show a page; who looks after the server is answered even when it is full."""
        path = path_of(request)
        found = answer(self.factory.game, path, self.host, names_of(request))
        if found is not None:
            self._uncounted = False  # it has got what it came for
            self.answer_with(found)
        elif self._refusal is not None:
            self._count_refused()
            self.refuse(503, why=self._refusal)
        elif path == "/":
            self.answer(Answer(200, b"text/html; charset=utf-8", self.factory.page().encode()))
        else:
            self.refuse(404)

    def _count_refused(self) -> None:
        """Count a connection that is not let in, once, however it ends."""
        self._gate.refused += self._uncounted
        self._uncounted = False

    # a WebSocket

    def _upgrade(self, request: h11.Request) -> None:
        headers = headers_of(request)
        if request.method != b"GET":
            self.refuse(400)
        elif self.factory.game.closing:
            self.refuse(503)
        elif path_of(request) not in PATHS:
            self.refuse(404)
        elif not self.factory.welcomes(headers):
            log.info("a page of another site asked for a WebSocket, and was refused")
            self.refuse(403)
        else:
            self._shake_hands(headers, request.target)

    def _shake_hands(self, headers: Headers, target: bytes) -> None:
        connection = WSConnection(ConnectionType.SERVER)
        # wsproto wants to read these two alone, and each on one line.
        others = [each for each in headers if each[0] not in {b"connection", b"upgrade"}]
        alone = [*others, (b"connection", b"upgrade"), (b"upgrade", b"websocket")]
        try:
            connection.initiate_upgrade_connection(alone, target)
            (asked,) = connection.events()
        except RemoteProtocolError as problem:
            self._reject(problem.event_hint)
            return
        except (h11.ProtocolError, ValueError):  # names of hosts and lists that are no text
            self.refuse(400)
            return
        offered = asked.subprotocols if isinstance(asked, Request) else []
        known = [one for one in offered if one in (TELNET, GMCP)]
        if known:
            self._accept(connection, known[0])
        else:
            self.refuse(400, why=f"Ask for the subprotocol {TELNET} or {GMCP}.")

    def _reject(self, hint: Any) -> None:
        rejected = hint if isinstance(hint, RejectConnection) else RejectConnection()
        self.refuse(rejected.status_code, list(rejected.headers))

    def _accept(self, connection: WSConnection, subprotocol: str) -> None:
        self.be_patient()
        self.transport.write(connection.send(AcceptConnection(subprotocol=subprotocol)))
        game = self.factory.game
        socket = WebSocket(connection, self.transport, game.reactor, lambda: game.closing)
        self._socket = socket
        trailing, _ = self._http.trailing_data
        self.factory.link(socket, subprotocol, self._hand_over)
        if trailing:
            socket.received(trailing)

    def _hand_over(self, _: str) -> str | None:
        """Give the place to the link, or else tell it what the gate has said: it was asked once."""
        self._has_place = False
        self._count_refused()
        return self._refusal


class WebFactory(Factory[WebProtocol]):
    """Makes the connections of the web port; their links are the telnet factory's, too."""

    noisy = False

    def __init__(self, game: Game, telnet: TelnetFactory, ports: Callable[[], str]) -> None:
        """Take what tells, for the page, where telnet listens."""
        self.game = game
        self.open: set[WebProtocol] = set()
        self.refused: set[WebProtocol] = set()
        self._telnet = telnet
        self._ports = ports

    def buildProtocol(self, addr: IAddress | None) -> WebProtocol:  # noqa: ARG002 -- Twisted's signature
        """Make the protocol for one connection."""
        protocol = WebProtocol(self.game)
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

    def link(self, socket: WebSocket, subprotocol: str, enter: Enter) -> None:
        """Make a WebSocket somebody's link; `enter` is asked for its place instead of the gate."""
        if subprotocol == TELNET:
            link = TelnetLink(self.game, enter)
            link.factory = self._telnet
            socket.carry(link, lambda data, text: UNSUPPORTED if text else _telnet(link, data))
            return
        mixed = GmcpLink(self.game, enter)
        mixed.factory = self._telnet
        socket.carry(mixed, lambda data, text: _gmcp(mixed, data, text=text))

    def abort(self) -> None:
        """Cut off who is still asking, or does not read the answer."""
        for protocol in list(self.open):
            protocol.transport.abortConnection()


def _asks_for_websocket(request: h11.Request) -> bool:
    """Tell whether an Upgrade is to what we speak; one to anything else, as to h2c, is ignored.

    So is one that Connection does not name, and any in HTTP/1.0 (RFC 9110, 7.8).
    """
    headers = list(request.headers)
    asked = b"upgrade" in tokens_of(headers, b"connection")
    return (
        asked and request.http_version != b"1.0" and b"websocket" in tokens_of(headers, b"upgrade")
    )


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
