"""Telnet clients that cost as little as asyncio allows, and getting them logged in."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from benchmarks.errors import RunFailedError
from benchmarks.server import PASSWORD

AT_ONCE = 4
"""Logins under way at a time."""

PATIENCE = 60.0
_NEGOTIATION = re.compile(rb"\xff\xfa.*?\xff\xf0|\xff[\xfb-\xfe].|\xff[\xf0-\xf9]", re.DOTALL)
_ROOM = bytearray(1 << 18)
_BUFFER = memoryview(_ROOM)
"""Everybody receives into this: it is emptied before anyone else gets it."""


class Client(asyncio.BufferedProtocol):
    """One connection; what arrives goes to `sink`, or is kept for `expect` while there is none."""

    def __init__(self, index: int, name: str) -> None:
        self.index = index
        self.name = name.encode()
        self.transport: Any = None  # asyncio gives it when connected
        self.sink: Callable[[Client, bytes], None] | None = None
        self.closed = False
        self._text = b""
        self._wake = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self.transport = transport

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 -- asyncio's signature
        """Note the end of the connection."""
        self.closed = True
        self._wake.set()

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002 -- asyncio's signature
        """Give asyncio room to receive into."""
        return _BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        """Take what has arrived."""
        data = bytes(_BUFFER[:nbytes])
        if self.sink:
            self.sink(self, data)
            return
        self._text += data
        self._wake.set()

    def listen(self) -> None:
        """Keep what comes from now on, for `expect`."""
        self.sink = None
        self._text = b""

    def send(self, data: bytes) -> None:
        """Send bytes."""
        self.transport.write(data)

    async def expect(self, wanted: bytes) -> None:
        """Wait for text; it and what came before are forgotten. Options offered are ignored."""
        await self.find(re.compile(re.escape(wanted)))

    async def find(self, wanted: re.Pattern[bytes]) -> re.Match[bytes]:
        """Wait for a match; all that came so far is forgotten."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not (found := wanted.search(_NEGOTIATION.sub(b"", self._text))):
                    if self.closed:
                        raise RunFailedError(f"the server hung up; it said {self._text[-300:]!r}")
                    self._wake.clear()
                    await self._wake.wait()
        except TimeoutError:
            heard = self._text[-300:]
            raise RunFailedError(f"no {wanted.pattern!r} came, but {heard!r}") from None
        self._text = b""
        return found

    async def ended(self) -> None:
        """Wait until the server has hung up."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not self.closed:
                    self._wake.clear()
                    await self._wake.wait()
        except TimeoutError:
            raise RunFailedError("the server did not hang up on who quit") from None


async def connect(port: int, names: Sequence[str]) -> list[Client]:
    """Open a connection for each name."""
    loop = asyncio.get_running_loop()
    clients = []
    for index, name in enumerate(names):
        make = partial(Client, index, name)
        _, client = await loop.create_connection(make, "127.0.0.1", port)
        clients.append(client)
    return clients


async def log_in(port: int, names: Sequence[str]) -> list[Client]:
    """Open a connection for each name and log in, a few at a time."""
    clients = await connect(port, names)
    await enter(clients)
    await settle(clients)
    return clients


async def enter(clients: Sequence[Client], at_once: int = AT_ONCE) -> None:
    """Log connections in; what they hear behind that is forgotten until somebody listens."""
    gate = asyncio.Semaphore(at_once)

    async def one(client: Client) -> None:
        async with gate:
            client.send(b"connect %b %b\r\n" % (client.name, PASSWORD.encode()))
            await client.expect(b"Connected as %b." % client.name)
            client.sink = _forget

    await asyncio.gather(*(one(client) for client in clients))


def _forget(_client: Client, _data: bytes) -> None:
    """Take what nobody asks for."""


def hang_up(clients: Sequence[Client]) -> None:
    """Close connections at once."""
    for client in clients:
        client.transport.abort()


async def open_scenes(clients: Sequence[Client]) -> None:
    """Let each client open a scene of its own, one after the other."""
    for client in clients:
        client.send(b"+scene/open Bench of %b\r\n" % client.name)
        await client.expect(b'Bench of %b" is open. Dice commitment' % client.name)
    await settle(clients)


async def leave(clients: Sequence[Client], staying: Sequence[Client]) -> None:
    """Log some out, and wait until those who stay have been told."""
    for client in clients:
        client.listen()
        client.send(b"QUIT\r\n")
    for client in clients:
        await client.ended()
    await settle(staying)


async def settle(clients: Sequence[Client]) -> None:
    """Wait until nothing is under way to anyone: an answer tells that all before it has come."""
    for client in clients:
        client.listen()
        client.send(b"page me=settled\r\n")
    for client in clients:
        await client.expect(b"You paged %b with 'settled'\r\n" % client.name)
