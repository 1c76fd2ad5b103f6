"""What a brief screen leaves out: the steps of an action whose result tells it all."""

from __future__ import annotations

from collections.abc import Iterable

from mushcombat.domain.events import Event, Fact
from mushcombat.systems.system import System
from mushcombat.views.side import Side


class FewWords:
    """Knows of every system what only leads to a result."""

    def __init__(self, systems: Iterable[System]) -> None:
        self._steps: set[type[Event]] = set()
        self._openings: set[type[Event]] = set()
        for system in systems:
            self._steps |= system.steps | system.workings
            self._openings |= system.openings

    def opens(self, fact: Fact) -> bool:
        """Tell whether an action may open with a fact: then it matters who acts."""
        return type(fact.event) in self._openings

    def leaves_out(self, fact: Fact, side: Side) -> bool:
        """Tell whether a result that follows tells enough of it; who acts sees their action open.

        A roll that opens an action of its own is no step of another.
        """
        kind = type(fact.event)
        if kind in self._openings:
            return side is Side.OTHER
        return kind in self._steps and fact.seq != fact.action
