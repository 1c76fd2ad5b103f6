"""Names of databases: SQLAlchemy URLs, of the two kinds that a game runs on."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from sqlalchemy import make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError

from mushcombat.errors import MushError
from mushcombat.storage.files import refuse_second_names

URLS: Final = "sqlite:///FILE or postgresql://USER@HOST/NAME"
"""How they are written."""

_HINT = f"Use {URLS}."
_DRIVERS = {"sqlite", "sqlite+pysqlite", "postgresql+psycopg"}


def database_url(text: str) -> URL:
    """Read a database URL; plain `postgresql:` means the driver that we install.

    Raises MushError for what is no URL, or names a database other than the two.
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as problem:
        raise MushError("database", "The database URL can't be read.", _HINT) from problem
    if url.drivername in {"postgres", "postgresql"}:
        url = url.set(drivername="postgresql+psycopg")
    if url.drivername not in _DRIVERS:
        raise MushError("database", f"{url.drivername} is no database that this runs on.", _HINT)
    return url


def check_url(text: str) -> None:
    """Raise MushError for a URL that can't be used, as far as that shows without a connection."""
    url = database_url(text)
    try:
        url.get_dialect()().create_connect_args(url)
    except ValueError as problem:
        raise wrong_setting(str(problem)) from problem
    if url.get_backend_name() == "sqlite":
        file = _file(url)
        if file.is_dir():
            raise MushError("database", f"{file} is a folder.", "Name a file in it.")


def sqlite_file(url: URL) -> Path:
    """Give the file that a SQLite database is, wherever symlinks to it stand.

    Raises MushError for a database in memory, and for a file that has several names: what SQLite
    writes beside it goes by its name, and who comes by another reads half and spoils the rest.
    """
    file = _file(url)
    if file.is_symlink():
        file = Path(os.path.realpath(file))
    refuse_second_names(file)
    return file


def _file(url: URL) -> Path:
    if url.database in {None, "", ":memory:"}:
        problem = "A database in memory would lose everything."
        raise MushError("database", problem, "Name a file: sqlite:///var/mushcombat.db.")
    if "uri" in url.query:  # one more way to name a file twice
        raise wrong_setting("uri")
    return Path(str(url.database))


def without_password(text: str) -> str:
    """Write a URL so that others may read it; what is none may hold a password anywhere."""
    try:
        url = make_url(text)
        query = {key: "hidden" if "pass" in key else value for key, value in url.query.items()}
        return url.set(query=query).render_as_string(hide_password=True)
    except (ArgumentError, ValueError):
        return "what can't be read"


def wrong_setting(what: str) -> MushError:
    """Make the error about something behind a URL's question mark."""
    return MushError("database", f"The database URL has a wrong setting: {what}.", _HINT)
