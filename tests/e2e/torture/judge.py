"""What has to hold when all is shown: everything that anybody received is held against the log."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from mushcombat.domain.events import Fact, Spoken
from tests.contract.arena import Dump
from tests.contract.invariants import (
    changes_in,
    check_health,
    check_pending,
    differences,
    replayed,
)
from tests.e2e.harness import Client
from tests.e2e.torture.seer import Seer
from tests.e2e.torture.talk import PEOPLE
from tests.e2e.torture.tally import Tally
from tests.e2e.torture.witness import Session, caught_up, check_once, happened, missed

_WORD = re.compile(r"\bw[0-9a-f]{6}n\d+\b")

SHORT = 50
"""So many missed lines are told at once; of more, where to read them."""


class Judge:
    """Knows all connections that anybody had; raises AssertionError for whatever does not hold."""

    def __init__(self, seer: Seer) -> None:
        self._seer = seer
        self._seen: dict[str, set[int]] = {name: set() for name in PEOPLE}
        self._open: list[Session] = []
        self._all: list[Session] = []
        self._gone: set[str] = set()  # those of the last server that ended, whom all knew of
        self._marks: dict[str, int] = {}  # how much each other one had been shown by then
        self._orderly: set[str] = set()
        self._words: Counter[str] = Counter()
        self._first: Dump = {}
        self._first_row = 0
        self.tally = Tally()

    def begin(self) -> None:
        """Take what there is as given."""
        self._seer.refresh()
        self._first, self._first_row = self._seer.dump(), self._seer.last
        self._seer.read_on(self._first_row)
        self.tally.count(self._seer.facts)

    def began(self, session: Session) -> None:
        """Take note of a new connection."""
        self._open.append(session)
        self._all.append(session)

    def keep(self, folder: Path) -> None:
        """Write down what each connection received, and what each one could read of the log."""
        for number, session in enumerate(self._all):
            level = "level" if session.level else "cut off in its login"
            text = f"after row {session.before}, {level}\n{session.client.seen}"
            (folder / f"{number:03}-{session.name}.txt").write_text(text, encoding="utf-8")
        for name in PEOPLE:
            rows = dict(self._seer.shown[name])
            log = "".join(f"{seq} {line}\n" for seq, line in self._seer.shown[name])
            seen = f"not seen: {sorted(rows.keys() - self._seen[name])}\n"
            (folder / f"log-{name}.txt").write_text(seen + log, encoding="utf-8")

    def ended(self, clients: Sequence[Client], *, in_order: bool) -> None:
        """Take note of connections whose server has ended."""
        known = [s for s in self._open if s.level and s.client in clients]
        self._gone = {session.name for session in known}
        if in_order:
            self._orderly |= self._gone
        else:  # what it told at a login, nobody has noted: that is told again
            self._orderly -= {s.name for s in self._open if s.client in clients}
        self._marks = {s.name: len(s.client.seen) for s in self._open if not s.client.closed}

    def missing(self) -> list[str]:
        """Name those who have gone, of whom somebody was not shown that yet."""
        here = [s for s in self._open if s.level and not s.client.closed]
        news = [session.client.seen[self._marks[session.name] :] for session in here]
        return [
            name
            for name in sorted(self._gone)
            if any(f"{name} has disconnected.\n" not in text for text in news)
        ]

    def level(self, last: int) -> bool:
        """Hold all against the log up to its last row; False when it went on meanwhile."""
        self._seer.refresh()
        now = self._seer.dump()
        if self._seer.last != last:
            return False
        before = len(self._seer.facts)
        self._seer.read_on(last)
        self._count(self._seer.facts[before:])
        older = self._seer.older()
        for session in self._open:
            self._look_at(session, last, older)
        self._open = [session for session in self._open if not session.client.closed]
        self._see_the_state(now)
        return True

    def _count(self, facts: Sequence[Fact]) -> None:
        """Count what was played; no word is in the log twice that was typed once."""
        self.tally.count(facts)
        for fact in facts:
            if isinstance(fact.event, Spoken):
                self._words.update(_WORD.findall(fact.event.text))
        twice = [word for word, count in self._words.items() if count > 1]
        assert not twice, f"the log has {twice} twice"

    def _look_at(self, session: Session, last: int, older: Mapping[int, set[str]]) -> None:
        """See that a connection was shown all of the log, once, in order, up to its end."""
        name, numbered = session.name, self._seer.numbered(session.name)
        told, whole = caught_up(session, numbered, older), not session.client.closed
        comes, session.level = whole and not session.level, whole or session.level
        if missed(session) > SHORT:  # and the way to those before them is told
            self._seen[name] |= {
                number for number in numbered if number < min(told.rows, default=0)
            }
        shown, readable = self._seer.shown[name], {*numbered, *older}
        again = self._seer.questions
        live = happened(session, told, shown, readable, whole=whole, again=again)
        check_once(session)
        if comes:
            self._see_nothing_again(name, told.rows, numbered)
            if session.before == last:
                for line in self._seer.asked(name):
                    assert line in told.others, f"{name} is not told again: {line!r}"
        self._seen[name] |= told.rows | live
        if whole:
            lost = sorted({n for n in numbered if n > self._first_row} - self._seen[name])
            assert not lost, f"{name} is never shown {[numbered[n] for n in lost[:3]]}"

    def _see_nothing_again(self, name: str, told: set[int], numbered: Mapping[int, str]) -> None:
        """See that nothing is told again to who was connected to a server that ended in order."""
        twice = sorted(told & self._seen[name]) if name in self._orderly else []
        assert not twice, f"{name} is told again, after an orderly end, {numbered[twice[0]]!r}"
        self._orderly.discard(name)

    def _see_the_state(self, now: Dump) -> None:
        changes = changes_in(fact for fact in self._seer.facts if (fact.seq or 0) > self._first_row)
        wrong = differences(replayed(changes, self._first), now)
        assert not wrong, f"the tables are not what the log comes to: {wrong[:3]}"
        check_health(now)
        check_pending(now)
