"""Closing in on a polearm within a round (OS-21), and railguns at any range (OS-12)."""

from __future__ import annotations

import pytest

from mushcombat.systems.otherspace.attack import standing_notes
from mushcombat.systems.otherspace.situation import Situation
from mushcombat.systems.otherspace.tables import Tables, load
from tests.unit.systems.otherspace.arena import Arena
from tests.unit.systems.otherspace.test_attack import begun
from tests.unit.systems.otherspace.test_tables import changed


@pytest.fixture
def duel(arena: Arena) -> Arena:
    """Ada, Pistol 6 and a pistol, has the turn before Bram and Cass."""
    arena.sheet("Ada", Pistol=6)
    arena.gear("Ada", "pistol")
    arena.do_all("Ada> +wield pistol")
    arena.fight("Ada", "Bram", "Cass")
    return arena


def countered(duel: Arena) -> None:
    """Let Ada's polearm miss Bram by so much that he may strike back (OS-30)."""
    duel.gear("Ada", "polearm")
    duel.gear("Bram", "sword")
    duel.sheet("Bram", Sword=6, Pistol=6)
    duel.do_all("Ada> +wield polearm", "Bram> +wield sword")
    duel.attack("Ada> +attack Bram=polearm", attack=-4, choice="sword")
    duel.falls(attack=[-4] * 4)


def test_os_21_closing_in_counts_for_all_attacks_of_the_round(duel: Arena) -> None:
    countered(duel)
    struck = duel.do_all("Bram> +counter", "Rhea> +ok")
    assert "- 1 (closing in)" in struck.room[0]
    duel.do_all("Ada> +defend dex")
    assert duel.turn() == "1 Bram"
    again = duel.do_all("Bram> +attack Ada=sword", "Rhea> +ok")
    assert "- 1 (closing in)" in again.room[0]
    duel.do_all("Ada> +defend dex", "Cass> +next", "Ada> +next")
    later = duel.do_all("Bram> +attack Ada=sword", "Rhea> +ok")
    assert duel.turn() == "2 Bram"
    assert "closing in" not in later.room[0]


def test_os_21_closing_in_counts_for_a_shot_of_the_same_round_at_another(duel: Arena) -> None:
    countered(duel)
    duel.gear("Bram", "pistol")
    duel.gear("Cass", "polearm")
    duel.do_all("Cass> +wield polearm", "Bram> +counter", "Rhea> +ok", "Ada> +defend dex")
    shot = duel.do_all("Bram> +attack Cass=pistol", "Rhea> +ok")
    assert "- 1 (closing in)" in shot.room[0]
    duel.do_all("Cass> +defend dex", "Cass> +next", "Ada> +next")
    # A shot comes into nobody's reach: Cass's polearm is still to be closed in on.
    first = duel.do_all("Bram> +attack Cass=sword", "Rhea> +ok")
    assert "- 1 (closing in)" in first.room[0]


def test_os_21_who_closes_in_with_a_polearm_bears_nothing_in_that_round(duel: Arena) -> None:
    countered(duel)
    duel.gear("Bram", "polearm")
    duel.do_all("Bram> +counter polearm", "Rhea> +ok", "Ada> +defend dex")
    after = duel.do_all("Bram> +attack Ada=sword", "Rhea> +ok")
    assert "closing in" not in after.room[0]


def test_os_21_both_hands_bear_it_and_either_closes_in(duel: Arena) -> None:
    countered(duel)
    duel.gear("Bram", "pistol")
    said = duel.do_all("Bram> +attack Ada=pistol+sword", "Rhea> +ok")
    assert "- 1 (closing in)" in said.room[0]
    second = duel.do_all("Ada> +defend dex")
    assert "- 3 (second weapon) - 1 (closing in)" in "\n".join(second.room)
    duel.do_all("Ada> +defend dex", "Cass> +next", "Ada> +next")
    assert "closing in" not in duel.do_all("Bram> +attack Ada=sword", "Rhea> +ok").room[0]


def test_os_12_a_railgun_is_at_minus_one_at_a_range_that_nobody_named(duel: Arena) -> None:
    duel.gear("Ada", "railgun", "power cell")
    duel.do_all("Ada> +ready railgun", "Ada> +next", "Bram> +next", "Cass> +next")
    named = duel.do_all("Cass> +odds Ada/railgun=Bram, short").reply[0]
    assert "- 1 (short range)" in named
    asked = duel.do_all("Cass> +odds Ada/railgun=Bram").reply[0]
    assert "- 1 (any range)" in asked
    said = duel.do_all("Ada> +attack Bram=railgun", "Rhea> +ok")
    assert "- 1 (any range)" in said.room[0]


def test_os_12_a_railgun_is_at_minus_one_whatever_the_range_also_where_none_is_given(
    tables: Tables, rules: str
) -> None:
    bare = Situation(weapon="railgun")
    assert begun(tables, bare) == "- 1 (any range)"
    assert begun(tables, bare, gifts=frozenset({"Keen Sight"})) == "- 1 (any range)"
    assert standing_notes(bare, tables) == ()
    # By the referee's table it may depend on the range, and then none counts.
    row = "railgun = [-1, -1, -1, -1, -1]"
    uneven = load(changed(rules, (row, "railgun = [-1, -1, -1, -1, -2]")), "x")
    assert begun(uneven, bare) == ""
    assert standing_notes(bare, uneven) == ("No range was given, so none counts.",)
