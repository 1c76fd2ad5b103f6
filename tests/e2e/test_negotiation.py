"""Negotiation with the real program over TCP: what is said first, and what can go wrong."""

from __future__ import annotations

import asyncio
import re
import socket
from typing import Any

import pytest
import telnetlib3
from telnetlib3.telopt import ECHO

from tests.e2e.conftest import Serve
from tests.e2e.harness import OTHER_PASSWORD, PASSWORD, WRONG_PASSWORD, Client, Server
from tests.unit.wire.conversation import Conversation, all_of_them

SCRIPT = bytes.fromhex("FFFD18 FFFD1F FFFB2A FFFB46 FFFBC9 FFFB19")
WILL_ECHO, WONT_ECHO = b"\xff\xfb\x01", b"\xff\xfc\x01"
UNHURRIED = "[limits]\nbytes = 0\naddress_bytes = 0\n"
"""Reads at once whatever comes."""


def test_the_banner_comes_at_once_behind_18_bytes_without_echo_and_sga(shared: Server) -> None:
    client = shared.connect()
    assert client.raw.startswith(SCRIPT + b"Welcome")
    assert client.raw.count(b"\xff") == len(SCRIPT) // 3
    assert client.raw[len(SCRIPT) :].isascii()


@pytest.mark.parametrize("conversation", all_of_them(), ids=lambda each: each.name)
def test_whatever_a_client_says_the_others_go_on(
    shared: Server, conversation: Conversation
) -> None:
    said = conversation.telnet
    whole, cut = shared.connect(), shared.connect()
    whole.send_raw(said)
    for i in range(0, len(said), 7):
        cut.send_raw(said[i : i + 7])
    half = shared.connect()
    half.send_raw(said[: len(said) // 2])
    half.reset()
    for client in (whole, cut):
        client.send_raw(b"\r\n\xff\xf6")
        client.expect(r"^\[mushcombat: yes\]$")
    assert shared.login("Bram").ask("look").startswith("The Landing")


def test_echo_is_never_waited_for(shared: Server) -> None:
    """TinTin++, MUSHclient and BeipMU never answer WONT ECHO: the second mask must not wait."""
    client = shared.connect()
    for turn in range(1, 4):
        client.send("connect ada")
        client.expect_prompt("Password: ")
        assert client.raw.count(WILL_ECHO) == turn
        client.send(WRONG_PASSWORD)
        client.expect("Either that player")
        assert client.raw.count(WONT_ECHO) == turn
    assert client.raw.rindex(WONT_ECHO) > client.raw.rindex(WILL_ECHO)


def test_each_prompt_of_a_new_password_is_masked_and_none_for_longer(shared: Server) -> None:
    bram = shared.login("Bram")
    for old, new in ((PASSWORD, OTHER_PASSWORD), (OTHER_PASSWORD, PASSWORD)):
        before = len(bram.raw)
        bram.send("@password")
        for question, answer in (("Old password: ", old), ("New password: ", new)):
            bram.expect_prompt(question)
            assert bram.raw.rindex(WILL_ECHO) > bram.raw.rfind(WONT_ECHO)
            bram.send(answer)
        bram.expect(r"^Your password is changed\.$")
        assert bram.raw[before:].count(WILL_ECHO) == bram.raw[before:].count(WONT_ECHO) == 2
        assert bram.raw.rindex(WONT_ECHO) > bram.raw.rindex(WILL_ECHO)


def test_a_late_answer_to_echo_has_no_answer(shared: Server) -> None:
    ada = shared.login("Ada")
    before = len(ada.raw)
    ada.send_raw(b"\xff\xfd\x01\xff\xfe\x01" * 50)
    ada.sync()
    assert b"\xff" not in ada.raw[before:]


def test_a_list_of_games_is_told_by_option_once_and_by_line(shared: Server) -> None:
    client = shared.connect()
    client.send_raw(b"\xff\xfd\x46\xff\xfe\x46\xff\xfd\x46")
    client.send("MSSP-REQUEST")
    client.expect("^MSSP-REPLY-START$")
    client.expect(r"^NAME\tmushcombat$")
    client.expect(r"^PLAYERS\t0$")
    client.expect(r"^UPTIME\t\d{10}$")
    client.expect("^MSSP-REPLY-END$")
    assert (
        client.raw.count(b"\xff\xfa\x46\x01NAME\x02mushcombat\x01PLAYERS\x020\x01UPTIME\x02") == 1
    )


def test_5000_options_are_refused_once_each(shared: Server) -> None:
    ada = shared.login("Ada")
    before = len(ada.raw)
    every = b"".join(bytes((255, verb, n)) for n in range(100, 200) for verb in (251, 253))
    ada.send_raw(every * 25)
    ada.sync()
    assert ada.raw[before:].count(b"\xff") == 200


def test_a_subnegotiation_without_an_end_costs_only_its_own_link(serve: Serve) -> None:
    ada, bram = serve(UNHURRIED).logins("Ada", "Bram")
    ada.send_raw(b"\xff\xfa\xc9")
    for _ in range(64):
        ada.send_raw(b"x" * 65536)
    assert bram.ask("look").startswith("The Landing")
    ada.send_raw(b"\xff\xf0say at last\r\n")
    bram.expect(r'^Ada says, "at last"$')


@pytest.mark.parametrize(
    "window",
    [
        b"\x00\xff\xff\x00\x18",
        b"\x00\x05\x00\x05",
        b"\x00\x00\x00\x00",
        b"\x00\xff\x00\x32",
        b"\x00\x50\x00\xff",
    ],
)
def test_no_window_takes_the_next_line_with_it(shared: Server, window: bytes) -> None:
    ada = shared.login("Ada")
    looked = ada.ask("look")
    ada.sync()
    ada.send_raw(b"\xff\xfb\x1f\xff\xfa\x1f" + window + b"\xff\xf0look\r\n")
    assert ada.sync().split() == looked.split()


def test_an_old_client_that_agrees_to_utf_8_hears_utf_8_again(shared: Server) -> None:
    ada, bram = shared.login("Ada"), shared.login("Bram")
    ada.send_raw(b"say caf\xe9\r\n")
    bram.expect(r'^Ada says, "café"$')
    ada.sync()
    assert b'"caf\xe9"' in ada.raw
    ada.send_raw(b"\xff\xfd\x2a\xff\xfa\x2a\x02UTF-8\xff\xf0")
    bram.send("say naïve ↯")
    ada.expect(r'^Bram says, "naïve ↯"$')


def test_who_never_reads_is_cut_off_and_the_others_play_on(serve: Serve) -> None:
    server = serve(UNHURRIED)
    deaf = Client(server.port, name="deaf")
    deaf.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.send(f"connect cass {PASSWORD}")
    ada = server.login("Ada")
    ada.sync()
    for _ in range(40):
        ada.ask(*["say " + "x" * 8000] * 25)
        if "does not read" in server.log():
            break
    ada.send("WHO")
    ada.expect(r"^1 player is connected\.$")
    assert "a connection that does not read was ended" in server.log()


def test_who_hangs_up_in_the_middle_of_anything_leaves_nothing_behind(server: Server) -> None:
    pieces = [b"", b"\xff", b"\xff\xfb", b"\xff\xfa\x18\0Mud", b"\xff\xfd\x2a\xff\xfa\x2a\x02UT"]
    for number in range(60):
        link = socket.create_connection(("127.0.0.1", server.port))
        link.sendall(b"connect ada\r\n"[: number % 14] + pieces[number % 5])
        link.close()
    server.empty()
    assert server.login("Ada").ask("look").startswith("The Landing")


def other_telnet(port: int, encoding: str, said: str) -> tuple[str, list[bool]]:
    """Log in with telnetlib3; gives what was read, and whether each line was masked."""

    async def play() -> tuple[str, list[bool]]:
        reader: Any
        writer: Any
        reader, writer = await telnetlib3.open_connection(
            "127.0.0.1", port, encoding=encoding, cols=100, rows=30, connect_minwait=0.2
        )
        seen, masked = "", []

        async def expect(text: str) -> None:
            nonlocal seen
            while text not in seen:
                more = await reader.read(4096)
                assert more, seen
                seen += str(more)

        await expect("QUIT")
        for line, answer in (("connect ada", "Password: "), (PASSWORD, "Connected as Ada.")):
            writer.write(f"{line}\r\n")
            await expect(answer)
            masked.append(bool(writer.remote_option.enabled(ECHO)))
        writer.write(f"say {said}\r\n")
        await expect("You say, ")
        await expect(said)
        writer.close()
        return seen, masked

    return asyncio.run(asyncio.wait_for(play(), 30))


@pytest.mark.parametrize(("encoding", "said"), [("utf8", "héllo ↯"), ("latin-1", "naïve")])
def test_an_independent_telnet_is_understood_and_understands(
    shared: Server, encoding: str, said: str
) -> None:
    bram = shared.login("Bram")
    seen, masked = other_telnet(shared.port, encoding, said)
    assert masked == [True, False]
    assert PASSWORD not in seen
    assert not re.search(r"[\ufffd\xff]", seen)
    bram.expect(rf'^Ada says, "{said}"$')
