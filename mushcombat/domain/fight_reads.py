"""What may be asked of storage about fights, and about what the clock has to do in them."""

from __future__ import annotations

from typing import Protocol

from mushcombat.domain.fight import Combatant, Fight, Pending


class FightReads(Protocol):
    """Reading trackers: the reader pool and the writer both can."""

    def fight(self, scene: int) -> Fight | None:
        """Give the fight of a scene, the last one if it is over."""
        ...

    def combatants(self, scene: int) -> list[Combatant]:
        """Give who is in the fight of a scene, by their places."""
        ...

    def pending(self, scene: int) -> list[Pending]:
        """Give the actions under way in a scene, in order."""
        ...

    def due(self, now: int) -> list[tuple[int, int]]:
        """Give scene and action of what has waited long enough at `now`, in seconds."""
        ...

    def stuns_over(self, now: int) -> list[tuple[int, str]]:
        """Give character and system of each stun that the clock has ended at `now`."""
        ...
