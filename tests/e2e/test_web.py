"""The web port with the real program: WebSockets from an independent client, and odd requests."""

from __future__ import annotations

import base64
import json
import random
import re
import socket
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from tests.e2e.conftest import sqlite_url
from tests.e2e.harness import PASSWORD, PATIENCE, TELNET, Server
from tests.unit.schemas import read

TELNET_OVER, GMCP_OVER = "telnet.mudstandards.org", "gmcp.mudstandards.org"
CONFIG = '[server]\nname = "<b>Night & Watch"\n[web]\norigins = ["https://play.example.org"]\n'
CONFIG += "[limits]\nbytes = 0\naddress_bytes = 0\n"


@pytest.fixture(scope="module")
def module_web(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("web")
    (folder / "test.db").write_bytes(template.read_bytes())
    server = Server(folder, sqlite_url(folder), CONFIG)
    server.endpoints = ("--telnet", TELNET, "--web", TELNET)
    with server:
        yield server


@pytest.fixture
def web(module_web: Server) -> Iterator[Server]:
    """Lend the file's server to one test: nobody is connected, and its log is clean."""
    yield module_web
    module_web.empty()
    module_web.check_log()


def dial(server: Server, *subprotocols: str, **options: Any) -> ClientConnection:
    offered = [Subprotocol(one) for one in subprotocols]
    url = f"ws://127.0.0.1:{server.ports['web'][0]}/"
    link: ClientConnection = connect(
        url, subprotocols=offered or None, open_timeout=PATIENCE, **options
    )
    return link


def hear(link: ClientConnection, pattern: str) -> str:
    """Wait for text that matches in binary messages; gives all that came until then."""
    seen = ""
    while not re.search(pattern, seen, re.MULTILINE):
        part = link.recv(timeout=PATIENCE)
        seen += part.decode(errors="backslashreplace") if isinstance(part, bytes) else ""
    return seen


def told(link: ClientConnection, package: str) -> Any:
    """Wait for a GMCP message in a text message; gives its data."""
    while True:
        part = link.recv(timeout=PATIENCE)
        if isinstance(part, str):
            name, data = read(part)
            if name == package:
                return data


def closed_with(link: ClientConnection) -> int:
    """Wait until the server has closed; gives the code."""
    with pytest.raises(ConnectionClosed) as end:
        repeat(lambda: link.recv(timeout=PATIENCE))
    assert end.value.rcvd is not None
    return end.value.rcvd.code


def repeat(work: Callable[[], object]) -> None:
    """Do something until it can't be done any more."""
    while True:
        work()


def ask(server: Server, request: bytes) -> bytes:
    """Send bytes to the web port as they are; gives all that comes until it closes."""
    with socket.create_connection(("127.0.0.1", server.ports["web"][0]), PATIENCE) as sock:
        sock.sendall(request)
        answer = b""
        while part := sock.recv(1 << 16):
            answer += part
        return answer


def head(*lines: str, start: str = "GET / HTTP/1.1") -> bytes:
    return "\r\n".join((start, *lines, "", "")).encode("latin-1")


KEY = base64.b64encode(bytes(16)).decode()
UPGRADE = (
    "Host: x",
    "Connection: Upgrade",
    "Upgrade: websocket",
    f"Sec-WebSocket-Key: {KEY}",
    "Sec-WebSocket-Version: 13",
    f"Sec-WebSocket-Protocol: {GMCP_OVER}",
)


# playing


def test_telnet_comes_through_binary_messages(web: Server) -> None:
    with dial(web, "other.example.org", TELNET_OVER) as link:
        assert link.subprotocol == TELNET_OVER
        hear(link, "QUIT +to leave")
        link.send(b"\xff\xfd\xc9\xff\xfa\xc9Core.Ping\xff\xf0connect Ada ")
        link.send(f"{PASSWORD}\r\n".encode())
        seen = b""
        while b"Connected as Ada." not in seen:
            part = link.recv(timeout=PATIENCE)
            seen += part if isinstance(part, bytes) else b""
        assert b"\xff\xfa\xc9Core.Ping\xff\xf0" in seen
        link.send(b"QUIT\r\n")
        assert closed_with(link) == 1000


def test_text_and_data_come_apart_in_the_other_subprotocol(web: Server) -> None:
    (bram,) = web.logins("Bram")
    with dial(web, GMCP_OVER, TELNET_OVER) as link:
        assert link.subprotocol == GMCP_OVER
        link.send('Core.Supports.Set ["Char 1", "Comm.Channel 1"]')
        link.send(f"connect Ada {PASSWORD}".encode())
        assert "\\xff" not in hear(link, r"^Connected as Ada\.")
        assert told(link, "Char.Vitals")["hp"] == 100
        link.send("say Grüße, 👩‍🚀\r\nsay again".encode())
        bram.expect('^Ada says, "Grüße, 👩‍🚀"')
        bram.expect('^Ada says, "again"')
        bram.send("page Ada=hello")
        assert told(link, "Comm.Channel.Text")["talker"] == "Ada"


def test_bytes_that_are_no_utf_8_do_not_change_what_comes_back(web: Server) -> None:
    with dial(web, GMCP_OVER) as link:
        link.send(f"connect Ada {PASSWORD}".encode())
        hear(link, r"^Connected as Ada\.")
        link.send(b"say caf\xe9 \xff\xff")
        assert "caf\ufffd \ufffd" in hear(link, r"^You say.*$")


def test_a_message_may_come_in_fragments(web: Server) -> None:
    with dial(web, GMCP_OVER) as link:
        link.send([f"connect Ada {PASSWORD}"[:7].encode(), f" Ada {PASSWORD}".encode()])
        hear(link, r"^Connected as Ada\.")
        link.send(["Core.", "Ping"])
        assert told(link, "Core.Ping") is None


def test_a_password_that_is_asked_for_is_asked_for_here_too(web: Server) -> None:
    with dial(web, GMCP_OVER) as link:
        link.send(b"connect Ada")
        hear(link, "Password: ")
        link.send(PASSWORD.encode())
        hear(link, r"^Connected as Ada\.")


def test_who_asks_whether_we_are_there_is_answered(web: Server) -> None:
    with dial(web, TELNET_OVER) as link:
        assert link.ping().wait(PATIENCE)


# limits


def test_a_message_over_the_limit_ends_the_connection_with_1009(web: Server) -> None:
    with dial(web, GMCP_OVER) as link:
        link.send(b"x" * 65_537)
        assert closed_with(link) == 1009
    with dial(web, GMCP_OVER) as link:
        link.send(b"x" * 10_000 for _ in range(8))
        assert closed_with(link) == 1009


def test_a_flood_of_frames_with_nothing_in_them_ends_with_1008(web: Server) -> None:
    with dial(web, GMCP_OVER) as link:
        with pytest.raises(ConnectionClosed):
            repeat(lambda: link.send(b""))
        assert closed_with(link) == 1008
    with dial(web, TELNET_OVER) as link:
        with pytest.raises(ConnectionClosed):
            repeat(lambda: link.pong(b"x"))
        assert closed_with(link) == 1008


def test_text_messages_are_no_telnet(web: Server) -> None:
    with dial(web, TELNET_OVER) as link:
        link.send("look")
        assert closed_with(link) == 1003


def test_no_compression_is_agreed_to(web: Server) -> None:
    with dial(web, TELNET_OVER, compression="deflate") as link:
        assert "Sec-WebSocket-Extensions" not in link.response.headers  # type: ignore[union-attr]


# who may


@pytest.mark.parametrize("origin", ["https://play.example.org", "HTTPS://PLAY.example.org", None])
def test_pages_that_are_listed_and_clients_that_are_none_may_connect(
    web: Server, origin: str | None
) -> None:
    with dial(web, GMCP_OVER, origin=Origin(origin) if origin else None) as link:
        hear(link, "QUIT +to leave")


def test_our_own_page_may_connect(web: Server) -> None:
    own = Origin(f"http://127.0.0.1:{web.ports['web'][0]}")
    with dial(web, GMCP_OVER, origin=own) as link:
        hear(link, "QUIT +to leave")


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://play.example.org", "http://[", "x:"]
)
def test_other_pages_may_not(web: Server, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        dial(web, GMCP_OVER, origin=Origin(origin))
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("offered", [(), ("chat.example.org",)])
def test_who_names_no_subprotocol_of_ours_is_told_which_there_are(
    web: Server, offered: tuple[str, ...]
) -> None:
    with pytest.raises(InvalidStatus) as refused:
        dial(web, *offered)
    assert refused.value.response.status_code == 400
    assert GMCP_OVER in (refused.value.response.body or b"").decode()


# requests


def test_a_page_tells_how_to_connect_and_escapes_what_is_not_ours(web: Server) -> None:
    answer = ask(web, head("Host: x")).decode()
    assert answer.startswith("HTTP/1.1 200 OK\r\n")
    assert "&lt;b&gt;Night &amp; Watch" in answer
    assert "<b>" not in answer
    assert f"port {web.port}" in answer
    assert "default-src 'none'" in answer


def test_health_is_told(web: Server) -> None:
    answer = ask(web, head("Host: x", start="GET /healthz?x=1 HTTP/1.1"))
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.endswith(b"\r\n\r\nok\n")


def test_a_head_has_no_body(web: Server) -> None:
    answer = ask(web, head("Host: x", start="HEAD / HTTP/1.1"))
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.endswith(b"\r\n\r\n")


def without(name: str, *more: str) -> bytes:
    return head(*(line for line in UPGRADE if not line.startswith(name)), *more)


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (head("Host: x", start="GET /nothing HTTP/1.1"), 404),
        (head("Host: x", start="POST / HTTP/1.1"), 405),
        (head("Host: x", "Content-Length: 5", start="POST / HTTP/1.1") + b"hello", 400),
        (head("Host: x", "Transfer-Encoding: chunked"), 400),
        (head(), 400),
        (b"connect Ada x\r\n\r\n", 400),
        (b"\xff\xfd\x18\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(40) + b"\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 70_000, 431),
        (head(*UPGRADE, start="GET /nothing HTTP/1.1"), 404),
        (head(*UPGRADE, start="POST / HTTP/1.1"), 405),
        (head(*UPGRADE, start="HEAD / HTTP/1.1"), 400),
        (head(*UPGRADE, start="GET / HTTP/1.0"), 200),
        (without("Host", "Host: \xff\xfe"), 400),
        (without("Connection"), 200),
        (without("Sec-WebSocket-Key"), 400),
        (without("Sec-WebSocket-Version", "Sec-WebSocket-Version: 12"), 426),
        (without("Upgrade", "Upgrade: h2c"), 200),
        (without("Sec-WebSocket-Protocol", "Sec-WebSocket-Protocol: \xff"), 400),
        (head(*UPGRADE, "Origin: https://play.example.org", "Origin: https://evil.example"), 403),
    ],
    ids=lambda value: str(value)[:60],
)
def test_odd_requests_get_a_proper_answer(web: Server, request_: bytes, status: int) -> None:
    answer = ask(web, request_)
    assert answer.startswith(f"HTTP/1.1 {status} ".encode()), answer[:200]


