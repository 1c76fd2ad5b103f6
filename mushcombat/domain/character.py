"""Who acts: roles, characters, and what is on a sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import IntEnum

from mushcombat.records import record


class Role(IntEnum):
    """What a login may do; each may do what those before it may."""

    GUEST = 0
    PLAYER = 1
    STAFF = 2
    ADMIN = 3

    @classmethod
    def named(cls, word: str) -> Role:
        """Find a role by its name, in any case; KeyError if there is none."""
        return cls[word.upper()]

    def __str__(self) -> str:
        return self.name.lower()


@record(frozen=True, slots=True)
class Actor:
    """Who typed a command."""

    id: int
    name: str
    role: Role
    account: int

    @property
    def is_guest(self) -> bool:
        """Whether they are a guest, gone for good when they disconnect."""
        return self.role is Role.GUEST

    @property
    def is_staff(self) -> bool:
        """Whether they are staff or more."""
        return self.role >= Role.STAFF


@record(frozen=True, slots=True)
class Character:
    """A character as stored: a player's, or an NPC of one scene."""

    id: int
    name: str
    room: int
    description: str = ""
    doing: str = ""
    role: Role = Role.PLAYER
    account: int | None = None
    scene: int | None = None


@record(frozen=True, slots=True)
class Condition:
    """How a character is in one system: points of harm and stun, and what the clock does.

    `stunned_until` in seconds since 1970; the days are counted from then.
    """

    harm: int = 0
    stun: int = 0
    dead: bool = False
    stunned_until: int | None = None
    healed_day: int | None = None
    rested_day: int | None = None
    luck_used: int = 0


@record(frozen=True, slots=True)
class Item:
    """Something carried; `in_use` is wielded or worn."""

    name: str
    count: int
    in_use: bool = False


@record(frozen=True, slots=True)
class Sheet:
    """A character's traits in one system: level by trait name, by group ("attribute", "skill")."""

    character: int
    name: str
    system: str
    traits: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    quirks: tuple[str, ...] = ()

    def level(self, group: str, trait: str) -> int | None:
        """Give the level that was set; None when it is unset."""
        return self.traits.get(group, {}).get(trait)
