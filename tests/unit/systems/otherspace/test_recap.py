"""The recap: what a scene is, who is there, who hurt whom, and what was said and rolled last."""

from __future__ import annotations

from mushcombat.domain.character import Role
from tests.unit.systems.otherspace.arena import Arena


def test_a_recap_tells_who_hurt_whom_in_the_fight_that_is_on(arena: Arena) -> None:
    arena.do_all("Rhea> +damage Cass=5, long before")
    arena.fight("Ada", "Bram")
    arena.sheet("Ada", Unarmed=8)
    struck = arena.attack("Ada> +attack Bram=unarmed", attack=4, defence=-4).action
    arena.do_all("Rhea> +damage Ada=3, glass", "Rhea> +damage Ada=2 stun", "Ada> pose falls back.")
    missed = arena.attack("Bram> +attack Ada=unarmed", attack=-4, defence=4)
    assert missed.one("Result").startswith("[Result] Bram misses Ada")
    undone = arena.do_all("Rhea> +damage Bram=50, a mistake").action
    arena.do_all(f"Rhea> +undo {undone}")
    pending = arena.do_all("Ada> +attack Bram=unarmed").action
    lines = arena.do_all("Olga> +recap").reply
    assert len(lines) == 12
    assert lines[0] == 'Scene 1 "Dockside Ambush": public, open, otherspace.'
    assert lines[1] == "At: The Landing. Times are in UTC."
    assert lines[2] == "In it: Ada, Bram, Cass, Olga and Rhea. Referees: Rhea."
    assert lines[3].startswith(f"[Combat] Round 2, Ada's turn. Pending: #{pending} (Ada) waits")
    assert lines[4].startswith("[Order] Ada ")
    assert lines[5] == "Hurt in it:"
    assert lines[6] == f"  Ada hits Bram for 72, 28 left (#{struck})"
    assert lines[7].startswith("  Ada takes 3 (glass), 97 left (#")
    assert lines[8].startswith("  Ada takes 2 stun, 95 left (#")
    assert lines[9].startswith("#")


def test_a_recap_ends_with_what_was_said_and_rolled_whatever_was_set_since(arena: Arena) -> None:
    said = arena.do_all("Ada> pose falls back.").action
    rolled = arena.do_all("Ada> +roll strength").action
    arena.do_all(f"Ada> +edit {said}=back/over")
    for number in range(40):
        arena.do_all(f"Rhea> +scene/set location=Dock {number}")
    arena.do_all(
        "Cass> +scene/leave", "Cass> +scene/join 1", "Rhea> +give Ada=pistol", "Rhea> +note x"
    )
    *_, told, last = arena.do_all("Ada> +recap").reply
    assert told == f"#{said} 20:00:00 Ada falls over. (edited)"
    assert last.startswith(f"#{rolled} 20:00:00 [Roll] Ada: ")


def test_times_of_a_scene_are_shown_in_its_zone(arena: Arena) -> None:
    arena.do_all("Rhea> +scene/set zone=Asia/Tokyo", "Rhea> +note one")
    rolled = arena.do_all("Ada> +roll strength").action
    assert arena.do_all("Rhea> +notes").reply[0] == "Notes of scene 1, times in Asia/Tokyo:"
    assert arena.do_all("Rhea> +notes").reply[1].startswith("2026-05-18 05:00 [Note] Rhea: one")
    told = arena.do_all("Rhea> +ref/state").reply
    assert "Notes, times in Asia/Tokyo:" in told
    assert ", 05:00:00 Asia/Tokyo" in arena.do_all(f"Ada> +why {rolled}").reply[0]
    assert "Since: 2026-05-18 05:00 Asia/Tokyo" in arena.do_all("Ada> +scene").reply
    recap = arena.do_all("Ada> +recap").reply
    assert recap[1] == "At: The Landing. Times are in Asia/Tokyo."
    assert recap[-1].startswith(f"#{rolled} 05:00:00 ")
    head, *rows = arena.do_all("Ada> +scene/log").reply
    assert ", times in Asia/Tokyo, page " in head
    assert rows[-1].startswith(f"#{rolled} 05:00:00 ")


def test_a_recap_tells_the_newest_of_many_results(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    for points in range(1, 7):
        arena.do_all(f"Rhea> +damage Bram={points}")
    arena.do_all("Rhea> +combat/stop")
    lines = arena.do_all("Ada> +scene/recap").reply
    assert lines[3] == "[Combat] The fight is over."
    assert lines[4] == "Hurt in it, the last 4 of 6:"
    assert [line.split(",")[0] for line in lines[5:9]] == [
        f"  Bram takes {points}" for points in range(3, 7)
    ]


def test_a_recap_hides_numbers_where_the_scene_does(arena: Arena) -> None:
    arena.do_all("Rhea> +scene/set health=bands")
    arena.fight("Ada", "Bram")
    arena.sheet("Ada", Unarmed=8)
    arena.attack("Ada> +attack Bram=unarmed", attack=4, defence=-4)
    arena.do_all("Rhea> +damage Bram=60, the end")
    hurt = [line for line in arena.do_all("Ada> +recap").reply if line.startswith("  ")]
    assert hurt[0].startswith("  Ada hits Bram, who is ")
    assert hurt[1].startswith("  Bram is down (the end); Bram is near death")


def test_a_recap_tells_what_a_scene_is_about(arena: Arena) -> None:
    about = {
        "summary": "Smugglers and\ncustoms meet.",
        "ic_date": "2650-03-01",
        "location": "Dock 7",
        "warning": "violence",
    }
    arena.write("scene", (1,), **about)
    lines = arena.do_all("Ada> +recap").reply
    assert lines[1] == "About: Smugglers and customs meet."
    assert lines[2] == "At: 2650-03-01, Dock 7. Warning: violence. Times are in UTC."


def test_who_recaps_a_scene_from_outside_knows_no_more_than_a_player(arena: Arena) -> None:
    arena.do_all("Rhea> +npc/hidden Lurker", "Rhea> +npc Thug")
    arena.create("Otto", Role.STAFF)
    for name in ("Otto", "Ada"):
        assert "NPCs: Thug." in arena.do_all(f"{name}> +recap 1").reply[2]
    assert "NPCs: Lurker and Thug." in arena.do_all("Rhea> +recap 1").reply[2]