def frame(data: bytes, opcode: int = 2, *, fin: bool = True) -> bytes:
    """Write a frame as a client has to: masked."""
    size = len(data)
    first = struct.pack("!B", opcode | (0x80 if fin else 0))
    length = struct.pack("!B", 0x80 | size) if size < 126 else struct.pack("!BH", 0xFE, size)
    return first + length + bytes(4) + data


def test_frames_may_come_with_the_request(web: Server) -> None:
    with socket.create_connection(("127.0.0.1", web.ports["web"][0]), PATIENCE) as sock:
        sock.sendall(head(*UPGRADE) + frame(b"WHO"))
        answer = b""
        while b"connected." not in answer:
            answer += sock.recv(1 << 16)
    assert answer.startswith(b"HTTP/1.1 101")


@pytest.mark.parametrize(
    "bad",
    [
        b"\x82\x03abc",  # not masked
        frame(b"", 0),  # the rest of nothing
        frame(b"x", 3),  # no such opcode
        b"\xf2\x80" + bytes(4),  # bits of extensions
        frame(b"x" * 126, 9),  # too long a ping
        frame(b"x", 9, fin=False),  # half a ping
        frame(b"\x03", 8),  # half a code
        frame(struct.pack("!H", 999), 8),  # no such code
        frame(b"\xff\xfe", 1),  # no text
        frame(b"a", 1, fin=False) + frame(b"b", 1),  # a message in a message
        b"\x82\xff" + b"\xff" * 8 + bytes(4),  # a length below nothing
    ],
    ids=repr,
)
def test_broken_frames_end_the_connection_with_a_close_frame(web: Server, bad: bytes) -> None:
    answer = ask(web, head(*UPGRADE) + bad)
    assert answer.startswith(b"HTTP/1.1 101")
    assert b"\x88" in answer


