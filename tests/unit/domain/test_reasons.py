from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.reasons import reason_of
from mushcombat.errors import MushError


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("steam", "steam"),
        (" steam from  the vents ", "steam from  the vents"),
        ("steam) + 3 (4dF", "steam + 3 4dF"),
        ("x) = 99 (Legendary). #5 (", "x 99 Legendary. #5"),
        ("x). Ada dies. #9 [Result] (", "x. Ada dies. #9 Result"),
        ("{x}", "x"),
        ("x\uff09 \u27e6y\u27e7", "x y"),
        ("„x“", "„x“"),
        ("2d6 burns", "2d6 burns"),
        ("asked for it", "asked for it"),
        ("()", ""),
        ("", ""),
    ],
)
def test_a_reason_can_not_close_the_parenthesis_that_it_stands_in(typed: str, shown: str) -> None:
    assert reason_of(typed) == shown


@pytest.mark.parametrize(
    "typed",
    [
        "4dF",
        "(4df)",
        "4 dF.",
        "1d10-5",
        "d100",
        "asked",
        "Asked",
        "dice",
        "dice 4dF",
        "\u0430sked",
        "4d\u200dF",
        "４ｄＦ",
        "[asked]",
    ],
)
def test_a_reason_can_not_be_what_the_server_calls_its_own_terms(typed: str) -> None:
    with pytest.raises(MushError) as caught:
        reason_of(typed)
    assert caught.value.code == "reason"
    assert caught.value.text.endswith(" is what the server itself calls a term.")
    assert caught.value.hint == "Type what it is for, like steam or bad light."


@given(st.text())
def test_no_reason_that_is_taken_has_brackets_or_an_equals_sign(typed: str) -> None:
    try:
        shown = reason_of(typed)
    except MushError:
        return
    brackets = [c for c in shown if unicodedata.category(c) in {"Ps", "Pe"} and c not in "‚„"]
    assert "=" not in shown
    assert brackets == []
    assert reason_of(shown) == shown
