"""The writer: one thread, group commit. What it has not committed, nobody is shown.

It drains what is queued (bounded), runs each job, commits once, and hands all results over at
once. Jobs run without savepoints: one that is refused has seldom written anything, and where it
has, all are run once more, with a savepoint each. When the answer to a COMMIT gets lost, it looks
whether that is in before anybody is told or anything is tried again.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from enum import Enum
from itertools import count
from queue import Empty, SimpleQueue
from threading import Event, Thread

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.orm import Session

from mushcombat.domain.command import Committed, Job, Outcome, Refused, Result
from mushcombat.domain.events import Who
from mushcombat.storage.attempts import SpoiledError, attempt
from mushcombat.storage.bulletins import (
    Board,
    Group,
    LostTouchError,
    facts_of,
    in_the_way,
    lock_game,
)
from mushcombat.storage.catch_up import look_round
from mushcombat.storage.codec import Codec
from mushcombat.storage.jobs import Marks
from mushcombat.storage.ledgers import Describe, Ledgers
from mushcombat.storage.link import Link, NotBegunError
from mushcombat.storage.memo import Memo, Recorded
from mushcombat.storage.touches import Touches
from mushcombat.storage.trouble import is_trouble, reason
from mushcombat.storage.writes import WriteStore

log = logging.getLogger(__name__)

BATCH = 256
"""The most jobs in one transaction."""

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

UNMARKED = ""
"""Stands for the mark of a transaction that only tells what nobody needs kept."""

OTHERS = Job("", Who(0, "another process"), None, lambda _: Outcome(), lambda _: None)
"""Stands for the jobs of other processes, whose facts come between ours."""

Deliver = Callable[[Sequence[tuple[Job, Result]]], None]

Hold = Callable[[Sequence[Job], str], None]
"""Tells those whose jobs hang that they do."""


class Wake(Enum):
    """What is queued beside jobs."""

    LOOK = "look"  # others may have committed something
    END = "end"


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
        board: Board | None = None,
    ) -> None:
        self._engine = engine
        self._codec = codec
        self._describe = describe
        self._clock = clock
        self._deliver = deliver
        self._hold = hold
        self._board = board  # on PostgreSQL
        self._marks = Marks(clock)
        self._ending = Event()
        self._memo = Memo()
        self._touches = Touches(engine)
        self._link = Link(engine)
        self._queue: SimpleQueue[Job | Wake] = SimpleQueue()
        self.trouble = ""
        """What the database said when it last took nothing; "" once it has taken something since.

        Any thread may read it.
        """
        self._thread = Thread(target=self._work, name="writer", daemon=True)

    def start(self) -> None:
        """Begin to take jobs."""
        self._thread.start()

    def submit(self, job: Job) -> None:
        """Queue a job; its result is delivered after the commit, in the order of the queue."""
        self._queue.put(job)

    def look(self) -> None:
        """Queue a look for what other processes have committed; any thread may ask."""
        self._queue.put(Wake.LOOK)

    def stop(self) -> None:
        """Do what is queued, then end. Blocks."""
        self._ending.set()
        self._queue.put(Wake.END)
        self._thread.join()
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._link.close()
        self._engine.dispose()

    def _work(self) -> None:
        ending = False
        while not ending:
            drained = self._drain()
            ending = drained[-1] is Wake.END
            batch = [job for job in drained if isinstance(job, Job)]
            results = self.run(batch) if batch else self.look_round()
            if results:
                self._deliver(results)

    def _drain(self) -> list[Job | Wake]:
        jobs = [self._queue.get()]
        try:
            while len(jobs) < BATCH and jobs[-1] is not Wake.END:
                jobs.append(self._queue.get_nowait())
        except Empty:
            pass
        return jobs

    def run(self, batch: Sequence[Job]) -> list[tuple[Job, Result]]:
        """Run jobs in one transaction; when the database refuses it, one by one.

        What other processes committed before comes before it, in the order of commits. Where none
        can be begun, what was queued meanwhile is refused with it.
        """
        try:
            return self._tried(batch)
        except NotBegunError:
            return self._none_begun(batch)

    def _tried(
        self,
        batch: Sequence[Job],
        *,
        again: bool = True,
        alone: bool = False,
        careful: bool = False,
    ) -> list[tuple[Job, Result]]:
        """Run jobs in one transaction, once more where the connection to the database was lost.

        `alone`: while other processes wait. `careful`: with a savepoint for each job.
        """
        try:
            return self._transaction(batch, alone=alone, careful=careful)
        except NotBegunError as problem:
            self.trouble = str(problem)
            raise
        except SpoiledError:
            return self._tried(batch, again=again, alone=alone, careful=True)
        except _InDoubtError:
            return _all(batch, UNKNOWN)
        except LostTouchError:
            return self._caught_up(batch)
        except SQLAlchemyError as problem:
            self._note(batch, problem)
            if again and isinstance(problem, DBAPIError) and problem.connection_invalidated:
                return self._tried(batch, again=False, alone=alone, careful=careful)
            contended = in_the_way(problem) and not alone
        except Exception:  # of a job that runs here: it must not take the writer's thread down
            log.exception("a batch of %d jobs was not saved", len(batch))
            contended = False
        return self._again(batch, alone=contended)

    def _note(self, batch: Sequence[Job], problem: SQLAlchemyError) -> None:
        log.error("a batch of %d jobs was not saved: %s", len(batch), reason(problem))
        if is_trouble(problem):
            self.trouble = reason(problem)

    def _again(self, batch: Sequence[Job], *, alone: bool) -> list[tuple[Job, Result]]:
        """Try one by one what could not be done at once; `alone`: while other processes wait."""
        if len(batch) > 1:
            return self._one_by_one(batch)
        return self._tried(batch, alone=True) if alone else _all(batch, UNSAVED)

    def _caught_up(self, batch: Sequence[Job]) -> list[tuple[Job, Result]]:
        """Load what this process has missed, then run the jobs that could not be run before."""
        missed = self.look_round()
        return [*missed, *self._tried(batch)] if missed else _all(batch, UNSAVED)

    def look_round(self) -> list[tuple[Job, Result]]:
        """Give what other processes have committed since the last time."""
        if self._board is None:
            return []
        try:
            with self._link.begun() as session:
                now = self._clock()
                return _from_others(look_round(session, self._board, self._codec, now))
        except NotBegunError:
            return []
        except SQLAlchemyError as problem:
            log.warning("looking for what others did failed: %s", reason(problem))
            return []

    def _one_by_one(self, batch: Sequence[Job]) -> list[tuple[Job, Result]]:
        """Give each job a transaction of its own, until none can be begun."""
        results: list[tuple[Job, Result]] = []
        for at, job in enumerate(batch):
            try:
                results += self._tried([job])
            except NotBegunError:
                return results + self._none_begun(batch[at:])
        return results

    def _none_begun(self, batch: Sequence[Job]) -> list[tuple[Job, Result]]:
        """Refuse jobs, and what is queued: it would wait as long for the same answer."""
        return _all([*batch, *self.withdraw()], UNSAVED)

    def _transaction(
        self, batch: Sequence[Job], *, alone: bool, careful: bool
    ) -> list[tuple[Job, Result]]:
        others: list[Group] = []
        with self._link.begun() as session:
            if self._board:
                lock_game(session, batch, alone=alone)
            results = self._done(session, batch, careful=careful)
            mark = self._leave_mark(session, batch, results)
            if self._board and mark is not None:
                others = self._board.post(session, results)
                session.flush()
            if mark is not None:
                self._commit(session, batch, mark)
            else:
                self._memo.keep_unwritten()
        if self._board and mark is not None:
            self._board.committed([*others, *facts_of(results)])
        return _from_others(others) + list(zip(batch, results, strict=True))

    def _done(self, session: Recorded, batch: Sequence[Job], *, careful: bool) -> list[Result]:
        """Run the jobs, and write what they log."""
        self._memo.begin(session)
        heads, ends = self._memo.heads, self._memo.ends
        parts = session, self._codec, self._describe, self._clock
        ledgers = Ledgers(*parts, stored=heads, ends=ends)
        store = WriteStore(session, self._codec, ledgers, self._memo)
        logs = {job.ledger for job in batch if job.ledger is not None}
        if logs:
            store.look_up(logs)
        alone, touches = len(batch) == 1, self._touches
        results = [
            attempt(session, store, job, touches, alone=alone, careful=careful) for job in batch
        ]
        if any(isinstance(result, Committed) for result in results):
            store.flush()
        return results

    def _leave_mark(
        self, session: Session, batch: Sequence[Job], results: Sequence[Result]
    ) -> str | None:
        """Leave the id of a job that was done; None where there was none to commit."""
        first: str | None = None
        logged: str | None = None
        for job, result in zip(batch, results, strict=True):
            if isinstance(result, Committed):
                first = first or job.id
                if logged is None and _logs(result):
                    logged = job.id
        if first is None:
            return None
        if all(job.speech for job in batch):
            return UNMARKED
        return self._marks.leave(session.connection(), first, logged)

    def _commit(self, session: Recorded, batch: Sequence[Job], mark: str) -> None:
        """Commit; when that fails, it still may be in: nobody is told before that is known."""
        try:
            session.connection().commit()
        except Exception as problem:
            # A COMMIT that fails leaves its transaction open on the connection, and the next
            # batch would commit it: throw both away.
            self._link.drop()
            if mark == UNMARKED or not self._is_in(batch, mark):
                raise
            self.trouble = ""
            log.warning("the answer to a commit was lost, but it is in: %s", reason(problem))
        else:
            self.trouble = ""
            self._memo.keep()

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
                log.warning("a commit of %d jobs is in doubt: %s", len(batch), reason(problem))
                self.trouble = reason(problem)
            if tries == 0:
                self._hold(batch, HELD)
            waited = time.monotonic() - start
            if waited > (LOOKS_AT_THE_END if self._ending.is_set() else LOOKS_FOR):
                break
            time.sleep(PAUSES[min(tries, len(PAUSES) - 1)])
            waiting = self.withdraw()
            if waiting:
                self._deliver(_all(waiting, UNSAVED))
        raise _InDoubtError

    def withdraw(self) -> list[Job]:
        """Take back what is queued: none of it was tried. Any thread may ask."""
        queued: list[Job | Wake] = []
        try:
            while True:
                queued.append(self._queue.get_nowait())
        except Empty:
            pass
        if Wake.END in queued:
            self._queue.put(Wake.END)
        return [job for job in queued if isinstance(job, Job)]


def _logs(result: Committed) -> bool:
    """Tell whether a job has a row in a log."""
    return any(fact.ledger is not None for fact in result.facts)


def _from_others(groups: Sequence[Group]) -> list[tuple[Job, Result]]:
    return [(OTHERS, Committed(group)) for group in groups]


def _all(batch: Sequence[Job], text: str) -> list[tuple[Job, Result]]:
    """Refuse jobs, all with the same words."""
    return [(job, Refused(text)) for job in batch]
