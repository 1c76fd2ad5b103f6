"""Bulletins: what each transaction releases, for every process to show in the order of commits.

PostgreSQL alone. A transaction takes its locks first, so that what a job reads nobody else changes;
last it takes the bulletins' lock, reads what others have committed since, and writes what it
releases itself. That lock is held over the commit: so the order of bulletins is that of commits.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from mushcombat.domain.command import Committed, Job, Result
from mushcombat.domain.eras import SceneLoaded
from mushcombat.domain.events import Audience, Fact, Who
from mushcombat.domain.processes import PICTURE_EVENTS
from mushcombat.storage.codec import Codec
from mushcombat.storage.migrate import ADVISORY_LOCK
from mushcombat.storage.schema import CharacterRow, Participant, SceneRow
from mushcombat.storage.schema_processes import Bulletin, ProcessRow

GAME_LOCK = ADVISORY_LOCK + 1
"""Held alone by who changes anything beside scenes, together by those who change scenes."""

BULLETIN_LOCK = ADVISORY_LOCK + 2
"""Held from the numbering of a bulletin to the end of its commit."""

CHANNEL = "mushcombat"
"""What processes listen to. A notice names a bulletin and its process, never what is in it."""

KEPT = 120_000_000
"""For how long bulletins are kept, in microseconds: who sleeps longer loads everything anew."""

Group = tuple[Fact, ...]
"""The facts of one job."""

_ALONE = text("SELECT pg_advisory_xact_lock(:key)")
_TOGETHER = text("SELECT pg_advisory_xact_lock_shared(:key)")
_NOTIFY = text("SELECT pg_notify(:channel, :notice)")

_SCENES = (
    select(SceneRow.id)
    .where(SceneRow.id.in_(bindparam("scenes", expanding=True)))
    .order_by(SceneRow.id)
    .with_for_update()
)
_THERE = select(Participant.character_id).where(
    Participant.scene_id.in_(bindparam("scenes", expanding=True))
)
_PEOPLE = (
    select(CharacterRow.id)
    .where(
        CharacterRow.id.in_(_THERE) | CharacterRow.scene_id.in_(bindparam("scenes", expanding=True))
    )
    .order_by(CharacterRow.id)
    .with_for_update(key_share=True)
)
"""`key_share`: rows that name a character may be added meanwhile."""


class LostTouchError(Exception):
    """Bulletins are missing that this process has not read: it has to load everything anew."""


def lock_game(session: Session, batch: Sequence[Job], *, alone: bool) -> None:
    """Take the locks of some jobs, in an order that is the same for all: game, scenes, people.

    Jobs that stay within a scene let others go on in other scenes, unless `alone`.
    """
    jobs = [job for job in batch if not job.speech]
    scenes = sorted({job.ledger for job in jobs if job.stays and job.ledger is not None})
    if alone or not all(job.stays for job in jobs):
        lock_all(session)
    elif jobs:
        session.execute(_TOGETHER, {"key": GAME_LOCK})
        session.execute(_SCENES, {"scenes": scenes})
        if not all(job.appends for job in jobs):
            session.execute(_PEOPLE, {"scenes": scenes})


def lock_all(session: Session) -> None:
    """Let nobody else change anything until this transaction ends."""
    session.execute(_ALONE, {"key": GAME_LOCK})


def lock_bulletins(session: Session) -> None:
    """Let nobody else commit what is shown, until this transaction ends."""
    session.execute(_ALONE, {"key": BULLETIN_LOCK})


class Board:
    """The bulletins as one process knows them: up to `cursor`; `ends` are the logs' last rows.

    Without a process (the command line) it only writes them.
    """

    def __init__(self, codec: Codec, process: int | None = None) -> None:
        self._codec = Codec([*codec.events, SceneLoaded, *PICTURE_EVENTS])
        self.process = process
        self._next = 0
        self.cursor = 0
        self.ends: dict[int, int] = {}

    def hold(self, session: Session) -> int:
        """Let nobody release anything until the transaction ends; gives the newest bulletin."""
        lock_bulletins(session)
        return self._newest(session)

    def post(self, session: Session, results: Iterable[Result]) -> list[Group]:
        """Write what jobs release; gives what others released before. To be committed at once.

        Also where they release nothing: who comes in by one of them has to find here all that
        they may have been shown elsewhere. Raises LostTouchError when what is before it is not
        there any more.
        """
        groups = facts_of(results)
        if not groups:
            return self._new(session)
        lock_bulletins(session)
        newest, others = session.execute(self._look()).one()
        before = self._read(session, newest)
        self._next = newest
        if others:
            self._next = self._write(session, newest, groups)
        return before

    def committed(self, groups: Iterable[Group]) -> None:
        """Go on behind what was posted, now that it is on disk; groups are all that was shown."""
        self.cursor = self._next
        for group in groups:
            for fact in group:
                if fact.ledger is not None and fact.seq is not None:
                    self.ends[fact.ledger] = fact.seq

    def read(self, session: Session) -> list[Group]:
        """Give what others have released since, and go on behind it."""
        groups = self._new(session)
        self.committed(groups)
        return groups

    def _new(self, session: Session) -> list[Group]:
        newest = self._newest(session)
        groups = self._read(session, newest)
        self._next = newest
        return groups

    def _look(self) -> Any:
        other = select(ProcessRow.id)
        if self.process is not None:
            other = other.where(ProcessRow.id != self.process)
        return select(func.coalesce(func.max(Bulletin.id), 0), other.exists())

    @staticmethod
    def _newest(session: Session) -> int:
        return session.scalar(select(func.coalesce(func.max(Bulletin.id), 0))) or 0

    def _read(self, session: Session, newest: int) -> list[Group]:
        if self.process is None or newest == self.cursor:
            return []
        rows = session.execute(
            select(Bulletin.prior, Bulletin.facts)
            .where(Bulletin.id > self.cursor, Bulletin.id <= newest)
            .order_by(Bulletin.id)
        ).all()
        if not rows or rows[0].prior != self.cursor:
            raise LostTouchError
        return [group for row in rows for group in self._loaded(row.facts)]

    def _write(self, session: Session, newest: int, groups: Sequence[Group]) -> int:
        """Write a bulletin; its number is the time, or one more than the last one's."""
        now = session.scalar(text("SELECT (extract(epoch FROM clock_timestamp()) * 1e6)::bigint"))
        number = max(newest + 1, int(now or 0))
        row = {
            "id": number,
            "prior": newest,
            "process_id": self.process,
            "facts": self._dumped(groups),
        }
        session.execute(insert(Bulletin), [row])
        notice = f"{self.process or 0}:{number}"
        session.execute(_NOTIFY, {"channel": CHANNEL, "notice": notice})
        return number

    def _dumped(self, groups: Sequence[Group]) -> str:
        return json.dumps([[self._fields(fact) for fact in group] for group in groups])

    def _fields(self, fact: Fact) -> list[Any]:
        event = fact.event
        return [
            event.kind,
            event.version,
            json.dumps(self._codec.dump(event)),
            fact.actor.id,
            fact.actor.name,
            fact.at.isoformat(),
            fact.audience.value,
            fact.room,
            fact.ledger,
            fact.seq,
            fact.action,
            fact.head,
        ]

    def _loaded(self, facts: str) -> list[Group]:
        return [tuple(self._fact(fields) for fields in group) for group in json.loads(facts)]

    def _fact(self, fields: Sequence[Any]) -> Fact:
        kind, version, payload, actor, name, at, audience, *rest = fields
        event = self._codec.load(kind, version, payload, None)
        who, when = Who(actor, name), datetime.fromisoformat(at)
        return Fact(event, who, when, Audience(audience), *rest)


def facts_of(results: Iterable[Result]) -> list[Group]:
    """Give the facts of each job that released any."""
    return [r.facts for r in results if isinstance(r, Committed) and r.facts]


def in_the_way(problem: SQLAlchemyError) -> bool:
    """Tell whether two transactions stood in each other's way, so that one had to go."""
    state = getattr(getattr(problem, "orig", None), "sqlstate", None)
    return state in {"40001", "40P01"}  # serialisation failure, deadlock


def drop_old(connection: Connection) -> None:
    """Drop the bulletins that everybody has read by now; never the newest."""
    newest = select(func.max(Bulletin.id)).scalar_subquery()
    connection.execute(delete(Bulletin).where(Bulletin.id < newest - KEPT))
