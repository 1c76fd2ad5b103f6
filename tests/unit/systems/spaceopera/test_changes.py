from __future__ import annotations

import pytest

from mushcombat.domain.breakdown import Term
from mushcombat.domain.state import Row, Shift
from mushcombat.systems.spaceopera.changes import change_phrases, detail
from mushcombat.systems.spaceopera.events import Declared, Struck
from mushcombat.systems.spaceopera.state import Seat
from mushcombat.systems.spaceopera.text import BRIEF, DESCRIBE, RESULTS
from tests.unit.systems.spaceopera.arena import Arena


def phrases(*shifts: Shift) -> list[str]:
    return [phrase.text for phrase in change_phrases(shifts, {1: "Ada", 2: "Bram"}, True)]


def trait(group: str, name: str, before: int | None, after: int | None) -> Shift:
    rows: list[Row | None] = [
        None if level is None else {"level": level} for level in (before, after)
    ]
    return Shift("trait", f'[1,"spaceopera","{group}","{name}"]', "Ada's sheet", *rows)


def test_wounds_things_and_levels_are_told() -> None:
    assert phrases(
        trait("wound", "medium", None, 1),
        trait("thing", "sword", 1, None),
        trait("expertise", "sword", 3, None),
    ) == [
        "Ada's medium wounds 0 -> 1",
        "Ada's sword damaged -> whole",
        "Ada's sword 3 -> unset",
    ]


def test_what_is_carried_and_the_board_are_told() -> None:
    knife = Shift("item", '[1,"spaceopera","knife"]', "Ada's knife", None, {"count": 1})
    used = Shift("item", '[1,"spaceopera","knife"]', "Ada's knife", {"count": 1}, {"count": 1})
    before = {"x": None, "facing": 0, "weapon": "", "declared": ""}
    after = {"x": 1, "y": 2, "facing": 2, "weapon": "sword", "declared": "turn", "turn_to": 2}
    seat = Shift("combatant", "[1,1]", "Ada", {"state": before}, {"state": after})
    back = Shift("combatant", "[1,1]", "Ada", {"state": after}, {"state": before})
    same = Shift("combatant", "[1,1]", "Ada", {"state": after}, {"state": after})
    gone = Shift("combatant", "[1,1]", "Ada", {"state": after}, None)
    assert phrases(knife, used, same, gone) == ["Ada's knife 0 -> 1"]
    assert phrases(seat) == [
        "Ada off the board -> at 1,2 facing east",
        "Ada's weapon in hand nothing -> sword",
        "Ada has declared: turn",
        "Ada turns to Bram",
    ]
    assert phrases(back)[2:] == ["Ada is to declare", "Ada turns to nobody"]


def test_the_factor_is_that_with_the_weapon_declared() -> None:
    factor = Term(32, "HTH factor 32", rule="SO-23")
    declared = Declared("attack", ("Bram",), (2,), "sword", "")
    assert detail(factor, [declared]) == "sword"
    assert detail(Term(3, "3 (personal)", rule="SO-24"), [declared]) == ""
    assert detail(factor, []) == ""


def test_a_declaration_tells_only_of_those_who_are_known() -> None:
    declared = Declared("attack", ("Bram", "Cass"), (2, 3), "sword", "")
    shown = declared.without(frozenset({2}))
    assert shown is not None
    assert shown.targets == ("Cass",)
    assert declared.without(frozenset({2, 3})) is None
    assert Declared("move", (), (), "", "1 north").without(frozenset({2})) is not None


def test_outcomes_are_told_in_few_words() -> None:
    struck = Struck(2, "Bram", "wounded", "", "medium", "3 off the HTH factor")
    assert RESULTS[Struck](struck, "Ada") == "Ada gives Bram a medium wound"
    assert RESULTS[Struck](Struck(2, "Bram", "missed"), "Ada") == ""
    assert BRIEF[Struck](Struck(2, "Bram", "missed"), "Ada") == "Ada misses Bram."
    declared = Declared("attack", ("Bram",), (2,), "sword", "")
    assert BRIEF[Declared](declared, "Ada") == ""
    assert DESCRIBE[Declared](declared, "Ada") == "[Attack] Ada attacks Bram with sword."


def test_a_seat_without_a_square_has_no_figure() -> None:
    with pytest.raises(ValueError, match="no square"):
        _ = Seat().figure


def test_an_action_is_taken_back_whole_and_done_again(arena: Arena) -> None:
    arena.duel("Ada", "Bram", Ada=(0, 0, "east"), Bram=(1, 0, "west"))
    arena.do_all("Rhea> +set bram/shield=4", "Rhea> +set ada/sword=6")
    arena.do_all("Bram> +parry target shield", "Bram> +pass")
    before = arena.dump()["combatants"]
    number = arena.do_all("Ada> +attack bram=sword").action
    arena.dice(to_hit=9)
    arena.do_all("Rhea> +ok")
    after = arena.dump()["combatants"]
    said = arena.do_all(f"Rhea> +undo {number}")
    assert "Bram's target shield ruined -> whole" in said.one("Undo")
    assert "Bram's light wounds 1 -> 0" in said.one("Undo")
    assert arena.dump()["combatants"] == before
    arena.do_all(f"Rhea> +redo {number}")
    assert arena.dump()["combatants"] == after
    lines = arena.do_all(f"Rhea> +why {number}").reply
    assert any("target shield 20 + 3 x shield 4" in line and "SO-11" in line for line in lines)
    assert any("HTH factor 40" in line for line in lines)


def test_the_number_that_the_order_goes_by_is_called_initiative_here(arena: Arena) -> None:
    arena.duel("Ada", "Bram", Ada=(0, 0, "east"), Bram=(1, 0, "west"))
    said = arena.do_all("Bram> +pass", "Ada> +pass").action
    told = arena.do_all(f"Rhea> +undo/force {said}").one("Undo")
    assert "'s initiative is " in told
    assert "reaction" not in told


def test_wounds_are_a_number_that_staff_set(arena: Arena) -> None:
    said = arena.do_all("Rhea> +set ada/serious wounds=1")
    assert said.seen["Rhea"] == ["Ada's number of serious wounds is now 1; it was unset."]
    assert arena.no("Rhea", "+set ada/serious wounds=x").startswith("number of serious wounds: ")
