"""What random fights once found, each told by itself: undo, redo, and who may still act."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mushcombat.domain.character import Condition
from mushcombat.domain.fight import Fight
from mushcombat.domain.state import WHOLE, Change, squash
from tests.contract.arena import PLAYERS, Arena, Said, opened, restarted
from tests.contract.invariants import changes_in, differences, replayed

GEAR = (
    "+give Ada=pistol",
    "+set Ada/Pistol=Superb",
    "+give Bram=sword",
    "+set Bram/Constitution=17",  # so that no blow that is not meant to puts him down
    "+give Cass=grenade",
)


@pytest.fixture
def arena(prepared_url: str) -> Iterator[Arena]:
    """Begin a fight of Ada, Bram and Cass, in this order; it is Ada's turn."""
    with opened(prepared_url) as arena:
        arena.must("Rhea", *GEAR, "+combat/start")
        for name in PLAYERS:
            arena.must(name, "+combat/join")
        for name in PLAYERS:
            arena.must(name, "+reaction")
        for place, name in enumerate(PLAYERS, 1):
            arena.must("Rhea", f"+order {name}={place}")
        while fight(arena).turn != arena.id_of("Ada"):
            arena.must("Rhea", "+next")
        yield arena


def fight(arena: Arena) -> Fight:
    found = arena.read(lambda store: store.fight(arena.scene))
    assert isinstance(found, Fight)
    return found


def condition(arena: Arena, name: str) -> Condition:
    found = arena.read(lambda store: store.condition(arena.id_of(name), "otherspace"))
    assert isinstance(found, Condition)
    return found


def pending(arena: Arena) -> list[int]:
    return [one.action for one in arena.read(lambda store: store.pending(arena.scene))]


def shot(arena: Arena) -> Said:
    """Let Ada shoot at Bram, who defends."""
    arena.must("Ada", "+attack Bram=pistol, short")
    arena.must("Rhea", "+ok=+9 from behind")
    return arena.must("Bram", "+defend dexterity")


def test_a_ruling_needs_no_number_and_no_space(arena: Arena) -> None:
    arena.must("Ada", "+attack Bram=pistol, short")
    assert "+ 9 (from behind)" in arena.must("Rhea", "+ok=+9 from behind").seen["Ada"]


def test_health_is_hidden_as_soon_as_the_scene_hides_it_and_shown_when_that_is_taken_back(
    arena: Arena,
) -> None:
    arena.must("Rhea", "+damage Ada=50", "+scene/set health=bands")
    assert "50" not in "".join(arena.must("Bram", "+health Ada").reply)
    arena.must("Rhea", "+undo")
    assert "Health 50/100" in arena.must("Bram", "+health Ada").reply[0]


def test_nothing_that_is_done_to_the_dead_brings_them_back(arena: Arena) -> None:
    arena.must("Rhea", "+scene/set luck=no", "+damage Bram=90")
    arena.must("Ada", "+attack Bram=pistol, short, lethal")
    arena.must("Rhea", "+ok=+9 from behind")
    assert condition(arena, "Bram").dead
    arena.must("Rhea", "+damage Bram=1", "+damage Bram=50 stun", "+scene/set luck=yes")
    arena.must("Rhea", "+next", "+next")
    assert fight(arena).turn == arena.id_of("Cass")
    arena.must("Cass", "+grapple Bram")
    arena.must("Rhea", "+ok=+9 it does not move")
    assert condition(arena, "Bram").dead
    assert condition(arena, "Bram").luck_used == 0
    assert "dead" in "".join(arena.must("Rhea", "+combat").reply)


def test_who_leaves_takes_along_what_they_had_begun(arena: Arena) -> None:
    number = arena.must("Ada", "+attack Bram=pistol, short").action
    left = arena.must("Ada", "+combat/leave")
    assert pending(arena) == []
    assert arena.say("Rhea", "+ok").refusal == "Nothing is pending. +combat shows what is."
    arena.must("Rhea", f"+undo {left.action}")
    assert pending(arena) == [number]


@pytest.mark.parametrize("answered", [True, False])
def test_an_attack_on_who_has_left_finds_nobody(arena: Arena, answered: bool) -> None:
    arena.must("Ada", "+attack Bram=pistol, short")
    arena.must("Rhea", "+ok")
    arena.must("Bram", "+combat/leave")
    said = arena.must("Bram", "+defend dexterity") if answered else arena.wait(61)
    assert pending(arena) == []
    assert "the attack finds nobody" in said.seen["Ada"]
    assert fight(arena).turn == arena.id_of("Cass")


