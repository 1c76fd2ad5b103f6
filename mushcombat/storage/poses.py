"""Reading poses and acts back, and which scenes somebody may know of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, func, select

from mushcombat.domain.events import GAME_LEDGER, Fact, Spoken
from mushcombat.domain.state import StateChanged
from mushcombat.storage.fights import BEHIND_ROW, LOGGED, OF_KINDS, UNSPOKEN, FightReads
from mushcombat.storage.schema import BIGGEST, LogRow, Participant, SceneRow

_BETWEEN = LOGGED.where(*BEHIND_ROW, OF_KINDS, LogRow.seq < bindparam("b_before"))
_TAIL = _BETWEEN.order_by(LogRow.seq.desc()).limit(bindparam("b_count"))
_RARE_TAIL = _BETWEEN.where(UNSPOKEN).order_by((LogRow.seq + 0).desc()).limit(bindparam("b_count"))
"""By a sum, which no index is in the order of: else the log is read backwards to its beginning."""


class PoseReads(FightReads):
    """The part of a store that reads what was posed."""

    def tail(
        self,
        scene: int,
        kinds: Sequence[str],
        count: int,
        *,
        actors: Sequence[int] | None = None,
        before: int | None = None,
        since: int = 0,
    ) -> list[Fact]:
        """Give the last rows of certain kinds, at most `count`, in the log's order."""
        wanted: dict[str, Any] = {"b_scene": scene, "b_since": since, "b_kinds": tuple(kinds)}
        wanted |= {"b_count": count, "b_before": BIGGEST if before is None else before}
        rows = _TAIL if Spoken.kind in kinds else _RARE_TAIL
        if actors is not None:
            rows = rows.where(LogRow.actor_id.in_(actors))
        return self._run(rows, wanted)[::-1]

    def acts(self, actors: Sequence[int], count: int) -> list[Fact]:
        """Give the last rows of the game's ledger that some wrote, in its order, but changes."""
        theirs = LogRow.scene_id == GAME_LEDGER, LogRow.actor_id.in_(actors)
        rows = LOGGED.where(*theirs, LogRow.kind != StateChanged.kind)
        return self._run(rows.order_by(LogRow.seq.desc()).limit(count), {})[::-1]

    def _known_to(self, character: int, count: int, skip: int) -> tuple[list[int], int]:
        """Give numbers of scenes that exist for a character, newest first, and how many do."""
        theirs = select(Participant.scene_id).where(
            Participant.character_id == character,
            (Participant.joined_at.is_not(None) & ~Participant.shut_out) | Participant.invited,
        )
        known = select(SceneRow.id).where(
            SceneRow.status != "ledger", SceneRow.private.is_(False) | SceneRow.id.in_(theirs)
        )
        total = self._session.scalar(select(func.count()).select_from(known.subquery())) or 0
        page = known.order_by(SceneRow.id.desc()).offset(skip).limit(count)
        return [*self._session.scalars(page)], total
