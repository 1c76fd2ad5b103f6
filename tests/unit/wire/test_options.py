from __future__ import annotations

import pytest

from mushcombat.wire import codes
from mushcombat.wire.telnet import Line, OptionChanged, Telnet
from tests.unit.wire.streams import lines

TTYPE = codes.TTYPE


def say(command: int, option: int) -> bytes:
    return bytes((codes.IAC, command, option))


def remote(option: int, *, on: bool) -> OptionChanged:
    return OptionChanged(option, local=False, on=on)


def test_an_unknown_will_is_refused_once() -> None:
    telnet = Telnet()
    assert telnet.receive(say(codes.WILL, 99) * 3) == []
    assert telnet.output() == say(codes.DONT, 99)
    telnet.receive(say(codes.WONT, 99) + say(codes.WILL, 99))
    assert telnet.output() == b""


def test_an_unknown_do_is_refused_once() -> None:
    telnet = Telnet(remote=[99])
    assert telnet.receive(say(codes.DO, 99) * 3) == []
    assert telnet.output() == say(codes.WONT, 99)


def test_an_option_that_we_like_is_accepted_and_repeats_have_no_answer() -> None:
    telnet = Telnet(remote=[TTYPE], local=[codes.BINARY])
    tokens = telnet.receive(say(codes.WILL, TTYPE) * 2 + say(codes.DO, codes.BINARY) * 2)
    assert tokens == [remote(TTYPE, on=True), OptionChanged(codes.BINARY, local=True, on=True)]
    assert telnet.output() == say(codes.DO, TTYPE) + say(codes.WILL, codes.BINARY)
    assert telnet.remote_on(TTYPE)
    assert telnet.local_on(codes.BINARY)
    assert not telnet.local_on(TTYPE)


def test_the_end_of_an_option_is_acknowledged_once() -> None:
    telnet = Telnet(remote=[TTYPE])
    telnet.receive(say(codes.WILL, TTYPE))
    telnet.output()
    assert telnet.receive(say(codes.WONT, TTYPE) * 2) == [remote(TTYPE, on=False)]
    assert telnet.output() == say(codes.DONT, TTYPE)


@pytest.mark.parametrize("command", [codes.WONT, codes.DONT])
def test_the_end_of_an_option_that_never_was_on_has_no_answer(command: int) -> None:
    telnet = Telnet(local=[TTYPE], remote=[TTYPE])
    assert telnet.receive(say(command, TTYPE)) == []
    assert telnet.output() == b""


def test_output_is_given_once() -> None:
    telnet = Telnet()
    telnet.receive(say(codes.WILL, 99))
    assert telnet.output() != b""
    assert telnet.output() == b""


def test_asking_twice_says_it_once_and_the_answer_is_not_answered() -> None:
    telnet = Telnet()
    telnet.enable_remote(TTYPE)
    telnet.enable_remote(TTYPE)
    assert telnet.output() == say(codes.DO, TTYPE)
    assert telnet.receive(say(codes.WILL, TTYPE)) == [remote(TTYPE, on=True)]
    telnet.enable_remote(TTYPE)
    assert telnet.output() == b""


def test_an_offer_that_is_refused_is_told_and_is_no_error() -> None:
    telnet = Telnet()
    telnet.enable_local(codes.CHARSET)
    assert telnet.output() == say(codes.WILL, codes.CHARSET)
    refused = OptionChanged(codes.CHARSET, local=True, on=False)
    assert telnet.receive(say(codes.DONT, codes.CHARSET)) == [refused]
    assert telnet.output() == b""


def test_an_offer_may_stay_unanswered_for_ever() -> None:
    telnet = Telnet()
    telnet.enable_local(codes.MSSP)
    assert telnet.receive(b"look\r\n" * 2) == lines(b"look", b"look")
    assert not telnet.local_on(codes.MSSP)


def test_both_directions_of_an_option_are_kept_apart() -> None:
    telnet = Telnet(remote=[codes.CHARSET])
    telnet.enable_local(codes.CHARSET)
    telnet.output()
    assert telnet.receive(say(codes.WILL, codes.CHARSET)) == [remote(codes.CHARSET, on=True)]
    assert telnet.output() == say(codes.DO, codes.CHARSET)
    assert not telnet.local_on(codes.CHARSET)


def test_an_option_is_ended_both_ways() -> None:
    telnet = Telnet(local=[codes.SGA], remote=[codes.SGA])
    telnet.receive(say(codes.DO, codes.SGA) + say(codes.WILL, codes.SGA))
    telnet.output()
    telnet.disable_local(codes.SGA)
    telnet.disable_remote(codes.SGA)
    telnet.disable_remote(codes.SGA)
    assert telnet.output() == say(codes.WONT, codes.SGA) + say(codes.DONT, codes.SGA)
    tokens = telnet.receive(say(codes.DONT, codes.SGA) + say(codes.WONT, codes.SGA))
    assert tokens == [OptionChanged(codes.SGA, local=True, on=False), remote(codes.SGA, on=False)]
    assert telnet.output() == b""


def test_disabling_what_is_off_says_nothing() -> None:
    telnet = Telnet()
    for option in (TTYPE, codes.ECHO):
        telnet.disable_local(option)
        telnet.disable_remote(option)
    assert telnet.output() == b""


