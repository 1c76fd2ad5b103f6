"""What to say when the database does not do what it was asked, and whose fault that is."""

from __future__ import annotations

from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    NotSupportedError,
    ProgrammingError,
    SQLAlchemyError,
)

from mushcombat.errors import MushError

_OUR_OWN = (DataError, IntegrityError, NotSupportedError, ProgrammingError)
"""Raised for what was asked, not for the state that the database is in."""

_ADVICE = (
    ("malformed", "It is damaged: mushcombat restore FILE --force puts a backup in its place."),
    ("not a database", "Check --database; mushcombat restore FILE --force puts a backup there."),
    ("disk is full", "Make room on its disk, and try again."),
    ("No space left", "Make room on its disk, and try again."),
    ("locked", "Another program holds it: end that one, or try again."),
    ("readonly", "You need to be allowed to write to the file and its folder."),
    ("disk I/O error", "Look at its disk: is it full, or broken?"),
)
"""What SQLite and PostgreSQL say, a part of it, and what helps."""

_LOOK = "Check --database."


def reason(problem: Exception) -> str:
    """Write in a line what the database said, without the statement and what was in it."""
    return str(getattr(problem, "orig", None) or problem).strip().partition("\n")[0]


def is_trouble(problem: SQLAlchemyError) -> bool:
    """Tell whether the database is in trouble (a full disk, a lock), and not what it was asked."""
    return isinstance(problem, DBAPIError) and not isinstance(problem, _OUR_OWN)


def unusable(problem: SQLAlchemyError) -> MushError:
    """Make the error of who can't do without the database: what it said, and what helps."""
    return cannot_be_used(reason(problem))


def cannot_be_used(why: str) -> MushError:
    """Make the same of what `reason` gave."""
    hint = next((helps for part, helps in _ADVICE if part in why), _LOOK)
    return MushError("database", f"The database can't be used: {why}.", hint)
