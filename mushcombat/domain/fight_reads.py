"""What may be asked of storage about fights, and about what the clock has to do in them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Protocol, TypeVar

from mushcombat.domain.fight import Combatant, Fight, Pending
from mushcombat.domain.state import Change

T = TypeVar("T")


class FightReads(Protocol):
    """Reading trackers: the reader pool and the writer both can."""

    def made(self, kind: str, key: Hashable, parts: tuple[object, ...], make: Callable[[], T]) -> T:
        """Give what is made of parts that were read here, and of nothing else.

        The writer makes it anew only when one of them is another than the last time.
        """
        ...

    def fight(self, scene: int) -> Fight | None:
        """Give the fight of a scene, the last one if it is over."""
        ...

    def combatants(self, scene: int) -> list[Combatant]:
        """Give who is in the fight of a scene, by their places."""
        ...

    def pending(self, scene: int) -> list[Pending]:
        """Give the actions under way in a scene, in order."""
        ...

    def harmed(
        self, scene: int, system: str, kind: str, characters: Sequence[int]
    ) -> list[tuple[int, int]]:
        """Give who of them took harm of a kind in a scene, and by which of its actions."""
        ...

    def due(self, now: int) -> list[tuple[int, int]]:
        """Give scene and action of what has waited long enough at `now`, in seconds."""
        ...

    def stuns_over(self, now: int) -> list[tuple[int, str]]:
        """Give character and system of each stun that the clock has ended at `now`."""
        ...


class StateWrites(Protocol):
    """What a job has changed of sheets and trackers: the writer alone knows."""

    def noted(self) -> tuple[Change, ...]:
        """Give what the job has changed so far, and forget it: it is for a row of its own.

        The writer notes in the job's last action what is left.
        """
        ...
