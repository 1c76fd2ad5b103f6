"""Fights made of random lines: after each, nothing is out of bounds; in the end, all goes back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from mushcombat.domain.state import Redone, Undone
from tests.contract.arena import Arena, opened
from tests.contract.fresh import Fresh, databases
from tests.contract.invariants import (
    changes_in,
    check_health,
    check_log,
    check_pending,
    check_sums,
    check_turn,
    differences,
    replayed,
    take_back,
)
from tests.contract.moves import KINDS, READY, REFEREE, SETUP, Move, play

MOST_MOVES = 30
EXAMPLES = 8

SOME = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def moves_of(kinds: Sequence[str]) -> st.SearchStrategy[list[Move]]:
    numbers = st.tuples(*(st.integers(0, 999) for _ in range(10)))
    move = st.builds(Move, st.sampled_from(kinds), numbers)
    return st.lists(move, min_size=MOST_MOVES // 2, max_size=MOST_MOVES)


@pytest.fixture
def fresh(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> Fresh:
    """Give a way to make a database for each example."""
    return databases(backend, request, tmp_path)


def begun(arena: Arena) -> None:
    """Hand out the gear, and begin a fight."""
    arena.must(REFEREE, *SETUP)
    for name, line in READY:
        arena.must(name, line)


def fought(arena: Arena, moves: Sequence[Move]) -> list[str]:
    """Make moves, and see after each that all is as it may be; gives what was typed."""
    typed: list[str] = []
    fight = arena.read(lambda store: store.fight(arena.scene))
    dead: set[tuple[Any, ...]] = set()
    for move in moves:
        line, said = play(arena, move)
        typed.append(line)
        note("\n".join((line, *(f"    {text}" for text in said.seen.get("Rhea", "").splitlines()))))
        dump = arena.dump()
        check_sums(said.facts)
        check_health(dump)
        check_pending(dump)
        by_hand = any(isinstance(f.event, Undone | Redone) for f in said.facts)
        fight = check_turn(arena, fight, by_hand)
        now = {key for (thing, key), row in dump.items() if thing == "condition" and row["dead"]}
        assert by_hand or dead <= now, "the dead are up again"
        dead = now
    return typed


@SOME
@given(moves=moves_of([kind for kind in KINDS if kind != "force"]))
def test_a_fight_of_random_lines_holds_and_all_of_it_can_be_taken_back_and_done_again(
    fresh: Fresh, moves: list[Move]
) -> None:
    with fresh() as url, opened(url) as arena:
        first = arena.dump()
        begun(arena)
        fought(arena, moves)
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
@given(moves=moves_of([*KINDS, *["force"] * 9, *["redo"] * 9]))
def test_a_fight_holds_whatever_is_taken_back_by_force(fresh: Fresh, moves: list[Move]) -> None:
    with fresh() as url, opened(url) as arena:
        first = arena.dump()
        begun(arena)
        fought(arena, moves)
        check_log(arena)
        assert differences(replayed(changes_in(arena.log()), first), arena.dump()) == []
