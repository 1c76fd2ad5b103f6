"""Changing the schema, by Alembic; loaded only where there is something to change."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from mushcombat.paths import shipped


def alembic_config() -> Config:
    """Configure Alembic without a file of its own: the scripts travel with the program."""
    config = Config()
    config.set_main_option("script_location", str(shipped("migrations")))
    return config


def upgrade(connection: Connection) -> None:
    """Bring a database to the newest schema, within the connection's transaction."""
    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
