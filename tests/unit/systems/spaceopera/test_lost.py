from __future__ import annotations

from tests.unit.systems.otherspace.arena import Said
from tests.unit.systems.spaceopera.arena import Arena


def armed(arena: Arena) -> None:
    """Let Ada act first, and Bram declare first, with a sword each."""
    arena.duel("Ada", "Bram", Ada=(0, 0, "east"), Bram=(1, 0, "west"))
    arena.do_all("Bram> +wield sword", "Ada> +wield sword")


def disarmed(arena: Arena, bram: str) -> tuple[int, Said]:
    """Let Bram declare something, and Ada knock his sword away before it comes up."""
    armed(arena)
    number = arena.do_all(f"Bram> {bram}").action
    arena.do_all("Ada> +disarm bram=weapon")
    arena.dice(disarm=1, flight=3)
    assert number is not None
    return number, arena.do_all("Rhea> +ok")


def test_so_4_a_weapon_that_was_knocked_away_strikes_no_more(arena: Arena) -> None:
    number, said = disarmed(arena, "+attack ada=sword")
    told = f"[Combat] Bram has no sword any more: #{number} is dropped."
    assert said.room[2].startswith("[Result] Bram's sword drops at their feet.")
    assert said.room[3].startswith(told)
    assert arena.pending() == []
    assert arena.turn().startswith("2 ")
    assert not any("Bram, to hit" in line for line in said.room)


def test_so_4_a_disarm_with_what_was_knocked_away_is_dropped_as_well(arena: Arena) -> None:
    number, said = disarmed(arena, "+disarm ada=weapon")
    assert f"#{number} is dropped" in said.room[3]
    assert arena.seat("Ada").weapon == "sword"


def test_so_4_what_was_declared_without_it_still_comes_up(arena: Arena) -> None:
    _, said = disarmed(arena, "+move 1 east")
    assert not any("dropped" in line for line in said.room)
    assert arena.do_all("Rhea> +ok").room[0].startswith("[Combat] Bram is at 2,0")


def test_so_17_a_parry_is_dropped_with_the_weapon_that_broke(arena: Arena) -> None:
    armed(arena)
    number = arena.do_all("Bram> +parry sword").action
    arena.do_all("Ada> +attack bram")
    arena.dice(to_hit=31)
    said = arena.do_all("Rhea> +ok")
    broken = next(at for at, line in enumerate(said.room) if "Bram's sword breaks." in line)
    assert f"Bram has no sword any more: #{number} is dropped." in said.room[broken + 1]
    assert arena.pending() == []


def test_so_4_undoing_the_disarm_brings_back_what_was_dropped(arena: Arena) -> None:
    armed(arena)
    number = arena.do_all("Bram> +attack ada=sword").action
    before = arena.pending(), arena.dump()["combatants"]
    disarm = arena.do_all("Ada> +disarm bram=weapon").action
    arena.dice(disarm=1, flight=3)
    arena.do_all("Rhea> +ok")
    said = arena.do_all(f"Rhea> +undo {disarm}")
    assert (arena.pending(), arena.dump()["combatants"]) == before
    assert f"#{number} waits for its turn" in said.one("Undo")
    arena.do_all(f"Rhea> +redo {disarm}")
    assert arena.pending() == []
