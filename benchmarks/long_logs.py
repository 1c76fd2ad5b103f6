"""Writing a very long log quickly: as the writer would, but without asking it row by row."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, insert, select, update
from sqlalchemy import Row as SqlRow

from mushcombat.domain.ledger import Row, digest, link, timestamp
from mushcombat.storage.engine import open_engine
from mushcombat.storage.ledgers import SALT_BYTES
from mushcombat.storage.schema import LogRow, SceneRow

BATCH = 5_000
STEP = timedelta(milliseconds=10)

Model = tuple[SqlRow[Any], dict[str, Any]]
"""A row to repeat, and its payload, read."""


def lengthen(url: str, scene: int, first: int, last: int) -> None:
    """Repeat the rows of a log from row `first` on, in turns, until it ends with row `last`.

    Numbers, salts, digests and the chain are made as the writer makes them, so that `verify`
    finds nothing wrong. The rows must show no dice, and nobody may have the scene in hand.
    """
    engine = open_engine(url)
    try:
        with engine.begin() as connection:
            _repeat(connection, scene, first, last)
    finally:
        engine.dispose()


def _repeat(connection: Connection, scene: int, first: int, last: int) -> None:
    log = select(LogRow.__table__).where(LogRow.scene_id == scene, LogRow.seq >= first)
    models = connection.execute(log.order_by(LogRow.seq)).all()
    head, seq = models[-1].head, models[-1].seq
    chain = _chained([(row, json.loads(row.payload)) for row in models], seq, head)
    while seq < last:
        rows = [*itertools.islice(chain, min(BATCH, last - seq))]
        connection.execute(insert(LogRow), rows)
        seq, head = rows[-1]["seq"], rows[-1]["head"]
    there = update(SceneRow).where(SceneRow.id == scene)
    connection.execute(there.values(next_seq=seq + 1, head=head))


def _chained(models: list[Model], seq: int, head: str) -> Iterator[dict[str, Any]]:
    """Give the columns of row after row, the first behind row `seq` with that head."""
    at = models[-1][0].at
    for row, payload in itertools.cycle(models):
        seq, at = seq + 1, at + STEP
        salt = os.urandom(SALT_BYTES).hex()
        own = digest(salt, _hashed(row, payload, seq, at))
        head = link(head, own)
        new = {"seq": seq, "at": at, "action": seq, "salt": salt, "digest": own, "head": head}
        yield {**row._mapping, **new, "job": f"{row.scene_id:08x}{seq:024x}", "part": 0}


def _hashed(row: SqlRow[Any], payload: dict[str, Any], seq: int, at: datetime) -> dict[str, Any]:
    return Row(
        scene=row.scene_id,
        seq=seq,
        at=timestamp(at),
        actor=row.actor_id,
        name=row.actor_name,
        kind=row.kind,
        version=row.version,
        payload=payload,
        audience=row.audience,
        action=seq,
        era=row.era,
        dice_from=row.dice_from,
        dice_to=row.dice_to,
    ).as_json()
