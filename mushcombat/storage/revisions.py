"""Which revisions of the schema there are, and which one a database has.

Alembic would tell as well, but to load it takes a tenth of every start, and most starts change
nothing.
"""

from __future__ import annotations

from sqlalchemy import Connection, inspect, text

from mushcombat.paths import shipped


def revisions() -> list[str]:
    """Name all revisions that this program knows, the oldest first: its scripts begin with them."""
    scripts = (shipped("migrations") / "versions").glob("[0-9]*_*.py")
    return sorted(script.name.partition("_")[0] for script in scripts)


def newest() -> str:
    """Name the schema revision that this program is written for."""
    known = revisions()
    if not known:
        raise RuntimeError("the program has lost its migrations")
    return known[-1]


def current(connection: Connection) -> str | None:
    """Name the revision of the database; None when it is empty."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found