def test_a_wound_that_is_proposed_holds_up_no_new_fight(arena: Arena) -> None:
    arena.must("Rhea", "+damage Ada=50", "+combat/stop")
    assert len(pending(arena)) == 1
    arena.must("Rhea", "+combat/start")
    for name in PLAYERS:
        arena.must(name, "+combat/join")
    for name in PLAYERS:
        arena.must(name, "+reaction")
    while fight(arena).turn != arena.id_of("Ada"):
        arena.must("Rhea", "+next")
    assert "before the referee's ruling" in arena.must("Ada", "+attack Bram=pistol").reply[0]
    assert len(pending(arena)) == 2


@pytest.mark.parametrize(("first", "then"), [("+ok", "+no"), ("+no", "+ok"), ("+ok", "+ok")])
def test_what_was_said_of_a_wound_can_be_taken_back_and_said_again(
    arena: Arena, first: str, then: str
) -> None:
    arena.must("Rhea", "+damage Ada=50", "+combat/stop")
    (proposal,) = pending(arena)
    before = arena.dump()
    for answer in (first, then):
        arena.must("Rhea", f"{answer} {proposal}")
        assert pending(arena) == []
        assert arena.dump() != before
        arena.must("Rhea", "+undo")
        assert differences(before, arena.dump()) == []


def test_a_full_defence_waits_for_the_action_that_is_under_way(arena: Arena) -> None:
    arena.must("Ada", "+attack Bram=pistol, short")
    assert arena.say("Ada", "+full").refusal == "You have an action pending. +combat shows it."
    assert fight(arena).turn == arena.id_of("Ada")


def test_nobody_gets_a_place_in_the_order_before_they_roll(arena: Arena) -> None:
    arena.must("Rhea", "+combat/leave Cass")
    arena.must("Cass", "+combat/join")
    refusal = arena.say("Rhea", "+order Cass=1").refusal
    assert refusal.startswith("Cass has not rolled")


def test_a_stun_ends_by_the_clock_when_there_are_no_more_turns_to_skip(arena: Arena) -> None:
    arena.must("Rhea", "+damage Bram=50 stun", "+combat/stop")
    assert condition(arena, "Bram").stunned_until is not None
    arena.wait(601)
    assert condition(arena, "Bram") == Condition()


def test_the_clock_leaves_a_stun_alone_that_has_cost_no_turn(arena: Arena) -> None:
    arena.must("Rhea", "+damage Bram=50 stun")
    assert arena.wait(601).facts == ()
    arena.must("Rhea", "+next")
    assert fight(arena).turn == arena.id_of("Cass")
    arena.wait(1)
    assert condition(arena, "Bram").stunned_until is None


def test_a_referee_answers_for_who_is_away_after_a_restart_too(arena: Arena) -> None:
    arena.must("Ada", "+attack Bram=pistol, short")
    arena.must("Rhea", "+ok")
    arena.disconnect("Bram")
    again = restarted(arena)
    again.must("Rhea", "+as Bram=+defend dexterity")
    assert pending(again) == []
    again.close()


# undo and redo


def test_all_lines_of_a_command_are_one_action_with_one_number(arena: Arena) -> None:
    said = arena.must("Ada", "+full")
    assert {fact.action for fact in said.facts} == {said.action}
    arena.must("Rhea", f"+undo {said.action}")
    assert fight(arena).turn == arena.id_of("Ada")


def test_an_attack_that_leads_to_a_turn_that_is_given_up_is_taken_back_by_its_number(
    arena: Arena,
) -> None:
    first = arena.dump()
    number = arena.must("Ada", "+attack Bram=pistol, short").action
    arena.must("Rhea", "+ok")
    ended = arena.must("Bram", "+defend athletics")
    assert "given up" in ended.seen["Bram"]
    assert {fact.action for fact in ended.facts} == {number}
    arena.must("Rhea", f"+undo {number}")
    assert differences(first, arena.dump()) == []


def test_what_something_else_in_a_seat_was_changed_by_does_not_hold_an_undo_up(
    arena: Arena,
) -> None:
    before = condition(arena, "Bram")
    arena.must("Bram", "+defend/always athletics")
    arena.must("Bram", "+defend/always dexterity")
    number = arena.must("Ada", "+attack Bram=pistol, short").action
    arena.must("Rhea", "+ok")
    arena.must("Bram", "+defend/always athletics")
    arena.must("Rhea", f"+undo {number}")
    assert condition(arena, "Bram") == before
    seat = arena.dump()["combatant", (arena.scene, arena.id_of("Bram"))]["state"]
    assert '"always":"Athletics"' in seat
    assert '"defences":0' in seat


def test_undo_takes_back_what_changed_something_last(arena: Arena) -> None:
    number = arena.must("Ada", "+attack Bram=pistol, short").action
    arena.must("Rhea", "+damage Bram=10")
    arena.must("Rhea", "+ok=+9 from behind")
    arena.must("Bram", "+defend dexterity")
    assert f"takes back #{number}" in arena.must("Rhea", "+undo").seen["Ada"]
    assert condition(arena, "Bram").harm == 10


