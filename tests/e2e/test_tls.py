"""TLS and PROXY with the real program, certificates made here, headers written here."""

from __future__ import annotations

import re
import signal
import socket
import ssl
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import NameOID

from tests.e2e.certificates import client_context, endpoint, wrapped, write_certificate
from tests.e2e.conftest import sqlite_url
from tests.e2e.harness import PASSWORD, PATIENCE, TELNET, WRONG_PASSWORD, Client, Server


def name_of(sock: socket.socket) -> str:
    """Give the name in the certificate of the other end."""
    assert isinstance(sock, ssl.SSLSocket)
    raw = sock.getpeercert(binary_form=True)
    assert raw is not None
    subject = x509.load_der_x509_certificate(raw).subject
    return str(subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)


@contextmanager
def secured(folder: Path, template: Path, config: str = "") -> Iterator[Server]:
    """Start a server: plain, TLS and behind a proxy, in this order."""
    write_certificate(folder, "first.example.org")
    (folder / "test.db").write_bytes(template.read_bytes())
    server = Server(folder, sqlite_url(folder), config)
    server.endpoints = ("--telnet", TELNET, "--telnet", endpoint(folder))
    server.endpoints += ("--telnet", f"haproxy:{TELNET}", "--web", f"haproxy:{TELNET}")
    with server:
        yield server


