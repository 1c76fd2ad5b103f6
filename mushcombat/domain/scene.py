"""Scenes: who is in one, and where it sits."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene as it stands."""

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

    def visible_to(self, character: int) -> bool:
        """Whether the scene exists for somebody: a private one only for its own people."""
        return not self.private or character in self.took_part or character in self.invited
