"""Requests to the web port of the real program: who is counted as refused, and odd ways to ask."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from tests.e2e.conftest import sqlite_url
from tests.e2e.harness import PATIENCE, TELNET, Client, Server

OPERATORS = '[metrics]\nlisten = ["tcp:0:interface=127.0.0.1"]\n'
SUBPROTOCOLS = ("telnet.mudstandards.org", "gmcp.mudstandards.org")


@pytest.fixture
def full(tmp_path: Path, template: Path) -> Iterator[Server]:
    """Give a server where one connection of an address has a place, and somebody has it."""
    (tmp_path / "test.db").write_bytes(template.read_bytes())
    server = Server(tmp_path, sqlite_url(tmp_path), f"[limits]\nper_address = 1\n{OPERATORS}")
    server.endpoints = ("--telnet", TELNET, "--web", TELNET)
    with server:
        first = server.connect(name="first")
        yield server
        first.sock.close()


def ask(port: int, target: str, *lines: str) -> bytes:
    """Send a request as it is; gives all that comes until the server closes."""
    request = "\r\n".join((f"GET {target} HTTP/1.1", "Host: x", *lines, "", ""))
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as sock:
        sock.sendall(request.encode())
        answer = b""
        while part := sock.recv(1 << 16):
            answer += part
        return answer


def refused(server: Server) -> int:
    """Give how many connections the server says it has not let in."""
    found = re.search(r"operators' port\" address=127\.0\.0\.1:(\d+)", server.log())
    assert found
    told = re.search(rb"^mushcombat_refused_total (\d+)", ask(int(found[1]), "/metrics"), re.M)
    assert told
    return int(told[1])


def test_every_connection_that_is_not_let_in_counts_once(full: Server) -> None:
    web = full.ports["web"][0]
    turned_away = Client(full.port, name="turned away")
    turned_away.expect("come from your address already")
    assert refused(full) == 1
    assert ask(web, "/").startswith(b"HTTP/1.1 503 ")
    assert refused(full) == 2
    for count, subprotocol in enumerate(SUBPROTOCOLS, 3):
        with connect(f"ws://127.0.0.1:{web}/", subprotocols=[Subprotocol(subprotocol)]) as link:
            assert b"come from your address already" in link.recv(timeout=PATIENCE)
        assert refused(full) == count
    assert ask(web, "/healthz").endswith(b"\r\n\r\nok\n")
    assert refused(full) == 4


def test_health_is_told_however_it_is_asked_for(full: Server) -> None:
    web = full.ports["web"][0]
    offer = ("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk")
    assert ask(web, "/healthz", *offer).endswith(b"\r\n\r\nok\n")
    assert ask(web, f"http://127.0.0.1:{web}/healthz").endswith(b"\r\n\r\nok\n")


@pytest.mark.parametrize("size", [17_000, 40_000, 60_000])
def test_a_head_that_is_too_long_is_refused_though_it_comes_whole(full: Server, size: int) -> None:
    answer = ask(full.ports["web"][0], "/healthz", f"X: {'y' * size}")
    assert answer.startswith(b"HTTP/1.1 431 ")
