"""Scenes: who is in one, and where it sits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from datetime import datetime

from mushcombat.records import record

RULES = ("mode", "rolls", "health", "atmosphere", "gravity", "luck")
"""Properties of a scene that its fights are refereed by."""


@record(frozen=True, slots=True)
class Scene:
    """A scene as it stands.

    `hidden` are NPCs that only its referees know of. `consents` are the answers of those who took
    part to sharing the transcript: yes, no, out (left out by name).
    """

    id: int
    title: str
    system: str
    room: int
    owner: int
    private: bool
    open: bool
    opened_at: datetime
    closed_at: datetime | None = None
    participants: frozenset[int] = field(default_factory=frozenset)
    referees: frozenset[int] = field(default_factory=frozenset)
    invited: frozenset[int] = field(default_factory=frozenset)
    took_part: frozenset[int] = field(default_factory=frozenset)
    npcs: Mapping[int, str] = field(default_factory=dict)
    mode: str = "normal"
    rolls: str = "auto"
    atmosphere: bool = True
    gravity: bool = True
    health: str = "numbers"
    luck: bool = True
    summary: str = ""
    ic_date: str = ""
    location: str = ""
    warning: str = ""
    kind: str = ""
    zone: str = "UTC"
    pose_order: str = "free"
    pacing: str = "live"
    paused: bool = False
    sharing: bool = False
    hidden: frozenset[int] = field(default_factory=frozenset)
    consents: Mapping[int, str] = field(default_factory=dict)

    def visible_to(self, character: int) -> bool:
        """Whether the scene exists for somebody: a private one only for its own people."""
        return not self.private or character in self.took_part or character in self.invited


def fight_settings(scene: Scene, *, unusual: bool = False) -> str:
    """Write how its fights are refereed: "mode strict, gravity no".

    `unusual`: only what is not as in a new scene, '' where everything is.
    """
    first = {each.name: each.default for each in fields(Scene)}
    told = {name: getattr(scene, name) for name in RULES}
    words = {name: {True: "yes", False: "no"}.get(value, value) for name, value in told.items()}
    return ", ".join(
        f"{name} {word}" for name, word in words.items() if not unusual or told[name] != first[name]
    )
