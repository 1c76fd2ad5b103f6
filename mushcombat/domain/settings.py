"""What a player has chosen about others: whom they ignore, whom they watch, who may page them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import ClassVar, Literal, Protocol

from mushcombat.domain.channels import Channel, ChannelSet, State
from mushcombat.domain.character import Actor
from mushcombat.domain.events import Event
from mushcombat.records import record

Contact = Literal["ignore", "watch"]
"""What a player has marked another for."""

MOST_CONTACTS = 100
"""Players that one may ignore, and as many that one may watch."""


@record(frozen=True, slots=True)
class Settings:
    """A player's choices; `channels` only what differs from what a channel begins with."""

    channels: Mapping[int, State] = field(default_factory=dict)
    ignored: frozenset[int] = frozenset()
    watched: frozenset[int] = frozenset()
    watches_all: bool = False
    pages_locked: bool = False

    def state(self, channel: Channel, actor: Actor) -> State:
        """Tell whether the player hears a channel."""
        if not channel.open_to(actor):
            return "left"
        return self.channels.get(channel.id, "on" if channel.everyone else "left")


NOTHING_CHOSEN = Settings()


@record(frozen=True, slots=True)
class Ignored(Event):
    """The actor ignores somebody, or no longer; nobody else is told."""

    kind: ClassVar[str] = "ignored"
    whom: int
    name: str
    on: bool


@record(frozen=True, slots=True)
class Watched(Event):
    """The actor is told when somebody comes and goes, or no longer; nobody else is told."""

    kind: ClassVar[str] = "watched"
    whom: int
    name: str
    on: bool


@record(frozen=True, slots=True)
class WatchedAll(Event):
    """The actor is told when anybody comes and goes, or of those alone whom they watch."""

    kind: ClassVar[str] = "watched.all"
    on: bool


@record(frozen=True, slots=True)
class PagesLocked(Event):
    """The actor takes no pages but those of staff, or takes them again."""

    kind: ClassVar[str] = "pages.locked"
    on: bool


@record(frozen=True, slots=True)
class Noticed(Event):
    """The subject, who watches the actor, is told that they have come or gone; never logged."""

    kind: ClassVar[str] = "noticed"
    subject: int
    here: bool


SETTING_EVENTS: tuple[type[Event], ...] = (Ignored, Watched, WatchedAll, PagesLocked, Noticed)


def settings_after(settings: Settings, event: Event) -> Settings:
    """Give a player's choices after one more; any other event leaves them as they are."""
    match event:
        case Ignored(whom=whom, on=on):
            return replace(settings, ignored=_with(settings.ignored, whom, on=on))
        case Watched(whom=whom, on=on):
            return replace(settings, watched=_with(settings.watched, whom, on=on))
        case WatchedAll(on=on):
            return replace(settings, watches_all=on)
        case PagesLocked(on=on):
            return replace(settings, pages_locked=on)
        case ChannelSet(channel=channel, state=state):
            return replace(settings, channels={**settings.channels, channel: state})
    return settings


def _with(people: frozenset[int], whom: int, *, on: bool) -> frozenset[int]:
    return people | {whom} if on else people - {whom}


class SettingReads(Protocol):
    """Reading players' choices."""

    def settings(self, character: int) -> Settings:
        """Give a player's choices; staff are in nobody's ignored."""
        ...

    def left_from(self, character: int) -> int | None:
        """Give the room that a player left to go out of character, None when they did not."""
        ...


class SettingWrites(Protocol):
    """Writing players' choices."""

    def set_contact(self, character: int, kind: Contact, other: int, *, on: bool) -> None:
        """Mark another player, or no longer."""
        ...

    def watch_all(self, character: int, *, on: bool) -> None:
        """Set whether a player is told of everyone who comes and goes."""
        ...

    def lock_pages(self, character: int, *, on: bool) -> None:
        """Set whether a player takes pages of staff alone."""
        ...

    def leave_from(self, character: int, room: int | None) -> None:
        """Note the room that a player goes back to with +ic."""
        ...
