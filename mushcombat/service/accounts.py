"""Logins: making them, letting people in, and how often somebody may guess a password."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from mushcombat.domain.character import Actor, Character, Role
from mushcombat.domain.command import Outcome
from mushcombat.domain.events import Draft, SceneLeft
from mushcombat.domain.numbers import counted
from mushcombat.domain.ports import Login, Reads, Writes
from mushcombat.domain.preferences import NONE_SET, Preferences
from mushcombat.domain.settings import NOTHING_CHOSEN, Settings
from mushcombat.errors import MushError

WRONG = "Either that player does not exist, or has a different password."
"""One text for a wrong name and a wrong password, so that nobody can list names by guessing."""

LONGEST_PASSWORD = 128
"""Bytes; more would only cost time to hash."""

NO_PASSWORD = "!"  # noqa: S105 -- the hash that no password has
REMEMBERED = 10_000
"""Name and address pairs that the throttle keeps at most."""


def check_password(password: str, shortest: int) -> str:
    """Refuse a password that is too short or too long; it is nowhere repeated."""
    if len(password) < shortest or len(password.encode()) > LONGEST_PASSWORD:
        raise MushError(
            "password",
            f"A password has {shortest} to {LONGEST_PASSWORD} characters.",
            "Pick another.",
        )
    return password


@dataclass(slots=True)
class Entry:
    """What a login job found, for the connection that asked; filled inside the transaction."""

    character: Character | None = None
    preferences: Preferences = NONE_SET
    set_before: Mapping[str, str | None] = field(default_factory=dict)
    """What was set on the login screen: who comes in by it keeps it."""
    settings: Settings = NOTHING_CHOSEN


def enter(login: Login, now: datetime, entry: Entry) -> Callable[[Writes], Outcome]:
    """Make the job that lets somebody in."""

    def run(store: Writes) -> Outcome:
        store.logged_in(login.account, now)
        for name, value in entry.set_before.items():
            store.set_preference(login.account, name, value)
        entry.preferences = Preferences.of(store.preferences(login.account))
        entry.character = store.character(login.character)
        entry.settings = store.settings(login.character)
        return Outcome()

    return run


def make_account(
    name: str, password_hash: str, role: Role, now: datetime, entry: Entry
) -> Callable[[Writes], Outcome]:
    """Make the job that makes a login and lets it in."""

    def run(store: Writes) -> Outcome:
        login = store.create_account(name, password_hash, role, now)
        return enter(login, now, entry)(store)

    return run


def make_guest(now: datetime, entry: Entry) -> Callable[[Writes], Outcome]:
    """Make the job that lets a guest in: each under a name that nobody had before."""

    def run(store: Writes) -> Outcome:
        name = f"Guest {store.next_guest()}"
        login = store.create_account(name, NO_PASSWORD, Role.GUEST, now)
        return enter(login, now, entry)(store)

    return run


def guest_leaves(guest: Actor, now: datetime) -> Callable[[Writes], Outcome]:
    """Make the job that ends a guest: out of every scene, and never back."""

    def run(store: Writes) -> Outcome:
        scenes = [s for s in store.open_scenes() if guest.id in s.participants]
        for scene in scenes:
            store.leave_scene(scene.id, guest.id, now)
        store.set_disabled(guest.account, disabled=True)
        return Outcome.of(*(Draft(SceneLeft(), ledger=s.id, room=s.room) for s in scenes))

    return run


def guests_left(store: Reads) -> list[Actor]:
    """Give the guests that were never seen off, because the server they were on was killed."""
    return [
        Actor(login.character, login.name, login.role, login.account)
        for login in store.logins()
        if login.role is Role.GUEST and not login.disabled
    ]


@dataclass(slots=True)
class _Tries:
    wrong: int = 0
    until: float = 0.0
    checking: int = 0  # passwords that are being hashed now


@dataclass(slots=True)
class Throttle:
    """Counts wrong passwords by (name, address); `clock` in seconds.

    Those that are being checked count too: many connections at once get no more tries than one.
    """

    tries: int
    wait: float
    clock: Callable[[], float]
    _seen: dict[tuple[str, str], _Tries] = field(default_factory=dict)

    def check(self, name: str, address: str) -> None:
        """Refuse while the pair has to wait, or has as many tries under way as it is left."""
        entry = self._entry(name, address)
        left = entry.until - self.clock()
        if left > 0:
            raise MushError(
                "throttle", "Too many wrong passwords.", f"Wait {counted(int(left) + 1, 'second')}."
            )
        if entry.wrong + entry.checking >= self.tries:
            text = "Several passwords for that name are being checked."
            raise MushError("throttle", text, "Wait a moment.")

    def begin(self, name: str, address: str) -> None:
        """Count a password that is about to be checked; `end` it whatever comes of it."""
        self.check(name, address)
        self._entry(name, address).checking += 1

    def end(self, name: str, address: str) -> None:
        """Count a check as over; an entry that was forgotten meanwhile has none."""
        entry = self._entry(name, address)
        entry.checking = max(0, entry.checking - 1)

    def wrong(self, name: str, address: str) -> None:
        """Count a wrong password; after so many of them, the pair has to wait."""
        entry = self._entry(name, address)
        entry.wrong += 1
        if entry.wrong >= self.tries:
            entry.wrong, entry.until = 0, self.clock() + self.wait

    def right(self, name: str, address: str) -> None:
        """Forget what was wrong before."""
        self._entry(name, address).wrong = 0

    def _entry(self, name: str, address: str) -> _Tries:
        key = (name.casefold(), address)
        if key not in self._seen:
            if len(self._seen) >= REMEMBERED:
                self._seen.pop(next(iter(self._seen)))
            self._seen[key] = _Tries()
        return self._seen[key]
