"""What a connection's player set: shown, changed, kept; on the login screen for who logs in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mushcombat.domain.command import Committed, Result
from mushcombat.domain.events import Who
from mushcombat.domain.preferences import NAMES, Preferences
from mushcombat.net.kinds import effects
from mushcombat.service.preferences import Wish, keep

if TYPE_CHECKING:
    from mushcombat.net.session import Session
    from mushcombat.service.presence import Presence

HOW = "@set <name>=<value> changes one, @set <name>=auto leaves it to your client. (help @set)"


class Wishes:
    """The preferences of one connection; once somebody has logged in, all theirs share them."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.typed: dict[str, str | None] = {}
        """What was set before the login; who logs in keeps it."""
        self._before_login = Preferences()

    @property
    def present(self) -> Preferences:
        """Give those in effect."""
        presence = self._session.presence
        return presence.preferences if presence else self._before_login

    def take(self, wish: Wish) -> None:
        """Act on what was typed."""
        presence = self._session.presence
        if wish.asks:
            self._session.tell_all(self._list(wish.name))
        elif presence is None:
            self.typed[wish.name] = wish.value
            stored = {name: value for name, value in self.typed.items() if value is not None}
            self._before_login = Preferences.of(stored)
            self._session.judge()
            self._changed(wish.name)
        else:
            self._keep(presence, wish)

    def _keep(self, presence: Presence, wish: Wish) -> None:
        """Store it, then let it be in effect on every connection of theirs."""

        def done(result: Result) -> None:
            if not isinstance(result, Committed):
                self._session.answered(result)
                return
            mine = Preferences.of({} if wish.value is None else {wish.name: wish.value})
            change = {wish.name: getattr(mine, wish.name)}
            presence.prefer(replace(presence.preferences, **change))
            self._changed(wish.name)
            self._session.proceed()

        self._session.wait()
        run = keep(presence.actor.account, {wish.name: wish.value})
        who = Who(presence.id, presence.name)
        self._session.game.write(who, None, run, done)

    def _changed(self, name: str) -> None:
        if name == "screenreader" and self._session.presence is None:
            self._session.login.greet()
        self._session.tell_all(self._list(name))

    def _list(self, name: str) -> tuple[str, ...]:
        """Write all preferences, or one, as "Name: value (why)"."""
        session = self._session
        found = effects(session.terminal, self.present)
        if name:
            return (f"{_title(name)}: {found[name]}.",)
        return (*(f"{_title(each)}: {found[each]}" for each in NAMES), HOW)


def _title(name: str) -> str:
    return "Screen reader" if name == "screenreader" else name.capitalize()
