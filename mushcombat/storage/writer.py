"""The writer: one thread, group commit. What it has not committed, nobody is shown.

It drains what is queued (bounded), runs each job (a savepoint each, none when the batch is one
job or the job only appends), commits once, and hands all results over at once. When the answer to
a COMMIT gets lost, it looks whether that is in before anybody is told or anything is tried again.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import count
from queue import Empty, SimpleQueue
from threading import Event, Thread

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session, SessionTransaction

from mushcombat.domain.command import Committed, Job, Outcome, Refused, Result
from mushcombat.domain.events import Audience, Draft, Fact, SceneClosed
from mushcombat.domain.scene_events import SCENE_LIFE
from mushcombat.domain.state import StateChanged, squash
from mushcombat.domain.visibility import veiled
from mushcombat.errors import MushError
from mushcombat.storage.codec import Codec
from mushcombat.storage.jobs import Marks
from mushcombat.storage.ledgers import Describe, Ledgers
from mushcombat.storage.memo import Memo
from mushcombat.storage.writes import WriteStore

log = logging.getLogger(__name__)

BATCH = 256
"""The most jobs in one transaction."""

QUICKER = "Somebody else was quicker, and it no longer fits. Look, and type it again."
BROKEN = "Something went wrong on our side; nothing was changed. It has been noted for staff."
UNSAVED = "The database did not take it, so nothing was changed. Type it again in a moment."

UNKNOWN = (
    "The database was lost just then, and nobody knows whether that was done. "
    "Look (+scene/log) before you type it again."
)
HELD = (
    "The database does not answer. Your line is kept in mind: wait, you are told what became of it."
)

PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0)
"""Seconds between two looks for a transaction in doubt; the last one over and over."""

LOOKS_FOR = 600.0
"""Seconds after which a transaction in doubt is given up, while the database does not come back."""

LOOKS_AT_THE_END = 3.0
"""The same for a writer that is told to stop."""

Deliver = Callable[[Sequence[tuple[Job, Result]]], None]

Hold = Callable[[Sequence[Job], str], None]
"""Tells those whose jobs hang that they do."""


class _NotBegunError(Exception):
    """No transaction could be begun: whatever the jobs are, none was tried."""


class _InDoubtError(Exception):
    """A COMMIT was sent, and nobody can find out what became of it."""


class Writer:
    """Owns the one connection that writes."""

    def __init__(
        self,
        engine: Engine,
        codec: Codec,
        describe: Describe,
        clock: Callable[[], datetime],
        deliver: Deliver,
        *,
        hold: Hold = lambda _jobs, _text: None,
    ) -> None:
        self._engine = engine
        self._codec = codec
        self._describe = describe
        self._clock = clock
        self._deliver = deliver
        self._hold = hold
        self._marks = Marks(clock)
        self._ending = Event()
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
        self._ending.set()
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
            return self._tried(batch)
        except _NotBegunError:
            return _all(batch, UNSAVED)

    def _tried(self, batch: Sequence[Job], *, again: bool = True) -> list[tuple[Job, Result]]:
        """Run jobs in one transaction, once more where the connection to the database was lost."""
        try:
            return list(zip(batch, self._transaction(batch), strict=True))
        except _NotBegunError:
            raise
        except _InDoubtError:
            return _all(batch, UNKNOWN)
        except SQLAlchemyError as problem:
            log.error("a batch of %d jobs was not saved: %s", len(batch), _reason(problem))  # noqa: TRY400 -- it is the database's trouble, and told in a line
            if again and isinstance(problem, DBAPIError) and problem.connection_invalidated:
                return self._tried(batch, again=False)
        except Exception:  # of a job that runs here: it must not take the writer's thread down
            log.exception("a batch of %d jobs was not saved", len(batch))
        return self._one_by_one(batch) if len(batch) > 1 else _all(batch, UNSAVED)

    def _one_by_one(self, batch: Sequence[Job]) -> list[tuple[Job, Result]]:
        """Give each job a transaction of its own, until none can be begun.

        Each further one would wait as long for the same answer.
        """
        results: list[tuple[Job, Result]] = []
        for job in batch:
            try:
                results += self._tried([job])
            except _NotBegunError:
                break
        return results + _all(batch[len(results) :], UNSAVED)

    def _transaction(self, batch: Sequence[Job]) -> list[Result]:
        with Session(self._engine) as session:
            try:
                _begin(session)
                results = self._done(session, batch)
                mark = self._leave_mark(session, batch, results)
            except Exception:
                session.invalidate()
                raise
            if mark is not None:
                self._commit(session, batch, mark)
        return results

    def _done(self, session: Session, batch: Sequence[Job]) -> list[Result]:
        """Run the jobs, and write what they log."""
        ledgers = Ledgers(session, self._codec, self._describe, self._clock)
        store = WriteStore(session, self._codec, ledgers, self._memo)
        logs = {job.ledger for job in batch if job.ledger is not None}
        if logs:
            store.look_up(logs)
        results = [_attempt(session, store, job, alone=len(batch) == 1) for job in batch]
        if any(isinstance(result, Committed) for result in results):
            ledgers.flush()
        return results

    def _leave_mark(
        self, session: Session, batch: Sequence[Job], results: Sequence[Result]
    ) -> str | None:
        """Leave the id of the first job that was done; None where there was none to commit."""
        pairs = zip(batch, results, strict=True)
        mark = next((job.id for job, result in pairs if isinstance(result, Committed)), None)
        if mark is not None:
            self._marks.leave(session.connection(), mark)
        return mark

    def _commit(self, session: Session, batch: Sequence[Job], mark: str) -> None:
        """Commit; when that fails, it still may be in: nobody is told before that is known."""
        try:
            session.commit()
        except Exception as problem:
            # A COMMIT that fails leaves its transaction open, SQLAlchemy leaves it on the
            # pooled connection, and the next batch would commit it: throw both away.
            session.invalidate()
            if not self._is_in(batch, mark):
                raise
            log.warning("the answer to a commit was lost, but it is in: %s", _reason(problem))
        else:
            self._memo.committed()

    # transactions in doubt

    def _is_in(self, batch: Sequence[Job], mark: str) -> bool:
        """Find out whether a transaction was committed, for as long as that takes.

        Who waits for it is told so; what others type meanwhile is refused.
        """
        start = time.monotonic()
        for tries in count():
            try:
                return self._marks.is_in(self._engine, mark)
            except SQLAlchemyError as problem:
                log.warning("a commit of %d jobs is in doubt: %s", len(batch), _reason(problem))
            if tries == 0:
                self._hold(batch, HELD)
            waited = time.monotonic() - start
            if waited > (LOOKS_AT_THE_END if self._ending.is_set() else LOOKS_FOR):
                break
            time.sleep(PAUSES[min(tries, len(PAUSES) - 1)])
            self._refuse_waiting()
        raise _InDoubtError

    def _refuse_waiting(self) -> None:
        """Refuse what is queued: none of it was tried."""
        jobs = []
        while not self._queue.empty():
            jobs.append(self._queue.get())
        if None in jobs:
            self._queue.put(None)
        waiting = [job for job in jobs if job is not None]
        if waiting:
            self._deliver(_all(waiting, UNSAVED))


def _all(batch: Sequence[Job], text: str) -> list[tuple[Job, Result]]:
    """Refuse jobs, all with the same words."""
    return [(job, Refused(text)) for job in batch]


def _begin(session: Session) -> None:
    """Begin a transaction: get a connection, and on SQLite the file's lock."""
    try:
        session.connection()
    except SQLAlchemyError as problem:
        log.error("no transaction could be begun: %s", _reason(problem))  # noqa: TRY400 -- it is the database's trouble, and told in a line
        raise _NotBegunError from problem


def _reason(problem: Exception) -> str:
    """Write in a line what the database said, without the statement and what was in it."""
    return str(getattr(problem, "orig", None) or problem).strip().partition("\n")[0]


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
