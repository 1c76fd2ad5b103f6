"""One scene on one database: played by ten people, killed again and again, and looked through."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterable

from tests.contract.arena import Dump
from tests.contract.invariants import (
    changes_in,
    check_health,
    check_pending,
    differences,
    replayed,
)
from tests.e2e.harness import Server
from tests.e2e.torture.seer import Seer
from tests.e2e.torture.talk import PEOPLE, Talk, opening
from tests.e2e.torture.tap import KilledError, Tap
from tests.e2e.torture.witness import Session, caught_up, happened, missed

LOGIN_BYTES, PLAY_BYTES = 80_000, 40_000
"""At most so many bytes go over the wires before a kill: while all log in, or from then on."""

EARLY = 0.2
"""How often the kill comes while they do."""

GENTLE = 0.15
"""How often the server is told to end (SIGTERM) instead: then nothing is told twice, either."""

SHORT = 50
"""So many missed lines are told at once; of more, where to read them."""


class Story:
    """Plays on after each kill; `check` raises AssertionError for whatever does not hold."""

    def __init__(self, server: Server, seed: int, say: Callable[[str], None]) -> None:
        self._server = server
        self._chance = random.Random(seed)
        self._talk = Talk(self._chance)
        self._say = say
        self._seen: dict[str, set[int]] = {name: set() for name in PEOPLE}
        self._open: list[Session] = []
        self._first: Dump = {}
        self._first_row = 0
        self._gentle = False
        self._seer = Seer(server.url, PEOPLE)
        self.rows = 0

    # the beginning and the end

    def begin(self) -> None:
        """Open the scene, and begin a fight in it."""
        tap = Tap(self._server)
        tap.connect(PEOPLE)
        tap.settle(PEOPLE)
        for name, line in opening():
            tap.send(name, line)
            tap.settle([name])
        tap.settle(PEOPLE)
        self._seer.refresh()
        self._seer.read_on()
        self._first, self._first_row = self._seer.dump(), self._seer.last
        self._server.signal(signal.SIGKILL)
        tap.read_out()
        self._server.start()

    def play(self, kills: int) -> None:
        """Play until the server was killed so many times, and see after each what is left."""
        for number in range(kills):
            rows, gentle = self._seer.last, self._chance.random() < GENTLE
            early = self._chance.random() < EARLY
            left = self._chance.randint(1, LOGIN_BYTES if early else PLAY_BYTES)
            self._until_killed(left, early=early, gentle=gentle)
            self._gentle = gentle and not early
            self.rows += self._seer.last - rows
            when = "of the logins" if early else f"of the play, {self._seer.last - rows} rows later"
            how = "SIGTERM" if gentle else "kill"
            self._say(f"{how} {number + 1} at byte {left} {when}")
            self._server.start()

    def end(self) -> None:
        """See a last time what is left, close the scene, and prove its transcript."""
        tap = Tap(self._server)
        self._sit_down(tap)
        tap.send(PEOPLE[0], "+scene/close")
        tap.settle(PEOPLE)
        file = self._server.folder / "log.jsonl"
        options = ("--format", "jsonl", "--profile", "audit", "--output", str(file))
        self._server.cli("transcript", "export", "1", *options)
        self._server.cli("verify", str(file))
        for client in tap.clients.values():
            client.close()

    def close(self) -> None:
        """Let go of the database."""
        self._seer.close()

    # between two kills

    def _until_killed(self, left: int, *, early: bool, gentle: bool) -> None:
        number = signal.SIGTERM if gentle else signal.SIGKILL
        tap = Tap(self._server, left if early else None, number)
        try:
            self._sit_down(tap)
            tap.left = left
            while True:
                self._turn(tap)
        except KilledError:
            tap.read_out()

    def _turn(self, tap: Tap) -> None:
        """Let one to four people type something, and wait until they are answered."""
        self._seer.refresh()
        typed = [self._talk.next(self._seer) for _ in range(self._chance.randint(1, 4))]
        for name, line in typed:
            tap.send(name, line)
        tap.settle(dict(typed))

    def _sit_down(self, tap: Tap) -> None:
        """Log everyone in, wait until nothing is on its way to anybody, and look back."""
        sessions: list[Session] = []
        try:
            tap.connect(PEOPLE)
        finally:
            sessions += [Session(name, client) for name, client in tap.clients.items()]
            self._open += sessions
        last = -1
        while last != self._seer.last:
            last = self._seer.last
            tap.settle(PEOPLE)
        for session in sessions:
            session.begin(last)
        self._check(tap, sessions)

    # what has to hold

    def _check(self, tap: Tap, sessions: Iterable[Session]) -> None:
        """See that nothing was lost, doubled, or half done, and that all is asked again."""
        self._look_back()
        for session in sessions:
            self._see_what_was_missed(tap, session)
            for line in self._seer.asked(session.name):
                assert line in session.login, f"{session.name} is not told again: {line!r}"
        self._see_the_state()

    def _look_back(self) -> None:
        """Hold against the log what earlier connections received."""
        self._seer.read_on()
        for session in self._open:
            name = session.name
            if session.client.closed and session.since is None:
                self._seen[name] |= caught_up(session, self._seer.numbered(name))
            elif session.client.closed:
                self._seen[name] |= happened(session, self._seer.shown[name])
        self._open = [session for session in self._open if not session.client.closed]

    def _see_what_was_missed(self, tap: Tap, session: Session) -> None:
        """See that who comes back has seen all of the log, or is told it or where it stands."""
        name, numbered = session.name, self._seer.numbered(session.name)
        told = caught_up(session, numbered)
        twice = sorted(told & self._seen[name]) if self._gentle else []
        assert not twice, f"{name} is told again, after an orderly end, {numbered[twice[0]]!r}"
        if missed(session) > SHORT:
            self._seen[name] |= set(numbered)  # and the way to those before them is told
        self._seen[name] |= told
        lost = sorted(n for n in numbered if n > self._first_row and n not in self._seen[name])
        assert not lost, f"{name} is never shown {[numbered[n] for n in lost[:3]]}"

    def _see_the_state(self) -> None:
        now = self._seer.dump()
        changes = changes_in(fact for fact in self._seer.facts if (fact.seq or 0) > self._first_row)
        wrong = differences(replayed(changes, self._first), now)
        assert not wrong, f"the tables are not what the log comes to: {wrong[:3]}"
        check_health(now)
        check_pending(now)
