"""Rolls that the referees alone see, with the scene's dice."""

from __future__ import annotations

from tests.unit.systems.otherspace.arena import Arena


def test_hidden_rolls_are_for_the_referees_and_use_the_scenes_dice(arena: Arena) -> None:
    arena.falls(roll=[2, 2, 2])
    said = arena.do_all("Rhea> +roll/hidden perception")
    assert said.room == []
    sum_ = "Perception 4 (Fair) + 0 (asked) + 2 (4dF) = 6 (Great)"
    assert said.seen["Rhea"] == [f"[Roll] Rhea: {sum_}. (hidden) #{said.action}"]
    said = arena.do_all("Rhea> +as Ada=+roll/hidden perception")
    assert [who for who, seen in said.seen.items() if seen] == ["Rhea"]
    assert "[Roll] Ada: Perception 4 (Fair)" in said.seen["Rhea"][0]
    arena.do_all("Rhea> +npc Thug")
    said = arena.do_all("Rhea> Thug: +roll/hidden strength vs ada")
    assert said.room == []
    assert [line.partition("]")[0] for line in said.seen["Rhea"]] == ["[Roll", "[Roll", "[Contest"]
    assert "Perception" not in "\n".join(arena.do_all("Ada> +scene/log").reply)


def test_for_who_does_not_referee_there_is_no_hidden_roll(arena: Arena) -> None:
    usage = "Usage: +roll[/self] <skill or attribute>[ vs <name>][ at <modifier>]"
    assert arena.no("Ada", "+roll/hidden perception") == f'+roll has no switch "/hidden". {usage}'
    arena.do_all("Rhea> +scene/leave")
    assert arena.no("Rhea", "+roll/hidden perception").startswith("You are in no scene here.")


def test_an_npc_still_does_nothing_that_is_the_referees(arena: Arena) -> None:
    arena.do_all("Rhea> +npc Thug")
    assert arena.no("Rhea", "Thug: +damage ada=10") == (
        "+damage is not done for somebody else. +help +as"
    )
