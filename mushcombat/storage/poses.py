"""Reading poses back, and which scenes somebody may know of."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select

from mushcombat.domain.events import Fact, Spoken
from mushcombat.storage.fights import UNSPOKEN, FightReads, fact_of
from mushcombat.storage.schema import LogRow, Participant, SceneRow


class PoseReads(FightReads):
    """The part of a store that reads what was posed."""

    def actions(self, scene: int, actions: Sequence[int]) -> list[Fact]:
        """Give all rows of some actions, in the log's order."""
        return self._facts(LogRow.scene_id == scene, LogRow.action.in_(actions))

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
        wanted = [LogRow.scene_id == scene, LogRow.kind.in_(kinds), LogRow.seq > since]
        if actors is not None:
            wanted.append(LogRow.actor_id.in_(actors))
        if before is not None:
            wanted.append(LogRow.seq < before)
        order = LogRow.seq.desc()
        if Spoken.kind not in kinds:
            wanted.append(UNSPOKEN)
            order = (LogRow.seq + 0).desc()  # else the log is read backwards until all are found
        rows = self._session.scalars(select(LogRow).where(*wanted).order_by(order).limit(count))
        return [fact_of(row, self._codec) for row in rows][::-1]

    def _known_to(self, character: int, count: int, skip: int) -> tuple[list[int], int]:
        """Give numbers of scenes that exist for a character, newest first, and how many do."""
        theirs = select(Participant.scene_id).where(
            Participant.character_id == character,
            Participant.joined_at.is_not(None) | Participant.invited,
        )
        known = select(SceneRow.id).where(
            SceneRow.status != "ledger", SceneRow.private.is_(False) | SceneRow.id.in_(theirs)
        )
        total = self._session.scalar(select(func.count()).select_from(known.subquery())) or 0
        page = known.order_by(SceneRow.id.desc()).offset(skip).limit(count)
        return [*self._session.scalars(page)], total
