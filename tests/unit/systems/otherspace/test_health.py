from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.systems.otherspace import health
from mushcombat.systems.otherspace.health import Healed, Taken, heal, take
from mushcombat.systems.otherspace.tables import Tables
from tests.unit.systems.otherspace.fighters import fighter


@pytest.mark.parametrize(
    ("left", "penalty"),
    [
        *((100, 0), (61, 0), (60, -1), (59, -1), (41, -1), (40, -1), (39, -1)),
        *((31, -1), (30, -2), (29, -2), (11, -2), (10, -2), (9, -2), (1, -2), (0, -2)),
    ],
)
def test_os_42_wounds_count_from_sixty_and_from_thirty_on(
    tables: Tables, left: int, penalty: int
) -> None:
    assert health.penalty(left, tables) == penalty


@pytest.mark.parametrize(
    ("left", "word"),
    [
        *((100, "unhurt"), (99, "scratched"), (61, "scratched"), (60, "hurt"), (31, "hurt")),
        *((30, "badly hurt"), (11, "badly hurt"), (10, "down"), (0, "down")),
    ],
)
def test_os_42_health_has_words_where_numbers_are_hidden(
    tables: Tables, left: int, word: str
) -> None:
    assert health.band(left, tables) == word


@pytest.mark.parametrize(
    ("harm", "stun", "stunned"),
    [
        (0, 39, False),
        (0, 40, True),
        (0, 41, True),
        (60, 10, False),
        (60, 11, True),
        (69, 1, False),
        (70, 1, True),
        (71, 0, False),
        (100, 0, False),
    ],
)
def test_os_43_forty_stun_stuns_or_any_with_health_under_thirty(
    tables: Tables, harm: int, stun: int, *, stunned: bool
) -> None:
    assert health.stunned_by(harm, stun, tables) is stunned


@pytest.mark.parametrize(
    ("left", "quirk"),
    [
        (61, ""),
        (60, ""),
        (59, "Lightly Wounded"),
        (41, "Lightly Wounded"),
        (40, "Lightly Wounded"),
        (39, "Moderately Wounded"),
        (21, "Moderately Wounded"),
        (20, "Moderately Wounded"),
        (19, "Heavily Wounded"),
        (11, "Heavily Wounded"),
        (10, "Heavily Wounded"),
        (9, "Seriously Wounded"),
        (1, "Seriously Wounded"),
        (0, "Critically Wounded"),
    ],
)
def test_os_45_an_exact_edge_takes_the_lighter_quirk(tables: Tables, left: int, quirk: str) -> None:
    assert health.wound_quirk(100 - left, tables) == quirk
    assert health.wound_quirk(100 - left, tables, dead=True) == ""


@pytest.mark.parametrize(
    ("changes", "kind", "amount", "lethal", "taken"),
    [
        ({}, "harm", 36, False, Taken(36, 0)),
        ({"harm": 36}, "harm", 44, False, Taken(80, 0)),
        ({}, "harm", 89, False, Taken(89, 0)),
        ({}, "harm", 90, False, Taken(90, 0, "unconscious")),
        ({}, "harm", 99, True, Taken(99, 0, "unconscious")),
        ({}, "harm", 100, True, Taken(100, 0, "dead")),
        ({}, "harm", 500, True, Taken(100, 0, "dead")),
        ({}, "harm", 100, False, Taken(100, 0, "near death", quirk="Critically Wounded")),
        ({"harm": 100}, "harm", 1, True, Taken(100, 0, "dead")),
        ({"harm": 100}, "harm", 1, False, Taken(100, 0, "near death", quirk="Critically Wounded")),
        ({"harm": 100}, "harm", 0, True, Taken(100, 0)),
        ({"harm": 100}, "stun", 50, True, Taken(100, 0, "unconscious")),
        ({}, "stun", 39, False, Taken(0, 39)),
        ({}, "stun", 40, False, Taken(0, 40, "stunned", stunned=True)),
        ({"stun": 20}, "stun", 20, False, Taken(0, 40, "stunned", stunned=True)),
        ({}, "stun", 500, True, Taken(0, 100, "unconscious", stunned=True)),
        ({"harm": 70}, "stun", 1, False, Taken(70, 1, "stunned", stunned=True)),
        ({"harm": 60}, "stun", 500, True, Taken(60, 40, "unconscious", stunned=True)),
        ({"stun": 20}, "harm", 51, False, Taken(51, 20, "stunned", stunned=True)),
        ({"stun": 60}, "harm", 70, False, Taken(70, 30, "unconscious", stunned=True)),
        ({"stun": 60}, "harm", 100, True, Taken(100, 0, "dead")),
    ],
)
def test_os_41_os_42_os_43_os_49_what_a_blow_makes_of_its_target(
    tables: Tables,
    changes: dict[str, Any],
    kind: Any,
    amount: int,
    *,
    lethal: bool,
    taken: Taken,
) -> None:
    assert take(fighter(**changes), kind, amount, tables, lethal=lethal) == taken


@given(
    harm=st.integers(0, 100),
    data=st.data(),
    kind=st.sampled_from(["harm", "stun"]),
    amount=st.integers(0, 300),
    lethal=st.booleans(),
)
def test_os_41_health_stays_between_nothing_and_a_hundred(
    tables: Tables, harm: int, data: st.DataObject, kind: Any, amount: int, *, lethal: bool
) -> None:
    stun = data.draw(st.integers(0, 100 - harm))
    taken = take(fighter(harm=harm, stun=stun), kind, amount, tables, lethal=lethal)
    assert 0 <= 100 - taken.harm - taken.stun <= 100 - harm - stun or kind == "harm"
    assert 0 <= 100 - taken.harm - taken.stun <= 100
    assert harm <= taken.harm <= 100
    assert taken.outcome != "dead" or (lethal and kind == "harm")


def test_os_50_luck_turns_death_into_critically_wounded(tables: Tables) -> None:
    dead = take(fighter(), "harm", 100, tables, lethal=True)
    saved = health.saved_by_luck(dead, tables)
    assert saved == Taken(100, 0, "near death", quirk="Critically Wounded")
    assert health.saved_by_luck(Taken(36, 0), tables) == Taken(36, 0)


@pytest.mark.parametrize(
    ("quirk", "needs", "after"),
    [
        ("", 4, ""),
        ("Lightly Wounded", 4, ""),
        ("Moderately Wounded", 5, "Lightly Wounded"),
        ("Heavily Wounded", 6, "Moderately Wounded"),
        ("Seriously Wounded", 6, "Heavily Wounded"),
        ("Critically Wounded", 7, "Seriously Wounded"),
    ],
)
def test_os_47_medicine_takes_a_quirk_one_step_down(
    tables: Tables, quirk: str, needs: int, after: str
) -> None:
    assert health.heal_needs(quirk, tables) == needs
    assert heal(needs - 1, quirk, tables) == Healed(False, 0, quirk)
    assert heal(needs, quirk, tables) == Healed(True, 5 * (needs - 3), after)
    assert heal(needs + 3, quirk, tables) == Healed(True, 5 * needs, after)
    assert health.quirk_after_heal(quirk, tables) == after


@pytest.mark.parametrize(("days", "points"), [(0, 0), (1, 10), (7, 70), (-1, 0)])
def test_os_48_ten_health_comes_back_a_day(tables: Tables, days: int, points: int) -> None:
    assert health.natural(days, tables) == points
