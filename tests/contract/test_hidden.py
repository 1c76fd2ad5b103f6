"""Hidden NPCs on real databases: in one batch with others, after a restart, in random fights."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, note, settings

from mushcombat.domain.events import Audience, Fact, Spoken
from tests.contract.arena import PLAYERS, Arena, Said, opened, restarted
from tests.contract.fresh import Fresh, databases
from tests.contract.invariants import check_log, take_back
from tests.contract.moves import KINDS, REFEREE, Move, play
from tests.contract.test_random_fights import SOME, begun, moves_of

SECRET = "Lurkerling"
READS = ("+combat", "+recap", "+scene", "+scene/log=1", "+scene/log=2", "+scene/log", "+ref", "who")
LOOKS = ("+sheet Lurk", "+health Lurk", "+odds me/unarmed=Lurk", "+roll strength vs Lurk")


@pytest.fixture
def arena(prepared_url: str) -> Iterator[Arena]:
    with opened(prepared_url) as arena:
        yield arena


@pytest.fixture
def fresh(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> Fresh:
    """Give a way to make a database for each example."""
    return databases(backend, request, tmp_path)


def poses(arena: Arena) -> dict[str, Audience]:
    """Give what was posed, and for whom."""
    spoken = [fact for fact in arena.log() if isinstance(fact.event, Spoken)]
    return {fact.event.text: fact.audience for fact in spoken if isinstance(fact.event, Spoken)}


def test_lines_of_one_batch_are_for_the_room_until_the_npc_is_hidden(arena: Arena) -> None:
    arena.must("Rhea", "+npc Thug", "+npc Ace")
    arena.together(
        ("Rhea", "Thug: pose one"),
        ("Rhea", "+npc/hide Thug"),
        ("Rhea", "Thug: pose two"),
        ("Rhea", "Ace: pose three"),
        ("Rhea", "+npc/show Thug"),
        ("Rhea", "Thug: pose four"),
        ("Rhea", "+undo"),
        ("Rhea", "Thug: pose five"),
        ("Rhea", "+redo"),
        ("Rhea", "Thug: pose six"),
    )
    assert poses(arena) == {
        "one": Audience.ROOM,
        "two": Audience.REFEREES,
        "three": Audience.ROOM,
        "four": Audience.ROOM,
        "five": Audience.REFEREES,
        "six": Audience.ROOM,
    }
    check_log(arena)


def test_hiding_that_is_refused_hides_nobody_in_the_lines_behind_it(arena: Arena) -> None:
    arena.must("Rhea", "+npc Thug")
    _, refused, _, hidden, _ = arena.together(
        ("Rhea", "Thug: pose one"),
        ("Rhea", "+npc/hide Thug, Nobody"),
        ("Rhea", "Thug: pose two"),
        ("Rhea", "+npc/hidden Ace=nonsense"),
        ("Rhea", "+npc Ace"),
    )
    assert refused.refusal.startswith('Nobody called "Nobody" is in the scene.')
    assert hidden.refusal.startswith('template: "nonsense" is none.')
    assert set(poses(arena).values()) == {Audience.ROOM}
    assert arena.must("Ada", "+recap").reply[2].endswith("NPCs: Ace and Thug.")


def test_who_is_hidden_is_so_after_a_restart(arena: Arena) -> None:
    arena.must("Rhea", f"+npc/hidden {SECRET}=thug")
    arena.must("Rhea", f"{SECRET}: pose creeps.")
    again = restarted(arena)
    try:
        assert again.stored_scene.hidden == {again.id_of(SECRET)}
        assert again.world.scenes[again.scene].hidden == {again.id_of(SECRET)}
        said = again.must("Rhea", f"{SECRET}: pose waits.")
        assert [name for name, seen in said.seen.items() if seen] == ["Rhea"]
        assert SECRET not in "".join(again.must("Ada", "+scene/log").reply)
        assert SECRET in "".join(again.must("Rhea", "+scene/log").reply)
    finally:
        again.close()


def test_an_npc_that_comes_in_hidden_goes_and_comes_back_hidden(arena: Arena) -> None:
    came = arena.must("Rhea", f"+npc/hidden {SECRET}=thug").action
    check_secret(arena.must("Rhea", f"+undo {came}"))
    assert SECRET not in arena.stored_scene.npcs.values()
    check_secret(arena.must("Rhea", f"+redo {came}"))
    assert arena.id_of(SECRET) in arena.stored_scene.hidden
    assert arena.world.scenes[arena.scene].hidden == arena.stored_scene.hidden


def check_secret(said: Said) -> None:
    """See that nobody but the referee was shown the name; who types it has it back in refusals."""
    for name, seen in said.seen.items():
        assert name == REFEREE or SECRET not in seen, (name, seen)


def look_everywhere(arena: Arena, facts: list[Fact]) -> None:
    """Let all players who are there look, and ask why of each action in turn."""
    here = [name for name in PLAYERS if arena.is_here(name)]
    actions = sorted({fact.action for fact in facts if fact.action})
    asked = [(here[n % len(here)], f"+why {action}") for n, action in enumerate(actions) if here]
    for name, line in (*product(here, (*READS, *LOOKS)), *asked):
        said = arena.say(name, line)
        told = "\n".join((*said.reply, said.refusal, *said.seen.values()))
        assert SECRET not in told, (name, line, told)


FEW = settings(SOME, max_examples=4)


@FEW
@given(moves=moves_of([kind for kind in KINDS if kind != "force"]))
def test_whatever_happens_in_a_fight_nobody_but_the_referee_learns_of_who_is_hidden(
    fresh: Fresh, moves: list[Move]
) -> None:
    with fresh() as url, opened(url) as arena:
        begun(arena)
        check_secret(arena.must(REFEREE, f"+npc/hidden {SECRET}=duellist"))
        for move in moves:
            line, said = play(arena, move)
            note(line)
            check_secret(said)
        for action in take_back(arena, "Rhea"):
            check_secret(arena.say(REFEREE, f"+redo {action}"))
        look_everywhere(arena, arena.log())
        check_log(arena)
