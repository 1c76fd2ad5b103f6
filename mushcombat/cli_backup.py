"""The commands that copy the database and put a copy back; neither runs a server."""

from __future__ import annotations

from pathlib import Path

import click

from mushcombat.settings import Settings, with_settings


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@with_settings
def backup(settings: Settings, file: Path) -> None:
    """Copy the database to FILE, which holds all there is then. The server may run meanwhile."""
    from mushcombat.storage import backup as copies  # noqa: PLC0415 -- psycopg: no other command waits for it

    revision = copies.backup(settings.url or settings.config.database.url, file)
    size = file.stat().st_size
    click.echo(f"{file} has the whole game: {size} bytes, schema {revision}.")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Replace a database that is not empty.")
@with_settings
def restore(settings: Settings, file: Path, *, force: bool) -> None:
    """Make the database what a backup is. No server may run on it."""
    from mushcombat.storage import backup as copies  # noqa: PLC0415 -- psycopg: no other command waits for it

    url = settings.url or settings.config.database.url
    revision, remarks = copies.restore(url, file, force=force)
    for remark in remarks:
        click.echo(remark)
    click.echo(f"The game is restored from {file}, with schema {revision}.")
