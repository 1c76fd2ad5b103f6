"""Eras of a scene: from an opening or a reopening to the closing, each with dice of its own.

An era has a seed and a commitment; the words that players give before its first die go into the
key of its dice, so that nobody, the host included, has fixed the dice alone.
"""

from __future__ import annotations

from typing import ClassVar

from mushcombat.domain.events import Event, SceneClosed
from mushcombat.domain.scene import Scene
from mushcombat.records import record

LONGEST_WORDS = 200
"""Characters of what one player gives."""


@record(frozen=True, slots=True)
class Era:
    """The present era of a scene: `number` counts from 1, `words` in the order of the log."""

    number: int
    words: tuple[str, ...] = ()


@record(frozen=True, slots=True)
class DiceWords(Event):
    """The actor gave words for the key of the era's dice, before the first one was thrown."""

    kind: ClassVar[str] = "dice.words"
    era: int
    words: str


@record(frozen=True, slots=True)
class SceneReopened(Event):
    """A scene goes on that was closed: a new era begins, bound by a commitment of its own."""

    kind: ClassVar[str] = "scene.reopened"
    title: str
    system: str
    room: int
    place: str
    private: bool
    era: int
    commitment: str


@record(frozen=True, slots=True)
class EraClosed(SceneClosed):
    """A scene ended. `words` tells of how many players words are in the key of the era's dice.

    Version 2 of `SceneClosed`: with the count, nobody can drop words and say that the dice hold.
    """

    version: ClassVar[int] = 2
    words: int


@record(frozen=True, slots=True)
class SceneLoaded(Event):
    """A scene is open again, as stored: for the server's own picture, never logged nor shown."""

    kind: ClassVar[str] = "scene.loaded"
    scene: Scene


ERA_EVENTS: tuple[type[Event], ...] = (DiceWords, SceneReopened, EraClosed)
