"""Reading trackers, pending actions and single actions of a log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import literal_column, select
from sqlalchemy.orm import Session

from mushcombat.domain.events import Audience, Fact, Spoken, Who
from mushcombat.domain.fight import Combatant, Fight, Pending
from mushcombat.domain.state import Row, read_field
from mushcombat.storage.codec import Codec
from mushcombat.storage.schema import CharacterRow, LogRow, Participant, SceneRow
from mushcombat.storage.schema_fights import CombatantRow, ConditionRow, FightRow, PendingRow
from mushcombat.storage.state import THINGS, row_of

_PAUSED = select(SceneRow.id).where(SceneRow.status == "open", SceneRow.paused)
_RESTING_PLAYERS = select(Participant.character_id).where(
    Participant.scene_id.in_(_PAUSED),
    Participant.joined_at.is_not(None),
    Participant.left_at.is_(None),
)
_RESTING_NPCS = select(CharacterRow.id).where(CharacterRow.scene_id.in_(_PAUSED))
UNSPOKEN = LogRow.kind != literal_column(f"'{Spoken.kind}'")
"""What the index of rare kinds is of, in its words: only so SQLite knows that it serves."""


class FightReads:
    """The part of a store that reads fights."""

    def __init__(self, session: Session, codec: Codec) -> None:
        self._session = session
        self._codec = codec

    def fight(self, scene: int) -> Fight | None:
        """Give the fight of a scene, the last one if it is over."""
        row = self._session.get(FightRow, scene)
        return Fight(scene, row.phase, row.round, row.turn) if row else None

    def combatants(self, scene: int) -> list[Combatant]:
        """Give who is in the fight of a scene, by their places."""
        rows = self._session.execute(
            select(CombatantRow, CharacterRow.name, CharacterRow.account_id)
            .join(CharacterRow, CharacterRow.id == CombatantRow.character_id)
            .where(CombatantRow.scene_id == scene)
            .order_by(CombatantRow.place, CombatantRow.character_id)
        )
        return [
            Combatant(
                scene,
                row.character_id,
                name,
                tuple(json.loads(row.rank)),
                row.place,
                row.late,
                row.state,
                account is not None,
            )
            for row, name, account in rows
        ]

    def pending(self, scene: int) -> list[Pending]:
        """Give the actions under way in a scene, in order."""
        rows = self._session.scalars(
            select(PendingRow).where(PendingRow.scene_id == scene).order_by(PendingRow.action)
        )
        return [_pending(row) for row in rows]

    def due(self, now: int) -> list[tuple[int, int]]:
        """Give scene and action of what has waited long enough at `now`, in seconds."""
        rows = self._session.execute(
            select(PendingRow.scene_id, PendingRow.action)
            .join(SceneRow, SceneRow.id == PendingRow.scene_id)
            .where(PendingRow.due <= now, SceneRow.status == "open", SceneRow.paused.is_(False))
        )
        return [(row.scene_id, row.action) for row in rows]

    def stuns_over(self, now: int) -> list[tuple[int, str]]:
        """Give character and system of each stun that the clock has ended at `now`.

        Those of people in a paused scene wait.
        """
        them = ConditionRow.character_id
        rows = self._session.execute(
            select(them, ConditionRow.system).where(
                ConditionRow.stunned_until <= now,
                them.not_in(_RESTING_PLAYERS),
                them.not_in(_RESTING_NPCS),
            )
        )
        return [(row.character_id, row.system) for row in rows]

    def action(self, scene: int, action: int) -> list[Fact]:
        """Give all rows of one action."""
        return self._facts(LogRow.scene_id == scene, LogRow.action == action)

    def held(self, thing: str, key: str) -> Row | None:
        """Give what there is of a thing that can be undone, its key as a change has it."""
        row = row_of(self._session, thing, json.loads(key))
        if row is None:
            return None
        return {field: read_field(value) for field, value in THINGS[thing].values(row).items()}

    def kinds(self, scene: int, kinds: Sequence[str], since: int = 0) -> list[Fact]:
        """Give the rows of a log that are of certain kinds, behind row `since`, in order."""
        whole = LogRow.audience != Audience.OTHERS.value
        wanted = LogRow.scene_id == scene, LogRow.seq > since, LogRow.kind.in_(kinds)
        unspoken = () if Spoken.kind in kinds else (UNSPOKEN,)
        return self._facts(*wanted, *unspoken, whole)

    def _facts(self, *conditions: Any) -> list[Fact]:
        """Give the rows that conditions find, in the log's order.

        They are sorted here: asked for the order, SQLite would rather read the whole log in it
        than sort the few rows that an index finds.
        """
        rows = self._session.scalars(select(LogRow).where(*conditions))
        return [fact_of(row, self._codec) for row in sorted(rows, key=lambda row: row.seq)]


def _pending(row: PendingRow) -> Pending:
    return Pending(
        row.scene_id,
        row.action,
        row.kind,
        row.actor_id,
        row.stage,
        row.owner_id,
        row.due,
        row.state,
    )


def fact_of(row: LogRow, codec: Codec) -> Fact:
    """Read a logged row as the fact it was."""
    return Fact(
        codec.load(row.kind, row.version, row.payload, row.plain),
        Who(row.actor_id, row.actor_name),
        row.at,
        Audience(row.audience),
        None,
        row.scene_id,
        row.seq,
        row.action,
        row.head,
    )
