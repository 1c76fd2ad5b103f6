"""Odd bytes, floods, and links that are not what they seem."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable

import pytest

from tests.e2e.harness import PASSWORD, Client, Server

IAC = b"\xff"

LOOKS = 100
"""Lines enough that no server does them all at one go."""


def looks_between(server: Server, client: Client, flood: Callable[[], None]) -> list[int]:
    """Let a client look again and again in a flood; gives how much of it came before each look.

    The server finds both at the same time, so the numbers are the same on any machine.
    """
    client.sync()
    start = len(client.seen)
    with server.stopped():
        flood()
        client.send(*["look"] * LOOKS)
    for _ in range(LOOKS):
        client.expect(r"^The Landing")
    return [part.count('Ada says, "') for part in client.seen[start:].split("The Landing")][:-1]


def said_by_ada(client: Client) -> list[str]:
    """Give all that Ada said, as another heard it."""
    client.sync()
    return re.findall(r'^Ada says, "(.*)"$', client.seen, re.MULTILINE)


def test_bytes_that_come_one_by_one_make_the_same_lines(shared: Server) -> None:
    ada = shared.login("Ada")
    looked = ada.ask("look")
    ada.sync()
    for byte in b"\xff\xfa\x18\x00Mudlet\xff\xf0\xff\xfd\x1flook\r\n":
        ada.send_raw(bytes([byte]))
    assert ada.sync() == looked


def test_a_letter_cut_in_two_is_heard_whole(shared: Server) -> None:
    ada, bram = shared.logins("Ada", "Bram")
    ada.send_raw(b"say caf\xc3")
    ada.pump(0.05)
    ada.send_raw(b"\xa9\r\n")
    bram.expect(r'^Ada says, "café"$')


STRAYS = {
    "no commands": b"\xff\xec\xff\xee\xff\xf0\xff\x01\xff\x41",
    "an empty subnegotiation": b"\xff\xfa\xff\xf0",
    "a window size that nobody asked for": b"\xff\xfa\x1f\x00\x50\x00\x18\xff\xf0",
    "echo on and off": b"\xff\xfb\x01\xff\xfc\x01\xff\xfd\x01\xff\xfe\x01" * 50,
    "every option": b"".join(bytes([255, verb, o]) for verb in (251, 253) for o in range(255)),
    "a huge subnegotiation": b"\xff\xfa\xc9" + b"A [" * 30_000 + b"\xff\xf0",
    "simple commands": b"\xff\xf1\xff\xf2\xff\xf3\xff\xf4\xff\xf5\xff\xf7\xff\xf8\xff\xf9",
}


@pytest.mark.parametrize("kind", STRAYS)
def test_stray_telnet_bytes_change_nothing(shared: Server, kind: str) -> None:
    ada, bram = shared.logins("Ada", "Bram")
    ada.send_raw(STRAYS[kind] + b"say alive\r\n")
    bram.expect(r'^Ada says, "alive"$')
    assert ada.sync() == 'You say, "alive"\n'


def test_a_client_that_refuses_and_offers_for_ever_is_not_answered_for_ever(
    shared: Server,
) -> None:
    ada = shared.login("Ada")
    before = len(ada.raw)
    ada.send_raw(b"\xff\xfb\x63\xff\xfc\x63" * 500)
    ada.sync()
    assert ada.raw[before:].count(IAC) <= 2


def test_every_kind_of_line_end_ends_one_line(shared: Server) -> None:
    ada, bram = shared.logins("Ada", "Bram")
    ada.send_raw(b"say a\r\nsay b\r\0say c\nsay d\rsay e\n\rsay f\r\n\r\n\n\n")
    assert "Huh" not in ada.sync()
    assert said_by_ada(bram) == ["a", "b", "c", "d", "e", "f"]


def test_a_line_end_that_is_cut_in_two_ends_one_line(shared: Server) -> None:
    ada, bram = shared.logins("Ada", "Bram")
    for half in (b"say a\r", b"\nsay b\r", b"\0say c\n", b"\rsay d\r\n"):
        ada.send_raw(half)
        ada.pump(0.02)
    assert "Huh" not in ada.sync()
    assert said_by_ada(bram) == ["a", "b", "c", "d"]


def test_an_old_client_is_heard_right_and_hears_latin_1(shared: Server) -> None:
    ada, bram = shared.login("Ada", encoding="latin-1"), shared.login("Bram")
    ada.send_raw(b"say caf\xe9 \x93x\x94\r\n")
    bram.expect(r'^Ada says, "café “x”"$')
    ada.sync()
    assert b'You say, "caf\xe9 "x""\r\n' in ada.raw
    bram.send("say naïve – ↯")
    ada.expect(r'^Bram says, "naïve - \?"$')
    assert b"na\xefve" in ada.raw
    bram.sync()
    assert "naïve – ↯".encode() in bram.raw


def test_a_doubled_ff_is_one_letter_both_ways(shared: Server) -> None:
    ada, bram = shared.login("Ada", encoding="latin-1"), shared.login("Bram")
    ada.send_raw(b"say \xff\xff\r\n")
    bram.expect(r'^Ada says, "ÿ"$')
    ada.expect(r'^You say, "ÿ"$')
    assert b'"\xff\xff"' in ada.raw


def test_8192_bytes_fit_in_a_line_and_one_more_is_refused_once(shared: Server) -> None:
    ada, bram = shared.logins("Ada", "Bram")
    ada.send("say " + "x" * 8188)
    bram.expect(r'^Ada says, "x{8188}"$')
    ada.sync()
    for length in (8189, 100_000):
        ada.send("say " + "y" * length, "say next")
        bram.expect(r'^Ada says, "next"$')
        told = ada.sync()
        assert told.count("too long") == 1
        assert "8,192" in told
    assert "yy" not in bram.seen


def test_what_controls_a_screen_or_turns_text_round_is_removed(shared: Server) -> None:
    ada, bram = shared.logins("Ada", "Bram")
    start = len(bram.raw)
    junk = "\x07\x1b[2J\x1b[31m\x1b]0;title\x07\x9b2J\u202e\u200e\u2028\u2066\x7f\x08\x0b"
    ada.send(f"pose hi{junk} there", f"say {junk}", f"{junk}say ho")
    bram.expect(r"^Ada hi there$")
    bram.expect(r'^Ada says, "ho"$')
    heard = bram.raw[start:]
    assert not re.search(rb"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f]", heard)
    assert not re.search("[\x80-\x9f\u2028\u2029\u200e\u202a-\u202e\u2066-\u2069]", heard.decode())


def test_every_line_that_is_sent_ends_in_cr_lf(shared: Server) -> None:
    ada = shared.login("Ada")
    ada.ask("look", "help", "say a%rb", "who")
    assert ada.raw.count(b"\n") == ada.raw.count(b"\r") == ada.raw.count(b"\r\n")


def test_are_you_there_is_answered_before_and_after_a_login(shared: Server) -> None:
    client = shared.connect()
    client.send_raw(b"\xff\xf6")
    client.expect(r"^\[mushcombat: yes\]$")
    client.send(f"connect ada {PASSWORD}")
    client.expect("Connected as Ada")
    client.send_raw(b"\xff\xf6")
    client.expect(r"^\[mushcombat: yes\]$")


@pytest.mark.parametrize("in_scene", [False, True])
def test_2000_lines_at_once_come_in_order_and_hold_up_nobody(
    server: Server, *, in_scene: bool
) -> None:
    ada, bram, cass = server.logins("Ada", "Bram", "Cass")
    if in_scene:
        ada.ask("+scene/open Flood")
    cass.sync()
    waits = looks_between(server, cass, lambda: ada.send(*(f"say {n}" for n in range(2000))))
    assert sum(waits) < 200, f"looking had to wait its turn: {waits}"
    bram.expect(r'^Ada says, "1999"$')
    assert said_by_ada(bram) == [str(n) for n in range(2000)]
    ada.sync()
    told = re.findall(r'^You say, "(\d+)"$', ada.seen, re.MULTILINE)
    assert told == [str(n) for n in range(2000)]


def test_a_packet_of_thousands_of_short_lines_holds_up_nobody(server: Server) -> None:
    ada, cass = server.logins("Ada", "Cass")
    for _ in range(10):
        server.login("Bram")
    ada.sync()
    flood = b'"1\r\n' * 15_000 + b'"last\r\n'
    waits = looks_between(server, cass, lambda: ada.send_raw(flood))
    assert sum(waits) < 200, f"looking had to wait its turn: {waits}"
    ada.expect('^You say, "last"$')
    assert ada.seen.count('You say, "1"\n') == 15_000


def test_a_client_that_never_reads_holds_up_nobody(server: Server) -> None:
    ada, bram, _deaf = server.logins("Ada", "Bram", "Cass")
    for turn in range(20):
        text = f"{turn}-" + "x" * 4000
        ada.send(*(f"say {text}" for _ in range(20)))
        for client in (ada, bram):
            client.expect(rf'(?:says|say), "{turn}-x+"$')
        bram.send("look")
        bram.expect(r"^The Landing")
        ada.sync()
        bram.sync()
    assert len(said_by_ada(bram)) == 400


def test_links_that_say_half_of_something_hold_up_nobody(server: Server) -> None:
    halves = [b"", b"connect a", b"\xff", b"\xff\xfa\x18", b"\xff\xfb", b"connect ada\r\n", b"\r"]
    quiet = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(70)]
    for number, link in enumerate(quiet):
        link.sendall(halves[number % len(halves)])
    ada = server.login("Ada")
    assert ada.ask("look").startswith("The Landing")
    for link in quiet[::2]:
        link.close()
    ada.send("WHO")
    ada.expect(r"^1 player is connected\.$")
    for link in quiet[1::2]:
        link.close()


def test_what_was_typed_before_a_link_closed_still_happens(shared: Server) -> None:
    bram = shared.login("Bram")
    ada = shared.connect(name="Ada")
    ada.send(f"connect ada {PASSWORD}", "say and gone")
    ada.sock.shutdown(socket.SHUT_WR)
    bram.expect(r"^Ada has connected\.$")
    bram.expect(r'^Ada says, "and gone"$')
    bram.expect(r"^Ada has disconnected\.$")


def test_a_link_that_is_reset_leaves_who_while_the_other_stays(shared: Server) -> None:
    first, second, bram = shared.login("Ada"), shared.login("Ada"), shared.login("Bram")
    first.reset()
    second.send("pose stays.")
    bram.expect(r"^Ada stays\.$")
    second.reset()
    bram.expect(r"^Ada has disconnected\.$")
    assert "Ada: on" not in bram.ask("WHO")


def test_200_connects_and_disconnects_leave_nobody_behind(server: Server) -> None:
    for number in range(200):
        client = Client(server.port, name="passer-by")
        if number % 4 == 1:
            client.send(f"connect ada {PASSWORD}")
        elif number % 4 == 2:
            client.send("connect guest")
            client.expect("Connected as Guest")
        elif number % 4 == 3:
            client.send(f"connect bram {PASSWORD}", "say hello")
            client.expect('You say, "hello"')
        (client.reset if number % 8 > 3 else client.close)()
    server.empty()
    assert re.findall("[.]?Ada: on|Bram: on|Guest", server.connect().seen) == []
    cass = server.login("Cass")
    assert cass.ask("WHO").count("\n") == 2
    assert "Here:" not in cass.ask("look")
