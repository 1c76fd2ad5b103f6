"""The one door to what can be undone: rows whose fields are changed, and noted, one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from mushcombat.domain.ledger import canonical
from mushcombat.domain.state import WHOLE, Change, Value
from mushcombat.storage.rows import Key, Rows, Values
from mushcombat.storage.things import THINGS


class State:
    """Changes made through the door in one job."""

    def __init__(self, session: Session, rows: Rows) -> None:
        self._session = session
        self._rows = rows
        self._held: list[Any] = []  # a session forgets rows that nobody holds
        self.changes: list[Change] = []

    def write(self, thing: str, key: Key, about: str, **fields: Value) -> None:
        """Set fields of a row; one that is not there comes into being with its defaults."""
        if THINGS[thing].at_hand:
            self._write_at_hand(thing, key, about, fields)
            return
        row = self._row(thing, key)
        if row is None:
            row = THINGS[thing].table(**dict(zip(THINGS[thing].key, key, strict=True)), **fields)
            self._session.add(row)
            self._session.flush()
            self._came(thing, key, about, THINGS[thing].values(row))
            return
        before = {field: getattr(row, field) for field in fields}
        self._changed(thing, key, about, before, fields)
        for field, after in fields.items():
            setattr(row, field, after)
        self._session.flush()

    def _write_at_hand(self, thing: str, key: Key, about: str, fields: Mapping[str, Value]) -> None:
        before = self._rows.get(thing, key)
        if before is None:
            row = {**THINGS[thing].defaults, **fields}
            self._rows.put(thing, key, row)
            self._came(thing, key, about, row)
            return
        if self._changed(thing, key, about, before, fields):
            self._rows.put(thing, key, {**before, **fields})

    def _changed(
        self, thing: str, key: Key, about: str, before: Values, fields: Mapping[str, Value]
    ) -> bool:
        """Note the fields that differ; tells whether any does."""
        differ = [field for field, after in fields.items() if before[field] != after]
        written = _written(key) if differ else ""
        for field in differ:
            change = Change(thing, written, field, before[field], fields[field], about)
            self.changes.append(change)
        return bool(differ)

    def _came(self, thing: str, key: Key, about: str, row: Values) -> None:
        whole = canonical(dict(row))
        self.changes.append(Change(thing, _written(key), WHOLE, None, whole, about))

    def remove(self, thing: str, key: Key, about: str) -> None:
        """Take a row away."""
        row = self.values(thing, key)
        if row is None:
            return
        whole = canonical(dict(row))
        self.changes.append(Change(thing, _written(key), WHOLE, whole, None, about))
        if THINGS[thing].at_hand:
            self._rows.put(thing, key, None)
            return
        self._session.delete(self._row(thing, key))
        self._session.flush()

    def values(self, thing: str, key: Key) -> Values | None:
        """Give all fields of a row; None when there is none."""
        if THINGS[thing].at_hand:
            return self._rows.get(thing, key)
        row = self._row(thing, key)
        return None if row is None else THINGS[thing].values(row)

    def _row(self, thing: str, key: Key) -> Any | None:
        row = row_of(self._session, thing, key)
        self._held.append(row)
        return row


def row_of(session: Session, thing: str, key: Sequence[int | str]) -> Any | None:
    """Give a row by its key; None when there is none."""
    kind = THINGS[thing]
    if kind.is_primary:  # what the session holds already is not asked for again
        return session.get(kind.table, dict(zip(kind.key, key, strict=True)))
    parts = zip(kind.key, key, strict=True)
    wanted = (getattr(kind.table, name) == part for name, part in parts)
    return session.scalars(select(kind.table).where(*wanted)).first()


@lru_cache(1024)
def _written(key: Key) -> str:
    """Write a key as changes have it: those of a fight are written again and again."""
    return canonical(list(key))
