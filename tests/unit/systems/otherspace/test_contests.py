from __future__ import annotations

import pytest

from mushcombat.errors import MushError
from mushcombat.systems.otherspace import contests
from mushcombat.systems.otherspace.situation import Situation
from mushcombat.systems.otherspace.tables import Tables
from tests.unit.systems.otherspace.fighters import fighter, written

CUT = Situation(weapon="sword")


def test_os_52_a_great_against_a_fair_asks_for_strength_at_minus_two(tables: Tables) -> None:
    terms = contests.hold_terms(fighter(), 6 - 4, tables)
    assert written(terms) == "Strength 4 (Fair) - 2 (disarmed) = 2"


@pytest.mark.parametrize(("total", "held"), [(3, False), (4, True), (5, True)])
def test_os_52_holding_on_needs_a_fair(tables: Tables, total: int, *, held: bool) -> None:
    assert contests.holds(total, tables) is held


def test_os_19_the_others_react_at_nothing(tables: Tables) -> None:
    terms = contests.blast_terms(fighter(faults=["Slow"]), tables)
    assert written(terms) == "Dexterity 4 + Perception 4 - 1 (Slow) = 7"


@pytest.mark.parametrize(("holder", "other", "hit"), [(9, 8, True), (8, 8, False), (7, 8, False)])
def test_os_19_who_is_slower_is_hit_and_a_tie_is_not(
    tables: Tables, holder: int, other: int, *, hit: bool
) -> None:
    assert contests.caught(holder, other, tables) is hit


@pytest.mark.parametrize(("total", "away"), [(3, False), (4, True)])
def test_os_19_getting_away_needs_a_fair(tables: Tables, total: int, *, away: bool) -> None:
    assert contests.gets_away(total, tables) is away


def test_os_40_who_has_psi_may_notice_psionics(tables: Tables) -> None:
    assert written(contests.detection_terms(fighter(attributes={"Psi": 5}), tables)) == (
        "Psi 5 (Good) = 5"
    )
    assert [contests.detects(total, tables) for total in (3, 4)] == [False, True]
    with pytest.raises(MushError, match="has no Psi"):
        contests.detection_terms(fighter(), tables)


@pytest.mark.parametrize(
    ("rolls", "card", "free"),
    [
        ((2, 5), "", False),
        ((2, 6), "", True),
        ((6, 2), "", False),
        ((2, 3), "Riposte", False),
        ((2, 4), "Riposte", True),
        ((2, 5), "Desperate Dodge", False),
    ],
)
def test_os_30_os_54_a_defence_four_levels_better_earns_a_counterattack(
    tables: Tables, rolls: tuple[int, int], card: str, *, free: bool
) -> None:
    assert contests.may_counter(CUT, *rolls, tables, card=card) is free


def test_os_30_only_in_melee_and_never_against_a_counterattack(tables: Tables) -> None:
    assert contests.may_counter(Situation("grapple"), 0, 9, tables)
    assert not contests.may_counter(Situation(weapon="pistol"), 0, 9, tables)
    assert not contests.may_counter(CUT, 0, 9, tables, countering=True)
