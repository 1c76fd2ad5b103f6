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


# taking back that one came


def names(arena: Arena) -> set[str]:
    return set(arena.world.scenes[arena.scene].npcs.values())


def test_an_npc_whose_coming_is_taken_back_is_gone_and_comes_back_whole(arena: Arena) -> None:
    came = arena.do_all("Rhea> +npc Thug=thug").action
    before = arena.do_all("Rhea> +sheet Thug").reply
    said = arena.do_all(f"Rhea> +undo {came}")
    assert said.room == [
        f"[Undo] Rhea takes back #{came}: Thug is out of the scene. #{said.action}"
    ]
    assert names(arena) == set()
    assert arena.no("Rhea", "+damage Thug=5").startswith('Nobody called "Thug" is within reach.')
    assert arena.no("Rhea", "Thug: pose waits.").startswith("Huh?")
    said = arena.do_all("Rhea> +redo")
    assert said.room == [
        f"[Redo] Rhea lets #{came} stand again: Thug is in the scene. #{said.action}"
    ]
    assert names(arena) == {"Thug"}
    assert arena.do_all("Rhea> +sheet Thug").reply == before
    assert arena.items("Thug") == {"knife": 1, "leather jacket": 1}


def test_the_name_of_an_npc_that_is_gone_is_free(arena: Arena) -> None:
    came = arena.do_all("Rhea> +npc Thug*2=thug").action
    arena.do_all(f"Rhea> +undo {came}")
    again = arena.do_all("Rhea> +npc THUG 2=guard").action
    assert arena.no("Rhea", f"+redo {came}") == (
        "Thug 2 can't come back: another THUG 2 is in the scene."
        " Bring one in by another name: +npc."
    )
    arena.do_all(f"Rhea> +undo {again}", f"Rhea> +redo {came}")
    assert names(arena) == {"Thug 1", "Thug 2"}


def test_an_npc_with_which_something_was_done_goes_after_that(arena: Arena) -> None:
    came = arena.do_all("Rhea> +npc Thug=thug").action
    harmed = arena.do_all("Rhea> +damage Thug=5").action
    given = arena.do_all("Rhea> Thug: +wield nothing").action
    assert arena.no("Rhea", f"+undo {came}") == (
        f"#{came} can't be taken back alone: #{harmed} and #{given} built on it"
        " (Thug's knife and Thug's health)."
        f" Take those back first, or +undo/force {came}."
    )
    arena.do_all("Rhea> +undo", "Rhea> +undo", f"Rhea> +undo {came}")
    assert arena.no("Rhea", f"+redo {harmed}") == (
        f"#{harmed} no longer fits: it stood on #{came}, taken back since. +redo {came} first."
    )
    arena.do_all(f"Rhea> +redo {came}", f"Rhea> +redo {harmed}")
    assert arena.health("Thug") == 95


def test_an_npc_leaves_the_fight_that_it_came_into(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    said = arena.do_all("Rhea> +npc Thug=thug", "Rhea> +undo")
    assert said.one("Undo").endswith(
        f": Thug is out of the fight, Thug is out of the scene. #{said.action}"
    )
    assert [seat.name for seat in arena.seats()] == ["Ada", "Bram"]


def test_no_npc_goes_while_something_is_pending_or_it_fights(arena: Arena) -> None:
    came = arena.do_all("Rhea> +npc Thug=thug").action
    arena.do_all("Rhea> +combat/start", "Ada> +combat/join", "Ada> +reaction")
    arena.do_all("Rhea> +next", "Rhea> +order Ada=1")
    while arena.turn()[2:] != "Ada":
        arena.do_all("Rhea> +next")
    pending = arena.do_all("Ada> +attack Thug=unarmed").action
    assert arena.no("Rhea", f"+undo/force {came}") == (
        f"#{pending} is pending, and Thug would be gone."
        " Finish it first: +ok or +no; +combat shows what waits."
    )
    arena.do_all("Rhea> +no")
    assert arena.no("Rhea", f"+undo/force {came}") == (
        "That can't be: an NPC would fight that is not in the scene."
        " +combat shows it; +no, +next or +combat/leave first."
    )
    arena.do_all("Rhea> +combat/stop", f"Rhea> +undo/force {came}")
    assert names(arena) == set()


def test_an_npc_goes_while_what_is_pending_has_nothing_to_do_with_it(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    pending = arena.do_all("Ada> +attack Bram=unarmed").action
    came = arena.do_all("Rhea> +npc Zed=thug").action
    arena.do_all(f"Rhea> +undo {came}")
    assert names(arena) == set()
    assert [one.action for one in arena.pending()] == [pending]
    arena.do_all("Rhea> +ok", "Bram> +defend dex")
    assert arena.turn() == "1 Bram"


def test_no_npc_goes_while_it_has_something_pending_itself(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +scene/set rolls=manual", "Rhea> +combat/leave Bram")
    came = arena.do_all("Rhea> +npc Zed=thug").action
    arena.do_all("Rhea> +order Zed=1", "Ada> +next")
    pending = arena.do_all("Rhea> Zed: +attack Ada=unarmed").action
    assert arena.no("Rhea", f"+undo/force {came}").startswith(
        f"#{pending} is pending, and Zed would be gone."
    )


def test_a_hidden_npc_goes_and_comes_for_the_referees_alone(arena: Arena) -> None:
    came = arena.do_all("Rhea> +npc/hidden Lurker=thug").action
    for line in (f"Rhea> +undo {came}", f"Rhea> +redo {came}"):
        said = arena.do_all(line)
        assert "Lurker" in str(said.seen["Rhea"])
        assert not any(seen for name, seen in said.seen.items() if name != "Rhea")
    scene = arena.world.scenes[arena.scene]
    assert scene.hidden == scene.npcs.keys() == {arena.id("Lurker")}
    assert "Lurker" not in str(arena.do_all("Ada> +scene").reply)


def test_an_npc_that_was_hidden_since_goes_only_when_it_is_shown(arena: Arena) -> None:
    came = arena.do_all("Rhea> +npc Zed").action
    hidden = arena.do_all("Rhea> +npc/hide Zed").action
    for line in (f"+undo {came}", f"+undo/force {came}"):
        assert arena.no("Rhea", line) == (
            f"#{came} can't be taken back alone: #{hidden} built on it (Zed)."
            " Take those back first."
        )
    arena.do_all("Rhea> +undo", f"Rhea> +undo {came}")
    assert names(arena) == set()
