"""A log as blocks: a pose, and under it the results that stand behind it in the log.

A result folds under the last pose before it. Results that none comes before, and those of a long
run beyond `MOST`, are blocks of their own: so nothing grows with the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from mushcombat.domain.events import Audience, Fact, PoseEdited
from mushcombat.domain.ledger import GENESIS
from mushcombat.domain.state import Undone
from mushcombat.domain.transcripts import LoggedRow
from mushcombat.records import record
from mushcombat.views.transcript.selection import Selection, is_ooc, is_speech
from mushcombat.views.transcript.words import printable

MOST = 100
"""Lines under one pose before a new block is begun."""

UNSIGNED = frozenset({"emit", "set"})
"""Styles of what tells a story without saying who does."""

Render = Callable[[Fact], str]


class Sort(Enum):
    """What a line is to its readers."""

    POSE = "pose"
    RESULT = "result"
    OOC = "ooc"


@record(frozen=True, slots=True)
class Line:
    """One fact of a transcript: whole, in few words ('' if it is but a step), what became of it."""

    sort: Sort
    fact: Fact
    text: str
    brief: str
    note: str = ""
    taken_back: bool = False

    @property
    def by(self) -> str:
        """Name who did it, as they were called then."""
        return printable(self.fact.actor.name)

    @property
    def speaker(self) -> str:
        """Give the name that the text begins with; '' where nobody is named, as in an emit."""
        styled = getattr(self.fact.event, "style", "")
        named = self.sort is Sort.POSE and styled not in UNSIGNED and self.text.startswith(self.by)
        return self.by if named else ""


@dataclass(slots=True)
class Block:
    """A pose with its lines; `pose` is None where there is none before them."""

    pose: Line | None
    under: list[Line] = field(default_factory=list)


class Blocks:
    """Reads rows once; `head` and `read` tell of those read so far."""

    def __init__(
        self, rows: Iterator[LoggedRow], selection: Selection, render: Render, brief: Render
    ) -> None:
        self.head = GENESIS
        self.read = 0
        self.audit = selection.audit
        self._rows = rows
        self._selection = selection
        self._render = render
        self._brief = brief

    def __iter__(self) -> Iterator[Block]:
        """Give the blocks, in order; one is done when the next begins."""
        block = Block(None)
        for line in self.lines():
            if line.sort is Sort.POSE or len(block.under) == MOST:
                if block.pose or block.under:
                    yield block
                block = Block(line if line.sort is Sort.POSE else None)
            if line.sort is not Sort.POSE:
                block.under.append(line)
        if block.pose or block.under:
            yield block

    def lines(self) -> Iterator[Line]:
        """Give every line that is shown."""
        for row in self._rows:
            self.head, self.read = row.fact.head, self.read + 1
            fact = self._selection.shown(row.fact)
            line = self._line(fact) if fact else None
            if line:
                yield line

    def _line(self, fact: Fact) -> Line | None:
        text = printable(self._render(fact))
        sort = _sort(fact)
        if sort is Sort.RESULT and self._selection.names_unknown(text):
            return None
        brief = printable(self._brief(fact)) if sort is Sort.RESULT else ""
        if not self._selection.audit:
            return Line(sort, fact, text, brief)
        gone = self._selection.amendments.taken_back(fact) is not None
        return Line(sort, fact, text, brief, printable(self._note(fact)), taken_back=gone)

    def _note(self, fact: Fact) -> str:
        """Say what became of a fact: edited, withdrawn, taken back; and who it was for."""
        notes = [] if fact.audience is Audience.ROOM else [fact.audience.value]
        for change in self._selection.amendments.changes(fact.seq):
            did = "edited" if isinstance(change.event, PoseEdited) else "withdrawn"
            notes.append(f"{did} by #{change.seq} ({change.actor.name})")
        undo = self._selection.amendments.taken_back(fact)
        if undo and isinstance(undo.event, Undone):
            reason = f": {undo.event.reason}" if undo.event.reason else ""
            notes.append(f"taken back by #{undo.seq} ({undo.actor.name}{reason})")
        return ", ".join(notes)


def _sort(fact: Fact) -> Sort:
    if is_ooc(fact.event) and not isinstance(fact.event, PoseEdited):
        return Sort.OOC
    return Sort.POSE if is_speech(fact) else Sort.RESULT
