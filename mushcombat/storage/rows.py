"""Rows of fights at hand: read once, changed in memory, written once a batch.

An attack changes the same few rows again and again; each change written by itself costs more than
all the rest of it. What is read of these tables is read here, so a job sees what it has changed.
Only who owns the transaction may keep them beyond it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from sqlalchemy import Select, bindparam, delete, insert, select, update
from sqlalchemy.orm import Session

from mushcombat.storage.prepared import Prepared
from mushcombat.storage.things import THINGS, Thing

Key = tuple[Any, ...]
"""Of a row: numbers and names, as its thing says."""

Values = Mapping[str, Any]
"""The fields of a row, the key left out."""

T = TypeVar("T")


class Rows:
    """The rows of each scene's fight, and of each character's state, by table and key."""

    def __init__(self) -> None:
        self._session: Session
        self._groups: dict[tuple[str, Any], dict[Key, Values]] = {}
        self._made: dict[tuple[str, Any], Any] = {}
        self._stored: dict[tuple[str, Key], Values | None] = {}  # of those that were changed
        self._before: list[tuple[str, Key, Values | None]] = []

    def begin(self, session: Session) -> None:
        """Serve a session, inside its transaction."""
        self._session = session

    def __len__(self) -> int:
        return sum(map(len, self._groups.values()))

    def forget(self) -> None:
        """Forget everything, also what was changed and not written."""
        for kept in (self._groups, self._made, self._stored, self._before):
            kept.clear()

    def forget_made(self) -> None:
        """Forget what was made of rows: who they are of may have changed."""
        self._made.clear()

    def begin_job(self) -> None:
        """Begin to note what a job changes."""
        self._before.clear()

    def take_back(self) -> None:
        """Make everything as it was when the job began."""
        for thing, key, row in reversed(self._before):
            self._set(thing, key, row)
        self._before.clear()

    def group(self, thing: str, first: Any) -> Mapping[Key, Values]:
        """Give the rows whose key begins so: those of a scene, or of a character."""
        found = self._groups.get((thing, first))
        if found is None:
            found = self._groups[thing, first] = self._read(thing, first)
        return found

    def made(self, thing: str, first: Any, make: Callable[[Mapping[Key, Values]], T]) -> T:
        """Give what is made of such rows: made anew when one of them was changed."""
        found: T | None = self._made.get((thing, first))
        if found is None:
            found = self._made[thing, first] = make(self.group(thing, first))
        return found

    def get(self, thing: str, key: Key) -> Values | None:
        """Give a row by its key; None when there is none."""
        return self.group(thing, key[0]).get(key)

    def put(self, thing: str, key: Key, row: Values | None) -> None:
        """Change a row, or take it away."""
        before = self.get(thing, key)
        self._before.append((thing, key, before))
        self._stored.setdefault((thing, key), before)
        self._set(thing, key, row)

    def _set(self, thing: str, key: Key, row: Values | None) -> None:
        group = self._groups[thing, key[0]]
        if row is None:
            group.pop(key, None)
        else:
            group[key] = row
        self._made.pop((thing, key[0]), None)

    def _read(self, thing: str, first: Any) -> dict[Key, Values]:
        kind = THINGS[thing]
        rows = self._session.connection().execute(_select(thing), {"b_first": first})
        size = len(kind.key)
        return {tuple(row[:size]): dict(zip(kind.fields, row[size:], strict=True)) for row in rows}

    def flush(self) -> None:
        """Write what differs from what is stored: a statement for each kind of change."""
        if not self._stored:
            return
        self._session.flush()  # rows may point at what the session has yet to write
        wanted: dict[Prepared, list[dict[str, Any]]] = defaultdict(list)
        for (thing, key), stored in self._stored.items():
            row = self._groups[thing, key[0]].get(key)
            if row != stored:
                statement = _statement(thing, stored, row)
                wanted[statement].append(_parameters(THINGS[thing], key, stored, row))
        connection = self._session.connection()
        for statement, parameters in wanted.items():
            statement.run(connection, parameters)
        self._stored.clear()


def _statement(thing: str, stored: Values | None, row: Values | None) -> Prepared:
    if stored is None:
        return _insert(thing)
    if row is None:
        return _delete(thing)
    return _update(thing, tuple(f for f in row if row[f] != stored[f]))


def _parameters(kind: Thing, key: Key, stored: Values | None, row: Values | None) -> dict[str, Any]:
    """Give the values of a statement: only fields that changed, or they might undo another's."""
    if stored is None:
        return {**dict(zip(kind.key, key, strict=True)), **(row or {})}
    where = {f"b_{name}": part for name, part in zip(kind.key, key, strict=True)}
    return where | {f: value for f, value in (row or {}).items() if value != stored[f]}


@cache
def _select(thing: str) -> Select[Any]:
    kind = THINGS[thing]
    columns = [getattr(kind.table, name) for name in (*kind.key, *kind.fields)]
    return select(*columns).where(columns[0] == bindparam("b_first"))


@cache
def _insert(thing: str) -> Prepared:
    kind = THINGS[thing]
    return Prepared(insert(kind.table), (*kind.key, *kind.fields))


@cache
def _update(thing: str, fields: tuple[str, ...]) -> Prepared:
    values: dict[str, Any] = {field: bindparam(field) for field in fields}
    return Prepared(update(THINGS[thing].table).where(*_is(thing)).values(values))


@cache
def _delete(thing: str) -> Prepared:
    return Prepared(delete(THINGS[thing].table).where(*_is(thing)))


def _is(thing: str) -> list[Any]:
    kind = THINGS[thing]
    return [getattr(kind.table, name) == bindparam(f"b_{name}") for name in kind.key]
