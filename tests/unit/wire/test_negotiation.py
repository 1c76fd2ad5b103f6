from __future__ import annotations

import pytest

from mushcombat.wire import codes
from mushcombat.wire.terminal import Terminal
from tests.unit.wire.peers import (
    REQUEST,
    SEND_TYPE,
    Server,
    do,
    dont,
    sub,
    type_is,
    will,
    wont,
)

MARK = bytes((codes.IAC, codes.EOR_MARK))
GO_AHEAD = bytes((codes.IAC, codes.GA))


def test_the_connect_script_is_18_bytes_without_echo_and_sga() -> None:
    assert Server().begun == bytes.fromhex("FFFD18 FFFD1F FFFB2A FFFB46 FFFBC9 FFFB19")


def test_a_client_that_says_nothing_is_asked_nothing_more() -> None:
    server = Server()
    assert server.hear(b"connect ada secret\n") == b""
    assert server.quiet() == b""
    assert server.lines == [b"connect ada secret"]
    assert server.terminal == Terminal()


def test_who_speaks_telnet_is_known_by_any_command() -> None:
    raw, telnet = Server(), Server()
    raw.hear(b"\xff\xff\xff\x41look\n")
    telnet.hear(will(99))
    assert telnet.terminal.telnet
    assert not raw.terminal.telnet, "an FF of Latin-1 is no command"


def test_unknown_options_are_refused_once() -> None:
    server = Server()
    assert server.hear(will(99) + do(99)) == dont(99) + wont(99)
    assert server.hear((will(99) + do(99) + wont(99) + dont(99)) * 20) == b""


def test_sga_is_refused_both_ways() -> None:
    assert Server().hear(will(codes.SGA) + do(codes.SGA)) == dont(codes.SGA) + wont(codes.SGA)


def test_binary_is_accepted_both_ways_and_never_asked_for() -> None:
    server = Server()
    answer = server.hear(will(codes.BINARY) + do(codes.BINARY))
    assert answer == do(codes.BINARY) + will(codes.BINARY)
    assert server.hear(wont(codes.BINARY)) == dont(codes.BINARY)


def test_gmcp_that_a_client_offers_is_passed_over_in_silence() -> None:
    server = Server()
    taken = []
    for said in (will(codes.GMCP) + wont(codes.GMCP) + will(codes.GMCP), do(codes.GMCP)):
        assert server.hear(said) == b""
        taken.append(server.terminal.gmcp)
    server.hear(dont(codes.GMCP))
    assert [*taken, server.terminal.gmcp] == [False, True, False]


def test_a_prompt_is_marked_with_eor_if_the_client_wants_it() -> None:
    server = Server()
    assert server.prompt() == b""
    server.hear(do(codes.EOR))
    assert server.terminal.marks_prompts
    assert server.prompt() == MARK
    server.hear(dont(codes.EOR))
    assert server.prompt() == b""


@pytest.mark.parametrize("name", [b"Blightmud", b"BLIGHTMUD 5.0", b"Potato"])
def test_a_client_that_knows_ga_alone_is_sent_ga(name: bytes) -> None:
    server = Server()
    server.hear(dont(codes.EOR) + will(codes.TTYPE) + type_is(name))
    assert server.prompt() == GO_AHEAD


def test_a_client_that_names_itself_by_gmcp_alone_is_known_and_ttype_counts_for_more() -> None:
    server = Server()
    hello = sub(codes.GMCP, b'Core.Hello {"client": "Blightmud"}')
    server.hear(do(codes.GMCP) + wont(codes.TTYPE) + hello)
    assert (server.terminal.client, server.prompt()) == ("Blightmud", GO_AHEAD)
    server.hear(will(codes.TTYPE) + type_is(b"Mudlet") + hello)
    assert (server.terminal.client, server.prompt()) == ("Mudlet", b"")


def test_mssp_is_told_once_however_often_it_is_asked_for() -> None:
    server = Server()
    told = server.hear(do(codes.MSSP))
    wanted = b"\x01NAME\x02A game\x01PLAYERS\x023\x01GAMEPLAY\x02One\x02Two"
    assert told == sub(codes.MSSP, wanted)
    assert server.hear((dont(codes.MSSP) + do(codes.MSSP)) * 3).count(b"NAME") == 0


def test_charset_is_requested_on_do() -> None:
    server = Server()
    assert server.hear(do(codes.CHARSET)) == REQUEST
    assert server.hear(sub(codes.CHARSET, b"\x02UTF-8")) == b""
    assert server.terminal.charset == "UTF-8"
    assert server.terminal.utf8
    assert server.terminal.encoding == "utf-8"


def test_charset_that_is_refused_is_asked_for_the_other_way_round() -> None:
    server = Server()
    assert server.hear(dont(codes.CHARSET)) == do(codes.CHARSET)
    assert server.quiet() == b""
    assert server.hear(will(codes.CHARSET)) == REQUEST
    server.hear(sub(codes.CHARSET, b"\x02us-ascii"))
    assert server.terminal.encoding == "ascii"


def test_charset_that_is_not_answered_is_asked_for_the_other_way_round_later() -> None:
    server = Server()
    server.hear(wont(codes.TTYPE))
    assert server.quiet() == do(codes.CHARSET)
    assert server.quiet() == b""
    assert server.hear(wont(codes.CHARSET) + dont(codes.CHARSET)) == b""


def test_charset_is_requested_once_whatever_is_switched_on_and_off() -> None:
    server = Server()
    heard = server.hear((do(codes.CHARSET) + will(codes.CHARSET) + dont(codes.CHARSET)) * 5)
    assert heard.count(b"UTF-8") == 1


