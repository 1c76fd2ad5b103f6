"""Facts in few words: what a reader of a transcript needs beside the poses."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mushcombat.domain.events import Event, Fact
from mushcombat.domain.fight import FightStarted, FightStopped, OrderMade, TurnBegan
from mushcombat.systems.system import Describe, System
from mushcombat.views.plain import PlainView

_TAG = re.compile(r"\[\w+\] ")

_WORKINGS = frozenset({FightStarted, FightStopped, OrderMade, TurnBegan})
"""What steers a fight and decides nothing in it."""


class BriefView:
    """Renders outcomes, and nothing for what only leads to one."""

    def __init__(self, systems: Iterable[System], plain: PlainView) -> None:
        self._plain = plain
        self._brief: dict[type[Event], Describe] = {}
        self._steps: set[type[Event]] = set()
        for system in systems:
            self._brief.update(system.brief)
            self._steps |= system.steps

    def render(self, fact: Fact) -> str:
        """Write a fact without its tag and number; '' if it is but a step on the way."""
        opens = fact.seq == fact.action
        if type(fact.event) in _WORKINGS or (type(fact.event) in self._steps and not opens):
            return ""
        describe = self._brief.get(type(fact.event))
        if describe:
            return describe(fact.event, fact.actor.name)
        return _TAG.sub("", self._plain.render(fact), count=1).removesuffix(f" #{fact.action}")
