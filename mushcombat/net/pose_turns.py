"""Tells whose turn to pose it is, in scenes that keep an order: them alone, and once."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial

from twisted.python.failure import Failure

from mushcombat.domain.events import Audience, Draft, Fact
from mushcombat.domain.poses import in_character
from mushcombat.domain.pot import Waiting
from mushcombat.domain.scene_events import PoseSkipped, PoseTurn
from mushcombat.net.game import Game
from mushcombat.service.clock import CLOCK
from mushcombat.service.pot import next_in_order

log = logging.getLogger(__name__)


class PoseTurns:
    """Looks into the log after each pose in such a scene; what it told last is all it keeps."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._told: dict[int, tuple[int, int]] = {}

    def look(self, facts: Sequence[Fact]) -> None:
        """Take facts that were shown."""
        for fact in facts if self._game.company.leads else ():
            scene = self._game.world.scenes.get(fact.ledger or 0)
            passes = isinstance(fact.event, PoseSkipped) or in_character(fact)
            if scene is not None and scene.pose_order == "order" and passes:
                self._ask(scene.id, fact.actor.id)

    def _ask(self, scene: int, poser: int) -> None:
        present = frozenset(self._game.world.online)
        answer = self._game.read(lambda store: next_in_order(store, scene, present))
        answer.addCallbacks(partial(self._tell, scene, poser), self._failed)

    def _tell(self, scene: int, poser: int, turn: Waiting | None) -> None:
        """Tell who is next, unless they have posed just now, or were told for this turn."""
        room = self._game.world.scenes[scene].room if scene in self._game.world.scenes else None
        if turn is None or room is None or turn.id == poser:
            return
        mark = turn.id, turn.since
        if self._told.get(scene) != mark:
            self._told[scene] = mark
            draft = Draft(PoseTurn(turn.id, scene), Audience.PRIVATE)
            self._game.show(CLOCK, room, [draft])

    @staticmethod
    def _failed(failure: Failure) -> None:
        log.warning("looking for whose pose it is failed: %s", failure.getErrorMessage())
