"""Channels: lines of talk that reach their listeners wherever they are.

A channel has a name, `Public`, shown in front of each of its lines, and an alias, `pub`, that hands
type: `+pub hello`. A login of its role or more may be on it. A channel that is everyone's has them
on it until they say otherwise: new players hear it from the start.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar, Literal, Protocol

from mushcombat.domain.character import Actor, Role
from mushcombat.domain.events import Event, Fact
from mushcombat.domain.names import match, name_key
from mushcombat.domain.openings import TAGS
from mushcombat.errors import MushError
from mushcombat.records import record

State = Literal["on", "off", "left"]
"""Whether somebody hears a channel; `off` is on it, but hears nothing."""

KEPT = 500
"""Lines that are kept of each channel; a few more until they are cleared away."""

LONGEST_NAME, LONGEST_ALIAS = 16, 12

_NAME = re.compile(rf"[A-Za-z][A-Za-z0-9-]{{1,{LONGEST_NAME - 1}}}")
_ALIAS = re.compile(rf"[a-z][a-z0-9-]{{1,{LONGEST_ALIAS - 1}}}")


@record(frozen=True, slots=True)
class Channel:
    """A channel; logins of `role` or more may be on it. `alias` is typed behind a `+`."""

    id: int
    name: str
    alias: str
    role: Role
    everyone: bool

    def open_to(self, actor: Actor) -> bool:
        """Tell whether it exists for somebody."""
        return actor.role >= self.role

    def is_called(self, word: str) -> bool:
        """Tell whether a whole word is its name or its alias."""
        return name_key(word) in {name_key(self.name), self.alias}


def find_channel(typed: str, channels: Iterable[Channel]) -> Channel:
    """Find the channel that is meant; MushError for none, or several."""
    known = list(channels)
    word = typed.strip().removeprefix("+")
    found = [one for one in known if one.is_called(word)]
    found = found or match(word, ((one.name, one) for one in known))
    if len(found) == 1:
        return found[0]
    if not found:
        raise MushError("channel", f'There is no channel "{word[:40]}".', "+channel lists them.")
    names = " or ".join(one.name for one in found)
    raise MushError("channel", f'"{word[:40]}" could be {names}.', "Type more of the name.")


def check_channel(name: str, alias: str) -> tuple[str, str]:
    """Check what a channel is to be called; MushError with the reason.

    A name has 2 to 16 letters, digits and hyphens, a letter first, and is no tag of the server's
    own lines; an alias 2 to 12, in small letters.
    """
    alias = alias.removeprefix("+").casefold()
    if not _NAME.fullmatch(name):
        hint = f"2 to {LONGEST_NAME} letters, digits or hyphens, a letter first."
        raise MushError("name", "A channel can't be called that.", hint)
    if not _ALIAS.fullmatch(alias):
        hint = f"2 to {LONGEST_ALIAS} letters, digits or hyphens, a letter first."
        raise MushError("alias", "A channel can't have that alias.", hint)
    if name.casefold() in TAGS:
        raise MushError("name", f"Lines of the server itself begin with [{name}].", "Pick another.")
    return name, alias


@record(frozen=True, slots=True)
class ChannelSpoken(Event):
    """The actor said something on a channel; `text` as typed, a `:` or `;` before a pose.

    It is kept with its channel, not in a log.
    """

    kind: ClassVar[str] = "channel.spoken"
    ignorable: ClassVar[bool] = True
    channel: int
    name: str
    text: str


@record(frozen=True, slots=True)
class ChannelMade(Event):
    """Staff made a channel."""

    kind: ClassVar[str] = "channel.made"
    channel: int
    name: str
    alias: str
    role: str
    everyone: bool


@record(frozen=True, slots=True)
class ChannelDeleted(Event):
    """Staff took a channel away, with what was said on it."""

    kind: ClassVar[str] = "channel.deleted"
    channel: int
    name: str


@record(frozen=True, slots=True)
class ChannelSet(Event):
    """The actor hears a channel from here on, or no longer; nobody else is told."""

    kind: ClassVar[str] = "channel.set"
    channel: int
    name: str
    state: State


CHANNEL_EVENTS: tuple[type[Event], ...] = (ChannelSpoken, ChannelMade, ChannelDeleted, ChannelSet)


class ChannelReads(Protocol):
    """Reading channels."""

    def channels(self) -> list[Channel]:
        """Give all channels, in the order of their making."""
        ...

    def channel_lines(self, channel: int, count: int) -> list[Fact]:
        """Give the last lines of a channel, at most `count`, in order."""
        ...


class ChannelWrites(Protocol):
    """Writing channels; their lines are kept by the writer itself, like those of logs."""

    def make_channel(
        self, name: str, alias: str, role: Role, now: datetime, *, everyone: bool
    ) -> Channel:
        """Make a channel; MushError when its name or alias is another's."""
        ...

    def delete_channel(self, channel: int) -> None:
        """Take a channel away, with its lines."""
        ...

    def set_channel(self, channel: int, character: int, state: State) -> None:
        """Note whether a player hears a channel."""
        ...
