"""The writer: one thread, group commit. What it has not committed, nobody is shown.

It drains what is queued (bounded), runs each job (a savepoint each, none when the batch is one
job or the job only appends), commits once, and hands all results over at once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from queue import Empty, SimpleQueue
from threading import Thread

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session, SessionTransaction

from mushcombat.domain.command import Committed, Job, Outcome, Refused, Result
from mushcombat.domain.events import Audience, Draft, Fact, SceneClosed
from mushcombat.domain.scene_events import SCENE_LIFE
from mushcombat.domain.state import StateChanged, squash
from mushcombat.domain.visibility import veiled
from mushcombat.errors import MushError
from mushcombat.storage.codec import Codec
from mushcombat.storage.ledgers import Describe, Ledgers
from mushcombat.storage.memo import Memo
from mushcombat.storage.writes import WriteStore

log = logging.getLogger(__name__)

BATCH = 256
"""The most jobs in one transaction."""

QUICKER = "Somebody else was quicker, and it no longer fits. Look, and type it again."
BROKEN = "Something went wrong on our side; nothing was changed. It has been noted for staff."
UNSAVED = "The database did not take it, so nothing was changed. Type it again in a moment."

Deliver = Callable[[Sequence[tuple[Job, Result]]], None]


class Writer:
    """Owns the one connection that writes."""

    def __init__(
        self,
        engine: Engine,
        codec: Codec,
        describe: Describe,
        clock: Callable[[], datetime],
        deliver: Deliver,
    ) -> None:
        self._engine = engine
        self._codec = codec
        self._describe = describe
        self._clock = clock
        self._deliver = deliver
        self._memo = Memo()
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="writer", daemon=True)

    def start(self) -> None:
        """Begin to take jobs."""
        self._thread.start()

    def submit(self, job: Job) -> None:
        """Queue a job; its result is delivered after the commit, in the order of the queue."""
        self._queue.put(job)

    def stop(self) -> None:
        """Do what is queued, then end. Blocks."""
        self._queue.put(None)
        self._thread.join()
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._engine.dispose()

    def _work(self) -> None:
        ending = False
        while not ending:
            jobs = self._drain()
            if jobs[-1] is None:
                ending = True
            batch = [job for job in jobs if job is not None]
            if batch:
                self._deliver(self.run(batch))

    def _drain(self) -> list[Job | None]:
        jobs = [self._queue.get()]
        try:
            while len(jobs) < BATCH and jobs[-1] is not None:
                jobs.append(self._queue.get_nowait())
        except Empty:
            pass
        return jobs

    def run(self, batch: Sequence[Job]) -> list[tuple[Job, Result]]:
        """Run jobs in one transaction; when the database refuses it, one by one."""
        try:
            return list(zip(batch, self._transaction(batch), strict=True))
        except SQLAlchemyError:
            log.exception("a batch of %d jobs was not saved", len(batch))
        if len(batch) == 1:
            return [(batch[0], Refused(UNSAVED))]
        return [self.run([job])[0] for job in batch]

    def _transaction(self, batch: Sequence[Job]) -> list[Result]:
        with Session(self._engine) as session:
            try:
                return self._committed(session, batch)
            except SQLAlchemyError:
                # A COMMIT that fails leaves its transaction open, SQLAlchemy leaves it on the
                # pooled connection, and the next batch would commit it: throw both away.
                session.invalidate()
                raise

    def _committed(self, session: Session, batch: Sequence[Job]) -> list[Result]:
        ledgers = Ledgers(session, self._codec, self._describe, self._clock)
        store = WriteStore(session, self._codec, ledgers, self._memo)
        logs = {job.ledger for job in batch if job.ledger is not None}
        if logs:
            store.look_up(logs)
        results = [_attempt(session, store, job, alone=len(batch) == 1) for job in batch]
        if any(isinstance(result, Committed) for result in results):
            ledgers.flush()
            session.commit()
            self._memo.committed()
        return results


def _attempt(session: Session, store: WriteStore, job: Job, *, alone: bool) -> Result:
    """Run one job; what it did before it was refused is undone."""
    savepoint = None if alone or job.appends else _savepoint(session, store)
    mark = store.ledgers.mark()
    store.begin_job()
    try:
        result = _perform(store, job)
        session.flush()
    except MushError as refusal:
        result = Refused(str(refusal))
    except IntegrityError:
        result = Refused(QUICKER)
    except SQLAlchemyError:
        raise  # the connection or the disk: no job's own fault, the batch as a whole has failed
    except Exception:
        log.exception("a job failed")
        result = Refused(BROKEN)
    if isinstance(result, Refused):
        store.ledgers.rewind(mark)
    if savepoint:
        savepoint.rollback() if isinstance(result, Refused) else savepoint.commit()
    return result


def _savepoint(session: Session, store: WriteStore) -> SessionTransaction:
    """Begin a savepoint; rows of earlier jobs are written first, or it could take them along."""
    store.ledgers.flush()
    return session.begin_nested()


def _perform(store: WriteStore, job: Job) -> Result:
    outcome: Outcome = job.run(store)
    facts: list[Fact] = []
    opened: dict[int | None, int | None] = {}
    drafts = _with_changes(store, outcome.drafts)
    _check_paused(store, drafts)
    for part, draft in enumerate(_veiled(store, job, drafts)):
        action = facts[-1].action if draft.follows else draft.action or opened.get(draft.ledger)
        facts.append(store.ledgers.append(replace(draft, action=action), job, part))
        opened.setdefault(draft.ledger, facts[-1].action)
    return Committed(tuple(facts), outcome.reply)


def _veiled(store: WriteStore, job: Job, drafts: tuple[Draft, ...]) -> Iterator[Draft]:
    """Give what is logged and shown of drafts: nothing public of hidden NPCs."""
    for draft in drafts:
        hidden = store.hidden(draft.ledger) if draft.ledger else frozenset()
        yield from veiled(draft, draft.actor or job.actor, hidden)


def _check_paused(store: WriteStore, drafts: tuple[Draft, ...]) -> None:
    """Refuse a job that would write in the log of a paused scene, but for the scene's own life."""
    for ledger in {draft.ledger for draft in drafts if draft.ledger}:
        events = [draft.event for draft in drafts if draft.ledger == ledger]
        alive = any(isinstance(event, SCENE_LIFE) for event in events)
        if not alive and store.ledgers.head(ledger).paused:
            raise MushError("paused", "The scene is paused: +scene/resume goes on.")


def _with_changes(store: WriteStore, drafts: tuple[Draft, ...]) -> tuple[Draft, ...]:
    """Add the row that notes what the job changed, in the action of its last logged row.

    A closing row is the last that a log takes, so the changes stand before it.
    """
    changes, store.state.changes = squash(tuple(store.state.changes)), []
    if not changes:
        return drafts
    closes = (at for at, draft in enumerate(drafts) if isinstance(draft.event, SceneClosed))
    end = next(closes, len(drafts))
    logged = [at for at in range(end) if drafts[at].ledger is not None]
    if not logged:
        raise RuntimeError("a job changed what can be undone, and logged nothing")
    last, event = drafts[logged[-1]], StateChanged(changes)
    row = Draft(event, Audience.REFEREES, last.ledger, last.action, follows=last.action is None)
    at = logged[-1] + 1
    return (*drafts[:at], row, *drafts[at:])
