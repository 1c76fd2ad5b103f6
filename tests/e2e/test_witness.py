"""What finds a lost line has to find one: streams with a fault in them, held against a log."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.e2e.torture.witness import Session, caught_up, happened, missed

LOG = [(n, f"Ada says w00000{n}n{n}.") for n in range(1, 7)]
NUMBERED = {n: f"#{n} 20:00:0{n} {line}" for n, line in LOG}


def session(login: Sequence[str], lines: Sequence[str], since: int = 2) -> Session:
    client = SimpleNamespace(seen="".join(f"{line}\n" for line in login), closed=True)
    one = Session("Bram", cast("Any", client))
    one.begin(since)
    client.seen += "".join(f"{line}\n" for line in lines)
    return one


def test_all_that_happened_up_to_a_kill_is_counted_and_half_a_line_is_not() -> None:
    lines = [text for _, text in LOG[2:5]]
    one = session((), ["There is no help on x.", *lines])
    one.client.seen += LOG[5][1][:7]
    assert happened(one, LOG) == {3, 4, 5}


def test_a_row_of_two_lines_counts_when_both_are_there() -> None:
    log = [(3, "one"), (3, "two"), (4, "three")]
    assert happened(session((), ["one"]), log) == set()
    assert happened(session((), ["one", "two"]), log) == {3}


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ([LOG[3][1]], "saw 'Ada says w000004n4.', where the log has .*w000003n3"),
        ([LOG[2][1], LOG[2][1]], "saw 'Ada says w000003n3.', where the log has .*w000004n4"),
        ([LOG[2][1], LOG[4][1], LOG[3][1]], "saw 'Ada says w000005n5.', where"),
        (["Ada says wffffffn9."], "saw 'Ada says wffffffn9.'; the log has"),
        (["[Result] Ada takes 99. #3"], r"saw '\[Result\] Ada takes 99. #3'; the log has"),
    ],
)
def test_what_is_lost_doubled_out_of_order_or_not_in_the_log_is_found(
    lines: list[str], fault: str
) -> None:
    with pytest.raises(AssertionError, match=fault):
        happened(session((), lines), LOG)


def test_what_is_told_as_missed_is_counted() -> None:
    head = '[Scene] "Dock": you missed 2 lines.'
    one = session([head, NUMBERED[3], NUMBERED[5]], ())
    assert missed(one) == 2
    assert caught_up(one, NUMBERED) == {3, 5}


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
        caught_up(session(told, ()), NUMBERED)
