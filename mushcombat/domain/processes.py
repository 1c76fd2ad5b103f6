"""What processes that are one game tell each other beside facts that players see.

Who is connected to which process, for the pictures that each keeps: never logged, never shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar

from mushcombat.domain.bans import Ban
from mushcombat.domain.channels import Channel
from mushcombat.domain.character import Role
from mushcombat.domain.events import Event
from mushcombat.domain.ports import Place
from mushcombat.domain.scene import Scene
from mushcombat.domain.settings import NOTHING_CHOSEN, Settings
from mushcombat.records import record

RENEWED = 3.0
"""Seconds between two renewals of a process's lease."""

DEAD = 9
"""Seconds after which a process that did not renew its lease counts as dead."""


@record(frozen=True, slots=True)
class Standing:
    """A player who is connected to a process: all that another process has to know of them."""

    process: int
    character: int
    name: str
    role: Role
    account: int
    room: int
    description: str
    doing: str
    since: datetime
    active: datetime
    settings: Settings = NOTHING_CHOSEN


@record(frozen=True, slots=True)
class PictureEvent(Event):
    """Something for the servers' own pictures alone."""


@record(frozen=True, slots=True)
class PlayerCame(PictureEvent):
    """A player has a connection to a process, where they had none."""

    kind: ClassVar[str] = "player.came"
    standing: Standing


@record(frozen=True, slots=True)
class PlayerWent(PictureEvent):
    """A player's last connection to a process is gone, or the process is."""

    kind: ClassVar[str] = "player.went"
    process: int
    character: int


@record(frozen=True, slots=True)
class PlayersStirred(PictureEvent):
    """Players of a process typed something since it told last: by character, when.

    `away` is what those do instead who are away.
    """

    kind: ClassVar[str] = "players.stirred"
    active: Mapping[int, datetime]
    away: Mapping[int, str]


@record(frozen=True, slots=True)
class WorldLoaded(PictureEvent):
    """All anew, as stored: for a process that lost touch with the others for a while."""

    kind: ClassVar[str] = "world.loaded"
    places: tuple[Place, ...]
    scenes: tuple[Scene, ...]
    names: Mapping[int, str]
    channels: tuple[Channel, ...]
    bans: tuple[Ban, ...]
    standings: tuple[Standing, ...]


PICTURE_EVENTS: tuple[type[Event], ...] = (PlayerCame, PlayerWent, PlayersStirred)
"""What crosses from one process to another; a world is loaded by each for itself."""
