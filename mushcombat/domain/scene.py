"""Scenes: who is in one, and where it sits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields, replace
from datetime import datetime

from mushcombat.records import record

RULES = ("mode", "rolls", "health", "atmosphere", "gravity", "luck")
"""Properties of a scene that its fights are refereed by."""


@record(frozen=True, slots=True)
class Scene:
    """A scene as it stands.

    `hidden` are NPCs that only its referees know of. `consents` are the answers of those who took
    part to sharing the transcript: yes, no, out (left out by name). `shut_out` are those who had
    left it before it became private; `away` its referees who have left, and are so again when they
    come back.
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
    shut_out: frozenset[int] = field(default_factory=frozenset)
    away: frozenset[int] = field(default_factory=frozenset)

    def visible_to(self, character: int) -> bool:
        """Whether the scene exists for somebody: a private one only for its own people.

        Those are who is in it or invited, and who left it while it was private.
        """
        knew = character in self.took_part and character not in self.shut_out
        return not self.private or knew or character in self.invited

    def joined_by(self, character: int) -> Scene:
        """Give the scene with somebody in it."""
        them = frozenset({character})
        return replace(
            self,
            participants=self.participants | them,
            took_part=self.took_part | them,
            shut_out=self.shut_out - them,
            referees=self.referees | self.away & them,
            away=self.away - them,
        )

    def left_by(self, character: int) -> Scene:
        """Give the scene without somebody, who does not referee it meanwhile either."""
        them = frozenset({character})
        return replace(
            self,
            participants=self.participants - them,
            referees=self.referees - them,
            away=self.away | self.referees & them,
        )

    def moved(self, room: int, *, private: bool) -> Scene:
        """Give the scene as a private or a public one, in a room."""
        before = self.shut_out | self.took_part - self.participants
        shut_out = self.shut_out if self.private else before
        return replace(
            self, private=private, room=room, shut_out=shut_out if private else frozenset()
        )


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
