"""A log of changes that is written by hand."""

from __future__ import annotations

from datetime import UTC, datetime

from mushcombat.domain.events import Audience, Event, Fact, Who
from mushcombat.domain.history import History
from mushcombat.domain.state import WHOLE, Change, Redone, Row, StateChanged, Undone, Value

NOW = datetime(2026, 5, 17, tzinfo=UTC)
PLACE = "thing", "[1]"


def change(field: str, before: Value, after: Value, key: str = "[1]") -> Change:
    return Change("thing", key, field, before, after, "a thing")


def came(row: str) -> Change:
    return change(WHOLE, None, row)


def went(row: str) -> Change:
    return change(WHOLE, row, None)


class Log:
    """A log that is written by hand; `acted` and its kin give the number of the action."""

    def __init__(self) -> None:
        self.facts: list[Fact] = []

    def add(self, event: Event, action: int | None = None) -> int:
        seq = len(self.facts) + 1
        number = action or seq
        who = Who(1, "Ada")
        self.facts.append(Fact(event, who, NOW, Audience.ROOM, ledger=1, seq=seq, action=number))
        return number

    def acted(self, *changes: Change, action: int | None = None) -> int:
        return self.add(StateChanged(changes), action)

    def undone(self, target: int, *changes: Change) -> int:
        number = self.add(Undone(target, "", ()))
        return self.add(StateChanged(changes), number) if changes else number

    def redone(self, target: int, *changes: Change) -> int:
        number = self.add(Redone(target, "", ()))
        return self.add(StateChanged(changes), number) if changes else number

    @property
    def history(self) -> History:
        return History(self.facts)

    def without(self, action: int) -> Row | None:
        return self.history.rows([PLACE], action, stands=False)[PLACE]

    def with_(self, action: int) -> Row | None:
        return self.history.rows([PLACE], action, stands=True)[PLACE]
