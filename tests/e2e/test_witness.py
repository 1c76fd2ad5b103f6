"""What finds a lost line has to find one: streams with a fault in them, held against a log."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.e2e.torture.witness import Session, caught_up, check_once, happened, missed

LOG = [(n, f"Ada says w00000{n}n{n}.") for n in range(1, 7)]
NUMBERED = {n: f"#{n} 20:00:0{n} {line}" for n, line in LOG}


def session(lines: Sequence[str], before: int = 2, *, level: bool = True) -> Session:
    client = SimpleNamespace(seen="".join(f"{line}\n" for line in lines), closed=True)
    return Session("Bram", cast("Any", client), before, level)


def seen_in(
    one: Session, log: Sequence[tuple[int, str]] = LOG, *, unreadable: int = 0, whole: bool = False
) -> set[int]:
    readable = {number for number, _ in log if number != unreadable}
    return happened(one, caught_up(one, NUMBERED), log, readable, whole=whole)


def test_all_that_happened_up_to_a_kill_is_counted_and_half_a_line_is_not() -> None:
    one = session(["There is no help on x.", *(text for _, text in LOG[2:5])])
    one.client.seen += LOG[5][1][:7]
    assert seen_in(one) == {3, 4, 5}


def test_a_row_of_two_lines_counts_when_both_are_there() -> None:
    log = [(3, "one"), (3, "two"), (4, "three")]
    assert seen_in(session(["one"]), log) == set()
    assert seen_in(session(["one", "two"]), log) == {3}


def test_who_comes_while_others_play_is_told_some_rows_and_sees_the_next_ones_happen() -> None:
    told, later = [NUMBERED[3], NUMBERED[4]], [LOG[4][1], LOG[5][1]]
    for lines in (told + later, later[:1] + told + later[1:], later + told):
        one = session(lines)
        assert caught_up(one, NUMBERED).rows == {3, 4}
        assert seen_in(one, whole=True) == {5, 6}


def test_rows_that_cannot_be_read_later_need_not_have_been_told_as_missed() -> None:
    one = session([LOG[3][1], LOG[4][1], LOG[5][1]])
    assert seen_in(one, unreadable=3, whole=True) == {4, 5, 6}


def test_a_login_that_was_cut_off_may_have_shown_what_happens_but_not_yet_what_was_missed() -> None:
    lines = [LOG[4][1], LOG[5][1]]
    assert seen_in(session(lines, level=False)) == {5, 6}
    with pytest.raises(AssertionError, match=r"saw 'Ada says w000005n5.', where the log has"):
        seen_in(session(lines))


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ([LOG[3][1]], "saw 'Ada says w000004n4.', where the log has .*w000003n3"),
        ([LOG[2][1], LOG[2][1]], "saw 'Ada says w000003n3.', where the log has .*w000004n4"),
        ([LOG[2][1], LOG[4][1], LOG[3][1]], "saw 'Ada says w000005n5.', where"),
        (["Ada says wffffffn9."], "saw 'Ada says wffffffn9.'; the log has"),
        (["[Result] Ada takes 99. #3"], r"saw '\[Result\] Ada takes 99. #3'; the log has"),
        ([NUMBERED[3], LOG[2][1], LOG[3][1]], "saw 'Ada says w000003n3.'; the log has"),
    ],
)
def test_what_is_lost_doubled_out_of_order_or_not_in_the_log_is_found(
    lines: list[str], fault: str
) -> None:
    with pytest.raises(AssertionError, match=fault):
        seen_in(session(lines))


def test_a_question_may_be_asked_again_at_a_login_and_nothing_else_may() -> None:
    log = [(3, "[Defend] #3: Dexterity 4."), (4, "four")]
    lines = [log[0][1], log[0][1], log[1][1]]
    one, asked = session(lines), {log[0][1]}
    assert happened(one, caught_up(one, {}), log, {3, 4}, whole=True, again=asked) == {3, 4}
    with pytest.raises(AssertionError, match=r"saw '\[Defend\] #3"):
        happened(one, caught_up(one, {}), log, {3, 4}, whole=True)


def test_who_was_connected_all_the_time_has_to_have_seen_all() -> None:
    one = session([text for _, text in LOG[2:5]])
    with pytest.raises(AssertionError, match=r"Bram was not shown .*w000006n6"):
        seen_in(one, whole=True)


def test_what_is_told_as_missed_is_counted() -> None:
    head = '[Scene] "Dock": you missed 2 lines.'
    one = session([head, NUMBERED[3], NUMBERED[5]])
    assert missed(one) == 2
    assert caught_up(one, NUMBERED).rows == {3, 5}
    assert caught_up(one, NUMBERED).others == [head]


def test_a_missed_row_of_two_lines_counts_when_both_are_told() -> None:
    numbered = {3: "#3 20:00:03 one\n  two"}
    assert caught_up(session(["#3 20:00:03 one"]), numbered).rows == set()
    both = caught_up(session(["#3 20:00:03 one", "  two", "three"]), numbered)
    assert (both.rows, both.others) == ({3}, ["three"])


def test_a_missed_row_may_read_as_it_did_before_it_was_changed() -> None:
    older = {3: {"#3 20:00:03 Ada says one."}}
    assert caught_up(session(["#3 20:00:03 Ada says one."]), NUMBERED, older).rows == {3}


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        ([NUMBERED[5], NUMBERED[3]], "not in order"),
        ([NUMBERED[3], NUMBERED[3]], "told twice"),
        (["#3 20:00:03 Ada says something else."], "what the log does not have"),
        (["#9 20:00:03 Ada says w000009n9."], "what the log does not have"),
    ],
)
def test_what_is_told_wrong_twice_or_out_of_order_as_missed_is_found(
    told: list[str], fault: str
) -> None:
    with pytest.raises(AssertionError, match=fault):
        caught_up(session(told), NUMBERED)


def test_a_whisper_that_comes_twice_is_found() -> None:
    whisper = 'Ada whispers, "psst, wabcdefn1"'
    check_once(session([whisper, 'Ada whispers, "psst, wabcdefn2"']))
    with pytest.raises(AssertionError, match=r"heard .*wabcdefn1.* twice"):
        check_once(session([whisper, whisper]))


def test_who_comes_or_goes_twice_in_a_row_is_found() -> None:
    came, went = "Ada has connected.", "Ada has disconnected."
    check_once(session([went, came, went, came]))
    for news in (came, went):
        with pytest.raises(AssertionError, match=f"told twice: '{news}'"):
            check_once(session([news, "Cass has connected.", news]))
