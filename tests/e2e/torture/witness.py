"""What one connection received, held against the log."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.e2e.harness import Client

_NUMBERED = re.compile(r"^#(\d+) \d\d:\d\d:\d\d ")
_LOGGED = re.compile(r"^\[(?:Attack|Roll|Result|Undo|Redo|Reaction|Turn)\] |\bw[0-9a-f]{6}n\d+\b")
"""What only a row of the log can say, or a word that was said once."""

_UNLOGGED = re.compile(r"(?:psst|hello), w|^Huh\?|^There is no |^\"w")
"""Where such a word was whispered, paged, or made no sense."""

_MISSED = re.compile(r'^\[Scene\] ".*": you missed (?:over )?(\d+) lines?(?:; the last)?')


@dataclass
class Session:
    """One connection of somebody: what it was sent up to `start` was the login.

    `since` is the log's last row at that moment; None: it was not reached.
    """

    name: str
    client: Client
    start: int = 0
    since: int | None = None

    def begin(self, since: int) -> None:
        """Let what comes from now on count as it happens."""
        self.start, self.since = len(self.client.seen), since

    @property
    def login(self) -> list[str]:
        """The whole lines of the login."""
        end = self.start if self.since is not None else len(self.client.seen)
        return self.client.seen[:end].split("\n")[:-1]

    @property
    def lines(self) -> list[str]:
        """The whole lines after it."""
        return self.client.seen[self.start :].split("\n")[:-1] if self.since is not None else []


def caught_up(session: Session, numbered: Mapping[int, str]) -> set[int]:
    """Give the rows that a login told as missed: each as the log has it, in order, once."""
    told = [(int(found[1]), line) for line in session.login if (found := _NUMBERED.match(line))]
    wrong = [line for number, line in told if numbered.get(number) != line]
    assert not wrong, f"{session.name} is told as missed what the log does not have: {wrong[:3]}"
    numbers = [number for number, _ in told]
    assert numbers == sorted(set(numbers)), f"{session.name} is told twice, or not in order"
    return set(numbers)


def missed(session: Session) -> int:
    """Give how many lines a login said were missed."""
    found = [m for line in session.login if (m := _MISSED.match(line))]
    return int(found[0][1]) if found else 0


def happened(session: Session, shown: Sequence[tuple[int, str]]) -> set[int]:
    """Give the rows that were seen as they happened: all of them, in order, once, to some point."""
    since = session.since or 0
    rows = [(seq, line) for seq, line in shown if seq > since]
    texts = {line for _, line in rows}
    at = 0
    for line in session.lines:
        if at < len(rows) and line == rows[at][1]:
            at += 1
            continue
        awaited = rows[at] if at < len(rows) else "nothing more"
        assert line not in texts, f"{session.name} saw {line!r}, where the log has {awaited!r}"
        stray = _LOGGED.search(line) and not _UNLOGGED.search(line)
        assert not stray, f"{session.name} saw {line!r}; the log has {awaited!r}"
    whole = {seq for seq, _ in rows[:at]}
    return whole - {seq for seq, _ in rows[at:]}
