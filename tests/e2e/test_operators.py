"""The port that operators watch the server on."""

from __future__ import annotations

import http.client
import re
import signal
import socket
import sqlite3
import time
from contextlib import suppress
from pathlib import Path

from mushcombat.net.operations import MOST_OPEN
from tests.e2e.conftest import Serve
from tests.e2e.harness import PATIENCE, Server
from tests.e2e.proxy import Proxy

LISTEN = '[metrics]\nlisten = ["tcp:0:interface=127.0.0.1"]\n'


def port_of(server: Server) -> int:
    found = re.search(r"operators' port\" address=127\.0\.0\.1:(\d+)", server.log())
    assert found, server.log()
    return int(found[1])


def ask(port: int, path: str, **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, body


def test_prometheus_reads_what_happened_and_no_word_of_it(serve: Serve) -> None:
    server = serve(LISTEN)
    ada = server.login("Ada")
    ada.ask("say quartzsay", "@doing quartzdoing")
    port = port_of(server)
    status, body = ask(port, "/metrics")
    assert status == 200
    told = dict(re.findall(r'^(mushcombat_\w+(?:\{lane="\w+"\})?) (\S+)$', body, re.MULTILINE))
    assert told["mushcombat_players"] == "1.0"
    assert float(told['mushcombat_commands_total{lane="write"}']) >= 1
    assert float(told["mushcombat_commits_total"]) >= 1
    assert "quartz" not in body
    assert "Ada" not in body


def test_others_are_not_answered_and_there_is_nothing_else(serve: Serve) -> None:
    server = serve(LISTEN)
    port = port_of(server)
    assert ask(port, "/healthz") == (200, "ok\n")
    assert ask(port, "/metrics", **{"X-Forwarded-For": "192.0.2.7"})[0] == 404
    assert ask(port, "/../etc/passwd")[0] == 404
    assert ask(port, "/")[0] == 404
    elsewhere = serve(LISTEN + 'addresses = ["192.0.2.0/24"]\n')
    assert ask(port_of(elsewhere), "/metrics")[0] == 404
    assert ask(port_of(elsewhere), "/healthz")[0] == 200


def wait_for(port: int, wanted: tuple[int, str]) -> None:
    """Ask for the health until it is that."""
    end = time.monotonic() + PATIENCE
    told = None
    while told != wanted:
        with suppress(ConnectionError, http.client.HTTPException):  # it may be full still
            told = ask(port, "/healthz")
        assert time.monotonic() < end, told


def test_who_asks_is_told_when_the_database_is_away_and_when_it_is_back(
    postgresql: str, tmp_path: Path
) -> None:
    with Proxy(postgresql) as proxy, Server(tmp_path, proxy.url, LISTEN) as server:
        port = port_of(server)
        wait_for(port, (200, "ok\n"))
        proxy.shut()
        wait_for(port, (503, "the database does not answer\n"))
        proxy.reopen()
        wait_for(port, (200, "ok\n"))


def test_who_asks_is_told_when_nothing_can_be_saved_and_when_it_can_again(serve: Serve) -> None:
    server = serve(LISTEN)
    port, ada = port_of(server), server.login("Ada")
    file = server.url.removeprefix("sqlite:///")
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    ada.send("@doing waiting")
    ada.expect(r"^The database did not take it, so nothing was changed\.")
    wait_for(port, (503, "the database takes nothing\n"))
    other.execute("ROLLBACK")
    other.close()
    wait_for(port, (200, "ok\n"))


def test_both_ports_tell_that_the_server_is_going_down_while_it_is(serve: Serve) -> None:
    server = serve(LISTEN + '[web]\nlisten = ["tcp:0:interface=127.0.0.1"]\n')
    ports = [port_of(server), server.ports["web"][0]]
    ada = server.login("Ada")
    server.signal(signal.SIGTERM)
    ada.expect(r"^The server is going down now\.")  # and it waits for this client to close
    assert [ask(port, "/healthz") for port in ports] == [(503, "going down\n")] * 2


def test_more_connections_than_operators_need_are_closed(serve: Serve) -> None:
    server = serve(LISTEN)
    port = port_of(server)
    idle = [socket.create_connection(("127.0.0.1", port), PATIENCE) for _ in range(MOST_OPEN)]
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as late:
        assert late.recv(1) == b""
    for each in idle:
        each.close()
    wait_for(port, (200, "ok\n"))


def test_a_body_is_refused(serve: Serve) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port_of(serve(LISTEN)), timeout=PATIENCE)
    connection.request("POST", "/healthz", b"x" * 100)
    assert connection.getresponse().status == 400
    connection.close()
