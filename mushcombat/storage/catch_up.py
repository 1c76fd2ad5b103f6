"""Reading what other processes did, also for one that lost touch with them for a while."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from mushcombat.domain.events import Audience, Fact
from mushcombat.domain.processes import WorldLoaded
from mushcombat.service.clock import CLOCK
from mushcombat.storage.bulletins import Board, Group, LostTouchError
from mushcombat.storage.codec import Codec
from mushcombat.storage.presences import standings
from mushcombat.storage.reads import ReadStore
from mushcombat.storage.schema import SceneRow

MOST = 1000
"""Rows of one log that are shown afterwards; who missed more reads them with +scene/log."""


def look_round(session: Session, board: Board, codec: Codec, now: datetime) -> list[Group]:
    """Give what others have released since; if that is not there any more, all that logs hold."""
    try:
        return board.read(session)
    except LostTouchError:
        return load_anew(session, board, codec, now)


def load_anew(session: Session, board: Board, codec: Codec, now: datetime) -> list[Group]:
    """Give the rows of logs that were not shown here, and then the world as it is stored.

    Nobody commits meanwhile: what comes after it is in the bulletins again.
    """
    newest = board.hold(session)
    store = ReadStore(session, codec)
    ends = _ends(session, board)
    groups: list[Group] = []
    for ledger, (last, room) in ends.items():
        first = max(board.ends.get(ledger, 0) + 1, last - MOST + 1)
        facts = store.log(ledger, first, last) if first <= last else []
        groups += [(replace(fact, room=fact.room or room),) for fact in facts]
    groups.append((Fact(_world(session, store), CLOCK, now, Audience.REFEREES),))
    board.cursor = newest
    board.ends |= {ledger: last for ledger, (last, _) in ends.items()}
    return groups


def _ends(session: Session, board: Board) -> dict[int, tuple[int, int | None]]:
    """Give the last row and the room of the logs that are open, or were when last seen."""
    rows = session.execute(
        select(SceneRow.id, SceneRow.next_seq, SceneRow.room_id)
        .where(SceneRow.status.in_(("open", "ledger")) | SceneRow.id.in_(board.ends))
        .order_by(SceneRow.id)
    )
    return {row.id: (row.next_seq - 1, row.room_id) for row in rows}


def _world(session: Session, store: ReadStore) -> WorldLoaded:
    scenes = store.open_scenes()
    people = sorted({person for scene in scenes for person in scene.participants})
    places, names = tuple(store.places()), store.names(people)
    there = tuple(standings(session, store.settings))
    channels, bans = tuple(store.channels()), tuple(store.bans())
    return WorldLoaded(places, tuple(scenes), names, channels, bans, there)