def test_redo_does_again_what_was_taken_back_last(arena: Arena) -> None:
    first = arena.must("Rhea", "+damage Ada=10").action
    second = arena.must("Rhea", "+damage Bram=10").action
    arena.must("Rhea", f"+undo {first}", f"+redo {first}", f"+undo {second}", f"+undo {first}")
    assert f"lets #{first} stand again" in arena.must("Rhea", "+redo").seen["Ada"]


def test_stun_that_a_blow_left_no_room_for_is_the_same_after_undo_and_redo(arena: Arena) -> None:
    arena.must("Rhea", "+damage Cass=56", "+damage Cass=15 stun")
    blow = arena.must("Rhea", "+damage Cass=36").action
    hurt = condition(arena, "Cass")
    arena.must("Rhea", f"+undo {blow}")
    assert (condition(arena, "Cass").harm, condition(arena, "Cass").stun) == (56, 15)
    arena.must("Rhea", f"+redo {blow}")
    assert condition(arena, "Cass") == hurt


def test_an_undo_is_taken_back_by_redo_alone(arena: Arena) -> None:
    number = arena.must("Rhea", "+damage Ada=10").action
    undo = arena.must("Rhea", f"+undo {number}").action
    assert arena.say("Rhea", f"+undo {undo}").refusal.endswith(f"Type +redo {number}.")
    redo = arena.must("Rhea", f"+redo {number}").action
    assert arena.say("Rhea", f"+undo {redo}").refusal.endswith(f"Type +undo {number}.")


def test_by_force_the_turn_stays_where_it_is(arena: Arena) -> None:
    number = shot(arena).action
    assert fight(arena).turn == arena.id_of("Bram")
    arena.must("Bram", "+next")
    arena.must("Rhea", f"+undo/force {number}")
    assert fight(arena).turn == arena.id_of("Cass")
    assert condition(arena, "Bram").harm == 0


def test_nobody_gets_a_second_action_by_redo(arena: Arena) -> None:
    first = arena.must("Ada", "+attack Bram=pistol, short").action
    arena.must("Rhea", "+undo")
    second = arena.must("Ada", "+attack Cass=pistol, short").action
    refusal = arena.say("Rhea", f"+redo {first}").refusal
    assert "somebody would have two actions pending" in refusal
    assert pending(arena) == [second]


def test_the_start_of_a_fight_is_not_taken_back_from_under_an_action(prepared_url: str) -> None:
    with opened(prepared_url) as arena:
        arena.must("Rhea", *GEAR, "+combat/start")
        for name in ("Ada", "Bram"):
            arena.must(name, "+combat/join")
        arena.must("Ada", "+reaction")
        order = arena.must("Bram", "+reaction").action
        who = "Ada" if fight(arena).turn == arena.id_of("Ada") else "Bram"
        number = arena.must(who, f"+grapple {'Bram' if who == 'Ada' else 'Ada'}").action
        refusal = arena.say("Rhea", f"+undo {order}").refusal
        assert "an action would be pending in no fight" in refusal
        assert pending(arena) == [number]


def test_the_log_tells_the_whole_state_after_an_action_is_taken_back(prepared_url: str) -> None:
    """An undo makes what is pending come, change and go again: in sum it has not been."""
    with opened(prepared_url) as arena:
        first = arena.dump()
        arena.must("Rhea", *GEAR, "+combat/start")
        for name in ("Ada", "Bram"):
            arena.must(name, "+combat/join")
        for name in ("Ada", "Bram"):
            arena.must(name, "+reaction")
        arena.must("Rhea", "+order Ada=1")
        while fight(arena).turn != arena.id_of("Ada"):
            arena.must("Rhea", "+next")
        number = shot(arena).action
        undone = arena.must("Rhea", f"+undo {number}")
        assert [c for c in changes_in(undone.facts) if c.thing == "pending"] == []
        assert differences(replayed(changes_in(arena.log()), first), arena.dump()) == []


def change(field: str, before: int | str | None, after: int | str | None) -> Change:
    return Change("item", "[1]", field, before, after, "a thing")


CAME, WENT = change(WHOLE, None, '{"count":1}'), change(WHOLE, '{"count":2}', None)
MORE = change("count", 1, 2)


@pytest.mark.parametrize(
    ("changes", "net"),
    [
        ((CAME, MORE, WENT), ()),
        ((CAME, MORE), (change(WHOLE, None, '{"count":2}'),)),
        ((MORE, WENT), (change(WHOLE, '{"count":1}', None),)),
        ((WENT, CAME), (change("count", 2, 1),)),
        ((WENT, CAME, MORE), ()),
        ((MORE, change("count", 2, 1)), ()),
    ],
)
def test_changes_come_to_what_is_left_of_them(
    changes: tuple[Change, ...], net: tuple[Change, ...]
) -> None:
    assert squash(changes) == net
