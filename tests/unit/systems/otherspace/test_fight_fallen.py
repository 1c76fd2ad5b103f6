"""OS-42, OS-43: the turn, and what was begun, of those who can act no more."""

from __future__ import annotations

import pytest

from tests.unit.systems.otherspace.arena import Arena

THREE = ("Ada", "Bram", "Cass")


@pytest.fixture
def ring(arena: Arena) -> Arena:
    """Ada, Sword 6, has the turn; then Bram, Sword 8 and as strong, then Cass."""
    arena.sheet("Ada", Sword=6)
    arena.sheet("Bram", Sword=8, Strength=8)
    for name in ("Ada", "Bram"):
        arena.gear(name, "sword")
        arena.do_all(f"{name}> +wield sword")
    arena.fight(*THREE)
    return arena


@pytest.mark.parametrize("harm", ["90", "100", "40 stun"])
def test_os_42_os_43_the_turn_moves_on_from_whom_a_ruling_fells(ring: Arena, harm: str) -> None:
    said = ring.do_all(f"Rhea> +damage Ada={harm} the roof")
    assert said.tags() == ["Result", "Turn"]
    assert said.one("Turn") == "[Turn] Round 1: Bram."
    assert len({fact.action for fact in said.facts}) == 1
    ring.do_all("Rhea> +undo")
    assert (ring.health("Ada"), ring.turn()) == (100, "1 Ada")


def test_os_42_harm_that_leaves_somebody_standing_moves_no_turn(ring: Arena) -> None:
    assert ring.do_all("Rhea> +damage Ada=89").tags() == ["Result"]
    assert ring.do_all("Rhea> +damage Bram=90").tags() == ["Result"]
    assert ring.turn() == "1 Ada"


def test_os_42_what_a_felled_one_had_declared_is_dropped(ring: Arena) -> None:
    number = ring.do_all("Ada> +attack Bram=sword").action
    said = ring.do_all("Rhea> +damage Ada=90")
    told = f"[Combat] Ada can't act any more: #{number} is dropped."
    assert said.one("Combat").partition(" #" + str(said.action))[0] == told
    assert (ring.pending(), ring.turn()) == ([], "1 Bram")
    ring.do_all("Rhea> +undo")
    assert [pending.action for pending in ring.pending()] == [number]


def test_os_42_what_a_felled_one_had_rolled_goes_on_and_then_the_turn_does(ring: Arena) -> None:
    ring.do_all("Ada> +attack Bram=sword", "Rhea> +ok")
    assert ring.do_all("Rhea> +damage Ada=90").tags() == ["Result"]
    assert ring.turn() == "1 Ada"
    assert ring.do_all("Bram> +defend sword").tags() == ["Roll", "Result", "Turn"]
    assert ring.turn() == "1 Bram"


def parried(ring: Arena) -> None:
    """Let Bram earn a counterattack on Ada; it is Cass's turn then."""
    ring.do_all("Rhea> +order Cass=2")
    ring.attack("Ada> +attack Bram=sword", attack=-4, choice="sword")
    assert ring.turn() == "1 Cass"


def test_os_30_the_turn_moves_on_from_whom_a_counterattack_fells(ring: Arena) -> None:
    parried(ring)
    ring.do_all("Rhea> +order Ada=2", "Rhea> +next", "Rhea> +damage Ada=20")
    assert ring.turn() == "1 Ada"
    ring.do_all("Bram> +counter", "Rhea> +ok")
    # By 6: 50 + 40 + 30, less 20%.
    said = ring.do_all("Ada> +defend dex")
    assert "Ada is near death" in said.one("Result")
    assert ring.turn() == "1 Bram"


def test_os_42_a_counterattack_of_one_who_is_felled_is_dropped(ring: Arena) -> None:
    ring.sheet("Cass", Unarmed=8, Strength=8)
    parried(ring)
    number = ring.do_all("Bram> +counter").action
    ring.do_all("Rhea> +damage Bram=60")
    # 8 against 4 - 2 - 1 for the wounds - 1 for the second defence: 40 + 40, less 20%.
    attack = ring.do_all("Cass> +attack Bram=unarmed").action
    ring.do_all(f"Rhea> +ok {attack}")
    said = ring.do_all("Bram> +defend dex")
    assert f"[Combat] Bram can't act any more: #{number} is dropped. #{attack}" in said.room
    assert (ring.pending(), ring.turn()) == ([], "2 Ada")


def test_os_42_who_falls_where_no_fight_is_on_leaves_no_turn(arena: Arena) -> None:
    assert arena.do_all("Rhea> +damage Ada=90").tags() == ["Result"]
    arena.do_all("Rhea> +combat/start", "Ada> +combat/join", "Bram> +combat/join")
    assert arena.do_all("Rhea> +damage Bram=90").tags() == ["Result"]
    assert arena.tracker().phase == "rolling"
