"""The commands about logins; each change stands in the game's ledger, as the console's doing."""

from __future__ import annotations

import sys
from collections.abc import Callable

import click

from mushcombat import app
from mushcombat.domain.character import Role
from mushcombat.domain.command import Outcome
from mushcombat.domain.events import GAME_LEDGER, Audience, Draft
from mushcombat.domain.names import check_name
from mushcombat.domain.ports import Login, Writes
from mushcombat.domain.staff_events import LoginChanged
from mushcombat.errors import MushError
from mushcombat.net.passwords import hash_password
from mushcombat.service.accounts import check_password
from mushcombat.settings import Settings, reading, with_settings
from mushcombat.storage.database import Database

ROLES = [str(role) for role in Role if role is not Role.GUEST]


@click.group()
def account() -> None:
    """Make and change logins."""


def _new_password(*, from_stdin: bool) -> str:
    if from_stdin:
        return _line_from_stdin()
    if not sys.stdin.isatty():
        raise MushError(
            "password", "There is no terminal to ask for a password.", "Use --password-stdin."
        )
    typed: str = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    return typed


def _line_from_stdin() -> str:
    try:
        return sys.stdin.buffer.readline().decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError as problem:
        raise MushError(
            "password", "That password is not UTF-8 text.", "Pick another."
        ) from problem


def _hashed(settings: Settings, *, from_stdin: bool) -> str:
    shortest = settings.config.accounts.shortest_password
    return hash_password(check_password(_new_password(from_stdin=from_stdin), shortest))


def _found(store: Writes, name: str) -> Login:
    login = store.login(name) if name.isprintable() else None  # bytes that are no text name nobody
    if login is None:
        raise MushError(
            "account", f'There is no login "{name}".', "mushcombat account list names all."
        )
    return login


@account.command("create")
@click.argument("name")
@click.option("--role", type=click.Choice(ROLES), default="player", show_default=True)
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")
@with_settings
def account_create(settings: Settings, name: str, role: str, *, password_stdin: bool) -> None:
    """Make a login and its character."""
    check_name(name)
    database, _ = settings.database()
    hashed = _hashed(settings, from_stdin=password_stdin)

    def run(store: Writes) -> Outcome:
        login = store.create_account(name, hashed, Role.named(role), app.utc_now())
        return _changed(login.name, f"was made, as {role}", f"{login.name} can log in, as {role}.")

    _perform(database, run)


@account.command("passwd")
@click.argument("name")
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")
@with_settings
def account_passwd(settings: Settings, name: str, *, password_stdin: bool) -> None:
    """Set a login's password."""
    database, _ = settings.database()
    hashed = _hashed(settings, from_stdin=password_stdin)

    def run(store: Writes) -> Outcome:
        login = _found(store, name)
        store.set_password(login.account, hashed)
        return _changed(login.name, "got another password", "The password is set.")

    _perform(database, run)


@account.command("role")
@click.argument("name")
@click.argument("role", type=click.Choice(ROLES))
@with_settings
def account_role(settings: Settings, name: str, role: str) -> None:
    """Make a login a player, staff or admin."""

    def run(store: Writes) -> Outcome:
        login = _found(store, name)
        store.set_role(login.account, Role.named(role))
        return _changed(login.name, f"is {role}", f"{name} is {role} from the next login on.")

    _perform(settings.database()[0], run)


@account.command("rename")
@click.argument("name")
@click.argument("new")
@with_settings
def account_rename(settings: Settings, name: str, new: str) -> None:
    """Give a login and its character another name."""
    check_name(new)

    def run(store: Writes) -> Outcome:
        login = _found(store, name)
        store.rename(login.account, new)
        line = f"{name} is {new} from the next login on. Who is on now has to log in again."
        return _changed(login.name, f"is called {new}", line)

    _perform(settings.database()[0], run)


@account.command("disable")
@click.argument("name")
@click.option("--undo", is_flag=True, help="Let it in again.")
@with_settings
def account_disable(settings: Settings, name: str, *, undo: bool) -> None:
    """Lock a login out, without deleting anything."""

    def run(store: Writes) -> Outcome:
        login = _found(store, name)
        store.set_disabled(login.account, disabled=not undo)
        what = f"can{'' if undo else ' no longer'} log in"
        return _changed(login.name, what, f"{name} {what}.")

    _perform(settings.database()[0], run)


@account.command("list")
@with_settings
def account_list(settings: Settings) -> None:
    """List all logins."""
    for login in reading(settings, lambda store: store.logins()):
        seen = f"{login.last_login_at:%Y-%m-%d %H:%M}" if login.last_login_at else "never"
        state = ", disabled" if login.disabled else ""
        click.echo(f"{login.name}: {login.role}, last login {seen}{state}")


def _changed(name: str, what: str, line: str) -> Outcome:
    """Note a change in the game's ledger, and answer with a line."""
    noted = Draft(LoginChanged(name, what), Audience.REFEREES, GAME_LEDGER)
    return Outcome.of(noted, reply=(line,))


def _perform(database: Database, run: Callable[[Writes], Outcome]) -> None:
    for line in database.perform(run):
        click.echo(line)
