"""OS-56: who referees a fight, and that nobody referees their own."""

from __future__ import annotations

import pytest

from mushcombat.domain.character import Role
from tests.unit.systems.otherspace.arena import Arena

OWN_FIGHT = (
    "You fight in this one, so you don't referee it (OS-56). Ask another, or +combat/leave first."
)


@pytest.fixture
def stan(arena: Arena) -> Arena:
    """Stan is staff, and fights: after Ada and before Bram; Thug, an NPC, is last."""
    arena.create("Stan", Role.STAFF)
    arena.gear("Ada", "pistol")
    arena.do_all("Stan> +scene/join", "Rhea> +npc Thug=thug")
    arena.falls(reaction=-4)
    arena.do_all("Rhea> +combat/start", *(f"{n}> +combat/join" for n in ("Ada", "Stan", "Bram")))
    arena.falls(reaction=[4, 0, -4])
    arena.do_all("Ada> +reaction at 4", "Stan> +reaction", "Bram> +reaction at -3")
    assert [seat.name for seat in arena.seats()] == ["Ada", "Stan", "Thug", "Bram"]
    return arena


@pytest.mark.parametrize(
    "line",
    [
        "+ok",
        "+no =no",
        "+damage Bram=5",
        "+quirk Bram=lightly",
        "+quirk/remove Bram=lightly",
        "+give Stan=rifle",
        "+take Ada=pistol",
        "+set Stan/Pistol=8",
        "+npc Ogre=beast",
        "+order Stan=1",
        "+combat/stop",
        "Thug: +attack Ada=knife",
        "Thug: pose falls over.",
        "+as Ada=+next",
    ],
)
def test_os_56_staff_who_fight_do_not_rule(stan: Arena, line: str) -> None:
    stan.do_all("Ada> +attack Bram=pistol")
    assert stan.no("Stan", line) == OWN_FIGHT


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("+undo", "The referee takes back what was done."),
        ("+redo", "Nothing is taken back."),
        ("+next", "It is not your turn."),
        ("+lethal", "The attacker declares that, or the referee."),
        ("+heal Bram at 5", "The referee sets the modifier."),
        ("+roll strength at 9", 'modifier: "9" is not a whole number from -4 to 4.'),
        ("+combat/leave Ada", "You leave a fight for yourself."),
        ("+combat/join Cass", "You join a fight for yourself."),
        ("+scene/set luck=no", "The referee sets that, or who opened the scene."),
        ("+scene/referee Bram", "Bram fights here, and nobody referees their own fight (OS-56)."),
    ],
)
def test_os_56_staff_who_fight_are_players_in_that_fight(stan: Arena, line: str, told: str) -> None:
    stan.do_all("Ada> +attack Bram=pistol")
    assert stan.no("Stan", line).startswith(told)


def test_os_56_staff_who_fight_see_others_health_as_players_do(stan: Arena) -> None:
    stan.do_all("Rhea> +damage Bram=33", "Rhea> +scene/set health=bands")
    assert stan.do_all("Stan> +health Bram").reply == ("Bram is scratched.",)
    assert "67" not in str(stan.do_all("Stan> +combat").reply)


def test_os_56_the_own_modifiers_of_staff_who_fight_are_not_taken(stan: Arena) -> None:
    stan.do_all("Ada> +next")
    told = stan.no("Stan", "+attack Bram=unarmed, +4 because")
    assert told.startswith("The referee rules modifiers.")


def test_os_56_staff_who_fight_pose_and_act_as_anybody(stan: Arena) -> None:
    assert stan.do_all("Stan> pose waits.").room == ["Stan waits."]
    stan.do_all("Ada> +next", "Stan> +attack Bram=unarmed")


def test_os_56_staff_rule_again_once_they_are_out_of_the_fight_or_it_is_over(stan: Arena) -> None:
    stan.do_all("Stan> +combat/leave", "Stan> +damage Bram=5", "Stan> +combat/join")
    assert stan.no("Stan", "+damage Bram=5") == OWN_FIGHT
    stan.do_all("Rhea> +combat/stop", "Stan> +damage Bram=5")
    assert stan.health("Bram") == 90


def test_os_56_who_fights_is_not_made_referee(stan: Arena) -> None:
    told = stan.no("Rhea", "+scene/referee Ada")
    assert told == (
        "Ada fights here, and nobody referees their own fight (OS-56)."
        " Name another, or let them +combat/leave first."
    )
    stan.do_all("Ada> +combat/leave", "Rhea> +scene/referee Ada", "Ada> +damage Bram=5")


def test_os_56_a_player_whom_staff_made_referee_rules_but_does_not_fight(arena: Arena) -> None:
    arena.do_all("Rhea> +scene/referee Olga")
    arena.fight("Ada", "Bram")
    arena.do_all("Ada> +attack Bram=unarmed", "Olga> +ok")
    assert "(OS-56)" in arena.no("Olga", "+combat/join")


def test_os_56_who_opened_a_scene_sets_nothing_while_fighting_unless_it_is_open(
    arena: Arena,
) -> None:
    arena.do_all("Rhea> +scene/close", "Ada> +scene/open Alley", "Rhea> +scene/join")
    arena.scene = 2
    arena.do_all("Bram> +scene/join", "Ada> +scene/set luck=no")
    arena.fight("Ada", "Bram")
    told = "You fight here, and who fights doesn't referee (OS-56). +combat/leave first, or ask the"
    assert arena.no("Ada", "+scene/set mode=open") == f"{told} referee."
    assert arena.no("Bram", "+scene/set luck=yes").startswith(
        "The referee sets that, or who opened"
    )
    arena.do_all("Rhea> +scene/set mode=open", "Ada> +scene/set luck=yes")