@pytest.fixture(scope="module")
def server_of_all(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[Server]:
    with secured(tmp_path_factory.mktemp("tls"), template) as server:
        yield server


@pytest.fixture
def tls(server_of_all: Server) -> Iterator[Server]:
    """Lend the file's server to one test: nobody is connected, and its log is clean."""
    yield server_of_all
    server_of_all.empty()
    server_of_all.check_log()


def dial(server: Server, wrap: Callable[[socket.socket], socket.socket], at: int) -> Client:
    """Open a connection to one of the server's ports, and read the banner."""
    client = Client(server.ports["telnet"][at], wrap=wrap)
    server.clients.append(client)
    client.expect(r"QUIT +to leave")
    return client


def wait_for_log(server: Server, pattern: str) -> None:
    end = time.monotonic() + PATIENCE
    while not re.search(pattern, server.log()):
        assert time.monotonic() < end, f"no {pattern} in {server.log()[-2000:]}"
        time.sleep(0.02)


# TLS


def test_players_over_tls_and_without_meet(tls: Server) -> None:
    ada = dial(tls, wrapped, 1)
    ada.send(f"connect Ada {PASSWORD}")
    ada.expect(r"^Connected as Ada\.")
    (bram,) = tls.logins("Bram")
    bram.send("say hello")
    ada.expect('^Bram says, "hello"')
    ada.send("QUIT")
    ada.expect(r"^Goodbye\.")


@pytest.mark.parametrize("version", ["TLSv1_2", "TLSv1_3"])
def test_tls_from_1_2_on_is_spoken(tls: Server, version: str) -> None:
    context = client_context()
    context.minimum_version = context.maximum_version = ssl.TLSVersion[version]
    dial(tls, context.wrap_socket, 1)


def test_older_tls_is_refused(tls: Server) -> None:
    # A hello of TLS 1.1 as bytes: Python's own client may not be willing to send one.
    hello = b"\x03\x02" + bytes(32) + b"\0" + b"\0\x04\xc0\x0a\0\x2f" + b"\x01\0"
    body = b"\x01" + len(hello).to_bytes(3, "big") + hello
    with socket.create_connection(("127.0.0.1", tls.ports["telnet"][1]), PATIENCE) as sock:
        sock.sendall(b"\x16\x03\x01" + len(body).to_bytes(2, "big") + body)
        alert = sock.recv(100)
    assert alert[:1] == b"\x15"
    assert alert[5:7] == b"\x02\x46"  # fatal: protocol version


def test_who_speaks_no_tls_is_told_nothing_of_the_game(tls: Server) -> None:
    with socket.create_connection(("127.0.0.1", tls.ports["telnet"][1]), PATIENCE) as sock:
        sock.sendall(b"connect Ada x\r\n")
        heard = b""
        while part := sock.recv(1000):
            heard += part
    assert b"QUIT" not in heard


def test_certificates_are_read_anew_on_sighup_and_open_links_live_on(
    tmp_path: Path, template: Path
) -> None:
    with secured(tmp_path, template) as server:
        old = dial(server, wrapped, 1)
        assert name_of(old.sock) == "first.example.org"
        write_certificate(tmp_path, "second.example.org")
        server.signal(signal.SIGHUP)
        wait_for_log(server, "anew")
        assert name_of(dial(server, wrapped, 1).sock) == "second.example.org"
        (tmp_path / "cert.pem").write_text("-----BEGIN CERTIFICATE-----\nrubbish\n")
        server.signal(signal.SIGHUP)
        wait_for_log(server, "stays as it was")
        assert name_of(dial(server, wrapped, 1).sock) == "second.example.org"
        (tmp_path / "cert.pem").unlink()
        server.signal(signal.SIGHUP)
        wait_for_log(server, "No such file")
        write_certificate(tmp_path, "third.example.org")
        key = (tmp_path / "key.pem").read_bytes()
        write_certificate(tmp_path, "fourth.example.org")
        (tmp_path / "key.pem").write_bytes(key)  # of another certificate
        before = server.log().count("stays as it was")
        server.signal(signal.SIGHUP)
        wait_for_log(server, "(?s)" + "stays as it was.*" * (before + 1))
        assert name_of(dial(server, wrapped, 1).sock) == "second.example.org"
        old.send("WHO")
        old.expect(r"connected\.$")


# PROXY

V2 = b"\r\n\r\n\0\r\nQUIT\n"


def v1(source: str) -> bytes:
    return f"PROXY TCP4 {source} 127.0.0.1 40000 4201\r\n".encode()


def v2(source: str) -> bytes:
    body = socket.inet_aton(source) + bytes(4) + struct.pack("!HH", 40000, 4201)
    return V2 + struct.pack("!BBH", 0x21, 0x11, len(body)) + body


def announcing(*pieces: bytes) -> Callable[[socket.socket], socket.socket]:
    def wrap(sock: socket.socket) -> socket.socket:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for piece in pieces:
            sock.sendall(piece)
            time.sleep(0.02 if len(pieces) > 1 else 0)  # a packet each; the result is the same
        return sock

    return wrap


def guess(client: Client, times: int) -> str:
    """Guess Cass's password so often; gives what is said of it."""
    start = len(client.seen)
    client.send(*[f"connect Cass {WRONG_PASSWORD}"] * times, "WHO")
    client.expect(r"connected\.$")
    return client.seen[start:]


@pytest.mark.parametrize("header", [v1, v2])
def test_the_throttle_counts_for_who_is_behind_the_proxy(
    tls: Server, header: Callable[[str], bytes]
) -> None:
    number = 7 if header is v1 else 8
    guilty = dial(tls, announcing(header(f"203.0.113.{number}")), 2)
    assert "Too many" in guess(guilty, 6)
    again = dial(tls, announcing(header(f"203.0.113.{number}")), 2)
    assert "Too many" in guess(again, 1)
    other = dial(tls, announcing(header(f"198.51.100.{number}")), 2)
    assert "Too many" not in guess(other, 1)


@pytest.mark.parametrize("header", [v1("203.0.113.9"), v2("203.0.113.9")])
def test_a_header_may_come_in_pieces_and_with_the_first_line(tls: Server, header: bytes) -> None:
    dial(tls, announcing(*(header[at : at + 1] for at in range(len(header)))), 2)
    quick = dial(tls, announcing(header + f"connect Ada {PASSWORD}\r\n".encode()), 2)
    quick.expect(r"^Connected as Ada\.")


@pytest.mark.parametrize(
    "data", [b"connect Ada x\r\n", b"PROXY TCP4 1.2.3.4\r\n", V2 + b"\x11\x11\0\0", b"\0"]
)
def test_a_bad_header_ends_the_connection_without_a_word(tls: Server, data: bytes) -> None:
    with socket.create_connection(("127.0.0.1", tls.ports["telnet"][2]), PATIENCE) as sock:
        sock.sendall(data)
        assert ended(sock) == b""


def ended(sock: socket.socket) -> bytes:
    """Give what comes until the connection ends, by a reset or otherwise."""
    heard = b""
    try:
        while part := sock.recv(1000):
            heard += part
    except ConnectionResetError:
        pass
    return heard


def test_the_web_port_takes_a_header_too(tls: Server) -> None:
    with socket.create_connection(("127.0.0.1", tls.ports["web"][0]), PATIENCE) as sock:
        sock.sendall(v1("203.0.113.9") + b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert ended(sock).endswith(b"ok\n")


def test_a_header_on_a_plain_port_is_a_line_like_any_other(tls: Server) -> None:
    client = dial(tls, announcing(v1("203.0.113.9")), 0)
    client.send("WHO")
    client.expect(r"connected\.$")


def test_a_proxy_that_is_not_trusted_is_closed(tmp_path: Path, template: Path) -> None:
    config = '[server]\ntrusted_proxies = ["192.0.2.0/24"]\n'
    with secured(tmp_path, template, config) as server:
        where = ("127.0.0.1", server.ports["telnet"][2])
        # It may be cut off before it is quite up.
        with suppress(ConnectionResetError), socket.create_connection(where, PATIENCE) as sock:
            assert ended(sock) == b""
        wait_for_log(server, "no proxy that is trusted")