def test_mtts_is_asked_for_again_if_utf_8_was_agreed_on_after_it() -> None:
    server = Server()
    server.hear(will(codes.TTYPE))
    for name in (b"Mudlet", b"ANSI-TRUECOLOR", b"MTTS 297", b"MTTS 297"):
        last = server.hear(type_is(name))
    assert last == b""
    assert not server.terminal.utf8
    server.hear(do(codes.CHARSET))
    assert server.hear(sub(codes.CHARSET, b"\x02UTF-8")) == SEND_TYPE
    assert server.hear(type_is(b"MTTS 301")) == SEND_TYPE
    assert server.hear(type_is(b"MTTS 301")) == b""
    assert server.terminal.client == "Mudlet"


def test_mtts_is_not_asked_for_again_if_it_told_of_utf_8_already() -> None:
    server = Server()
    server.hear(will(codes.TTYPE) + do(codes.CHARSET))
    server.hear(type_is(b"TINTIN++"))
    server.hear(type_is(b"MTTS 271"))
    server.hear(type_is(b"MTTS 271"))
    assert server.hear(sub(codes.CHARSET, b"\x02UTF-8")) == b""


def test_half_a_character_is_dropped_when_the_character_set_changes_in_mid_line() -> None:
    server = Server()
    server.hear(do(codes.CHARSET) + b"caf\xc3")
    server.hear(sub(codes.CHARSET, b"\x02ISO-8859-1") + b"\xe9\r\n")
    assert server.lines == [b"caf\xe9"]


def test_a_whole_character_stays_when_the_character_set_changes() -> None:
    server = Server()
    server.hear(do(codes.CHARSET) + "café".encode())
    server.hear(sub(codes.CHARSET, b"\x02ISO-8859-1") + b"\r\n")
    assert server.lines == ["café".encode()]


def test_variables_are_asked_of_a_mud_client_alone() -> None:
    server = Server()
    server.hear(will(codes.TTYPE))
    assert server.hear(type_is(b"XTERM-256COLOR")) == SEND_TYPE
    assert server.hear(type_is(b"XTERM-256COLOR")) == b""
    assert server.hear(will(codes.NEW_ENVIRON)) == do(codes.NEW_ENVIRON)


def test_variables_are_asked_for_by_name_and_once() -> None:
    server = Server()
    server.hear(will(codes.TTYPE))
    assert server.hear(type_is(b"Mudlet")) == SEND_TYPE + do(codes.NEW_ENVIRON)
    question = server.hear(will(codes.NEW_ENVIRON))
    assert question == sub(
        codes.NEW_ENVIRON,
        b"\x01\0CLIENT_NAME\0CLIENT_VERSION\0CHARSET\0MTTS"
        b"\x03SCREEN_READER\x03OSC_HYPERLINKS_SEND\x03WORD_WRAP",
    )
    assert len(question) < 120
    on_and_off = wont(codes.NEW_ENVIRON) + will(codes.NEW_ENVIRON)
    assert b"CLIENT" not in server.hear(on_and_off * 5)


def test_a_client_that_offers_variables_early_is_asked_once_it_is_known() -> None:
    server = Server()
    assert server.hear(will(codes.NEW_ENVIRON)) == do(codes.NEW_ENVIRON)
    server.hear(will(codes.TTYPE))
    assert b"CLIENT_NAME" in server.hear(type_is(b"TINTIN++"))


def test_variables_are_read_also_when_they_come_unasked() -> None:
    server = Server()
    server.hear(will(codes.NEW_ENVIRON))
    server.hear(sub(codes.NEW_ENVIRON, b"\x02\x03SCREEN_READER\x011"))
    assert server.terminal.screen_reader
    server.hear(sub(codes.NEW_ENVIRON, b"\x02\x03SCREEN_READER\x010"))
    assert not server.terminal.screen_reader


def test_a_window_is_told_at_any_time() -> None:
    server = Server()
    server.hear(will(codes.NAWS) + sub(codes.NAWS, b"\0\x64\0\x28"))
    assert (server.terminal.columns, server.terminal.rows) == (100, 40)
    server.hear(sub(codes.NAWS, b"\0\0\0\0"))
    assert (server.terminal.columns, server.terminal.rows) == (0, 0)
    server.hear(sub(codes.NAWS, b"\0\x50"))
    assert server.terminal.columns == 0


def test_a_window_that_was_not_agreed_on_is_not_read() -> None:
    server = Server()
    server.hear(sub(codes.NAWS, b"\0\x64\0\x28"))
    assert server.terminal.columns == 0


def test_only_what_changes_the_terminal_is_told_as_a_change() -> None:
    server = Server()
    server.hear(will(codes.NAWS) + sub(codes.NAWS, b"\0\x64\0\x28"))
    changes = server.changes
    server.hear(sub(codes.NAWS, b"\0\x64\0\x28") + b"look\r\n" + will(codes.BINARY))
    assert server.changes == changes


def test_a_timing_mark_is_answered_each_time() -> None:
    """RFC 860: BSD's telnet shows nothing after Ctrl-C until it hears the answer."""
    mark = do(codes.TIMING_MARK)
    assert Server().hear(mark * 3) == will(codes.TIMING_MARK) * 3


def test_subnegotiations_of_other_options_say_nothing() -> None:
    server = Server()
    server.hear(do(codes.EOR))
    assert server.hear(sub(codes.EOR, b"what") + sub(99, b"x")) == b""
