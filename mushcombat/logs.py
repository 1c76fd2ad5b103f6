"""How log lines are written: one record is one line, whatever is in it.

Nothing that a player typed is ever put into a record; what is put in is escaped all the same, so
that no address, name or error of a library can begin a line of its own or steer a terminal.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from mushcombat.config import Log

NOISY = ("alembic", "sqlalchemy", "twisted")
"""Libraries whose warnings are enough."""

TOLD = "mushcombat.storage"
"""Where it is logged what the database refuses."""

_BARE = re.compile(r"[A-Za-z0-9_.:/@+#-]+")


def parts(record: logging.LogRecord, formatter: logging.Formatter) -> Iterator[tuple[str, Any]]:
    """Give what a record holds, by name: when, how bad, who says it, what, and its own fields.

    Own fields are given as `extra={"fields": {...}}`.
    """
    yield "time", datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    yield "level", record.levelname.lower()
    yield "logger", record.name
    yield "event", record.getMessage()
    yield from getattr(record, "fields", {}).items()
    if record.exc_info:
        yield "error", formatter.formatException(record.exc_info)


class KeyValue(logging.Formatter):
    """Writes `key=value` with blanks between; values that are not plain words as JSON strings."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record in one line."""
        return " ".join(f"{name}={_value(value)}" for name, value in parts(record, self))


class JsonLines(logging.Formatter):
    """Writes a JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record in one line."""
        return json.dumps(dict(parts(record, self)), default=str)


def _value(value: object) -> str:
    text = str(value)
    return text if _BARE.fullmatch(text) else json.dumps(text)


FORMATTERS: dict[str, type[logging.Formatter]] = {"keys": KeyValue, "json": JsonLines}


def _tells_more(record: logging.LogRecord) -> bool:
    return record.exc_info is not None or not record.name.startswith(TOLD)


def begin(settings: Log, *, command: bool = False) -> None:
    """Write the log to stderr from here on, in the form that the settings name.

    A `command` that runs no server tells itself, in its one line, what the database refused; what
    is a mistake of ours is logged all the same.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(FORMATTERS[settings.format]())
    if command:
        handler.addFilter(_tells_more)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.level.upper())
    for noisy in NOISY:
        logging.getLogger(noisy).setLevel(logging.WARNING)