def test_a_change_of_mind_before_the_answer_waits_for_the_answer() -> None:
    telnet = Telnet()
    telnet.enable_remote(TTYPE)
    telnet.disable_remote(TTYPE)
    assert telnet.output() == say(codes.DO, TTYPE)
    assert telnet.receive(say(codes.WILL, TTYPE)) == []
    assert telnet.output() == say(codes.DONT, TTYPE)
    assert telnet.receive(say(codes.WONT, TTYPE)) == [remote(TTYPE, on=False)]


def test_a_change_of_mind_and_back_is_as_if_it_never_was() -> None:
    telnet = Telnet()
    telnet.enable_remote(TTYPE)
    telnet.disable_remote(TTYPE)
    telnet.enable_remote(TTYPE)
    assert telnet.receive(say(codes.WILL, TTYPE)) == [remote(TTYPE, on=True)]
    assert telnet.output() == say(codes.DO, TTYPE)


def test_a_refusal_of_what_we_no_longer_want_settles_it() -> None:
    telnet = Telnet()
    telnet.enable_remote(TTYPE)
    telnet.disable_remote(TTYPE)
    assert telnet.receive(say(codes.WONT, TTYPE)) == [remote(TTYPE, on=False)]
    assert telnet.output() == say(codes.DO, TTYPE)


def ending(option: int) -> Telnet:
    """A codec that waits for the peer's WONT after its own DONT."""
    telnet = Telnet(remote=[option])
    telnet.receive(say(codes.WILL, option))
    telnet.disable_remote(option)
    telnet.output()
    return telnet


def test_an_option_wanted_again_while_it_ends_is_asked_for_after_its_end() -> None:
    telnet = ending(TTYPE)
    telnet.enable_remote(TTYPE)
    assert telnet.output() == b""
    assert telnet.receive(say(codes.WONT, TTYPE)) == []
    assert telnet.output() == say(codes.DO, TTYPE)
    assert telnet.receive(say(codes.WILL, TTYPE)) == [remote(TTYPE, on=True)]


def test_an_option_wanted_again_and_not_wanted_after_all_just_ends() -> None:
    telnet = ending(TTYPE)
    telnet.enable_remote(TTYPE)
    telnet.disable_remote(TTYPE)
    assert telnet.receive(say(codes.WONT, TTYPE)) == [remote(TTYPE, on=False)]
    assert telnet.output() == b""


def test_a_peer_that_answers_dont_with_will_is_not_argued_with() -> None:
    telnet = ending(TTYPE)
    assert telnet.receive(say(codes.WILL, TTYPE)) == [remote(TTYPE, on=False)]
    telnet = ending(TTYPE)
    telnet.enable_remote(TTYPE)
    assert telnet.receive(say(codes.WILL, TTYPE)) == [remote(TTYPE, on=True)]
    assert telnet.output() == b""


def test_a_peer_that_flips_an_option_gets_one_answer_per_real_change() -> None:
    telnet = Telnet(remote=[TTYPE])
    flip = say(codes.WILL, TTYPE) + say(codes.WONT, TTYPE)
    tokens = telnet.receive(flip * 5000)
    assert len(tokens) == 10_000
    assert len(telnet.output()) == len(flip) * 5000


def test_a_peer_that_flips_an_option_we_refuse_gets_one_answer_in_all() -> None:
    telnet = Telnet()
    flip = say(codes.WILL, TTYPE) + say(codes.WONT, TTYPE)
    assert telnet.receive(flip * 5000) == []
    assert telnet.output() == say(codes.DONT, TTYPE)


def test_the_echo_of_a_second_prompt_is_sent_to_a_client_that_never_answers_wont() -> None:
    telnet = Telnet()
    telnet.enable_local(codes.ECHO)
    assert telnet.output() == say(codes.WILL, codes.ECHO)
    assert telnet.receive(say(codes.DO, codes.ECHO) + b"pw\r\n") == [Line(b"pw")]
    telnet.disable_local(codes.ECHO)
    assert telnet.output() == say(codes.WONT, codes.ECHO)
    telnet.enable_local(codes.ECHO)
    assert telnet.output() == say(codes.WILL, codes.ECHO)
    assert telnet.receive(say(codes.DO, codes.ECHO)) == []
    assert telnet.output() == b""


def test_echo_toggles_at_once_for_a_client_that_answers_nothing_at_all() -> None:
    telnet = Telnet()
    for _ in range(3):
        telnet.enable_local(codes.ECHO)
        telnet.enable_local(codes.ECHO)
        assert telnet.local_on(codes.ECHO)
        telnet.disable_local(codes.ECHO)
        assert not telnet.local_on(codes.ECHO)
    assert telnet.output() == (say(codes.WILL, codes.ECHO) + say(codes.WONT, codes.ECHO)) * 3


@pytest.mark.parametrize("word", [codes.DO, codes.DONT])
def test_what_the_peer_says_about_our_echo_is_swallowed(word: int) -> None:
    telnet = Telnet(local=[codes.ECHO])
    assert telnet.receive(say(word, codes.ECHO) * 2) == []
    telnet.enable_local(codes.ECHO)
    telnet.output()
    assert telnet.receive(say(word, codes.ECHO) * 2) == []
    assert telnet.local_on(codes.ECHO)
    assert telnet.output() == b""


def test_a_client_that_offers_to_echo_itself_is_refused_once() -> None:
    telnet = Telnet()
    telnet.receive(say(codes.WILL, codes.ECHO) * 2)
    assert telnet.output() == say(codes.DONT, codes.ECHO)
