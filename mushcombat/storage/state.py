"""The one door to what can be undone: rows whose fields are changed, and noted, one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import inspect, select
from sqlalchemy.orm import Session

from mushcombat.domain.ledger import canonical
from mushcombat.domain.state import WHOLE, Change, Value
from mushcombat.storage.schema import Base, CharacterRow, Quirk, SceneRow, Trait, Wound
from mushcombat.storage.schema_fights import (
    CombatantRow,
    ConditionRow,
    FightRow,
    ItemRow,
    PendingRow,
    TreatmentRow,
)


@dataclass(frozen=True)
class Thing:
    """A table of the door: its key and the fields that may change. `whole` rows come and go."""

    table: type[Base]
    key: tuple[str, ...]
    fields: tuple[str, ...]
    whole: bool = True

    @cached_property
    def is_primary(self) -> bool:
        """Whether the key is the table's own."""
        return {column.key for column in inspect(self.table).primary_key} == set(self.key)

    def values(self, row: Base) -> dict[str, Value]:
        """Give all fields of a row."""
        return {field: getattr(row, field) for field in self.fields}


THINGS: Mapping[str, Thing] = {
    "condition": Thing(
        ConditionRow,
        ("character_id", "system"),
        (
            "harm",
            "stun",
            "dead",
            "stunned_until",
            "healed_day",
            "rested_day",
            "luck_used",
        ),
    ),
    "treatment": Thing(TreatmentRow, ("character_id", "system", "healer_id"), ("day",)),
    "item": Thing(ItemRow, ("character_id", "system", "name"), ("count", "in_use")),
    "trait": Thing(Trait, ("character_id", "system", "grouping", "name"), ("level",)),
    "quirk": Thing(
        Quirk, ("character_id", "system", "name"), ("reason", "imposed_by", "at_seconds")
    ),
    "wound": Thing(
        Wound,
        ("id",),
        ("character_id", "system", "scene_id", "action", "kind", "amount", "at_seconds"),
    ),
    "fight": Thing(FightRow, ("scene_id",), ("phase", "round", "turn")),
    "combatant": Thing(
        CombatantRow, ("scene_id", "character_id"), ("rank", "place", "late", "state")
    ),
    "pending": Thing(
        PendingRow,
        ("scene_id", "action"),
        ("kind", "actor_id", "stage", "owner_id", "due", "state"),
    ),
    "scene": Thing(
        SceneRow,
        ("id",),
        (
            "mode",
            "rolls",
            "atmosphere",
            "gravity",
            "health",
            "luck",
            "title",
            "summary",
            "ic_date",
            "location",
            "warning",
            "kind",
            "zone",
            "pose_order",
            "pacing",
        ),
        whole=False,
    ),
    "npc": Thing(CharacterRow, ("id",), ("hidden",), whole=False),
}


class State:
    """Changes made through the door in one job."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._rows: list[Any] = []  # a session forgets rows that nobody holds
        self.changes: list[Change] = []

    def row(self, thing: str, *key: int | str) -> Any | None:
        """Give a row by its key."""
        row = row_of(self._session, thing, key)
        self._rows.append(row)
        return row

    def write(self, thing: str, key: tuple[int | str, ...], about: str, **fields: Value) -> None:
        """Set fields of a row; one that is not there comes into being with its defaults."""
        row = self.row(thing, *key)
        if row is None:
            self._create(thing, key, about, fields)
            return
        for field, after in fields.items():
            before = getattr(row, field)
            if before != after:
                setattr(row, field, after)
                self.changes.append(Change(thing, _written(key), field, before, after, about))
        self._session.flush()

    def _create(
        self, thing: str, key: tuple[int | str, ...], about: str, fields: Mapping[str, Value]
    ) -> None:
        kind = THINGS[thing]
        row = kind.table(**dict(zip(kind.key, key, strict=True)), **fields)
        self._session.add(row)
        self._session.flush()
        whole = canonical(kind.values(row))
        self.changes.append(Change(thing, _written(key), WHOLE, None, whole, about))

    def remove(self, thing: str, key: tuple[int | str, ...], about: str) -> None:
        """Take a row away."""
        row = self.row(thing, *key)
        if row is not None:
            whole = canonical(THINGS[thing].values(row))
            self.changes.append(Change(thing, _written(key), WHOLE, whole, None, about))
            self._session.delete(row)
            self._session.flush()


def row_of(session: Session, thing: str, key: Sequence[int | str]) -> Any | None:
    """Give a row by its key; None when there is none."""
    kind = THINGS[thing]
    if kind.is_primary:  # what the session holds already is not asked for again
        return session.get(kind.table, dict(zip(kind.key, key, strict=True)))
    parts = zip(kind.key, key, strict=True)
    wanted = (getattr(kind.table, name) == part for name, part in parts)
    return session.scalars(select(kind.table).where(*wanted)).first()


def _written(key: tuple[int | str, ...]) -> str:
    return canonical(list(key))


def check_things() -> None:
    """Hold the door and the tables together: every field there is one of the table."""
    for name, thing in THINGS.items():
        columns = {column.key for column in inspect(thing.table).column_attrs}
        missing = {*thing.key, *thing.fields} - columns
        if missing:
            raise RuntimeError(f"{name} has no {missing}")
