"""An action goes back only when nothing that stands was built on it, whatever rows hold by then."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.contract.arena import PLAYERS, Arena, opened
from tests.contract.invariants import differences

SHEETS = (
    "+set Ada/Unarmed=Fair",
    "+set Ada/Strength=Terrible",
    "+set Bram/Constitution=Legendary",
)
"""With +9 both of Ada's fists hit Bram whatever is rolled, and the first leaves him standing."""


@pytest.fixture
def arena(prepared_url: str) -> Iterator[Arena]:
    """Begin a fight of Ada, Bram and Cass, in this order; it is Ada's turn."""
    with opened(prepared_url) as arena:
        arena.must("Rhea", *SHEETS)
        arena.must("Rhea", "+combat/start")
        for name in PLAYERS:
            arena.must(name, "+combat/join")
        for name in PLAYERS:
            arena.must(name, "+reaction")
        for place, name in enumerate(PLAYERS, 1):
            arena.must("Rhea", f"+order {name}={place}")
        while turn(arena) != "Ada":
            arena.must("Rhea", "+next")
        yield arena


def turn(arena: Arena) -> str:
    fight = arena.read(lambda store: store.fight(arena.scene))
    return {arena.id_of(name): name for name in PLAYERS}.get(fight.turn, "nobody")


def harm(arena: Arena, name: str) -> int:
    condition = arena.read(lambda store: store.condition(arena.id_of(name), "otherspace"))
    return int(condition.harm)


def numbers(*actions: int) -> str:
    words = [f"#{action}" for action in actions]
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)


def test_an_old_turn_is_not_taken_back_though_it_is_the_same_ones_turn_again(arena: Arena) -> None:
    first = arena.dump()
    turns = [arena.must("Rhea", "+next").action for _ in range(4)]
    assert turn(arena) == "Bram", "as the first +next left it"
    assert arena.say("Rhea", f"+undo {turns[0]}").refusal == (
        f"#{turns[0]} can't be taken back alone: {numbers(*turns[1:])} built on it (the turn)."
        f" Take those back first, or +undo/force {turns[0]}."
    )
    for action in reversed(turns):
        arena.must("Rhea", f"+undo {action}")
    assert differences(first, arena.dump()) == []


def test_what_was_taken_back_itself_is_in_nobodys_way(arena: Arena) -> None:
    first = arena.dump()
    earlier = arena.must("Rhea", "+damage Bram=10").action
    later = arena.must("Rhea", "+damage Bram=20").action
    assert f"{numbers(later)} built on it" in arena.say("Rhea", f"+undo {earlier}").refusal
    arena.must("Rhea", f"+undo {later}", f"+undo {earlier}")
    assert differences(first, arena.dump()) == []
    arena.must("Rhea", f"+redo {earlier}", f"+redo {later}")
    assert f"{numbers(later)} built on it" in arena.say("Rhea", f"+undo {earlier}").refusal
    assert harm(arena, "Bram") == 30


def test_a_quirk_that_came_and_went_and_came_again_is_another_ones(arena: Arena) -> None:
    came = arena.must("Rhea", "+quirk Bram=tough").action
    went = arena.must("Rhea", "+quirk/remove Bram=tough").action
    again = arena.must("Rhea", "+quirk Bram=tough").action
    assert f"{numbers(went, again)} built on it" in arena.say("Rhea", f"+undo {came}").refusal
    for action in (again, went, came):
        arena.must("Rhea", f"+undo {action}")


def test_of_two_that_changed_somebody_by_turns_one_can_go_and_then_the_other(arena: Arena) -> None:
    """Both hands of an attack, and a referee's harm between them: neither holds the other fast."""
    first = arena.dump()
    attack = arena.must("Ada", "+attack Bram=unarmed+unarmed").action
    arena.must("Rhea", "+ok=+9 from behind")
    arena.must("Bram", "+defend dexterity")
    once = harm(arena, "Bram")
    fall = arena.must("Rhea", "+damage Bram=2 a fall").action
    arena.must("Bram", "+defend dexterity")
    assert once > 0
    assert turn(arena) == "Bram"
    assert f"{numbers(attack)} built on it" in arena.say("Rhea", f"+undo {fall}").refusal
    last = arena.dump()
    arena.must("Rhea", f"+undo {attack}")
    assert (harm(arena, "Bram"), turn(arena)) == (2, "Ada")
    arena.must("Rhea", f"+undo {fall}")
    assert differences(first, arena.dump()) == []
    refusal = arena.say("Rhea", f"+redo {attack}").refusal
    assert refusal.endswith(f"it stood on {numbers(fall)}, taken back since. +redo {fall} first.")
    arena.must("Rhea", f"+redo {fall}", f"+redo {attack}")
    assert differences(last, arena.dump()) == []


def test_by_force_each_is_left_what_it_did(arena: Arena) -> None:
    first = arena.must("Rhea", "+damage Bram=10").action
    second = arena.must("Rhea", "+damage Bram=20").action
    told = arena.must("Rhea", f"+undo/force {first}").seen["Ada"]
    assert f"Bram's health 70 -> 80, by the difference alone: #{second} still counts." in told
    arena.must("Rhea", f"+undo {second}")
    assert harm(arena, "Bram") == 0


def test_by_force_the_turn_stays_with_whom_later_actions_gave_it(arena: Arena) -> None:
    first = arena.must("Rhea", "+next").action
    arena.must("Rhea", "+next")
    arena.must("Rhea", f"+undo/force {first}")
    assert turn(arena) == "Cass"
    arena.must("Rhea", "+undo")
    assert turn(arena) == "Ada"


def test_a_redo_waits_for_what_came_since(arena: Arena) -> None:
    first = arena.must("Rhea", "+next").action
    arena.must("Rhea", "+undo")
    others = [arena.must("Rhea", "+next").action for _ in range(3)]
    assert turn(arena) == "Ada", "as the undo left it"
    refusal = arena.say("Rhea", f"+redo {first}").refusal
    assert refusal == (
        f"#{first} no longer fits: {numbers(*others)} came since (the turn). Take that back first."
    )
    for action in reversed(others):
        arena.must("Rhea", f"+undo {action}")
    arena.must("Rhea", f"+redo {first}")
    assert turn(arena) == "Bram"


def test_a_wound_of_somebody_else_is_in_no_redos_way(arena: Arena) -> None:
    first = arena.must("Rhea", "+damage Bram=10").action
    arena.must("Rhea", "+undo")
    arena.must("Rhea", "+damage Cass=10")
    arena.must("Rhea", f"+redo {first}")
    assert (harm(arena, "Bram"), harm(arena, "Cass")) == (10, 10)


def test_what_came_to_nothing_is_not_the_last_action(arena: Arena) -> None:
    hurt = arena.must("Rhea", "+damage Bram=10").action
    declared = arena.must("Ada", "+attack Bram=unarmed").action
    arena.must("Rhea", f"+no {declared}=not now")
    assert f"takes back #{hurt}" in arena.must("Rhea", "+undo").seen["Ada"]
    told = arena.must("Rhea", f"+undo {declared}").seen["Ada"]
    assert f"takes back #{declared}: nothing of it was left." in told
