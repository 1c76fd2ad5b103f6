from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from mushcombat.domain.breakdown import Breakdown, Op, Term, modifier
from mushcombat.domain.dice import Throw

numbers = st.integers(-999, 999)
modifiers = numbers.map(lambda value: modifier(value, "why"))
levels = numbers.map(lambda value: Term(value, f"Skill {value}"))
taken = st.integers(0, 999).map(lambda value: Term(-value, f"Armour {value}", "-"))
products = st.builds(lambda a, b: Term(5 * (a - b), f"5 x ({a} - {b})"), numbers, numbers)
shares = st.integers(0, 99).map(lambda value: Term(-value, f"Soak {value}", "less"))
sums = st.builds(
    lambda first, rest: Breakdown((first, *rest)),
    levels,
    st.lists(modifiers | taken | products | shares, max_size=6),
)


def evaluate(formula: str) -> int:
    """Work a formula out from its text alone, and check each subtotal on the way."""
    parts = formula.split(" = ")
    total = worked(parts[0])
    for part in parts[1:]:
        shown, _, bound = part.partition(", ")
        assert int(shown) == total
        if bound.startswith("not under "):
            total = max(total, int(bound.removeprefix("not under ")))
        elif bound.startswith("not over "):
            total = min(total, int(bound.removeprefix("not over ")))
        elif bound:
            total = worked(f"{total} {bound}")
    return total


def worked(text: str) -> int:
    """Work out one stretch: reasons and names dropped, "less" read as a minus."""
    bare = re.sub(r"\([a-z ]+\)|[A-Z][a-z]+ ", "", text).replace("less", "-").replace("x", "*")
    assert set(bare) <= set("0123456789+-* ()")
    return int(eval(bare))  # noqa: S307 -- digits and signs alone, as just made sure


def test_terms_are_written_behind_their_operators() -> None:
    roll = Breakdown((Term(5, "Pistol 5 (Good)"), modifier(-1, "asked"), modifier(2, "4dF")))
    assert roll.formula() == "Pistol 5 (Good) - 1 (asked) + 2 (4dF) = 6"
    assert roll.total == 6


def test_a_floor_is_a_term_of_its_own_behind_the_sum_it_lifts() -> None:
    harm = Breakdown((Term(10, "Blade 10"), Term(-15, "5 x (2 - 5)"), Term(-30, "Mail 30", "-")))
    lifted = harm.at_least(0, "R-1")
    assert lifted.formula() == "Blade 10 + 5 x (2 - 5) - Mail 30 = -35, not under 0 = 0"
    assert lifted.terms[-1] == Term(35, "not under 0", "floor", "R-1", kind="limit")


def test_a_cap_is_a_term_of_its_own_too() -> None:
    capped = Breakdown((Term(40, "40"), modifier(70, "spell"))).at_most(100, "R-2")
    assert capped.formula() == "40 + 70 (spell) = 110, not over 100 = 100"
    assert capped.terms[-1] == Term(-10, "not over 100", "cap", "R-2", kind="limit")


@pytest.mark.parametrize("total", [0, 50, 100])
def test_bounds_that_change_nothing_are_not_there(total: int) -> None:
    plain = Breakdown((Term(total, str(total)),))
    assert plain.at_least(0).at_most(100) is plain


def test_what_takes_a_part_stands_directly_behind_a_single_number() -> None:
    left = Breakdown((Term(40, "40"), Term(-8, "Toughness 4 (20%)", "less")))
    assert left.formula() == "40 less Toughness 4 (20%) = 32"


def test_what_takes_a_part_of_a_longer_sum_stands_behind_that_sum() -> None:
    harm = Breakdown((Term(35, "Blade 35"), Term(15, "5 x 3"), Term(-5, "Mail 5", "-")))
    left = harm.then(Term(-9, "Toughness 4 (20%)", "less"))
    assert left.formula() == "Blade 35 + 5 x 3 - Mail 5 = 45, less Toughness 4 (20%) = 36"


@pytest.mark.parametrize(
    ("value", "text"),
    [(-1, "- 1 (asked)"), (0, "+ 0 (asked)"), (2, "+ 2 (asked)"), (-99, "- 99 (asked)")],
)
def test_a_modifier_has_its_sign_and_its_reason(value: int, text: str) -> None:
    term = modifier(value, "asked", rule="R-3", by="Rhea", kind="asked")
    assert f"{term.op} {term.text}" == text
    assert (term.value, term.rule, term.by, term.kind) == (value, "R-3", "Rhea", "asked")


def test_a_sum_may_begin_with_what_is_taken_away() -> None:
    assert Breakdown((modifier(-1, "slow"), modifier(3, "luck"))).formula() == (
        "- 1 (slow) + 3 (luck) = 2"
    )


def test_going_on_keeps_what_was_there_and_adds_the_dice() -> None:
    throw = Throw(1, "roll", 6, (3,))
    roll = Breakdown((Term(2, "Skill 2"),)).then(modifier(3, "1d6"), throws=[throw])
    assert (roll.total, roll.throws) == (5, (throw,))
    assert roll.then(modifier(1, "luck")).throws == (throw,)


@pytest.mark.parametrize("op", ["less", "floor", "cap"])
def test_a_sum_can_not_begin_with_what_needs_something_before_it(op: Op) -> None:
    with pytest.raises(ValueError, match="begins with"):
        Breakdown((Term(1, "x", op),))


def test_a_sum_has_a_term() -> None:
    with pytest.raises(ValueError, match="begins with"):
        Breakdown(())


@given(sums, numbers, st.integers(0, 500))
def test_terms_add_up_to_the_total_and_the_text_says_the_same(
    plain: Breakdown, low: int, width: int
) -> None:
    bounded = plain.at_least(low, "R-1").at_most(low + width, "R-1")
    for sum_ in (plain, bounded):
        assert sum_.total == sum(term.value for term in sum_.terms)
        assert evaluate(sum_.formula()) == sum_.total
        assert sum_.formula().endswith(f" = {sum_.total}")
    assert low <= bounded.total <= low + width


@given(sums)
def test_a_sum_survives_being_kept_as_json(plain: Breakdown) -> None:
    kept = TypeAdapter(Breakdown)
    sum_ = plain.then(throws=[Throw(3, "roll", 3, (1, 2, 3, 3))])
    assert kept.validate_json(kept.dump_json(sum_), strict=True) == sum_
