"""Several servers on one PostgreSQL: to their players they are one game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.e2e.conftest import LOGINS
from tests.e2e.harness import Client, Server, open_scene

Start = Callable[[], Server]


@pytest.fixture
def start(postgresql: str, tmp_path: Path) -> Iterator[Start]:
    """Give a function that starts one more server on the same database."""
    with ExitStack() as stack:
        servers: list[Server] = []

        def begin() -> Server:
            folder = tmp_path / str(len(servers))
            folder.mkdir()
            server = Server(folder, postgresql)
            if not servers:
                for name, role in LOGINS.items():
                    server.account(name, role)
            servers.append(server)
            return stack.enter_context(server)

        yield begin


def both(*clients: Client) -> None:
    """Wait until what these typed has come to all of them: each says a word that all hear."""
    for client in clients:
        client.send(f'say This is {client.name}\'s mark.')
        for other in clients:
            other.expect(r"(?:You say|.* says), \"This is .*'s mark\.\"")


def test_talk_pages_and_who_cross(start: Start) -> None:
    one, two = start(), start()
    ada, bram = one.login("Ada"), two.login("Bram")
    ada.expect(r"^Bram has connected\.$")
    ada.send("say Hello over there.")
    bram.expect(r'^Ada says, "Hello over there\."$')
    ada.expect(r'^You say, "Hello over there\."$')
    bram.send("page Ada=psst")
    ada.expect(r"^Bram pages: psst$")
    bram.expect(r"^You paged Ada: psst$")
    ada.send("WHO")
    ada.expect(r"^Bram: on for")
    ada.expect(r"^2 players are connected\.$")
    bram.close()
    ada.expect(r"^Bram has disconnected\.$")
