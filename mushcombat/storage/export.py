"""Reading a log for export, row by row: memory stays the same however long it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from mushcombat.domain.ledger import Row, timestamp
from mushcombat.domain.transcripts import LoggedRow
from mushcombat.storage.codec import Codec
from mushcombat.storage.fights import fact_of
from mushcombat.storage.schema import LogRow

CHUNK = 500
"""Rows fetched at a time."""


def exported_rows(session: Session, codec: Codec, ledger: int, last: int) -> Iterator[LoggedRow]:
    """Give the rows of a log in order, up to number `last`: others may come while we read."""
    after = 0
    while True:
        rows = session.scalars(
            select(LogRow)
            .where(LogRow.scene_id == ledger, LogRow.seq > after, LogRow.seq <= last)
            .order_by(LogRow.seq)
            .limit(CHUNK)
        ).all()
        if not rows:
            return
        for row in rows:
            yield LoggedRow(fact_of(row, codec), _hashed(row), row.salt, row.digest)
        after = rows[-1].seq
        session.expunge_all()


def _hashed(row: LogRow) -> dict[str, Any]:
    return Row(
        scene=row.scene_id,
        seq=row.seq,
        at=timestamp(row.at),
        actor=row.actor_id,
        name=row.actor_name,
        kind=row.kind,
        version=row.version,
        payload=json.loads(row.payload),
        audience=row.audience,
        action=row.action,
        era=row.era,
        dice_from=row.dice_from,
        dice_to=row.dice_to,
    ).as_json()
