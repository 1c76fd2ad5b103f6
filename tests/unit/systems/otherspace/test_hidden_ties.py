"""Ties of reaction rolls that a hidden NPC is in: players see no more of it than they can see."""

from __future__ import annotations

import pytest

from tests.unit.systems.otherspace.arena import Arena
from tests.unit.systems.otherspace.ears import Ears


@pytest.fixture
def ears(arena: Arena) -> Ears:
    return Ears(arena)


def test_os_10_a_tie_with_a_hidden_npc_alone_is_rerolled_for_the_referee(
    arena: Arena, ears: Ears
) -> None:
    arena.falls(reaction=[0, 0, -4, 1, 2])
    ears.say("Rhea> +npc/hidden Lurker=thug", "Rhea> +npc Thug=thug", "Rhea> +combat/start")
    said = ears.say("Ada> +combat/join", "Ada> +reaction at -4")
    rolled = [line for line in said.seen["Rhea"] if line.startswith("[Reaction]")]
    assert [line.split()[1] for line in rolled] == ["Ada:", "Lurker:", "Thug:"]
    assert [line for line in said.room if "[Reaction]" in line][1:] == []
    assert said.one("Order").startswith("[Order] Thug ")
    assert "reroll" not in said.one("Order")
    assert arena.seats()[0].name == "Thug"
    whole = " ".join(ears.look())
    assert whole.count("[Reaction] Thug") == whole.count("[Reaction] Ada")
    ears.check()


def test_os_10_a_tie_that_players_see_is_rerolled_before_them_and_no_more_of_it(
    arena: Arena, ears: Ears
) -> None:
    arena.sheet("Ada", Dexterity=4, Perception=4)
    arena.falls(reaction=[0, 0, 0, 1, 1, -4, 3, 2])  # all three, then Ada and Lurker again
    ears.say("Rhea> +npc/hidden Lurker=thug", "Rhea> +npc Thug=thug", "Rhea> +combat/start")
    said = ears.say("Ada> +combat/join", "Ada> +reaction at -1")
    shown = [line.split()[1] for line in said.room if line.startswith("[Reaction]")]
    assert shown == ["Ada:", "Ada:", "Thug:"]
    assert [seat.name for seat in arena.seats()] == ["Ada", "Lurker", "Thug"]
    assert len([line for line in said.seen["Rhea"] if line.startswith("[Reaction]")]) == 6
    ears.check()
