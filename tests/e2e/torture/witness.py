"""What one connection received, held against the log."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from tests.e2e.harness import Client

_NUMBERED = re.compile(r"^#(\d+) \d\d:\d\d:\d\d ")
_LOGGED = re.compile(r"^\[(?:Attack|Roll|Result|Undo|Redo|Reaction|Turn)\] |\bw[0-9a-f]{6}n\d+\b")
"""What only a row of the log can say, or a word that was said once."""

_UNLOGGED = re.compile(r"(?:psst|hello), w|^Huh\?|^There is no |^\"w|^\[Roll\] It is allowed: ")
"""Where such a word was whispered, paged, or made no sense; and what waits for who logs in."""

_WHISPERED = re.compile(r"\b(?:psst|hello), (w[0-9a-f]{6}n\d+)\b")
_NEWS = re.compile(r"^(\w+) has ((?:dis)?connected)\.$")
_MISSED = re.compile(r'^\[Scene\] ".*": you missed (?:over )?(\d+) lines?(?:; the last)?')

NOTHING: Mapping[int, Collection[str]] = MappingProxyType({})

Row = tuple[int, str]
"""The number of a row of the log, and one of its lines as it is shown."""


@dataclass
class Session:
    """One connection of somebody.

    `before` is the log's last row when it began. `level`: a moment came at which it had been shown
    all that the log had.
    """

    name: str
    client: Client
    before: int = 0
    level: bool = False

    @property
    def lines(self) -> list[str]:
        """The whole lines that it received."""
        return self.client.seen.split("\n")[:-1]


@dataclass
class Told:
    """What a connection was told as missed, by row, and its other lines."""

    rows: set[int] = field(default_factory=set)
    others: list[str] = field(default_factory=list)


def caught_up(
    session: Session, numbered: Mapping[int, str], older: Mapping[int, Collection[str]] = NOTHING
) -> Told:
    """Tell what was told as missed from the rest: each row as the log has it, in order, once.

    `older` is how rows could be read while the log was shorter.
    """
    told, lines = Told(), session.lines
    numbers: list[int] = []
    at = 0
    while at < len(lines):
        found = _NUMBERED.match(lines[at])
        if found is None:
            told.others.append(lines[at])
            at += 1
            continue
        number = int(found[1])
        readings = [numbered.get(number, ""), *older.get(number, ())]
        whole = next((r for text in readings if _begins(lines[at:], r := text.split("\n"))), None)
        assert whole, f"{session.name} is told as missed what the log does not have: {lines[at]!r}"
        numbers.append(number)
        if len(lines) - at >= len(whole):
            told.rows.add(number)
        at += len(whole)
    in_order = numbers == sorted(set(numbers))
    assert in_order, f"{session.name} is told twice, or not in order: {numbers}"
    return told


def _begins(lines: Sequence[str], whole: Sequence[str]) -> bool:
    """Tell whether lines begin with those of a row, or end within them."""
    part = lines[: len(whole)]
    return part == list(whole[: len(part)])


def missed(session: Session) -> int:
    """Give how many lines a login said were missed."""
    found = [m for line in session.lines if (m := _MISSED.match(line))]
    return int(found[0][1]) if found else 0


def happened(
    session: Session,
    told: Told,
    shown: Sequence[Row],
    readable: Collection[int],
    *,
    whole: bool,
    again: Collection[str] = (),
) -> set[int]:
    """Give the rows that were seen as they happened: all of them, in order, once, to some point.

    They begin behind the last one that was told as missed. `whole`: all that there are were seen.
    `again` are lines that a login may tell again.
    """
    since = max([session.before, *told.rows])
    rows = [(seq, line) for seq, line in shown if seq > since]
    problem: AssertionError | None = None
    for start in _starts(session, told, rows, readable):
        try:
            return _matched(session, told.others, rows[start:], again, whole=whole)
        except AssertionError as found:
            problem = problem or found
    raise problem or AssertionError(session.name)


def _starts(
    session: Session, told: Told, rows: Sequence[Row], readable: Collection[int]
) -> Iterator[int]:
    """Give the places of the row that can be the first to be seen as it happened.

    Rows that can't be read later are not told as missed. Where the login was cut off, more than
    those can be missing: what was missed is told when it has been looked up.
    """
    yield 0
    lines = set(told.others)
    for place in range(1, len(rows) + 1):
        before = rows[place - 1][0]
        if session.level and before in readable:
            return
        if place == len(rows) or (rows[place][0] != before and rows[place][1] in lines):
            yield place


def _matched(
    session: Session,
    lines: Iterable[str],
    rows: Sequence[Row],
    again: Collection[str],
    *,
    whole: bool,
) -> set[int]:
    """Hold lines against rows, one after the other; gives the rows that are there."""
    texts = {line for _, line in rows}.difference(again)
    at = 0
    for line in lines:
        if at < len(rows) and line == rows[at][1]:
            at += 1
            continue
        awaited = rows[at] if at < len(rows) else "nothing more"
        assert line not in texts, f"{session.name} saw {line!r}, where the log has {awaited!r}"
        stray = _LOGGED.search(line) and not _UNLOGGED.search(line)
        assert not stray, f"{session.name} saw {line!r}; the log has {awaited!r}"
    gap = whole and at < len(rows)
    assert not gap, f"{session.name} was not shown {rows[at : at + 3]!r}"
    return {seq for seq, _ in rows[:at]} - {seq for seq, _ in rows[at:]}


def check_once(session: Session) -> None:
    """See that what no log holds is not shown twice: whispers, pages, who comes and goes."""
    words = Counter(word for line in session.lines for word in _WHISPERED.findall(line))
    twice = [word for word, count in words.items() if count > 1]
    assert not twice, f"{session.name} heard {twice} twice"
    last: dict[str, str] = {}
    for line in session.lines:
        if found := _NEWS.match(line):
            again = last.get(found[1]) == found[2]
            assert not again, f"{session.name} was told twice: {line!r}"
            last[found[1]] = found[2]
