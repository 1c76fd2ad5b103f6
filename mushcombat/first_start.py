"""A game's very first start: somebody has to be staff, and to learn how to log in."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from mushcombat.domain.character import Role
from mushcombat.domain.ports import Writes
from mushcombat.net.passwords import hash_password
from mushcombat.storage.database import Database

FIRST_LOGIN = "Admin"


def make_first_login(database: Database, var: Path, clock: Callable[[], datetime]) -> str:
    """Make the first staff login if there is no staff; gives the line to print, "" for none.

    OSError when the password can't be written where it is to be found: then there is no login.
    """
    password = secrets.token_urlsafe(12)

    def make(store: Writes) -> str:
        if not first_login(store, password, clock()):
            return ""
        # Before the commit: a login whose password could not be written would lock everyone out.
        return announce_first_password(password, var, terminal=sys.stdout.isatty())

    return database.prepare_and(make)


def first_login(store: Writes, password: str, now: datetime) -> bool:
    """Make the first staff login if there is no staff; tells whether it did.

    Not where somebody has its name, made or demoted by the command line: that can promote, too.
    """
    if any(login.role >= Role.STAFF for login in store.logins()) or store.login(FIRST_LOGIN):
        return False
    hashed = hash_password(password)
    store.create_account(FIRST_LOGIN, hashed, Role.ADMIN, now, one_time=True)
    return True


def announce_first_password(password: str, var: Path, *, terminal: bool) -> str:
    """Give the line to print: the password to a terminal alone, else where it was written."""
    if terminal:
        return f"First start: log in as {FIRST_LOGIN} with the one-time password {password}"
    var.mkdir(parents=True, exist_ok=True)
    file = var / "first-password"
    file.unlink(missing_ok=True)
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as out:
        out.write(password + "\n")
    return f"First start: the one-time password of {FIRST_LOGIN} is in {file}"
