"""Asking why: every term with its source, who took it back, what it changed, and for whom."""

from __future__ import annotations

import re

import pytest

from mushcombat.domain.character import Role
from tests.unit.systems.otherspace.arena import Arena

SHOT = "Ada> +attack Bram=pistol, 30 feet, walking"


@pytest.fixture
def duel(arena: Arena) -> Arena:
    arena.sheet("Ada", Pistol=6)
    arena.gear("Ada", "pistol")
    arena.fight("Ada", "Bram")
    return arena


def shoot(duel: Arena, ruling: str = "+ok =-1 steam from the vents") -> int:
    """Let Ada hit Bram by 4: 5 against 1."""
    number = duel.do_all(SHOT).action
    duel.falls(attack=2, defence=-1)
    duel.do_all(f"Rhea> {ruling}", "Bram> +defend dex")
    return number


def why(duel: Arena, name: str, number: int | str = "") -> tuple[str, ...]:
    return duel.do_all(f"{name}> +why {number}".rstrip()).reply


def test_why_writes_every_term_with_its_sign_its_reason_and_its_source(duel: Arena) -> None:
    number = shoot(duel)
    told = why(duel, "Olga", number)
    first = re.search(r"\(dice (\d+) to ", "\n".join(told))
    assert first
    die = int(first[1])
    assert told == (
        f"#{number} Ada attacks Bram with pistol at 30 feet (medium), walking, 20:00:00 UTC",
        "20:00:00 [Roll] Ada: 5 (Good).",
        "  Pistol 6 (Great)           sheet",
        "  - 1 medium range           OS-12, 30 feet",
        "  - 1 walking                OS-31",
        "  - 1 steam from the vents   Rhea",
        f"  + 2 dice                   + + 0 0   (dice {die} to {die + 3} of this scene)",
        "20:00:00 [Roll] Bram: 1 (Terrible).",
        "  Dexterity 4 (Fair)         sheet",
        "  - 2 raw dexterity          OS-26",
        f"  - 1 dice                   - 0 0 0   (dice {die + 4} to {die + 7} of this scene)",
        "20:00:00 [Result] Bram takes 44: health 56/100. Ada hits by 4: 44.",
        "  ODF 35                           OS-17, pistol",
        "  + 5 x 4 = 20                     OS-34",
        "  less Constitution 4 (20%) = -11  OS-36",
        "20:00:00 [Turn] Round 1: Bram.",
    )


def test_why_tells_a_referee_besides_what_was_asked_ruled_and_changed(duel: Arena) -> None:
    number = shoot(duel)
    more = [line for line in why(duel, "Rhea", number) if line not in why(duel, "Olga", number)]
    assert more == [
        "20:00:00 Chance to hit 74%; expected damage 30, at most 68: can't reach 0.\n"
        "  A projectile may go through the walls of corridors.",
        "20:00:00 [Ruling] Rhea allows it - 1 (steam from the vents).",
        "20:00:00 Bram is asked how to defend.",
        "  Changed: Bram's health 100 -> 56, Bram's wound is noted,"
        " Bram's defences this round 0 -> 1, Bram's turn.",
    ]


def test_why_shows_a_player_nothing_that_is_for_referees(duel: Arena) -> None:
    shoot(duel)
    duel.do_all("Rhea> +damage Bram=5", "Rhea> +combat/stop")
    (wound,) = duel.pending()
    assert duel.no("Olga", f"+why {wound.action}").startswith("There is no action #")
    assert why(duel, "Rhea", wound.action)[0].startswith(f"#{wound.action} Proposed: Bram, ")


def test_the_heading_tells_who_took_it_back_and_why_and_that_it_stands_again(duel: Arena) -> None:
    number = duel.do_all("Rhea> +damage Bram=10 a fall").action
    plain = f"#{number} Bram takes 10 (a fall): health 90/100, by Rhea, 20:00:00 UTC"
    assert why(duel, "Ada", number)[0] == plain
    undo = duel.do_all(f"Rhea> +undo {number}=wrong one").action
    assert why(duel, "Ada", number)[0] == f"{plain}, taken back by #{undo} (Rhea: wrong one)"
    redo = duel.do_all(f"Rhea> +redo {number}").action
    assert why(duel, "Ada", number)[0] == f"{plain}, standing again by #{redo} (Rhea)"
    other = duel.do_all("Rhea> +damage Ada=1", "Rhea> +undo").facts[0]
    assert other.action != undo
    assert why(duel, "Ada", number)[0] == f"{plain}, standing again by #{redo} (Rhea)"


