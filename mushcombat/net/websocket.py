"""A WebSocket (RFC 6455) as a link stands on it: messages and frames are wsproto's business."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from twisted.python.failure import Failure
from wsproto import WSConnection
from wsproto.events import (
    BytesMessage,
    CloseConnection,
    Event,
    Message,
    Ping,
    Pong,
    TextMessage,
)
from wsproto.utilities import LocalProtocolError

from mushcombat.net.flood import Allowance
from mushcombat.net.sockets import socket_of

MOST_BYTES: Final = 65_536
"""Longest message that is taken; a longer one ends the connection with 1009."""

IDLE_A_SECOND, IDLE_AT_ONCE = 10, 100
"""Control frames, and frames with nothing in them, that a client may send; then 1008."""

PING_SECONDS: Final = 60.0
"""After so long we ask whether anybody is there; who says nothing until the next is cut off."""

CLOSE_SECONDS: Final = 2.0
"""How long we wait for the peer's close frame after ours."""

NORMAL, GOING_AWAY, UNSUPPORTED, POLICY, TOO_BIG = 1000, 1001, 1003, 1008, 1009


class WebSocket:
    """One open WebSocket: a transport for the link above it, which is made last of all.

    What is written goes out as binary messages, one each; `send_text` sends a text message.
    """

    def __init__(
        self,
        connection: WSConnection,
        transport: Any,
        reactor: Any,
        going: Callable[[], bool] = lambda: False,
    ) -> None:
        """Take an open connection; `going` tells whether the server is about to end."""
        self._going = going
        self._connection = connection
        self._transport = transport
        self._reactor = reactor
        self._idle = Allowance(IDLE_A_SECOND, IDLE_AT_ONCE, reactor.seconds)
        self._parts: list[bytes] = []
        self._size = 0
        self._closing = False
        self._ended = False
        self._heard = True
        self._timer: Any = reactor.callLater(PING_SECONDS, self._ask)
        self._link: Any = None
        self._take_message: Callable[[bytes, bool], int] = lambda _data, _text: UNSUPPORTED

    def carry(self, link: Any, take: Callable[[bytes, bool], int]) -> None:
        """Make a link on it. `take` is handed each message, and whether it is text.

        It gives 0, or the code to end the connection with for a message that it does not take.
        """
        self._link, self._take_message = link, take
        link.makeConnection(self)

    # from the peer

    def received(self, data: bytes) -> None:
        """Take bytes of the peer."""
        if self._ended:
            return
        self._heard = True
        self._connection.receive_data(data)
        for event in self._connection.events():
            if not self._ended:
                self._take(event)

    def lost(self, reason: Failure) -> None:
        """Tell the link that the connection is gone."""
        self._ended = True
        self._cancel()
        self._link.connectionLost(reason)

    def _take(self, event: Event) -> None:
        match event:
            case CloseConnection():
                if not self._closing:
                    self._say(event.response())
                self._end()
            case _ if self._closing:
                pass
            case Ping():
                if self._allowed():
                    self._say(event.response())
            case Pong():
                self._allowed()
            case Message():
                self._part(event)

    def _part(self, event: Message[Any]) -> None:
        """Take a part of a message: a frame, or what has come of one so far."""
        text = isinstance(event, TextMessage)
        data = event.data.encode() if isinstance(event, TextMessage) else bytes(event.data)
        if not data and not self._allowed():
            return
        self._size += len(data)
        if self._size > MOST_BYTES:
            self._fail(TOO_BIG, "A message has 65,536 bytes at most.")
            return
        self._parts.append(data)
        if event.message_finished:
            whole, self._parts, self._size = b"".join(self._parts), [], 0
            code = self._take_message(whole, text)
            if code:
                self._fail(code, "Messages of that kind are not taken here.")

    def _allowed(self) -> bool:
        """Count what brings nothing; too much of it ends the connection."""
        allowed = self._idle.take()
        if not allowed:
            self._fail(POLICY, "Too many frames with nothing in them.")
        return allowed

    # to the peer

    def write(self, data: bytes) -> None:
        """Send a binary message; nothing for no bytes."""
        if data and not self._closing and not self._ended:
            self._say(BytesMessage(data=data))

    def send_text(self, data: bytes) -> None:
        """Send a text message, of bytes that are UTF-8."""
        if not self._closing and not self._ended:
            self._say(TextMessage(data=data.decode()))

    def _say(self, event: Event) -> None:
        try:
            self._transport.write(self._connection.send(event))
        except LocalProtocolError:  # the peer has closed, or never was more than half open
            self._end()

    def _ask(self) -> None:
        """Ask the peer whether it is there, or cut it off if it was not the last time."""
        if not self._heard:
            self.abortConnection()
            return
        self._heard = False
        self._say(Ping())
        if not self._ended:
            self._timer = self._reactor.callLater(PING_SECONDS, self._ask)

    # the end

    def _fail(self, code: int, reason: str) -> None:
        """End the connection for what the peer did; RFC 6455 has the codes (7.4.1)."""
        self._close(CloseConnection(code=code, reason=reason))

    def _close(self, why: CloseConnection) -> None:
        """Say that it ends, and wait a little for the peer to say so, too.

        Until then what comes is read and dropped: a socket that is closed with something unread in
        it takes our last words with it.
        """
        if self._closing or self._ended:
            return
        self._say(why)
        self._closing = True
        if not self._ended:
            self._cancel()
            self._timer = self._reactor.callLater(CLOSE_SECONDS, self._end)
            self._transport.resumeProducing()

    def _end(self) -> None:
        """Close what is below once all is written; or cut it off, if nobody reads that."""
        if self._ended:
            return
        self._ended = True
        self._cancel()
        self._timer = self._reactor.callLater(CLOSE_SECONDS, self._transport.abortConnection)
        self._transport.loseConnection()

    def _cancel(self) -> None:
        if self._timer.active():
            self._timer.cancel()

    # what a link asks of its transport; the names are Twisted's

    def loseConnection(self) -> None:  # noqa: N802 -- as above
        """Say goodbye."""
        self._close(CloseConnection(code=GOING_AWAY if self._going() else NORMAL))

    def abortConnection(self) -> None:  # noqa: N802 -- as above
        """Cut the connection off."""
        self._ended = True
        self._cancel()
        self._transport.abortConnection()

    def pauseProducing(self) -> None:
        """Read no more for now."""
        if not self._closing:
            self._transport.pauseProducing()

    def resumeProducing(self) -> None:
        """Read on."""
        self._transport.resumeProducing()

    def registerProducer(self, producer: Any, streaming: bool) -> None:  # noqa: N802, FBT001 -- as above
        """Let somebody know when the peer is slow to read."""
        self._transport.registerProducer(producer, streaming)

    def unregisterProducer(self) -> None:  # noqa: N802 -- as above
        """Let them know no more."""
        self._transport.unregisterProducer()

    def getHandle(self) -> Any:  # noqa: N802 -- as above
        """Give the socket below, for what only the kernel knows of it."""
        return socket_of(self._transport)

    def getPeer(self) -> Any:  # noqa: N802 -- as above
        """Give the peer's address."""
        return self._transport.getPeer()
