"""The login screen: connect, create, guest, WHO, help, QUIT; and changing a password inside."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mushcombat.domain.character import Actor, Role
from mushcombat.domain.command import Committed, Outcome, Result
from mushcombat.domain.events import Who
from mushcombat.domain.names import check_name, name_key, taken
from mushcombat.domain.ports import Login, Writes
from mushcombat.errors import MushError
from mushcombat.net.limits import banned
from mushcombat.net.passwords import hash_password, verify_password
from mushcombat.net.staff_acts import new_password
from mushcombat.net.status import status
from mushcombat.service.accounts import (
    WRONG,
    Entry,
    check_password,
    enter,
    make_account,
    make_guest,
)
from mushcombat.service.people import who_lines
from mushcombat.service.preferences import login_wish
from mushcombat.service.presence import Presence
from mushcombat.wire import mssp

if TYPE_CHECKING:
    from mushcombat.net.session import Session

log = logging.getLogger(__name__)

_NOBODY = Who(0, "login")
_WORDS = re.compile(r'\s*(\S+)\s*(?:"([^"]*)"|(\S+))?\s*(.*)')
SPENT = "That password worked this one time. Set your own now: @password"
GOODBYE = "Goodbye."
PATIENCE = 3
"""A connection may try so many times what one name may from one address: each try costs a hash."""


class LoginScreen:
    """What a connection can say before it is somebody's."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._game = session.game
        self.asked: Callable[[str], None] | None = None
        """What the next line answers, if something was asked."""
        self._patience: Any = None  # Twisted's delayed call
        self._tried = 0  # passwords checked on this connection

    def line(self, line: str, *, whole: bool) -> None:
        """Act on a line; `whole` is False when something was cleaned out of it."""
        if self.asked is not None:
            answered, self.asked = self.asked, None
            self.cancel()
            answered(line)
            return
        wish = login_wish(line)
        if wish is not None:
            self._session.wishes.take(wish)
            return
        found = _WORDS.fullmatch(line)
        if found is None:
            return
        word, quoted, bare, rest = found.groups()
        self._command(word.casefold(), quoted or bare or "", rest.strip(), whole=whole)

    def _command(self, word: str, name: str, rest: str, *, whole: bool) -> None:
        if "connect".startswith(word) and len(word) > 1:
            self._connect_called(name, rest)
        elif "create".startswith(word) and len(word) > 1:
            self._create(name, rest, whole=whole)
        elif word == "who":
            self._session.tell_all(who_lines(self._game.world, self._game.clock()))
        elif word == mssp.REQUEST:
            self._session.tell(mssp.plain(status(self._game)))
        elif word == "quit":
            self._session.tell(GOODBYE)
            self._session.close()
        else:
            self.greet()

    def greet(self) -> None:
        """Show what there is to type, without what is drawn to who has it read aloud."""
        aloud = self._session.kind.reader and self._game.spoken_banner
        self._session.tell(aloud or self._game.banner)

    # connecting

    def _connect_called(self, name: str, password: str) -> None:
        if not name:
            raise MushError("connect", "Usage: connect <name> <password>")
        if name.casefold() == "guest":
            self._guest()
        elif password:
            self._connect(name, password)
        else:
            self._ask("Password: ", lambda password: self._connect(name, password))

    def _ask(self, text: str, answered: Callable[[str], None]) -> None:
        """Ask for a password on a line of its own, which the client is told not to echo."""
        self.asked = answered
        self._session.link.hide_typing()
        self._session.prompt(text)
        self._patience = self._game.reactor.callLater(self._game.config.login.prompt, self._tired)

    def cancel(self) -> None:
        """End a question for a password."""
        if self._patience is not None:
            if self._patience.active():
                self._patience.cancel()
            self._patience = None
            self._session.link.show_typing()
            self._session.write(b"\r\n")

    def _tired(self) -> None:
        self.asked = None
        self.cancel()
        again = "@password" if self._session.presence else "connect <name> <password>, or help"
        self._session.tell(f"Nothing came. Type {again}.")

    def _connect(self, name: str, password: str) -> None:
        address = self._session.address
        if self._tried >= PATIENCE * self._game.config.login.tries:
            self._session.tell("Too many wrong passwords on this connection. " + GOODBYE)
            self._session.close()
            return
        self._game.check_answers()
        self._game.throttle.begin(name, address)
        self._tried += 1
        self._session.wait()
        answer = self._game.passwords.run(lambda: self._check(name, password))
        answer.addBoth(lambda login: self._ended(name, login))
        answer.addCallback(lambda login: self._checked(name, login))
        answer.addErrback(self._failed)

    def _ended(self, name: str, result: Any) -> Any:
        self._game.throttle.end(name, self._session.address)
        return result

    def _check(self, name: str, password: str) -> Login | None:
        """Look an account up and check its password; runs in the hashing pool."""
        login: Login | None = self._game.readers.run(lambda store: store.login(name))
        good = verify_password(login.password_hash if login else None, password)
        return login if good else None

    def _checked(self, name: str, login: Login | None) -> None:
        address = self._session.address
        if login is None or login.disabled or login.spent:
            self._game.throttle.wrong(name, address)
            # Not the name: a password typed too early stands where it should.
            log.info("wrong password", extra={"fields": {"address": address}})
            self._session.tell(WRONG)
            self._session.proceed()
            return
        self._game.throttle.right(name, address)
        ban = self._game.world.bans.of_player(login.character, self._game.clock())
        if ban:  # told to who knows the password alone
            self._session.tell(banned(ban))
            self._session.close()
            self._session.proceed()
            return
        entry = self._entry()
        run = enter(login, self._game.clock(), entry)
        notice = SPENT if login.one_time else ""
        self._game.write(_NOBODY, None, run, lambda result: self._entered(result, entry, notice))

    def _entered(self, result: Result, entry: Entry, notice: str = "") -> None:
        """Put the player in the world, on the reactor, right after the commit."""
        them = entry.character
        if not isinstance(result, Committed) or them is None or them.account is None:
            self._session.tell(result.text if not isinstance(result, Committed) else WRONG)
            self._session.proceed()
            return
        log.info(
            "logged in", extra={"fields": {"player": them.name, "address": self._session.address}}
        )
        now = self._game.clock()
        actor = Actor(them.id, them.name, them.role, them.account)
        presence = Presence(actor, them.room, them.description, them.doing, now, now)
        presence.preferences = entry.preferences
        presence.settings = entry.settings
        if notice:
            self._session.tell(notice)
        self._session.enter(presence).addBoth(lambda _: self._session.proceed())

    def _entry(self) -> Entry:
        return Entry(set_before=self._session.wishes.typed)

    def _failed(self, failure: Any) -> None:
        self._session.failed(failure)
        self._session.proceed()

    # making a login

    def _create(self, name: str, password: str, *, whole: bool) -> None:
        if not self._game.config.accounts.create:
            raise MushError("create", "Making a character is switched off here.", "Ask staff.")
        if not whole:
            hint = "Type it with plain letters only."
            raise MushError("name", "There are invisible characters in that.", hint)
        if not name or not password:
            raise MushError("create", "Usage: create <name> <password>")
        check_name(name)
        if any(name_key(one.name) == name_key(name) for one in self._game.world.everyone()):
            raise taken(name)  # who was renamed while they are on has it until they go
        check_password(password, self._game.config.accounts.shortest_password)
        self._game.check_answers()
        self._session.wait()
        answer = self._game.passwords.run(lambda: hash_password(password))
        answer.addCallback(lambda hashed: self._hashed(name, hashed))
        answer.addErrback(self._failed)

    def _hashed(self, name: str, hashed: str) -> None:
        entry = self._entry()
        run = make_account(name, hashed, Role.PLAYER, self._game.clock(), entry)
        self._game.write(_NOBODY, None, run, lambda result: self._entered(result, entry))

    def _guest(self) -> None:
        guests = sum(p.actor.is_guest for p in self._game.world.everyone())
        if guests >= self._game.config.accounts.guests:
            raise MushError(
                "guest", "No more guests fit just now.", "Try create <name> <password>."
            )
        entry = self._entry()
        run = make_guest(self._game.clock(), entry)
        self._session.wait()
        self._game.write(_NOBODY, None, run, lambda result: self._entered(result, entry))

    # inside

    def own_verb(self, presence: Presence, name: str, arguments: Any) -> None:
        """Run a verb that concerns the connection itself."""
        match name:
            case "@password":
                self.change_password(presence, *arguments)
            case "@newpassword":
                new_password(self._session, presence, *arguments)
            case "@set" | "@nospoof":
                self._session.wishes.take(arguments)
            case _:
                self.quit()

    def quit(self) -> None:
        """Say goodbye; what was typed before has happened."""
        self._session.tell(GOODBYE)
        self._session.close()

    def change_password(self, presence: Presence, old: str, new: str) -> None:
        """Check the old password, hash the new one, store it; ask for both if there is none."""
        if not old:
            self._ask("Old password: ", lambda typed: self._ask_new(presence, typed))
            return
        check_password(new, self._game.config.accounts.shortest_password)
        self._game.check_answers()
        self._game.throttle.begin(presence.name, self._session.address)
        self._session.wait()
        answer = self._game.passwords.run(lambda: self._rehash(presence.name, old, new))
        answer.addBoth(lambda hashed: self._ended(presence.name, hashed))
        answer.addCallback(lambda hashed: self._rehashed(presence, hashed))
        answer.addErrback(self._failed)

    def _ask_new(self, presence: Presence, old: str) -> None:
        """Ask once only: Mudlet takes more masks in a row for a fault. An empty line ends it."""

        def change(new: str) -> None:
            self.change_password(presence, old, _given(new))

        _given(old)
        self._ask("New password: ", change)

    def _rehash(self, name: str, old: str, new: str) -> str | None:
        return hash_password(new) if self._check(name, old) else None

    def _rehashed(self, presence: Presence, hashed: str | None) -> None:
        if hashed is None:
            self._game.throttle.wrong(presence.name, self._session.address)
            self._session.tell("The old password is another one. Try @password.")
            self._session.proceed()
            return

        def run(store: Writes) -> Outcome:
            store.set_password(presence.actor.account, hashed)
            return Outcome.tell("Your password is changed.")

        who = Who(presence.id, presence.name)
        self._game.write(who, presence.room, run, self._session.answered)


def _given(password: str) -> str:
    """Give what was typed at a question; an empty line means that nothing is to be changed."""
    if not password:
        raise MushError("password", "Your password stays as it is.", "Try @password.")
    return password
