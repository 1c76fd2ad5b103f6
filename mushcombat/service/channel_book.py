"""The channels as the reactor knows them, and how `+pub hello` becomes a command."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from mushcombat.domain.channels import Channel, ChannelDeleted, ChannelMade, find_channel
from mushcombat.domain.character import Actor, Role

if TYPE_CHECKING:
    from mushcombat.service.presence import Presence

SWITCHES = ("join", "leave", "on", "off", "who", "recall")
"""What can be typed behind a channel's alias: `+pub/who`."""

_LINE = re.compile(r"\+?([A-Za-z][A-Za-z0-9-]*)(?:/([A-Za-z]+))?(?:\s+(.*))?", re.DOTALL)


class Channels:
    """All channels; a line asks no database who hears it."""

    def __init__(self) -> None:
        self._channels: dict[int, Channel] = {}

    def load(self, channels: Iterable[Channel]) -> None:
        """Take in what the database holds at the start."""
        self._channels = {channel.id: channel for channel in channels}

    def known_to(self, actor: Actor) -> list[Channel]:
        """Give the channels that exist for somebody, in the order of their making."""
        return [one for one in [*self._channels.values()] if one.open_to(actor)]

    def find(self, typed: str, actor: Actor) -> Channel:
        """Find the channel that somebody means; MushError for none, or several."""
        return find_channel(typed, self.known_to(actor))

    def hears(self, presence: Presence, channel: int | None) -> bool:
        """Tell whether somebody who is connected is shown what is said on a channel."""
        found = self._channels.get(channel or 0)
        return found is not None and presence.settings.state(found, presence.actor) == "on"

    def command(self, line: str, actor: Actor) -> str | None:
        """Give the command that `+pub hello`, or `+pub/who`, stands for; None for another line."""
        found = _LINE.fullmatch(line.strip())
        channels = [one for one in self.known_to(actor) if found and one.is_called(found[1])]
        if found is None or not channels:
            return None
        name, switch, text = channels[0].name, (found[2] or "").casefold(), found[3] or ""
        if not switch:
            return f"+channel/say {name}={text}"
        if switch not in SWITCHES:
            return None
        rest = f"={text.removeprefix('=')}" if text else ""
        return f"+channel/{switch} {name}{rest}"

    def made(self, event: ChannelMade) -> None:
        """Take in a new one."""
        role = Role.named(event.role)
        made = Channel(event.channel, event.name, event.alias, role, event.everyone)
        self._channels[made.id] = made

    def deleted(self, event: ChannelDeleted) -> None:
        """Forget one."""
        self._channels.pop(event.channel, None)
