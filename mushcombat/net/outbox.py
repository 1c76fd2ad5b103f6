"""What a link has been given to send: bounded, whoever reads or does not.

On a plain socket bytes go to the kernel at once: by way of the reactor each small answer costs
three more system calls. The transport has what the kernel did not take, and says when that is
gone; until then it is "full", and what comes waits here, up to a limit for each link and one for
all. Beyond it the connection is cut: what it was to be shown is in the log, and its next login is
told.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from mushcombat.net.sockets import plain_socket, unsent

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Waiting:
    """Bytes that wait for all who do not read; `limit` for one and `limit_all`, 0 for none."""

    limit: int
    limit_all: int
    size: int = 0
    cut_off: int = 0


class Outbox:
    """One link's way out."""

    __slots__ = (
        "_closed",
        "_full",
        "_held",
        "_over",
        "_size",
        "_socket",
        "_stalled",
        "_transport",
        "_waiting",
    )

    def __init__(self, transport: Any, waiting: Waiting) -> None:
        self._transport = transport
        self._waiting = waiting
        self._held: list[bytes] = []
        self._size = 0
        self._full = False
        self._over = False
        self._closed = False
        self._stalled = False
        self._socket = plain_socket(transport)
        # A pull producer is told when all is written, a push producer when it was too much.
        transport.registerProducer(self, self._socket is None)

    def write(self, data: bytes) -> None:
        """Send bytes, or keep them until the link takes more; cut it off when that is too many."""
        if self._over or not data:
            return
        if not self._full:
            self._send(data)
            return
        self._held.append(data)
        self._size += len(data)
        self._waiting.size += len(data)
        if self._too_many():
            self._cut()

    def _send(self, data: bytes) -> None:
        """Give bytes to the kernel, and to the transport what it does not take."""
        if self._socket is not None:
            try:
                sent = self._socket.send(data)
            except OSError:
                sent = 0  # of a link that is broken the transport finds out by itself
            if sent == len(data):
                self._full = False
                return
            self._full, data = True, data[sent:]
        self._transport.write(data)

    def counts(self, size: int) -> bool:
        """Count bytes that go to the transport another way; tells whether they still may."""
        if self._full and not self._over:
            self._size += size
            self._waiting.size += size
            if self._too_many():
                self._cut()
        return not self._over

    def close(self) -> None:
        """End the link when all is sent; the link itself sees to those who do not read it."""
        if self.let_go():
            self._transport.loseConnection()

    def let_go(self) -> bool:
        """Hand all to the transport, and take no more; tells whether there still was a way."""
        if self._over:
            return False
        self._transport.unregisterProducer()
        self._transport.write(self._take_held())
        self._over = self._closed = True
        return True

    @property
    def behind(self) -> bool:
        """Whether the other side has not taken all that it was sent; of a lost link: had not."""
        if not self._over:
            self._stalled = unsent(self._transport) > 0
        return self._full or self._stalled

    def lost(self, *, clean: bool = True) -> None:
        """Forget what can't be sent any more. `clean`: the link was closed, it did not break."""
        if clean and self._closed:  # by us, and only once all was taken
            self._full = self._stalled = False
        self._over = True
        self._drop()

    # Twisted's producer

    def pauseProducing(self) -> None:
        """Take note that the transport has enough."""
        self._full = True

    def resumeProducing(self) -> None:
        """Send on."""
        self._full = False
        held = self._take_held()
        if held:
            self._send(held)

    def stopProducing(self) -> None:
        """Take note that nothing can be sent any more."""
        self.lost(clean=False)

    def _take_held(self) -> bytes:
        data = b"".join(self._held)
        self._drop()
        return data

    def _drop(self) -> None:
        self._waiting.size -= self._size
        self._held, self._size = [], 0

    def _too_many(self) -> bool:
        mine, everyone = self._waiting.limit, self._waiting.limit_all
        return bool(mine and self._size > mine) or bool(everyone and self._waiting.size > everyone)

    def _cut(self) -> None:
        log.warning(
            "a connection that does not read was ended", extra={"fields": {"waiting": self._size}}
        )
        self._over = True
        self._waiting.cut_off += 1
        self._drop()
        self._transport.abortConnection()
