from __future__ import annotations

from tests.unit.systems.spaceopera.arena import Arena


def sum_in(line: str) -> str:
    """Give the sum of a line of a ruling, of odds or of a roll."""
    return "HTH factor" + line.split("HTH factor")[1].partition(":")[0]


def engaged(arena: Arena) -> None:
    """Let initiative be rolled with Bram at Ada's side, and come to Ada's declaration."""
    arena.duel("Ada", "Bram", Ada=(0, 0, "north"), Bram=(1, 0, "west"))
    arena.do_all("Ada> +wield sword", "Bram> +wield sword")
    arena.dice(initiative=[20, 1])
    arena.next_phase()
    arena.do_all("Bram> +pass")


def test_so_9_who_turns_from_the_side_strikes_with_what_initiative_was_rolled_with(
    arena: Arena,
) -> None:
    engaged(arena)
    odds = arena.do_all("Rhea> +odds ada/sword=bram").reply[0]
    asked = arena.do_all("Ada> +attack bram=sword").seen["Rhea"]
    (shown,) = [line for line in asked if line.startswith("  Bram: ")]
    rolled = arena.do_all("Rhea> +ok").room
    assert rolled[0].startswith("[Combat] Ada turns to face Bram.")
    assert sum_in(rolled[1]) == "HTH factor 40 - 10 (engaged from the side, 25%) = 30"
    assert sum_in(rolled[1]) == sum_in(shown) == sum_in(odds)


def test_so_9_who_turns_from_the_side_disarms_with_the_same(arena: Arena) -> None:
    engaged(arena)
    arena.do_all("Ada> +disarm bram=weapon")
    rolled = arena.do_all("Rhea> +ok").room[1]
    assert sum_in(rolled) == "HTH factor 40 - 10 (engaged from the side, 25%) = 30"


def test_so_10_what_is_split_is_the_chance_that_is_rolled(arena: Arena) -> None:
    arena.do_all("Rhea> +set ada/HTH=80")
    engaged(arena)
    assert "They add up to 60" in arena.no("Ada", "+attack bram=sword, split 40/40")
    arena.do_all("Ada> +attack bram=sword, split 40/20")
    rolled = arena.do_all("Rhea> +ok").room[1]
    assert sum_in(rolled).endswith("- 20 (engaged from the side, 25%) - 20 (the other shares) = 40")


def test_so_9_half_is_left_of_the_chance_of_who_is_engaged_from_the_rear(arena: Arena) -> None:
    arena.duel("Ada", "Bram", "Cass", Ada=(0, 0, "w"), Bram=(1, 0, "w"), Cass=(-1, 0, "e"))
    arena.next_phase()
    while arena.turn().split()[1] != "Ada":
        arena.do_all(f"{arena.turn().split()[1]}> +pass")
    arena.do_all("Rhea> +place bram=5,5", "Ada> +attack cass=sword")
    while arena.turn().startswith("2 ") and not arena.turn().endswith("Ada"):
        arena.do_all(f"{arena.turn().split()[1]}> +pass")
    rolled = arena.do_all("Rhea> +ok").room[0]
    assert sum_in(rolled) == "HTH factor 40 - 20 (engaged from the rear, 50%) = 20"


def test_so_6_who_is_engaged_after_initiative_loses_in_the_next_phase(arena: Arena) -> None:
    arena.duel("Ada", "Bram", Ada=(0, 0, "east"), Bram=(1, 0, "west"))
    arena.do_all("Rhea> +place ada=0,0, north")
    odds = "Rhea> +odds ada/sword=bram"
    assert arena.do_all(odds).reply[0].endswith("HTH factor 40 = 40")
    arena.next_phase()
    assert arena.do_all(odds).reply[0].endswith("(engaged from the side, 25%) = 30")


def test_so_10_each_share_of_two_targets_is_shown_without_the_others(arena: Arena) -> None:
    arena.do_all("Rhea> +set ada/HTH=100")
    arena.duel("Ada", "Bram", "Cass", Ada=(0, 0, "east"), Bram=(1, 0, "west"), Cass=(1, 1, "south"))
    arena.do_all("Cass> +wield axe", "Bram> +wield sword", "Bram> +pass", "Cass> +pass")
    asked = arena.do_all("Ada> +attack bram, cass=sword, split 60/40").seen["Rhea"]
    sums = [
        "HTH factor 100 - 40 (the other shares) = 60",
        "HTH factor 100 - 60 (the other shares) = 40",
    ]
    assert asked[-3:-1] == [f"  Bram: {sums[0]}", f"  Cass: {sums[1]}"]
    rolled = [line for line in arena.do_all("Rhea> +ok").room if "to hit" in line]
    assert [sum_in(line) for line in rolled] == sums


def test_so_10_the_other_share_stands_when_its_target_has_left(arena: Arena) -> None:
    arena.do_all("Rhea> +set ada/HTH=60")
    arena.duel("Ada", "Bram", "Cass", Ada=(0, 0, "east"), Bram=(1, 0, "west"), Cass=(1, 1, "south"))
    arena.do_all("Bram> +pass", "Cass> +pass", "Ada> +attack bram, cass=sword, split 40/20")
    arena.do_all("Bram> +combat/leave")
    said = arena.do_all("Rhea> +ok")
    assert said.room[0].startswith("[Combat] Bram is out of reach.")
    assert sum_in(said.room[1]) == "HTH factor 60 - 40 (the other shares) = 20"
