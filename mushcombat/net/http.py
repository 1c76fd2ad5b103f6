"""HTTP as far as it goes here: a request without a body, its answer, and the connection closes."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, Final

import h11
from twisted.internet.defer import Deferred
from twisted.internet.protocol import Protocol, connectionDone
from twisted.python.failure import Failure

from mushcombat.net.sockets import notice_dead_peers, say_no_more
from mushcombat.records import record

REQUEST_SECONDS: Final = 10.0
"""How long a client may take to ask for something, and what it asked for to be found."""

ANSWER_SECONDS: Final = 5.0
"""How long it may take after that to read the answer and close; then it is cut off."""

MOST_HEAD: Final = 16_384
"""Bytes that a request's head may have, the empty line at its end with them."""

PLAIN: Final = b"text/plain; charset=utf-8"

Headers = list[tuple[bytes, bytes]]

_SAFE: Headers = [
    (b"Content-Security-Policy", b"default-src 'none'; style-src 'unsafe-inline'"),
    (b"X-Content-Type-Options", b"nosniff"),
    (b"Referrer-Policy", b"no-referrer"),
    (b"Cache-Control", b"no-store"),
    (b"Connection", b"close"),
]

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


_ABSOLUTE = re.compile(rb"https?://([^/?#]+)", re.IGNORECASE)
"""The beginning of a target that names the host, too."""


@record(frozen=True, slots=True)
class Answer:
    """An answer over HTTP."""

    status: int
    content_type: bytes
    body: bytes


class HttpProtocol(Protocol, ABC):
    """One connection: `asked` is called with its first request, and nothing after it is read."""

    transport: Any  # Twisted's interfaces are zope's, which mypy does not read
    factory: Any

    def __init__(self, reactor: Any) -> None:
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=MOST_HEAD)
        self._reactor = reactor
        self._head = False
        self._done = False
        self._size = 0

    @abstractmethod
    def asked(self, request: h11.Request) -> None:
        """Answer a GET or a HEAD that has no body."""

    def connectionMade(self) -> None:
        """Wait for a request, but not for ever."""
        self.host = getattr(self.transport.getPeer(), "host", "local")
        self._patience = self._reactor.callLater(REQUEST_SECONDS, self.refuse, 408)
        notice_dead_peers(self.transport)
        self.factory.open.add(self)

    def dataReceived(self, data: bytes) -> None:
        """Take bytes of a request; what comes behind it is dropped."""
        if self._done:
            return
        self._size += len(data)
        self._http.receive_data(data)
        try:
            self._read()
        except h11.RemoteProtocolError as problem:
            self.refuse(problem.error_status_hint)

    def connectionLost(self, reason: Failure = connectionDone) -> None:  # noqa: ARG002 -- Twisted's signature
        """Forget the connection."""
        self._done = True
        self.factory.open.discard(self)
        self.be_patient()

    def _read(self) -> None:
        request = self._http.next_event()
        if not isinstance(request, h11.Request):
            return
        self._head = request.method == b"HEAD"
        headers = dict(request.headers)
        behind, _ = self._http.trailing_data
        if self._size - len(behind) > MOST_HEAD:  # h11 counts what is incomplete only
            self.refuse(431)
        elif b"transfer-encoding" in headers or headers.get(b"content-length", b"0") != b"0":
            self.refuse(400)
        elif request.method not in (b"GET", b"HEAD"):
            self.refuse(405, [(b"Allow", b"GET, HEAD")])
        else:
            self.asked(request)

    # answers

    def refuse(self, status: int, headers: Headers | None = None, why: str = "") -> None:
        """Answer with an error, in one line."""
        reason = why or f"{_REASONS.get(status, _REASONS[400])}."
        self.answer(Answer(status, PLAIN, f"{reason}\n".encode()), headers or [])

    def answer_with(self, found: Deferred[Answer]) -> None:
        """Answer as soon as the answer is there; who asked is cut off if it does not come."""
        self._done = True
        self._wait(REQUEST_SECONDS)
        found.addCallback(self.answer)

    def answer(self, found: Answer, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
        """Answer, and close: one request a connection is enough here.

        What still comes is read and dropped until the client closes, too: a socket that is closed
        with something unread in it takes the answer with it (RFC 9112, 9.6).
        """
        self._done = True
        if self not in self.factory.open:  # gone while its answer was looked for
            return
        size = str(len(found.body)).encode()
        head = [(b"Content-Type", found.content_type), (b"Content-Length", size)]
        events: list[h11.Event] = [
            h11.Response(
                status_code=found.status,
                headers=[*head, *headers, *_SAFE],
                reason=HTTPStatus(found.status).phrase.encode(),
            )
        ]
        if not self._head:
            events.append(h11.Data(data=found.body))
        for event in (*events, h11.EndOfMessage()):
            self.transport.write(self._http.send(event) or b"")
        self._wait(ANSWER_SECONDS)
        say_no_more(self.transport)

    def _wait(self, seconds: float) -> None:
        """Cut the connection off when it is still there after so long."""
        self.be_patient()
        self._patience = self._reactor.callLater(seconds, self.transport.abortConnection)

    def be_patient(self) -> None:
        """Let the connection go on for as long as it likes."""
        if self._patience.active():
            self._patience.cancel()


def path_of(request: h11.Request) -> str:
    """Give the path that a request asks for, without what stands behind a "?".

    "http://host/path" is taken as well as "/path", as every server has to (RFC 9112, 3.2.2).
    """
    absolute = _ABSOLUTE.match(request.target)
    if absolute is None:
        return request.target.decode("ascii").partition("?")[0]
    return request.target[absolute.end() :].decode("ascii").partition("?")[0] or "/"


def headers_of(request: h11.Request) -> Headers:
    """Give a request's headers; a host in its target goes before Host's (RFC 9112, 3.2.2)."""
    absolute = _ABSOLUTE.match(request.target)
    if absolute is None:
        return list(request.headers)
    rest = [(name, value) for name, value in request.headers if name != b"host"]
    return [(b"host", absolute[1]), *rest]


def tokens_of(headers: Headers, name: bytes) -> set[bytes]:
    """Give what stands in a header that is a list, or in all of that name, in small letters."""
    values = b",".join(value for each, value in headers if each == name)
    return {one.strip().lower() for one in values.split(b",")}


def names_of(request: h11.Request) -> Iterable[bytes]:
    """Give the names of a request's headers, in small letters."""
    return [name for name, _ in request.headers]
