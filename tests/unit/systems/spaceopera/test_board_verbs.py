from __future__ import annotations

from mushcombat.systems.spaceopera.board_verbs import letters
from tests.unit.systems.spaceopera.arena import Arena


def face_off(arena: Arena) -> None:
    arena.duel("Ada", "Bram", Ada=(0, 0, "east"), Bram=(1, 1, "south-west"))


def test_so_1_the_map_has_a_letter_and_an_arrow_for_each_and_tells_it_in_words(
    arena: Arena,
) -> None:
    face_off(arena)
    arena.do_all("Bram> +pass", "Ada> +parry buckler")
    assert arena.do_all("Ada> +map").reply == (
        "   . B↙",
        "  A→  .",
        "You: at 0,0, facing east",
        "Bram: 1 square north-east, facing you, in your shield arc",
    )


def test_so_2_the_map_tells_sides_and_backs(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Rhea> +place bram=0,3,north", "Cass> +combat/join", "Rhea> +place cass=-2,0,n")
    assert arena.do_all("Ada> +map").reply[-2:] == (
        "Bram: 3 squares north, its back to you, at the left side of you",
        "Cass: 2 squares west, facing north, behind you",
    )
    assert arena.do_all("Olga> +map").reply[-1] == "Cass: at -2,0, facing north"


def test_a_wide_board_is_told_in_words_alone(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Rhea> +place bram=40,0")
    assert len(arena.do_all("Ada> +map").reply) == 2


def test_there_is_no_map_without_a_fight(arena: Arena) -> None:
    assert "nobody on the board" in arena.no("Ada", "+map")
    arena.do_all("Rhea> +combat/start", "Ada> +combat/join")
    assert "nobody on the board" in arena.no("Ada", "+map")


def test_each_has_a_letter_of_its_own() -> None:
    assert letters(["Ada", "Abe", "Ann", "A1", "7"]) == ["A", "B", "N", "C", "D"]
    assert letters([chr(ord("a") + n) for n in range(26)] + ["zz"])[-1] == "?"


def test_so_4_one_faces_where_one_likes_until_somebody_touches_one(arena: Arena) -> None:
    face_off(arena)
    assert "You are engaged" in arena.no("Ada", "+face north")
    arena.do_all("Rhea> +place bram=5,5")
    assert arena.do_all("Ada> +face nw").one("Combat").startswith("[Combat] Ada faces north-west.")
    arena.do_all("Ada> +face bram")
    assert arena.seat("Ada").facing == 1
    assert "Usage: +face" in arena.no("Ada", "+face")


def test_a_referee_lets_somebody_face_another_way_at_any_time(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Rhea> +as Ada=+face north")
    assert arena.seat("Ada").facing == 0


def test_a_referee_puts_figures_on_free_squares(arena: Arena) -> None:
    face_off(arena)
    said = arena.do_all("Rhea> +place bram=-3,2,e")
    assert said.one("Combat").startswith("[Combat] Bram stands at -3,2, facing east.")
    assert "Ada stands there" in arena.no("Rhea", "+place bram=0,0")
    assert "is no direction" in arena.no("Rhea", "+place bram=0,1,up")
    assert "on the board" in arena.no("Rhea", "+place cass=0,1")
    assert "Usage: +place" in arena.no("Rhea", "+place bram=1")
    assert "x: " in arena.no("Rhea", "+place bram=a,1")
