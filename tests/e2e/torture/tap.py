"""What goes over the wires of all clients, byte by byte, until a server is killed."""

from __future__ import annotations

import itertools
import select
import time
from collections.abc import Callable, Iterable, Sequence

from tests.e2e.harness import PASSWORD, PATIENCE, Client, Server

READ = 1 << 16
AGAIN = 0.2
"""Seconds to wait for a page before it is looked whether it was refused."""

_NUMBERS = itertools.count(1)


class KilledError(Exception):
    """A server was killed: the byte that was chosen for it went over a wire."""


class Tap:
    """The connections of some people to one or more servers.

    After `left` bytes, to or fro, the victim is ended; None never ends it.
    """

    def __init__(self, servers: Sequence[Server]) -> None:
        self.servers = servers
        self.seats: dict[str, Server] = {}
        self.clients: dict[str, Client] = {}
        self.left: int | None = None
        self._victim: Server | None = None
        self._end: Callable[[], None] = lambda: None

        self._at_line = self._due = False

    def aim(
        self, victim: Server, end: Callable[[], None], left: int | None, *, at_line: bool = False
    ) -> None:
        """Choose whom it will be, how, and after how many bytes; `at_line`: and the next line."""
        self._victim, self._end, self.left = victim, end, left
        self._at_line, self._due = at_line, False

    # connections

    def connect(self, name: str, server: Server) -> Client:
        """Connect somebody; nothing is typed yet."""
        client = Client(server.port, name=name)
        self.clients[name], self.seats[name] = client, server
        return client

    def log_in(self, name: str) -> None:
        """Type what logs somebody in."""
        self.send(name, f"connect {name} {PASSWORD}")

    def at(self, server: Server) -> list[str]:
        """Name who is connected to a server."""
        return [name for name, seat in self.seats.items() if seat is server]

    # bytes

    def send(self, name: str, *lines: str) -> None:
        """Type lines; the last of them may be cut off by the kill of who was to read it."""
        data = "".join(f"{line}\r\n" for line in lines).encode()
        part = len(data) if self.left is None else min(self.left, len(data))
        self.clients[name].send_raw(data[:part])
        try:
            if self._due:
                self._kill()
            self._count(part)
        finally:
            # A kill that is due comes with the next line: until then this one is typed whole.
            if data[part:] and (self._due or self.seats[name] is not self._victim):
                self.clients[name].send_raw(data[part:])

    def read(self, wait: float) -> None:
        """Take what comes to anybody within some seconds."""
        sockets = {client.sock: client for client in self.clients.values() if not client.closed}
        ready, _, _ = select.select(list(sockets), [], [], wait)
        for socket in ready:
            client = sockets[socket]
            before = len(client.raw)
            client.pump(0, READ if self.left is None else min(READ, self.left))
            self._count(len(client.raw) - before)

    def _count(self, number: int) -> None:
        if self.left is None:
            return
        self.left -= number
        if self.left <= 0:
            self.left, self._due = None, self._at_line
            if not self._due:
                self._kill()

    def _kill(self) -> None:
        self._due = False
        self._end()
        raise KilledError

    # waiting

    def settle(self, names: Iterable[str]) -> None:
        """Wait until all that some typed is answered."""
        missing: dict[str, tuple[str, int]] = {}
        for name in names:
            mark = f"qq{next(_NUMBERS)}qq"
            missing[name] = f'There is no help on "{mark}"', len(self.clients[name].seen)
            self.send(name, f"help {mark}")
        end = time.monotonic() + PATIENCE
        while missing:
            left = end - time.monotonic()
            closed = [name for name in missing if self.clients[name].closed]
            assert not closed, f"{closed} were disconnected"
            assert left > 0, f"{list(missing)} are not answered"
            self.read(left)
            missing = {
                name: (text, start)
                for name, (text, start) in missing.items()
                if text not in self.clients[name].seen[start:]
            }

    def meet(self) -> None:
        """Wait until all that is committed is shown to everybody, at every server.

        A page comes behind all that was committed before it, and behind the news of who came.
        """
        self.settle(list(self.clients))
        first = [there[0] for server in self.servers if (there := self.at(server))]
        for one, other in itertools.permutations(first, 2):
            self._page(one, other)
        if len(first) > 1:
            self.settle(list(self.clients))

    def _page(self, one: str, other: str) -> None:
        """Page somebody; again only when it was refused, for who came is not known there yet."""
        mark, end = f"mark{next(_NUMBERS)}mark", time.monotonic() + PATIENCE
        pager, paged = self.clients[one], self.clients[other]
        here, there = len(pager.seen), len(paged.seen)
        self.send(one, f"page {other}={mark}")
        while mark not in paged.seen[there:]:
            assert time.monotonic() < end, f"{one}'s page does not come to {other}"
            self.read(AGAIN)
            if f'Nobody called "{other}" is connected.' in pager.seen[here:]:
                here = len(pager.seen)
                self.send(one, f"page {other}={mark}")

    def leave(self) -> None:
        """Let everybody quit."""
        for name in self.clients:
            self.send(name, "QUIT")
        for server in self.servers:
            self.read_out(server)

    def read_out(self, server: Server) -> list[Client]:
        """Take what a server sent before it closed: it did arrive. Gives the connections it had."""
        gone = []
        for name in self.at(server):
            client = self.clients.pop(name)
            del self.seats[name]
            end = time.monotonic() + PATIENCE
            while not client.closed and client.pump(PATIENCE):
                assert time.monotonic() < end, f"{name} is still connected"
            client.close()
            gone.append(client)
        return gone