def test_a_taking_back_is_told_as_it_was_and_not_twice(duel: Arena) -> None:
    number = duel.do_all("Rhea> +damage Bram=10").action
    undo = duel.do_all("Rhea> +undo =a slip").action
    told = f"#{undo} Rhea takes back #{number} (a slip): Bram's health 90 -> 100, 20:00:00 UTC"
    assert why(duel, "Rhea", undo) == (told,)


def test_a_roll_keeps_its_tag_and_says_what_was_asked_and_by_whom(duel: Arena) -> None:
    number = duel.do_all("Ada> +roll pistol at 1").action
    assert why(duel, "Bram", number)[:3] == (
        f"#{number} [Roll] Ada: 7 (Superb), 20:00:00 UTC",
        "  Pistol 6 (Great)           sheet",
        "  + 1 asked                  OS-3",
    )
    number = duel.do_all("Rhea> +rcalcdamage 1/9/5/20").action
    assert why(duel, "Bram", number)[1:] == (
        "  ODF 5                      OS-34",
        "  + 5 x (1 - 9) = -40        OS-34",
        "  - DDF 20                   OS-34",
        "  not under 0 = 55           OS-34",
    )
    number = duel.do_all("Rhea> +calcdamage 40/4").action
    assert why(duel, "Bram", number)[1].split() == ["40", "as", "typed"]


def test_why_alone_shows_the_last_action_that_is_more_than_talk(duel: Arena) -> None:
    shoot(duel)
    number = duel.do_all("Rhea> +damage Bram=3 a splinter").action
    duel.do_all("Ada> pose winces.", "Bram> say Ow.", "Cass> +health", "Ada> ooc nice")
    for name in ("Olga", "Rhea"):
        assert why(duel, name)[0].startswith(f"#{number} Bram takes 3")
    for _ in range(60):
        duel.do_all("Ada> say again.")
    assert why(duel, "Olga")[0].startswith(f"#{number} Bram takes 3")


def test_why_alone_passes_over_what_one_may_not_see(duel: Arena) -> None:
    seen = duel.do_all("Rhea> +damage Bram=50").action
    given = duel.do_all("Rhea> +give Bram=grenade").action
    assert why(duel, "Olga")[0].startswith(f"#{seen} ")
    assert why(duel, "Bram")[0].startswith(f"#{given} ")


def test_why_alone_where_nothing_was_done_says_so(arena: Arena) -> None:
    arena.do_all("Ada> pose waits.")
    assert arena.no("Ada", "+why").startswith("Nothing has been done here yet.")


def test_a_pose_of_several_lines_keeps_its_lines_under_the_heading(duel: Arena) -> None:
    number = duel.do_all("Ada> pose waits.%r[Roll] and waits.").action
    assert why(duel, "Bram", number) == (f"#{number} Ada waits, 20:00:00 UTC\n  [Roll] and waits.",)


def test_what_somebody_was_told_is_told(duel: Arena) -> None:
    duel.sheet("Bram", Unarmed=9)
    number = duel.do_all("Ada> +attack Bram=unarmed", "Rhea> +ok", "Bram> +defend unarmed").action
    told = "\n".join(why(duel, "Bram", number))
    assert "20:00:00 Bram is asked how to defend." in told
    assert "20:00:00 Bram: [Counter] You may strike back at Ada, free: +counter" in told


def test_changes_of_a_body_are_told_whole_though_the_log_knows_it_in_part(duel: Arena) -> None:
    """The stun is of another log: no row of this one has named it."""
    duel.create("Sten", Role.STAFF)
    duel.do_all("Sten> +damage Bram=10 stun", "Rhea> +damage Bram=5")
    assert "  Changed: Bram's health 90 -> 85, Bram's wound is noted." in why(duel, "Rhea")


def test_what_was_done_outside_the_scene_is_in_the_way_of_an_undo(duel: Arena) -> None:
    first = duel.do_all("Rhea> +damage Bram=3").action
    duel.create("Sten", Role.STAFF)
    duel.do_all("Sten> +damage Bram=10")
    assert duel.no("Rhea", f"+undo {first}") == (
        f"#{first} can't be taken back alone: something outside this scene built on it"
        f" (Bram's health). Take those back first, or +undo/force {first}."
    )
    said = duel.do_all(f"Rhea> +undo/force {first}")
    assert "Bram's health 87 -> 90, by the difference alone: something outside" in said.one("Undo")
