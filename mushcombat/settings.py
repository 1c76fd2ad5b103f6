"""What every command of the command line begins with: --config and --database."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from mushcombat import app, rulebook
from mushcombat.config import DEFAULT_FILE, Config
from mushcombat.storage.database import Database


class Settings:
    """What --config and --database say, read when first needed."""

    def __init__(self, config: str, database: str | None) -> None:
        self.config: Config = rulebook.load_config(Path(config))
        self._url = database

    @property
    def url(self) -> str | None:
        """The database's URL, if the command line or the environment names one."""
        return self._url

    def database(self, *, upgrade: bool = False) -> tuple[Database, rulebook.Rulebook]:
        """Open the database, with its schema brought up if it is empty."""
        book = rulebook.load_rulebook(self.config)
        database = app.open_database(self.config, self._url, book)
        database.prepare(upgrade=upgrade)
        return database, book


def with_settings(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command --config and --database; flags beat the environment, that beats the file."""

    @click.option("--config", envvar="MUSHCOMBAT_CONFIG", default=DEFAULT_FILE, show_default=True)
    @click.option("--database", envvar="MUSHCOMBAT_DATABASE", help="A SQLAlchemy URL.")
    @wraps(command)
    def run(config: str, database: str | None, **options: Any) -> Any:
        return command(Settings(config, database), **options)

    return run


def reading(settings: Settings, work: Callable[[Any], Any]) -> Any:
    """Read from the database that the settings name."""
    return read(settings.database()[0], work)


def read(database: Database, work: Callable[[Any], Any]) -> Any:
    """Read from a database."""
    readers = database.readers(1)
    try:
        return readers.need(work)
    finally:
        readers.close()
