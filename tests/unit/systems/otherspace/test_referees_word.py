"""What a referee sets for others: modifiers of their rolls, who begins, and what is told of it."""

from __future__ import annotations

import pytest

from tests.unit.systems.otherspace.arena import Arena

FIGHT = ("Rhea> +combat/start", "Ada> +combat/join", "Bram> +combat/join")


@pytest.mark.parametrize("line", ["+reaction at -6 surprised", "+reaction at -6, surprised"])
def test_os_55_the_referee_sets_the_modifier_of_somebodys_reaction(arena: Arena, line: str) -> None:
    arena.do_all(*FIGHT, "Ada> +reaction")
    said = arena.do_all(f"Rhea> +as Bram={line}")
    assert " - 6 (surprised) " in said.one("Reaction")
    assert said.one("Order") == "[Order] Ada 11, Bram 5"
    assert "Rhea" in "\n".join(arena.do_all("Ada> +why").reply)


def test_os_3_for_somebody_else_a_referee_needs_a_reason_for_much_and_none_for_little(
    arena: Arena,
) -> None:
    arena.do_all(*FIGHT)
    hint = "modifier: one that large needs a reason. Type it behind the number: at -6 <reason>."
    assert arena.no("Rhea", "+as Bram=+reaction at -6").startswith(hint[:40])
    assert " - 2 (asked) " in arena.do_all("Rhea> +as Bram=+reaction at -2").one("Reaction")


def test_os_47_the_referee_sets_the_modifier_of_somebodys_medicine(arena: Arena) -> None:
    arena.do_all("Rhea> +damage Bram=30")
    said = arena.do_all("Rhea> +as Ada=+heal bram at -2 no instruments")
    assert "Medicine 2 (Poor) - 2 (no instruments) + 0 (4dF) = 0" in said.one("Roll")
    said = arena.do_all("Rhea> +heal bram at 2")
    assert "Medicine 2 (Poor) + 2 (ruled) + 0 (4dF) = 4 (Fair)" in said.one("Roll")


@pytest.mark.parametrize("line", ["+heal bram at 1", "+heal bram at 0 it is only a scratch"])
def test_os_47_nobody_else_sets_it(arena: Arena, line: str) -> None:
    assert arena.no("Ada", line) == "The referee sets the modifier. Leave it out."


def test_os_47_at_nothing_is_no_modifier(arena: Arena) -> None:
    arena.do_all("Rhea> +damage Bram=30")
    roll = arena.do_all("Rhea> +heal bram at 0").one("Roll")
    assert roll.startswith("[Roll] Rhea: Medicine 2 (Poor) + 0 (4dF) = 2 (Poor).")


@pytest.mark.parametrize("line", ["+throw Bram, Bram=grenade", "+throw Bram, Cass, bram=grenade"])
def test_os_18_nobody_is_in_a_blast_twice(arena: Arena, line: str) -> None:
    arena.gear("Ada", "grenade")
    arena.fight("Ada", "Bram", "Cass")
    assert arena.no("Ada", line) == "Bram is named twice. Name each one once."


def test_os_54_a_sweep_is_at_two_neighbours_and_no_more(arena: Arena) -> None:
    arena.gear("Ada", "sword")
    arena.do_all("Ada> +wield sword")
    arena.fight("Ada", "Bram", "Cass")
    arena.do_all("Rhea> +npc Thug=thug")
    told = arena.no("Ada", "+attack Bram, Cass, Thug=sword, card Sweep")
    assert told == "This reaches 2 targets. Name 2 at most."
    told = arena.no("Ada", "+attack Bram, Bram=sword, card Sweep")
    assert told == "Bram is named twice. Name each one once."


def test_os_43_health_tells_who_is_stunned_in_a_fight_and_outside(arena: Arena) -> None:
    arena.do_all("Rhea> +damage Bram=45 stun")
    assert arena.do_all("Bram> +health").reply[-1] == "Stunned"
    arena.do_all(*FIGHT, "Rhea> +damage Ada=95")
    assert arena.do_all("Ada> +health Bram").reply[-1] == "Stunned"
    assert arena.do_all("Bram> +health Ada").reply[-1] == "Unconscious"
    arena.do_all("Rhea> +scene/set health=bands")
    assert arena.do_all("Cass> +health Bram").reply[1:] == ("Stunned",)


def test_the_referee_reads_in_numbers_what_bands_tell_the_room_in_words(arena: Arena) -> None:
    arena.sheet("Cass", Medicine=8)
    arena.do_all("Rhea> +scene/set health=bands")
    said = arena.do_all("Rhea> +damage Bram=45 stun")
    assert said.seen["Rhea"][1].startswith("[Result] Bram: 45 stun; health 55/100.")
    assert said.seen["Cass"] == said.seen["Rhea"][:1]
    arena.do_all("Rhea> +heal/stun Bram", "Rhea> +damage Bram=30")
    said = arena.do_all("Cass> +heal Bram")
    assert said.seen["Rhea"][-1].startswith("[Result] Bram: + 25, health 95/100.")
    assert said.seen["Cass"] == said.seen["Rhea"][:-1]


def test_os_55_npcs_alone_begin_when_the_referee_says_so(arena: Arena) -> None:
    arena.do_all("Rhea> +npc Thug=thug", "Rhea> +npc Brute=thug")
    arena.do_all("Rhea> +set Brute/Perception=6", "Rhea> +combat/start")
    where = "It begins when a player joins, or by a referee's +next."
    assert arena.do_all("Ada> +combat").reply[0].startswith(f"[Combat] {where}")
    assert arena.no("Ada", "+next").startswith("The order is not made yet.")
    assert arena.do_all("Rhea> +next").tags() == ["Order", "Turn"]


def test_os_55_the_referee_begins_with_nobody_who_has_not_rolled(arena: Arena) -> None:
    arena.do_all("Rhea> +combat/start", "Ada> +combat/join")
    told = "It takes two to fight. +combat/join, or +npc, brings more."
    assert arena.no("Rhea", "+next") == told
    arena.do_all("Bram> +combat/join")
    told = "Ada and Bram have not rolled yet. They roll with +reaction, or by +as <name>=+reaction."
    assert arena.no("Rhea", "+next") == told
    arena.do_all("Rhea> +npc Thug=thug", "Ada> +reaction")
    told = "Bram has not rolled yet. They roll with +reaction, or by +as <name>=+reaction."
    assert arena.no("Rhea", "+next") == told


def test_a_contest_to_oneself_is_told_to_nobody_else(arena: Arena) -> None:
    said = arena.do_all("Ada> +roll/self strength vs Bram")
    assert [line.split()[0] for line in said.seen["Ada"]] == ["[Roll]", "[Roll]", "[Contest]"]
    assert {name: lines for name, lines in said.seen.items() if lines and name != "Ada"} == {}


def test_the_scene_tells_how_its_fights_are_refereed_where_that_is_unusual(arena: Arena) -> None:
    assert not [line for line in arena.do_all("Ada> +scene").reply if line.startswith("Fights:")]
    arena.do_all("Rhea> +scene/set mode=strict", "Rhea> +scene/set atmosphere=no")
    assert "Fights: mode strict, atmosphere no" in arena.do_all("Ada> +scene").reply


def test_os_3_a_referee_rolls_for_a_player_with_a_modifier_and_a_reason(arena: Arena) -> None:
    said = arena.do_all("Rhea> +as bram=+roll perception at -6 in the dark")
    assert said.one("Roll").startswith("[Roll] Bram: Perception 4 (Fair) - 6 (in the dark)")
    assert arena.no("Ada", "+as bram=+roll perception").startswith("Huh?")
