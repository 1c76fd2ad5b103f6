"""Random and mutated bytes over real sockets, several connections at once.

`python -m tests.e2e.fuzz` (`make fuzz`) goes on for ten minutes, and for as much as it is told with
--seconds; the tests run a few rounds. Whatever comes, the server logs no exception, does not grow,
and answers on the same link as soon as the bytes end what they began.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from tests.e2e.harness import PASSWORD, Client, Server
from tests.unit.wire.conversation import all_of_them

LINKS = 8
PIECES = 40
ALIVE = b"\xff\xf0\xff\xf0\r\n\xff\xf6"
"""Ends any subnegotiation and any line, and asks whether the server is there."""

WARM = 25
"""Rounds after which memory has all that it needs."""

GROWTH = 24 << 20
"""Bytes that the server may take more than after those, however long it goes on.

The first time that two passwords are checked at once, it takes 19 MiB for the second one.
"""

_SAID = [conversation.telnet for conversation in all_of_them()]
_LINES = [
    b"look\r\n",
    b"say hello\n",
    b"WHO\r",
    b"+roll fair\r\0",
    "say h\u00e9 \u30b3\r\n".encode(),
]


class Bytes:
    """Makes bytes that no client should send, and some that they do."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._kinds: list[Callable[[], bytes]] = [
            self._junk,
            self._negotiation,
            self._subnegotiation,
            self._mutated,
            self._line,
        ]

    def stream(self) -> bytes:
        """Make some of everything."""
        count = self._chance.randrange(1, PIECES)
        return b"".join(self._chance.choice(self._kinds)() for _ in range(count))

    def _junk(self) -> bytes:
        return self._chance.randbytes(self._chance.randrange(64))

    def _negotiation(self) -> bytes:
        verb, option = self._chance.randrange(236, 256), self._chance.randrange(256)
        return bytes((255, verb, option)) * self._chance.choice((1, 1, 1, 50))

    def _subnegotiation(self) -> bytes:
        option = self._chance.choice((24, 31, 39, 42, 70, 201, self._chance.randrange(255)))
        size = self._chance.choice((0, 1, 4, 40, 20_000))
        payload = bytes((self._chance.randrange(6),)) + self._chance.randbytes(size)
        return bytes((255, 250, option)) + payload + b"\xff\xf0"

    def _mutated(self) -> bytes:
        said = bytearray(self._chance.choice(_SAID))
        for _ in range(self._chance.randrange(8) if said else 0):
            at = self._chance.randrange(len(said) + 1)
            match self._chance.randrange(3):
                case 0:
                    said[at:at] = self._chance.randbytes(1)
                case 1:
                    del said[at : at + self._chance.randrange(1, 4)]
                case _:
                    said[at : at + 1] = self._chance.randbytes(1)
        return bytes(said)

    def _line(self) -> bytes:
        return self._chance.choice(_LINES)


class Fuzz:
    """A server, and those who send it all that."""

    def __init__(self, server: Server, seed: int) -> None:
        self.server = server
        self._chance = random.Random(seed)
        self._bytes = Bytes(self._chance)
        self.sent = 0
        self.rounds = 0
        self.warm = 0

    def memory(self) -> int:
        """Tell how many bytes the server holds in memory."""
        assert self.server.process is not None
        statm = Path(f"/proc/{self.server.process.pid}/statm").read_text()
        return int(statm.split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def round(self) -> None:
        """Let several clients at it, some of whom hang up half-way or never read."""
        clients = [self._client(number) for number in range(LINKS)]
        streams = [self._cut(self._bytes.stream()) for _ in clients]
        for turn in range(max(map(len, streams))):
            for client, packets in zip(clients, streams, strict=True):
                if turn < len(packets):
                    self._send(client, packets[turn])
        for client in clients[: LINKS // 2]:
            self._expect_life(client)
        for client in clients:
            self._chance.choice((client.close, client.reset))()
        self.server.clients.clear()
        self.rounds += 1
        self.server.check_log()

    def _client(self, number: int) -> Client:
        client = Client(self.server.port, name=f"client {number}", encoding="latin-1")
        self.server.clients.append(client)
        if number % 2:
            client.send(f"connect ada {PASSWORD}")
        return client

    def _cut(self, stream: bytes) -> list[bytes]:
        cuts = sorted(self._chance.randrange(len(stream) + 1) for _ in range(4))
        edges = [0, *cuts, len(stream)]
        return [stream[a:b] for a, b in pairwise(edges)]

    def _send(self, client: Client, data: bytes) -> None:
        client.send_raw(data)
        self.sent += len(data)

    def _expect_life(self, client: Client) -> None:
        client.send_raw(ALIVE)
        client.expect(r"\[mushcombat: yes\]")


def fuzz(server: Server, seed: int, goes_on: Callable[[Fuzz], bool]) -> Fuzz:
    """Go on as long as told; fails when the server logs an exception, dies, or grows."""
    run = Fuzz(server, seed)
    for _ in range(WARM):
        run.round()
    run.warm = run.memory()
    while goes_on(run):
        run.round()
        grown = run.memory() - run.warm
        assert grown < GROWTH, f"grown by {grown >> 20} MiB after {run.rounds} rounds, seed {seed}"
    server.empty()
    assert server.login("Ada").ask("look").startswith("The Landing")
    return run


def main() -> int:
    """Run by itself; the seed is printed, so that it can be done again."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    print(f"fuzz: seed {options.seed}, {options.seconds:g} s", flush=True)  # noqa: T201 -- its product
    end = time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        server = Server(Path(name), f"sqlite:///{name}/fuzz.db")
        server.account("Ada")
        with server:
            run = fuzz(server, options.seed, lambda _: time.monotonic() < end)
            grown = (run.memory() - run.warm) >> 10
    print(f"fuzz: {run.rounds} rounds, {run.sent:,} bytes, grown by {grown:,} KiB")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
