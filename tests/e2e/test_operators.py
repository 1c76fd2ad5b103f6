"""The port that operators watch the server on."""

from __future__ import annotations

import http.client
import re

from tests.e2e.conftest import Serve
from tests.e2e.harness import PATIENCE, Server

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
