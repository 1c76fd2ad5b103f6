"""The command line: serve, account, backup, restore, scene, transcript, db, check, verify."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import click

from mushcombat import app, checks, logs, rulebook
from mushcombat.cli_account import account
from mushcombat.cli_backup import backup, restore
from mushcombat.config import Log
from mushcombat.domain.ports import Reads
from mushcombat.domain.proof import AlteredError, Verified, verify
from mushcombat.domain.scene import Scene
from mushcombat.domain.sharing import NO, answered, those
from mushcombat.domain.text import listing
from mushcombat.domain.transcripts import FORMATS, PROFILES, WIDEST, WIDTH, Wanted
from mushcombat.errors import MushError
from mushcombat.faults import FaultyError
from mushcombat.service.parsing import scene_number
from mushcombat.service.transcripts import source_of
from mushcombat.settings import Settings, read, reading, with_settings
from mushcombat.storage.revisions import newest

_HEAD = re.compile(r"[0-9a-fA-F]{64}")


def main() -> None:
    """Run the command line. Bad input: one line on stderr, exit 2; a bad file: exit 1."""
    logs.begin(Log(), command=True)
    try:
        code = cli.main(standalone_mode=False, prog_name="mushcombat")
    except click.exceptions.Abort:
        _stop("Stopped.", 2)
    except click.exceptions.NoArgsIsHelpError as problem:
        group = problem.ctx.command_path if problem.ctx else "mushcombat"
        _stop(f"Name a command: {group} --help lists them.", 2)
    except click.ClickException as problem:
        usage = " Try mushcombat --help." if isinstance(problem, click.UsageError) else ""
        _stop(" ".join(problem.format_message().split()) + usage, 2)
    except MushError as problem:
        _stop(str(problem), 2)
    except FaultyError as problem:
        _stop(str(problem), 1)
    except OSError as problem:
        _stop(f"{problem.filename or 'File'}: {problem.strerror or problem}.", 2)
    sys.exit(code if isinstance(code, int) else 0)


def _stop(text: str, code: int) -> None:
    click.echo(text, err=True)
    sys.exit(code)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="mushcombat")
def cli() -> None:
    """Run mushcombat, a MUSH-style server for refereed scenes, and look after its data."""


@cli.command()
@click.option("--telnet", multiple=True, help="A Twisted endpoint, e.g. tcp:4201.")
@click.option("--web", multiple=True, help="The same, for WebSockets and a page, e.g. tcp:4280.")
@with_settings
def serve(settings: Settings, telnet: tuple[str, ...], web: tuple[str, ...]) -> int:
    """Run the server until SIGTERM or Ctrl-C; SIGHUP reads TLS certificates anew."""
    return app.serve(settings.config, settings.url, telnet, web)


@cli.command()
@with_settings
def check(settings: Settings) -> None:
    """Check the configuration and all rules tables; every fault is listed."""
    checks.check(settings.config, settings.url)
    click.echo("The configuration and the rules tables are good.")


for command in (account, backup, restore):
    cli.add_command(command)


@cli.group()
def scene() -> None:
    """Look at scenes."""


@scene.command("list")
@with_settings
def scene_list(settings: Settings) -> None:
    """List all scenes there were."""
    for each in reading(settings, lambda store: store.all_scenes()):
        state = "open" if each.open else "closed"
        private = ", private" if each.private else ""
        click.echo(f'{each.id} "{each.title}": {state}{private}, {each.opened_at:%Y-%m-%d %H:%M}')


def _scene_number(_context: object, _parameter: object, typed: str) -> int:
    return scene_number(typed)


@cli.group()
def transcript() -> None:
    """Export transcripts of scenes."""


@transcript.command("export")
@click.argument("number", metavar="SCENE", callback=_scene_number)
@click.option("--format", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--profile", type=click.Choice(PROFILES), default="story", show_default=True)
@click.option("--ooc", is_flag=True, help="With what was said out of character.")
@click.option(
    "--width",
    type=click.IntRange(0, WIDEST),
    help=f"Columns at which text wraps, 0: not at all. Default {WIDTH}; into a pipe 0.",
)
@click.option("--output", type=click.Path(dir_okay=False), help="A file; default is stdout.")
@with_settings
def transcript_export(
    settings: Settings, number: int, output: str | None, width: int | None, **wanted: Any
) -> None:
    """Write the transcript of a scene. People who asked to be left out of it are."""
    database, book = settings.database()
    piped = output is None and not sys.stdout.isatty()  # a script looks for whole lines
    columns = (0 if piped else WIDTH) if width is None else width
    asked = Wanted(width=columns, **wanted)

    def write(store: Reads) -> None:
        found = _found_scene(store, number)
        with _written_to(output) as out:
            for line in book.transcripts.lines(source_of(store, found), asked):
                out.write(line + "\n")

    read(database, write)


def _found_scene(store: Reads, number: int) -> Scene:
    """Find a scene, and tell the host when somebody in it does not want it shared."""
    found = store.scene(number)
    if found is None:
        raise MushError(
            "scene", f"There is no scene {number}.", "mushcombat scene list names them."
        )
    refused = those(answered(found, NO), store.names([*found.took_part]))
    if refused:
        click.echo(f"{listing(refused)} said no to sharing scene {number}.", err=True)
    return found


@contextmanager
def _written_to(output: str | None) -> Iterator[IO[str]]:
    if output is None:
        sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # it is a text stream
        yield sys.stdout
        return
    with Path(output).open("w", encoding="utf-8") as out:
        yield out


@cli.group()
def db() -> None:
    """Look after the database."""


@db.command("upgrade")
@with_settings
def db_upgrade(settings: Settings) -> None:
    """Bring the database to the newest schema."""
    settings.database(upgrade=True)
    click.echo(f"The database has the newest schema, {newest()}.")


@db.command("current")
@with_settings
def db_current(settings: Settings) -> None:
    """Print the revision of the database's schema."""
    book = rulebook.load_rulebook(settings.config)
    database = app.open_database(settings.config, settings.url, book)
    if database.revision() is None:
        database.prepare(upgrade=True)
    click.echo(database.revision())


@cli.command("verify")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--head", help="The chain head that was shown when the scene closed.")
@with_settings
def verify_command(_: Settings, file: str, head: str | None) -> int:
    """Check an exported transcript: its chain, and every die. Exit 1 if it was altered."""
    if head is not None and not _HEAD.fullmatch(head.strip()):
        what = "as shown when the scene closed"
        raise MushError("head", f"--head takes the 64 hex digits of a chain head, {what}.")
    path = Path(file)
    try:
        with path.open(encoding="utf-8") as first, path.open(encoding="utf-8") as again:
            done = verify(first, again, head)
    except AlteredError as problem:
        click.echo(f"ALTERED: {problem}")
        return 1
    except UnicodeDecodeError:
        click.echo("ALTERED: the file is not UTF-8 text")
        return 1
    click.echo(_verdict(done))
    return 0


def _verdict(done: Verified) -> str:
    """Say what holds, and what could not be looked at."""
    told = [f"The chain holds: {done.rows} rows, {done.withheld} withheld, head {done.head}."]
    if done.unproved:
        why = "the scene is open, or the rows that would prove them are withheld"
        told.append(f"{done.unproved} dice can't be proved yet: {why}.")
    if done.dice or not done.unproved:
        all_ = "" if done.unproved else "All "
        told.append(f"{all_}{done.dice} dice in it fell as its seed says.")
    if done.uncommitted:
        told.append(
            f"The commitment of {done.uncommitted} of them is withheld: compare the SHA-256 of the"
            " seed with what was shown at the opening."
        )
    return " ".join(told)
