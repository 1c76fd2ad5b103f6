"""Several servers on one PostgreSQL, and how to wait for what goes from one to another."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.e2e.fight_script import Table
from tests.e2e.harness import PASSWORD, Client, Server

_NUMBERS = itertools.count(1)


class Several:
    """Starts servers on one database; who logs in is sent to one after the other."""

    def __init__(self, url: str, folder: Path, stack: ExitStack) -> None:
        self._url = url
        self._folder = folder
        self._stack = stack
        self.servers: list[Server] = []
        self._turn = itertools.count()

    def start(self) -> Server:
        """Start one more server."""
        folder = self._folder / str(len(self.servers))
        folder.mkdir()
        server = Server(folder, self._url)
        self.servers.append(server)
        return self._stack.enter_context(server)

    def login(self, name: str, *, encoding: str = "utf-8", password: str = PASSWORD) -> Client:
        """Log in at the next server."""
        server = self.servers[next(self._turn) % len(self.servers)]
        return server.login(name, encoding=encoding, password=password)

    def cli(self, *words: str) -> str:
        """Run a command of the program."""
        return self.servers[0].cli(*words)

    def empty(self) -> None:
        """Close all connections, and wait until nobody is there any more."""
        for client in [client for server in self.servers for client in server.clients]:
            client.close()
        for server in self.servers:
            server.empty()
        for server in self.servers:
            for client in server.clients:
                client.close()
            server.clients.clear()
            server.check_log()


@contextmanager
def several(url: str, folder: Path, count: int) -> Iterator[Several]:
    """Start servers; all of them end, and their logs are looked at."""
    with ExitStack() as stack:
        game = Several(url, folder, stack)
        for _ in range(count):
            game.start()
        yield game


def settle(first: Client, *others: Client) -> None:
    """Wait until what `first` typed is done, and shown to the others, wherever they are.

    A page comes behind all that was committed before it, on every server.
    """
    first.sync()
    for other in others:
        mark = f"mark{next(_NUMBERS)}mark"
        first.send(f"page {other.name}={mark}")
        other.expect(mark)
        other.sync()
    first.sync()


_PAGES = re.compile(r"^.*mark\d+mark.*\n", re.MULTILINE)


def without_marks(text: str) -> str:
    """Give what was seen but for what `settle` paged."""
    return _PAGES.sub("", text)


class FarTable(Table):
    """The four at a table whose seats are at different servers."""

    def settle(self, first: Client) -> None:
        """Wait until all that one typed is done, and shown to everybody."""
        settle(first, *(client for client in self.clients.values() if client is not first))


def same_order(clients: Sequence[Client], pattern: str) -> list[str]:
    """Give the lines that match, which must be the same in the same order for all."""
    heard = [re.findall(pattern, client.seen, re.MULTILINE) for client in clients]
    for client, lines in zip(clients, heard, strict=True):
        assert lines == heard[0], f"{client.name} saw another order than {clients[0].name}"
    return heard[0]
