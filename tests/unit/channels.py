"""Channels and players' choices in memory."""

from __future__ import annotations

from datetime import datetime

from mushcombat.domain.channels import Channel, ChannelSet, ChannelSpoken, State
from mushcombat.domain.character import Role
from mushcombat.domain.events import Audience, Event, Fact, Who
from mushcombat.domain.settings import (
    Contact,
    Ignored,
    PagesLocked,
    Settings,
    Watched,
    WatchedAll,
    settings_after,
)

PUBLIC = Channel(1, "Public", "pub", Role.GUEST, everyone=True)
STAFF = Channel(2, "Staff", "staff", Role.STAFF, everyone=True)


def said(text: str, actor: Who, at: datetime, channel: Channel = PUBLIC) -> Fact:
    event = ChannelSpoken(channel.id, channel.name, text)
    return Fact(event, actor, at, Audience.CHANNEL)


class MemoryChannels:
    """The part of a store in memory that channels and choices need."""

    def __init__(self) -> None:
        super().__init__()
        self.known = [PUBLIC, STAFF]
        self.said: dict[int, list[Fact]] = {}
        self.chosen: dict[int, Settings] = {}
        self.left: dict[int, int | None] = {}

    def channels(self) -> list[Channel]:
        return list(self.known)

    def channel_lines(self, channel: int, count: int) -> list[Fact]:
        return self.said.get(channel, [])[-count:]

    def settings(self, character: int) -> Settings:
        return self.chosen.get(character, Settings())

    def left_from(self, character: int) -> int | None:
        return self.left.get(character)

    def make_channel(
        self, name: str, alias: str, role: Role, now: datetime, *, everyone: bool
    ) -> Channel:
        made = Channel(len(self.known) + 1, name, alias, role, everyone)
        self.known.append(made)
        return made

    def delete_channel(self, channel: int) -> None:
        self.known = [one for one in self.known if one.id != channel]

    def _choose(self, character: int, event: Event) -> None:
        self.chosen[character] = settings_after(self.settings(character), event)

    def set_channel(self, channel: int, character: int, state: State) -> None:
        self._choose(character, ChannelSet(channel, "", state))

    def set_contact(self, character: int, kind: Contact, other: int, *, on: bool) -> None:
        event = Ignored if kind == "ignore" else Watched
        self._choose(character, event(other, "", on))

    def watch_all(self, character: int, *, on: bool) -> None:
        self._choose(character, WatchedAll(on))

    def lock_pages(self, character: int, *, on: bool) -> None:
        self._choose(character, PagesLocked(on))

    def leave_from(self, character: int, room: int | None) -> None:
        self.left[character] = room
