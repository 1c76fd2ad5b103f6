"""Space Opera fights made of random lines: nothing is out of bounds, and all of it goes back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from mushcombat.domain.fight import Combatant
from mushcombat.domain.state import Redone, Undone
from mushcombat.systems.spaceopera.board import Figure, step
from mushcombat.systems.spaceopera.state import Seat, load_seat
from tests.contract.arena import PLAYERS, Arena, Dump, Said, opened
from tests.contract.fresh import Fresh, databases
from tests.contract.invariants import (
    changes_in,
    check_log,
    check_pending,
    check_sums,
    check_turn,
    differences,
    replayed,
    take_back,
    undoable,
)

REFEREE, SYSTEM = "Rhea", "spaceopera"

SETUP = (
    *(f"+set {name}/{what}" for name in PLAYERS for what in ("sword=6", "shield=4", "armour=H")),
    *("+set Ada/HTH=85", "+set Bram/HTH=60", "+set Cass/HTH=45", "+set Cass/handedness=left"),
    *("+npc Thug=warrior", "+combat/start"),
)

THINGS = ("sword", "axe", "knife", "pike", "unarmed", "lightsword")
DEVICES = ("target shield", "tower shield", "dagger", "chair", "small table", "sword", "nothing")
WAYS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
MODES = ("mode=open", "mode=normal", "mode=normal", "rolls=manual", "rolls=auto")
RULINGS = ("", "", "=+30 haste", "=hold", "=+50 tech level", "=-20 smoke")

SOME = settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

KINDS = (
    *["turn"] * 10,
    *["board"] * 3,
    *("undo", "redo", "wound", "odd", "away", "mend", "mode"),
)

Move = tuple[str, int, int, int]

MOVES: st.SearchStrategy[list[Move]] = st.lists(
    st.tuples(st.sampled_from(KINDS), *(st.integers(0, 999) for _ in range(3))),
    min_size=20,
    max_size=40,
)


@pytest.fixture
def fresh(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> Fresh:
    """Give a way to make a database for each example."""
    return databases(backend, request, tmp_path)


def line_of(arena: Arena, move: Move) -> tuple[str, str]:
    """Make of numbers who types, and what: most of it fits what is going on."""
    kind, one, two, three = move
    fight = arena.read(lambda store: store.fight(arena.scene))
    seats = arena.read(lambda store: store.combatants(arena.scene))
    names = {seat.character: seat.name for seat in seats}
    other = [*PLAYERS, "Thug"][two % 4]
    match kind:
        case "turn":
            return turn_line(arena, names.get(fight.turn or 0, "Ada"), one, other, three)
        case "board":
            return REFEREE, beside(arena, names.get(fight.turn or 0, "Ada"), other, three)
        case "undo" | "redo":
            force = "/force" if three % 2 else ""
            actions = undoable(arena.log()) or [1]
            number = actions[one % min(3, len(actions))] if kind == "undo" else ""
            return REFEREE, f"+{kind}{force} {number}"
        case "wound":
            return REFEREE, f"+set {other}/{('light', 'serious')[one % 2]} wounds={three % 3}"
        case "away":
            verb = "+combat/leave" if one % 2 else "+combat/join"
            return PLAYERS[two % 3], verb
        case "mend":
            return REFEREE, f"+set {other}/critical wounds=0"
        case "mode":
            return REFEREE, f"+scene/set {MODES[one % 5]}"
        case _:
            return turn_line(arena, PLAYERS[one % 3], two, other, three)


def figures(arena: Arena) -> dict[str, Seat]:
    """Give the figures on the board, by name."""
    seats = arena.read(lambda store: store.combatants(arena.scene))
    states = {seat.name: load_seat(seat.state) for seat in seats}
    return {name: state for name, state in states.items() if state.x is not None}


def in_front(arena: Arena, name: str) -> str:
    """Name somebody who stands before somebody, "" for nobody."""
    board = figures(arena)
    if name not in board:
        return ""
    me = board[name].figure
    ahead = {step(me.square, (me.facing + turn) % 8) for turn in (0, 1, 7)}
    return next((other for other, seat in board.items() if seat.figure.square in ahead), "")


def beside(arena: Arena, name: str, other: str, turn: int) -> str:
    """Put somebody on a square before whose turn it is, mostly face to face."""
    board = figures(arena)
    me = board[name].figure if name in board else Figure(0, 0, 0)
    x, y = step(me.square, (me.facing + turn % 3 - 1) % 8)
    facing = (me.facing + 4) % 8 if turn % 4 else me.facing
    return f"+place {other}={x},{y},{WAYS[facing]}"


def turn_line(arena: Arena, name: str, one: int, other: str, two: int) -> tuple[str, str]:
    """Let somebody declare, or let the referee or the actor go on with what is due."""
    pending = arena.read(lambda store: store.pending(arena.scene))
    due = [action for action in pending if action.actor == arena.id_of(name)]
    if due and arena.stored_scene.mode == "open":
        return REFEREE, f"+as {name}=+go"
    if due:
        rules = (*(f"+ok{RULINGS[one % 6]}" for _ in range(6)), "+no", f"+as {name}=+go")
        return REFEREE, rules[two % 8]
    other = in_front(arena, name) or other
    lines = (
        f"+attack {other}={THINGS[two % 6]}",
        f"+attack {other}=sword",
        f"+attack {other}=axe",
        f"+attack {other}=sword, split {(two % 60) + 1}/{85 - (two % 60) - 1}",
        f"+attack {other}=sword",
        f"+disarm {other}={('weapon', 'shield')[two % 2]}",
        f"+strike device of {other}",
        f"+parry {DEVICES[two % 7]}",
        f"+parry {DEVICES[0]}",
        f"+turn {other}",
        f"+move toward {other}",
        f"+move 1 {WAYS[two % 8]}",
        f"+face {WAYS[two % 8]}",
        f"+wield {THINGS[two % 6]}",
        "+pass",
    )
    return REFEREE, f"+as {name}={lines[one % len(lines)]}"


def can_act(arena: Arena, seat: Combatant) -> bool:
    sheet = arena.read(lambda store: store.sheet(seat.character, SYSTEM))
    return not sheet.level("wound", "critical")


def check_traits(dump: Dump) -> None:
    """See that wounds are counted, and things are as they can be."""
    for (thing, key), row in dump.items():
        if thing == "trait" and key[2] == "wound":
            assert row["level"] >= 0, (key, row)
        if thing == "trait" and key[2] == "thing":
            assert row["level"] in {1, 2, 3}, (key, row)


def check_squares(dump: Dump) -> None:
    """SO-1: no two figures on one square."""
    seats = [json.loads(row["state"]) for (thing, _), row in dump.items() if thing == "combatant"]
    squares = [(seat["x"], seat["y"]) for seat in seats if seat.get("x") is not None]
    assert len(squares) == len(set(squares)), squares


def begun(arena: Arena) -> None:
    """Hand out sheets, and begin a fight of four."""
    arena.must(REFEREE, *SETUP)
    for name in PLAYERS:
        arena.must(name, "+combat/join")


def is_forced(move: Move) -> bool:
    return move[0] in {"undo", "redo"} and bool(move[3] % 2)


def by_hand(said: Said) -> bool:
    return any(isinstance(fact.event, Undone | Redone) for fact in said.facts)


def fought(arena: Arena, moves: Sequence[Move]) -> None:
    """Make moves, and see after each that all is as it may be."""
    fight = arena.read(lambda store: store.fight(arena.scene))
    straight = True
    for move in moves:
        name, line = line_of(arena, move)
        said = arena.say(name, line)
        shown = said.refusal or said.seen.get("Rhea", "")
        note("\n".join((f"{name}> {line}", *(f"    {text}" for text in shown.splitlines()))))
        dump = arena.dump()
        check_sums(said.facts)
        check_pending(dump)
        check_traits(dump)
        straight = straight and not by_hand(said)
        if straight:
            check_squares(dump)
        fight = check_turn(arena, fight, by_hand(said), can_act)


@SOME
@given(moves=MOVES)
def test_a_duel_of_random_lines_holds_and_all_of_it_can_be_taken_back_and_done_again(
    fresh: Fresh, moves: list[Move]
) -> None:
    with fresh() as url, opened(url, SYSTEM) as arena:
        first = arena.dump()
        begun(arena)
        fought(arena, [move for move in moves if not is_forced(move)])
        last = arena.dump()
        check_log(arena)
        assert differences(replayed(changes_in(arena.log()), first), last) == []
        gone = take_back(arena, REFEREE)
        assert differences(first, arena.dump()) == []
        for action in reversed(gone):
            arena.must(REFEREE, f"+redo {action}")
        assert differences(last, arena.dump()) == []
        check_log(arena)


@SOME
@given(moves=MOVES)
def test_a_duel_holds_whatever_is_taken_back_by_force(fresh: Fresh, moves: list[Move]) -> None:
    with fresh() as url, opened(url, SYSTEM) as arena:
        first = arena.dump()
        begun(arena)
        fought(arena, moves)
        check_log(arena)
        assert differences(replayed(changes_in(arena.log()), first), arena.dump()) == []
