"""NPCs: templates, squads, and what the referee does with them."""

from __future__ import annotations

import pytest

from tests.unit.systems.otherspace.arena import Arena

TEMPLATES = {
    "thug": ("Dexterity Fair, Knife Good, leather jacket", {"knife": 1, "leather jacket": 1}, ()),
    "guard": (
        "Perception Good, Pistol Good, Blunt Fair, Armour Fair, kevlar",
        {"club": 1, "kevlar": 1, "pistol": 1},
        (),
    ),
    "marksman": (
        "Perception Great, Sniper Rifle Great, Pistol Fair, leather jacket, Keen Sight",
        {"leather jacket": 1, "pistol": 1, "sniper rifle": 1},
        ("Keen Sight",),
    ),
    "duellist": (
        "Dexterity Great, Sword Great, Athletics Good, Quick",
        {"sword": 1},
        ("Quick",),
    ),
    "psion": (
        "Psi Great, Willpower Good, Mind Blast Great, Telepathy Good, Psi Resistant",
        {},
        ("Psi Resistant",),
    ),
    "beast": (
        "Dexterity Good, Strength Great, Intelligence Terrible, Unarmed Great, Claws",
        {},
        ("Claws",),
    ),
}


@pytest.mark.parametrize("template", TEMPLATES)
def test_os_7a_every_template_makes_an_npc_with_sheet_and_gear(arena: Arena, template: str) -> None:
    summary, items, quirks = TEMPLATES[template]
    said = arena.do_all(f"Rhea> +npc Zed={template}")
    assert said.room == [f"Zed (NPC, template {template}: {summary}) is in the scene."]
    assert (arena.items("Zed"), arena.quirks("Zed")) == (items, quirks)


def test_os_7a_an_npc_of_no_template_is_nothing_special(arena: Arena) -> None:
    assert arena.do_all("Rhea> +npc Zed").room == ["Zed (NPC) is in the scene."]
    assert "Dexterity: Fair (4), never set" in arena.do_all("Rhea> +sheet Zed").reply


def test_os_7a_a_squad_is_numbered_and_each_rolls_in(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.falls(reaction=[0, -1, -2])
    said = arena.do_all("Rhea> +npc Guard*3=guard")
    assert said.tags().count("Reaction") == 3
    names = [seat.name for seat in arena.seats()]
    # Dexterity 4 + Perception 5 + 1, a latecomer's for the pistol: 10, 9, 8 behind Bram's 11.
    assert names == ["Ada", "Bram", "Guard 1", "Guard 2", "Guard 3"]
    assert arena.turn() == "1 Ada"


def test_os_7a_npcs_of_the_scene_are_in_the_next_fight_and_wait_for_players(
    arena: Arena,
) -> None:
    arena.falls(reaction=[0, -1])
    said = arena.do_all("Rhea> +npc Thug*2=thug", "Rhea> +combat/start")
    assert said.tags().count("Reaction") == 2
    assert "[Order]" not in str(said.room)
    arena.falls(reaction=3)
    assert (
        arena.do_all("Ada> +combat/join", "Ada> +reaction").one("Order").startswith("[Order] Ada")
    )


def test_os_7a_a_name_is_unique_in_its_scene_and_never_a_players(arena: Arena) -> None:
    arena.do_all("Rhea> +npc Thug")
    assert arena.no("Rhea", "+npc thug") == 'The name "thug" is taken. Pick another.'
    assert arena.no("Rhea", "+npc Bram") == 'The name "Bram" is taken. Pick another.'
    assert arena.no("Ada", "+npc Mob").startswith("Huh?")
    assert arena.no("Rhea", "+npc *3=thug").startswith("Usage: +npc")


def test_os_20_a_beasts_claws_are_unarmed_and_grown(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.falls(reaction=-4)
    arena.do_all("Rhea> +npc Wolf=beast", "Rhea> +order Wolf=2", "Ada> +next")
    said = arena.do_all("Rhea> Wolf: +attack Bram=claws", "Bram> +defend dex")
    # Unarmed 6 against 2: 10 + 5 x 6 + 20 = 60, less 20%.
    assert "ODF 10 + 5 x Strength 6 + 5 x 4 = 60" in said.one("Result")
    assert arena.no("Bram", "+attack Ada=claws").startswith("Bram carries no claws.")


def test_os_40_a_psion_attacks_minds_with_nothing_in_hand(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.falls(reaction=-4)
    arena.do_all("Rhea> +npc Mesmer=psion", "Rhea> +order Mesmer=2", "Ada> +next")
    said = arena.do_all("Rhea> Mesmer: +psi Bram=mind blast")
    # 6 against 4: 60 + 20 - 40 = 40, less 20%.
    assert arena.health("Bram") == 68
    assert said.one("Result").startswith("[Result] Bram takes 32")


def test_an_npc_that_is_struck_gets_its_counterattack_from_the_referee(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.falls(reaction=-4)
    arena.do_all("Rhea> +npc Zorro=duellist", "Ada> +attack Zorro=unarmed")
    arena.falls(attack=-2, defence=0)
    arena.do_all("Rhea> +ok")
    said = arena.do_all("Rhea> Zorro: +counter sword")
    assert said.room[0].startswith("[Attack] Zorro attacks Ada with sword.")


def test_os_42_npcs_who_fall_are_passed_over_and_can_be_taken_out(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.falls(reaction=-4)
    arena.do_all("Rhea> +npc Thug=thug", "Rhea> +damage Thug=95", "Ada> +next")
    assert "(Thug can't act.)" in arena.do_all("Bram> +next").one("Turn")
    arena.do_all("Rhea> +combat/leave Thug")
    assert [seat.name for seat in arena.seats()] == ["Ada", "Bram"]


@pytest.mark.parametrize(("athletics", "choice"), [(4, "Dexterity"), (5, "Athletics")])
def test_os_27_an_npc_gives_up_its_next_attack_only_for_a_much_better_defence(
    arena: Arena, athletics: int, choice: str
) -> None:
    arena.gear("Ada", "pistol")
    arena.fight("Ada", "Bram")
    arena.falls(reaction=-4)
    arena.do_all("Rhea> +npc Thug=thug", f"Rhea> +set Thug/Athletics={athletics}")
    said = arena.do_all("Ada> +attack Thug=pistol", "Rhea> +ok")
    assert f"[Roll] Thug: {choice} {4 if choice == 'Dexterity' else 5}" in str(said.room)