def test_random_and_mutated_bytes_do_no_harm(web: Server) -> None:
    """A short fuzz; what it sends is the same each time."""
    chance = random.Random(11)
    whole = head(*UPGRADE) + b"".join(
        frame(chance.randbytes(chance.randrange(100)), chance.choice((1, 2, 9, 10)))
        for _ in range(20)
    )
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 8)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        start = 0 if chance.random() < 0.5 else len(head(*UPGRADE))
        data[:start] = head(*UPGRADE)[:start]
        with socket.create_connection(("127.0.0.1", web.ports["web"][0]), PATIENCE) as sock:
            sock.sendall(data[: chance.randrange(len(data))])
    with dial(web, GMCP_OVER) as link:
        hear(link, "QUIT +to leave")


def test_a_client_that_vanishes_leaves_the_game(web: Server) -> None:
    (bram,) = web.logins("Bram")
    with dial(web, GMCP_OVER) as link:
        link.send(f"connect Ada {PASSWORD}".encode())
        hear(link, r"^Connected as Ada\.")
        bram.expect(r"^Ada has connected\.")
        link.socket.shutdown(socket.SHUT_RDWR)
    bram.expect(r"^Ada has disconnected\.")


def test_a_server_that_ends_says_goodbye_and_why(tmp_path: Path, template: Path) -> None:
    (tmp_path / "test.db").write_bytes(template.read_bytes())
    server = Server(tmp_path, sqlite_url(tmp_path), CONFIG)
    server.endpoints = ("--telnet", TELNET, "--web", TELNET)
    with server, dial(server, GMCP_OVER) as link:
        hear(link, "QUIT +to leave")
        link.send('Core.Supports.Set ["Char 1"]')
        link.send("Core.Ping")
        told(link, "Core.Ping")
        server.end()
        assert "going down" in json.dumps(told(link, "Core.Goodbye"))
        assert closed_with(link) == 1001


def test_a_client_that_never_reads_is_cut_off(web: Server) -> None:
    """Whatever is said in its room, no more than a megabyte waits for it here."""
    (bram,) = web.logins("Bram")
    with socket.create_connection(("127.0.0.1", web.ports["web"][0]), PATIENCE) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.sendall(head(*UPGRADE) + frame(f"connect Ada {PASSWORD}".encode()))
        bram.expect(r"^Ada has connected\.")
        for _ in range(200):
            bram.ask(*[f"pose {'x' * 4000}"] * 20)
            if "Ada has disconnected." in bram.seen:
                break
    assert "a connection that does not read was ended" in web.log()
