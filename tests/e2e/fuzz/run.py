"""Rounds of it: several connections to every port at once, and people who play meanwhile."""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.e2e.certificates import endpoint, wrapped, write_certificate
from tests.e2e.fuzz.frames import Frames
from tests.e2e.fuzz.people import People
from tests.e2e.fuzz.probes import Probe, Slow
from tests.e2e.fuzz.requests import GMCP, PROXIED, SUBPROTOCOLS, Requests, hello, upgrade
from tests.e2e.fuzz.streams import LOGIN, Telnet, cut, mutated
from tests.e2e.harness import TELNET, Client, Server

PLAYERS = ("Ada", "Bram", "Cass")
LINKS = 6
ALIVE = b"\xff\xf0\xff\xf0\r\n\xff\xf6"
"""Ends any subnegotiation and any line, and asks whether the server is there."""

WARM = 25
"""Rounds after which memory has all that it needs."""

GROWTH = 12 << 20
"""Bytes that the server may take more than after those, however long it goes on."""

TRIES = 60
"""Looks at the memory before what it has is taken for what it keeps: on a busy machine passwords
of those who hung up are still being checked after the first dozen."""

CONFIG = f'[limits]\nnew_per_minute = 0\n[metrics]\nlisten = ["{TELNET}"]\n'


class Measured(Server):
    """Gives large blocks back to the system when they are free, so that one can tell what it holds.

    Else malloc keeps some of those in which passwords were checked, now more and now fewer.
    """

    def _environment(self) -> dict[str, str]:
        return {**super()._environment(), "MALLOC_MMAP_THRESHOLD_": str(1 << 20)}


@contextmanager
def every_port(folder: Path, url: str) -> Iterator[Server]:
    """Start a server that listens in every way that it can, on a database with the players."""
    write_certificate(folder, "game.example.org")
    server = Measured(folder, url, CONFIG)
    telnet, web = (TELNET, endpoint(folder), f"haproxy:{TELNET}"), (TELNET, endpoint(folder))
    named = [("--telnet", one) for one in telnet] + [("--web", one) for one in web]
    server.endpoints = tuple(word for pair in named for word in pair)
    with server:
        found = re.search(r"operators' port\" address=127\.0\.0\.1:(\d+)", server.log())
        assert found, server.log()
        server.ports["operators"] = [int(found[1])]
        yield server


class Fuzz:
    """A server, and those who send it all that."""

    def __init__(self, server: Server, seed: int) -> None:
        self.server = server
        self.people = People(server)
        self._chance = random.Random(seed)
        self._telnet = Telnet(self._chance)
        self._requests = Requests(self._chance)
        self._frames = Frames(self._chance)
        self._plain, self._tls, self._proxied = server.ports["telnet"]
        self._web, self._secure = server.ports["web"]
        (self._operators,) = server.ports["operators"]
        self.slow = Slow(self._slow())
        self.sent = 0
        self.rounds = 0
        self.warm = 0
        self.grown = 0

    def memory(self) -> int:
        """Tell how many bytes the server holds in memory."""
        assert self.server.process is not None
        statm = Path(f"/proc/{self.server.process.pid}/statm").read_text()
        return int(statm.split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def settled(self) -> int:
        """Tell the same, when no password is being checked: each check takes 19 MiB.

        Who logs in waits for all that came before them; what was to be sent to those who were cut
        off in this round goes a moment later. It is one look that is judged and told, the least:
        a check that begins after a look that was low enough would be taken for growth.
        """
        held = self.memory()
        for _ in range(TRIES):
            if self.warm and held - self.warm < GROWTH:
                break
            self.people.come_back()
            time.sleep(0.2)
            held = min(held, self.memory())
        return held

    def round(self) -> None:
        """Let many at it, some of whom hang up half-way or never read."""
        clients = [self._client(number) for number in range(LINKS)]
        streams = [cut(self._chance, self._telnet.stream()) for _ in clients]
        probes = [*self._probes()]
        for turn in range(max(map(len, streams))):
            for client, packets in zip(clients, streams, strict=True):
                if turn < len(packets):
                    client.send_raw(packets[turn])
                    self.sent += len(packets[turn])
            for probe in probes:
                probe.step()
        self.slow.step()
        self.people.play()
        for client in clients[: LINKS // 2]:
            self._expect_life(client)
        for client in clients:
            self._chance.choice((client.close, client.reset))()
        self._end(probes)
        self.rounds += 1
        self.server.check_log()

    def close(self) -> None:
        """Let everybody go."""
        self.slow.close()
        self.people.leave()

    def _client(self, number: int) -> Client:
        """Connect by telnet, in turn without and with TLS; half of them log in."""
        port, wrap = ((self._plain, _bare), (self._tls, wrapped))[number % 2]
        client = Client(port, name=f"client {number}", encoding="latin-1", wrap=wrap)
        if number in {1, 2, 5}:
            client.send_raw(LOGIN)
        return client

    def _expect_life(self, client: Client) -> None:
        client.send_raw(ALIVE)
        client.expect(r"\[mushcombat: yes\]")

    # those who need no answer

    def _probes(self) -> Iterator[Probe]:
        for _ in range(4):
            yield self._probe(self._web, self._requests.stream())
            yield self._probe(self._web, self._websocket())
        yield self._probe(self._secure, self._websocket(), tls=True)
        yield self._probe(self._secure, self._requests.stream(), tls=True)
        yield self._probe(self._operators, self._requests.stream())
        yield self._probe(self._tls, mutated(self._chance, hello()))
        yield self._probe(self._tls, self._requests.stream())
        proxied = mutated(self._chance, self._chance.choice(PROXIED), 3)
        yield self._probe(self._proxied, proxied + self._telnet.stream())
        broken = self._probe(self._chance.choice((self._tls, self._secure)), b"look\r\n", tls=True)
        broken.step()
        broken.raw(mutated(self._chance, b"\x17\x03\x03\x00\x20" + self._chance.randbytes(32)))
        yield broken

    def _websocket(self) -> bytes:
        subprotocol = self._chance.choice(SUBPROTOCOLS)
        return upgrade(subprotocol) + self._frames.stream(texts=subprotocol == GMCP)

    def _probe(self, port: int, stream: bytes, *, tls: bool = False) -> Probe:
        packets = cut(self._chance, stream, self._chance.choice((0, 3)))
        return Probe(port, packets, tls=tls, reads=self._chance.random() < 0.7)

    def _slow(self) -> list[tuple[int, bytes]]:
        """Give what is sent byte by byte, and never ends."""
        request = b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 1000
        return [
            (self._web, request),
            (self._operators, request),
            (self._tls, hello()[:-1]),
            (self._secure, hello()[:-1]),
            (self._proxied, b"PROXY TCP6 2001:db8::1 2001:db8::2 5"),
        ]

    def _end(self, probes: list[Probe]) -> None:
        for probe in probes:
            self.sent += probe.sent
            probe.close(hard=self._chance.random() < 0.3)


def fuzz(server: Server, seed: int, goes_on: Callable[[Fuzz], bool]) -> Fuzz:
    """Go on as long as told; fails when the server logs an exception, dies, or grows."""
    run = Fuzz(server, seed)
    for _ in range(WARM):
        run.round()
    run.warm = run.settled()
    while goes_on(run):
        run.round()
        run.grown = run.settled() - run.warm
        assert run.grown < GROWTH, (
            f"grown by {run.grown >> 20} MiB after {run.rounds} rounds, seed {seed}"
        )
    run.close()
    server.empty()
    assert server.login("Ada").ask("look").count("The Landing (#1)") == 1
    return run


def _bare(sock: Any) -> Any:
    return sock
