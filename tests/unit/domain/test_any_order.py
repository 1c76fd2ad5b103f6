"""Anything, taken back in any order: all of it gone, rows are what they were before."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hypothesis import given, note, settings
from hypothesis import strategies as st

from mushcombat.domain.history import History
from mushcombat.domain.state import (
    WHOLE,
    Change,
    Row,
    Value,
    read_field,
    read_row,
    write_field,
    write_row,
)
from tests.unit.domain.logs import Log, change

JsonRow = dict[str, Value]

FIELDS = ("harm", "turn", "state")


class World:
    """Rows, a log of them, and whoever acts on them: a little of what the server does."""

    def __init__(self) -> None:
        self.rows: dict[str, JsonRow] = {"[0]": {"harm": 3, "turn": 1, "state": "{}"}}
        self.log = Log()
        self.actions: list[int] = []

    def act(self, kind: str, key: int, number: int, action: int | None) -> None:
        """Let somebody change a row, in an action that is under way or one of its own."""
        changes = self._changes(kind, f"[{key}]", number)
        if changes:
            self._apply(changes)
            self.actions.append(self.log.acted(*changes, action=action))

    def _changes(self, kind: str, key: str, number: int) -> list[Change]:
        row = self.rows.get(key)
        if kind == "come" and row is None:
            new: JsonRow = {"harm": number, "turn": None, "state": "{}"}
            return [change(WHOLE, None, write_row(dict(new)), key)]
        if kind == "go" and row is not None:
            return [change(WHOLE, write_row(dict(row)), None, key)]
        if kind in FIELDS and row is not None:
            new_value = self._value(kind, row[kind], number)
            return [change(kind, row[kind], new_value, key)] if new_value != row[kind] else []
        return []

    @staticmethod
    def _value(kind: str, old: Value, number: int) -> Value:
        if kind == "harm":
            assert isinstance(old, int)
            return max(0, min(100, old + number - 20))
        if kind == "turn":
            return number % 3
        state = read_field(old)
        assert isinstance(state, dict)
        return write_field({**state, "abc"[number % 3]: number})

    def _apply(self, changes: Iterable[Change]) -> None:
        for each in changes:
            if each.field != WHOLE:
                self.rows[each.key][each.field] = each.after
            elif each.after is None:
                del self.rows[each.key]
            else:
                raw: Any = read_row(each.after)
                self.rows[each.key] = {field: write_field(value) for field, value in raw.items()}

    def turn(self, action: int, *, stands: bool) -> None:
        """Take an action back, or let it stand again."""
        history = self.log.history
        places = history.places(action)
        wanted = history.rows(places, action, stands=stands)
        changes: list[Change] = []
        for (_, key), row in wanted.items():
            changes += self._towards(key, row)
        self._apply(changes)
        turned = self.log.redone if stands else self.log.undone
        turned(action, *changes)

    def _towards(self, key: str, row: Row | None) -> list[Change]:
        held = self.rows.get(key)
        if held is None and row is not None:
            return [change(WHOLE, None, write_row(row), key)]
        if held is not None and row is None:
            return [change(WHOLE, write_row(dict(held)), None, key)]
        if held is None or row is None:
            return []
        new = {field: write_field(value) for field, value in row.items()}
        return [change(f, held[f], new[f], key) for f in new if held[f] != new[f]]

    def free(self) -> list[int]:
        history = self.log.history
        return [one for one in history.standing() if not history.built_on(one).came]

    def copy(self) -> dict[str, JsonRow]:
        return {key: dict(row) for key, row in self.rows.items()}


STEP = st.tuples(
    st.sampled_from([*FIELDS, *FIELDS, "come", "go", "on", "on", "undo", "redo", "force"]),
    st.integers(0, 1),
    st.integers(0, 60),
)


def step(world: World, kind: str, key: int, number: int, *, force: bool) -> None:
    """Make one step of a story."""
    history = world.log.history
    if kind == "on" and world.actions:
        action = world.actions[-1 - number % len(world.actions[-3:])]
        kind = FIELDS[number % 3]
        world.act(kind, key, number, action)
    elif kind == "undo" and world.free():
        world.turn(world.free()[number % len(world.free())], stands=False)
    elif kind == "force" and force and history.standing():
        world.turn(history.standing()[number % len(history.standing())], stands=False)
    elif kind == "redo":
        fitting = [one for one in history.taken_back() if fits(history, one)]
        if fitting:
            world.turn(fitting[number % len(fitting)], stands=True)
    else:
        world.act(kind, key, number, None)


def fits(history: History, action: int) -> bool:
    ground = history.stood_on(action)
    return not ground.came and not ground.gone


@settings(max_examples=300, deadline=None)
@given(steps=st.lists(STEP, max_size=25))
def test_all_can_be_taken_back_in_some_order_and_that_gives_the_first_state(
    steps: list[tuple[str, int, int]],
) -> None:
    world = World()
    first = world.copy()
    for kind, key, number in steps:
        step(world, kind, key, number, force=False)
        note(f"{kind} {key} {number}: {world.rows}")
        history = world.log.history
        assert not any(history.built_on(one).outside for one in history.standing())
    last = world.copy()
    gone: list[int] = []
    while standing := world.log.history.standing():
        assert world.free(), f"these hold each other fast: {standing}"
        gone.append(world.free()[0])
        world.turn(gone[-1], stands=False)
    assert world.rows == first
    for action in reversed(gone):
        assert fits(world.log.history, action)
        world.turn(action, stands=True)
    assert world.rows == last


@settings(max_examples=300, deadline=None)
@given(steps=st.lists(STEP, max_size=25))
def test_by_force_too_all_of_it_gives_the_first_state_and_health_stays_within_bounds(
    steps: list[tuple[str, int, int]],
) -> None:
    world = World()
    first = world.copy()
    for kind, key, number in steps:
        step(world, kind, key, number, force=True)
        for row in world.rows.values():
            assert isinstance(row["harm"], int)
            assert 0 <= row["harm"] <= 100
    for action in list(world.log.history.standing()):
        world.turn(action, stands=False)
    assert world.rows == first
