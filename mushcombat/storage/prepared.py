"""Statements that every batch runs, written once for the driver.

SQLAlchemy prepares a statement and its parameters anew each time, which takes longer than it
takes SQLite to run it. On SQLite they go straight to the driver: of what SQLAlchemy does beside
them, nothing is asked for here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from sqlite3 import Error
from typing import Any

from sqlalchemy import Connection, Delete, Dialect, Insert, Update

from mushcombat.records import record
from mushcombat.storage.engine import driver_of, failed

Convert = Callable[[Any], Any]


@record(frozen=True, slots=True)
class _Written:
    """A statement in a dialect: its parameters in order, and what turns values into the driver's.

    `named` dialects want parameters by name.
    """

    text: str
    names: tuple[str, ...]
    converts: tuple[tuple[str, Convert], ...]
    named: bool

    def parameters(self, values: Mapping[str, Any]) -> Any:
        """Give values as the driver takes them."""
        given = dict(values)
        for name, convert in self.converts:
            given[name] = convert(given[name])
        return given if self.named else tuple([given[name] for name in self.names])


class Prepared:
    """A statement that writes what a refused job takes back by itself: the next ones write over it.

    So it is none of those that `Touches` counts.
    """

    def __init__(self, statement: Insert | Update | Delete, columns: Sequence[str] = ()) -> None:
        """`columns` are those that an insert fills; other parameters are in the statement."""
        self._statement = statement
        self._columns = columns
        self._by_dialect: dict[str, _Written] = {}

    def run(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run it once for each row of parameters, by their names."""
        dialect = connection.dialect
        written = self._by_dialect.get(dialect.name)
        if written is None:
            written = self._by_dialect[dialect.name] = self._write(dialect)
        parameters = [written.parameters(row) for row in rows]
        if dialect.name == "sqlite":
            _run_on_sqlite(connection, written.text, parameters)
        else:
            connection.exec_driver_sql(written.text, parameters)

    def _write(self, dialect: Dialect) -> _Written:
        compiled: Any = self._statement.compile(
            dialect=dialect, column_keys=[*self._columns] or None
        )
        kinds = {name: bound.type.dialect_impl(dialect) for name, bound in compiled.binds.items()}
        converts = {name: kind.bind_processor(dialect) for name, kind in kinds.items()}
        named = not compiled.positional
        return _Written(
            str(compiled),
            tuple(compiled.binds if named else compiled.positiontup),
            tuple((name, convert) for name, convert in converts.items() if convert),
            named,
        )


def _run_on_sqlite(connection: Connection, text: str, parameters: Sequence[Any]) -> None:
    try:
        driver_of(connection).executemany(text, parameters)
    except Error as problem:
        raise failed(connection, text, problem) from problem
