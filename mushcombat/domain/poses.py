"""Poses: their versions, how one is mended, and what a room hears of a mutter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from mushcombat.domain.events import Fact, PoseEdited, PoseWithdrawn, Spoken
from mushcombat.domain.scene_events import Muttered
from mushcombat.domain.text import clip, expand
from mushcombat.errors import MushError
from mushcombat.records import record

LONGEST_POSE = 8000
"""Characters that a pose may grow to: about what fits in a typed line."""

EDITS = (PoseEdited.kind, PoseWithdrawn.kind)
"""Kinds of the rows that change how an earlier one reads."""

SPOKEN = (Spoken.kind, Muttered.kind)
"""Kinds of the rows that somebody wrote for the room."""

_IN_CHARACTER = frozenset({"say", "pose", "semipose", "emit"})
_SLASH = re.compile(r"(?<!\\)/")
DROPPED = "..."


@record(frozen=True, slots=True)
class Pose:
    """A row that somebody spoke, with the rows that changed it later, in order."""

    first: Fact
    later: tuple[Fact, ...] = ()

    @property
    def number(self) -> int:
        """Its number in the log."""
        return self.first.seq or 0

    @property
    def withdrawn(self) -> bool:
        """Whether it was taken back."""
        return any(isinstance(fact.event, PoseWithdrawn) for fact in self.later)

    @property
    def edited(self) -> bool:
        """Whether it reads otherwise than when it was spoken."""
        return any(isinstance(fact.event, PoseEdited) for fact in self.later)

    @property
    def now(self) -> Fact:
        """The row with its newest words; who and when stay those of the first."""
        edits = [fact.event for fact in self.later if isinstance(fact.event, PoseEdited)]
        if not edits:
            return self.first
        return replace(self.first, event=Spoken(edits[-1].style, edits[-1].text))


def as_poses(spoken: Iterable[Fact], edits: Iterable[Fact]) -> list[Pose]:
    """Put spoken rows together with the rows that changed them; both in the log's order."""
    later: dict[int, list[Fact]] = {}
    for fact in edits:
        if isinstance(fact.event, PoseEdited | PoseWithdrawn):
            later.setdefault(fact.event.row, []).append(fact)
    return [Pose(fact, tuple(later.get(fact.seq or 0, ()))) for fact in spoken]


def in_character(fact: Fact) -> bool:
    """Tell whether a fact counts as somebody's pose: not ooc, nor the setting of a scene."""
    event = fact.event
    return isinstance(event, Muttered) or (
        isinstance(event, Spoken) and event.style in _IN_CHARACTER
    )


def read_change(typed: str, mark: re.Pattern[str]) -> tuple[str, str] | None:
    """Split `<old><mark><new>` at the first mark; None without one, or without an old text.

    Blanks are part of the words, but for those round a mark that has some on both sides.
    """
    old, *rest = mark.split(typed, maxsplit=1)
    if not rest or not old.strip():
        return None
    new = rest[0]
    if old[-1:].isspace() and new[:1].isspace():
        return old.rstrip(), new.lstrip()
    return old, new


def read_slashed(typed: str) -> tuple[str, str] | None:
    r"""Read `<old>/<new>`, where `\/` is a slash that is part of the words."""
    change = read_change(typed, _SLASH)
    return (change[0].replace("\\/", "/"), change[1].replace("\\/", "/")) if change else None


def mended(text: str, old: str, new: str) -> str:
    """Give a pose's text with `old` in it replaced by `new`, as typed, `%r` and all.

    MushError when it holds `old` not at all or more than once, when nothing would change, when
    nothing would be left, or more than LONGEST_POSE characters.
    """
    places = _places(text, old)
    if not places:
        raise MushError("edit", f'Your pose does not hold "{clip(old)}".', "+recall shows it.")
    if len(places) > 1:
        problem = f'Your pose holds "{clip(old)}" in {len(places)} places.'
        raise MushError("edit", problem, "Type more of the words round the right one.")
    at = places[0]
    result = text[:at] + new + text[at + len(old) :]
    if result == text:
        raise MushError("edit", "Your pose reads so already: nothing would change.")
    if not expand(result).strip():
        raise MushError("edit", "Nothing of your pose would be left.", "+undo/pose withdraws it.")
    if len(result) > LONGEST_POSE:
        problem = f"Your pose would have {len(result)} characters."
        raise MushError("edit", problem, f"At most {LONGEST_POSE} fit.")
    return result


def _places(text: str, old: str) -> list[int]:
    """Give where `old` begins in a text, also where two of it overlap."""
    places: list[int] = []
    at = text.find(old)
    while at >= 0:
        places.append(at)
        at = text.find(old, at + 1)
    return places


def overheard(words: Sequence[str], kept: Sequence[bool]) -> str:
    """Give what a room hears of words: `...` for each run of those that are not kept."""
    heard: list[str] = []
    for word, is_kept in zip(words, kept, strict=True):
        if is_kept:
            heard.append(word)
        elif heard[-1:] != [DROPPED]:
            heard.append(DROPPED)
    return " ".join(heard)
