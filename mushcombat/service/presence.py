"""A player who is here: their actor, where they stand, and the screens that they read on."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from mushcombat.domain.character import Actor
from mushcombat.domain.events import Who
from mushcombat.domain.preferences import NONE_SET, Preferences
from mushcombat.domain.screen import Kind
from mushcombat.domain.settings import NOTHING_CHOSEN, Settings


class Screen(Protocol):
    """One connection of a player: the kind of screen that it is, and a way to write to it."""

    kind: Kind

    def judge(self) -> None:
        """Work out its kind again: its player set something."""
        ...

    @property
    def behind(self) -> bool:
        """Whether it has not taken all that it was to be shown: it does not read, for now."""
        ...

    def write(self, data: bytes) -> None:
        """Send bytes that are made for its kind."""
        ...


@dataclass(eq=False)
class Presence:
    """A player who is connected, by one connection or several.

    `elsewhere` are other processes that they are connected to; `screens` are those of this one.
    """

    actor: Actor
    room: int
    description: str
    doing: str
    since: datetime
    active: datetime
    screens: list[Screen] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)  # one for each connection
    preferences: Preferences = NONE_SET
    settings: Settings = NOTHING_CHOSEN
    paged: tuple[Who, ...] = ()  # last, by this connection
    away: str = ""  # what they say they do instead
    elsewhere: set[int] = field(default_factory=set)

    def prefer(self, preferences: Preferences) -> None:
        """Let what they set be in effect on every connection of theirs."""
        self.preferences = preferences
        for screen in self.screens:
            screen.judge()

    @property
    def nospoof(self) -> bool:
        """Whether they want to see who wrote an @emit."""
        return bool(self.preferences.nospoof)

    @property
    def name(self) -> str:
        """Their name."""
        return self.actor.name

    @property
    def id(self) -> int:
        """Their character's id."""
        return self.actor.id
