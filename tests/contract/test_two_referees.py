"""Two people at once: jobs of one batch that are about the same thing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mushcombat.domain.character import Role
from tests.contract.arena import Arena, opened
from tests.contract.invariants import changes_in, check_log, differences, replayed

GEAR = ("+give Ada=pistol", "+set Ada/Pistol=Superb", "+give Bram=sword")


@pytest.fixture
def arena(prepared_url: str) -> Iterator[Arena]:
    """Begin a fight of Ada and Bram, with Rhea and Sam as referees; it is Ada's turn."""
    with opened(prepared_url) as arena:
        arena.create("Sam", Role.STAFF)
        arena.must("Sam", "+scene/join")
        arena.must("Rhea", *GEAR, "+combat/start")
        for name in ("Ada", "Bram"):
            arena.must(name, "+combat/join")
        for name in ("Ada", "Bram"):
            arena.must(name, "+reaction")
        arena.must("Rhea", "+order Ada=1")
        while arena.read(lambda store: store.fight(arena.scene)).turn != arena.id_of("Ada"):
            arena.must("Rhea", "+next")
        yield arena


def health(arena: Arena, name: str) -> int:
    character = arena.id_of(name)
    condition = arena.read(lambda store: store.condition(character, "otherspace"))
    return int(100 - condition.harm - condition.stun)


def declared(arena: Arena) -> int:
    """Let Ada shoot at Bram; gives the number of it, which waits for a ruling."""
    return arena.must("Ada", "+attack Bram=pistol, short").action


def test_of_two_rulings_of_one_action_the_first_counts(arena: Arena) -> None:
    number = declared(arena)
    first, second = arena.together(
        ("Rhea", f"+ok {number}=-1 the steam"), ("Sam", f"+ok {number}=+3 good light")
    )
    assert first.refusal == ""
    assert second.refusal == f"#{number} waits for something else now. +combat shows it."
    shown = first.seen["Ada"] + second.seen.get("Ada", "")
    assert shown.count("[Roll] Ada") == 1
    assert "(the steam)" in shown
    assert "good light" not in "\n".join(arena.must("Rhea", f"+why {number}").reply)


def test_an_action_that_one_allows_and_one_refuses_is_rolled_or_not_but_not_both(
    arena: Arena,
) -> None:
    number = declared(arena)
    refused, allowed = arena.together(("Sam", f"+no {number}=no line"), ("Rhea", f"+ok {number}"))
    assert refused.refusal == ""
    assert allowed.refusal == f"#{number} is not pending. +combat shows what is."
    assert [fact.event.kind for fact in arena.log() if fact.action == number] == [
        "otherspace.declared",
        "told",
        "state.changed",
        "otherspace.ruled",
        "state.changed",
    ]


def test_a_refused_ruling_throws_no_dice(arena: Arena) -> None:
    number = declared(arena)
    arena.together(("Rhea", f"+ok {number}"), ("Sam", f"+ok {number}"), ("Cass", "+roll Pistol"))
    check_log(arena)


def test_damage_of_two_referees_at_once_counts_twice(arena: Arena) -> None:
    first, second = arena.together(("Rhea", "+damage Bram=30"), ("Sam", "+damage Bram=25"))
    assert "Bram takes 30: health 70/100" in first.seen["Bram"]
    assert "Bram takes 25: health 45/100" in second.seen["Bram"]
    assert health(arena, "Bram") == 45
    for number, left in ((second.action, 70), (first.action, 100)):
        arena.must("Rhea", f"+undo {number}")
        assert health(arena, "Bram") == left


def test_the_first_of_two_at_once_can_be_taken_back_only_after_the_second(arena: Arena) -> None:
    first, second = arena.together(("Rhea", "+damage Bram=30"), ("Sam", "+damage Bram=25"))
    refused = arena.say("Rhea", f"+undo {first.action}")
    assert f"#{second.action} built on it (Bram's health)" in refused.refusal
    assert health(arena, "Bram") == 45


def test_of_two_undos_at_once_one_takes_back(arena: Arena) -> None:
    number = arena.must("Rhea", "+damage Bram=30").action
    first, second = arena.together(("Rhea", f"+undo {number}"), ("Sam", f"+undo {number}"))
    assert first.refusal == ""
    assert second.refusal == f"#{number} is taken back already. +redo {number}?"
    assert health(arena, "Bram") == 100


def test_one_grenade_is_given_away_once(arena: Arena) -> None:
    arena.must("Rhea", "+give Ada=grenade")
    first, second = arena.together(("Rhea", "+take Ada=grenade"), ("Sam", "+take Ada=grenade"))
    assert first.refusal == ""
    assert second.refusal == "Ada has no grenade. +sheet Ada shows what."


def test_an_attack_behind_the_closing_of_its_scene_is_refused(arena: Arena) -> None:
    closed, attack = arena.together(("Rhea", "+scene/close"), ("Ada", "+attack Bram=pistol"))
    assert closed.refusal == ""
    assert attack.refusal.startswith("There is no fight here.")  # closing ended it
    check_log(arena)
    assert [fact.event.kind for fact in arena.log()][-1] == "scene.closed"


def test_an_attack_before_the_closing_of_its_scene_is_in_its_log(arena: Arena) -> None:
    first = arena.dump()
    before = len(arena.log())
    attack, closed = arena.together(("Ada", "+attack Bram=pistol"), ("Rhea", "+scene/close"))
    assert (attack.refusal, closed.refusal) == ("", "")
    check_log(arena)
    last = arena.log()[before:]
    assert last[0].event.kind == "otherspace.declared"
    assert last[-1].event.kind == "scene.closed"
    assert differences(replayed(changes_in(last), first), arena.dump()) == []


def test_what_waits_in_a_closed_scene_is_not_due(arena: Arena) -> None:
    number = declared(arena)
    arena.must("Rhea", f"+ok {number}", "+scene/close")
    length = len(arena.log())
    assert arena.wait(3600).facts == ()
    assert arena.read(lambda store: store.due(int(arena.clock().timestamp()))) == []
    assert len(arena.log()) == length
