"""What a transcript is made of, and how later rows of a log change the reading of earlier ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import Any

from mushcombat.domain.events import Fact, PoseEdited, PoseWithdrawn
from mushcombat.domain.scene import Scene
from mushcombat.domain.state import Redone, Undone
from mushcombat.records import record

STORY, RESULTS, AUDIT = "story", "results", "audit"
PROFILES = (STORY, RESULTS, AUDIT)
"""`story` is what was said and done in character; `results` adds what was rolled and worked out;
`audit` is everything, every version, with numbers, times and reasons."""

EXTENSIONS = {"text": "txt", "markdown": "md", "html": "html", "jsonl": "jsonl"}
"""Formats, and how the names of their files end."""

FORMATS = tuple(EXTENSIONS)

WIDTH, WIDEST = 78, 1000
"""Columns at which text wraps unless told otherwise, and the most that can be told."""


@record(frozen=True, slots=True)
class Wanted:
    """What somebody wants of a transcript. `width` is for text, in columns; 0 does not wrap."""

    format: str = "text"
    profile: str = STORY
    ooc: bool = False
    width: int = WIDTH


@record(frozen=True, slots=True)
class LoggedRow:
    """A row of a log for export: the fact, and what it was hashed as."""

    fact: Fact
    hashed: dict[str, Any]
    salt: str
    digest: str


@record(frozen=True, slots=True)
class Heading:
    """Names for a transcript's heading: the place, who played, who refereed."""

    place: str
    people: Sequence[str] = ()
    referees: Sequence[str] = ()


AMENDING = (PoseEdited.kind, PoseWithdrawn.kind, Undone.kind, Redone.kind)
"""Kinds of the rows that an `Amendments` is made of."""


class Amendments:
    """What later rows say of earlier ones, known before the first row is written.

    A row of an action that was taken back stands again with the action's redoing. What an action
    did after it was taken back (a wound proposed once more, say) stands.
    """

    def __init__(self, facts: Iterable[Fact] = ()) -> None:
        """Take the facts of the kinds in AMENDING, in the order of the log."""
        self._changes: dict[int, list[Fact]] = {}
        self._taken_back: dict[int, list[Fact]] = {}
        for fact in facts:
            match fact.event:
                case PoseEdited(row=row) | PoseWithdrawn(row=row):
                    self._changes.setdefault(row, []).append(fact)
                case Undone(target=target):
                    self._taken_back.setdefault(target, []).append(fact)
                case Redone(target=target) if self._taken_back.get(target):
                    self._taken_back[target].pop()

    def changes(self, row: int | None) -> Sequence[Fact]:
        """Give the facts that edited or withdrew what was spoken in a row, in order."""
        return self._changes.get(row or 0, ())

    def withdrawn(self, row: int | None) -> bool:
        """Tell whether what was spoken in a row was withdrawn."""
        return any(isinstance(fact.event, PoseWithdrawn) for fact in self.changes(row))

    def version(self, row: int | None) -> PoseEdited | None:
        """Give how a row reads now; None: as it was spoken, or not at all."""
        changes = self.changes(row)
        last = changes[-1].event if changes else None
        return last if isinstance(last, PoseEdited) and not self.withdrawn(row) else None

    def taken_back(self, fact: Fact) -> Fact | None:
        """Give the fact that took a row back, if it is taken back still."""
        later = self._taken_back.get(fact.action or 0, ())
        return next((undo for undo in later if (undo.seq or 0) > (fact.seq or 0)), None)


@record(frozen=True, slots=True)
class Source:
    """All that a transcript is written from; `rows` come one by one, in the order of the log.

    `unknown` are those who don't exist in it: hidden NPCs, people who are left out; `names` are
    what they are called.
    """

    scene: Scene
    heading: Heading
    rows: Iterator[LoggedRow]
    amendments: Amendments = field(default_factory=Amendments)
    unknown: frozenset[int] = frozenset()
    names: frozenset[str] = frozenset()
