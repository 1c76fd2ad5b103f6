"""What goes over the wires of all clients, byte by byte, until the server is killed."""

from __future__ import annotations

import itertools
import select
import signal
import time
from collections.abc import Iterable

from tests.e2e.harness import PASSWORD, PATIENCE, Client, Server

READ = 1 << 16
_NUMBERS = itertools.count(1)


class KilledError(Exception):
    """The server was killed: the byte that was chosen for it went over a wire."""


class Tap:
    """The connections of some people; after `left` bytes, to or fro, the server is killed.

    None never kills it; another signal than SIGKILL lets it end in order.
    """

    def __init__(
        self, server: Server, left: int | None = None, number: signal.Signals = signal.SIGKILL
    ) -> None:
        self._signal = number
        self._server = server
        self.left = left
        self.clients: dict[str, Client] = {}

    def connect(self, names: Iterable[str]) -> None:
        """Connect people, all at once, and type what logs them in."""
        for name in names:
            self.clients[name] = Client(self._server.port, name=name)
            self.send(name, f"connect {name} {PASSWORD}")

    def send(self, name: str, *lines: str) -> None:
        """Type lines; the last of them may be cut off by the kill."""
        data = "".join(f"{line}\r\n" for line in lines).encode()
        part = data if self.left is None else data[: self.left]
        self.clients[name].send_raw(part)
        self._count(len(part))

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
            self._server.signal(self._signal)
            raise KilledError

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

    def read_out(self) -> None:
        """Take what was sent before the server ended: it did arrive."""
        for client in self.clients.values():
            end = time.monotonic() + PATIENCE
            while not client.closed and client.pump(PATIENCE):
                assert time.monotonic() < end, f"{client.name} is still connected"
            client.close()
        code = self._server.wait()
        ended = "in order" if self._signal is signal.SIGTERM else "at once"
        assert code == (0 if self._signal is signal.SIGTERM else -signal.SIGKILL), (ended, code)
