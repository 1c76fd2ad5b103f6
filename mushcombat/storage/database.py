"""One database, as the composition root sees it: prepare it, write to it, read from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from mushcombat.domain.command import Committed, Job, Outcome
from mushcombat.domain.events import Who
from mushcombat.errors import MushError
from mushcombat.job_ids import job_id
from mushcombat.storage.bulletins import Board
from mushcombat.storage.codec import Codec
from mushcombat.storage.engine import open_engine
from mushcombat.storage.files import claim_file
from mushcombat.storage.ledgers import Describe, Ledgers
from mushcombat.storage.memo import Recorded
from mushcombat.storage.migrate import alone, check_encoding, prepare
from mushcombat.storage.neighbours import Neighbours
from mushcombat.storage.reads import Readers
from mushcombat.storage.revisions import current
from mushcombat.storage.strangers import refuse_strangers
from mushcombat.storage.trouble import cannot_be_used, unusable
from mushcombat.storage.urls import database_url, sqlite_file
from mushcombat.storage.writer import Deliver, Hold, Writer
from mushcombat.storage.writes import WriteStore

T = TypeVar("T")

CONSOLE = Who(0, "console")
"""Who does what the command line does."""


class Database:
    """A database by its URL."""

    def __init__(
        self, url: str, codec: Codec, describe: Describe, clock: Callable[[], datetime]
    ) -> None:
        database_url(url)
        self._url = url
        self._codec = codec
        self._describe = describe
        self._clock = clock

    def prepare(self, *, upgrade: bool) -> None:
        """Bring an empty database to the newest schema; an older one only when `upgrade`.

        Raises MushError for one that is newer, that can't be reached, or older otherwise.
        """
        with self._alone(upgrade=upgrade):
            pass

    def prepare_and(self, first: Callable[[WriteStore], T]) -> T:
        """Upgrade, and do `first` in the same transaction: no other process is in between."""
        with (
            self._alone(upgrade=True) as connection,
            Recorded(connection) as session,
        ):
            ledgers = Ledgers(session, self._codec, self._describe, self._clock)
            store = WriteStore(session, self._codec, ledgers)
            result = first(store)
            store.flush()
            session.flush()
            return result

    @contextmanager
    def _alone(self, *, upgrade: bool) -> Iterator[Connection]:
        engine = open_engine(self._url)
        try:
            with alone(engine) as connection:
                prepare(connection, upgrade=upgrade)
                yield connection
        except SQLAlchemyError as problem:
            raise unusable(problem) from problem
        finally:
            engine.dispose()

    def revision(self) -> str | None:
        """Name the schema's revision; None where there is none yet.

        Raises MushError for a database that can't be used, or is somebody else's.
        """
        engine = open_engine(self._url)
        try:
            with engine.connect() as connection:
                check_encoding(connection)
                found = current(connection)
                refuse_strangers(connection, found)
                return found
        except SQLAlchemyError as problem:
            raise unusable(problem) from problem
        finally:
            engine.dispose()

    def claim(self) -> None:
        """Be the one server of a SQLite file until this process ends.

        MushError when another is: two would each show half of the game. What is locked is a file
        beside the one that symlinks lead to. Not the database itself: closing any descriptor of
        that would take SQLite's own locks from this process.
        """
        url = database_url(self._url)
        if url.get_backend_name() == "sqlite":
            claim_file(Path(f"{sqlite_file(url)}-serving"))

    def neighbours(self) -> Neighbours | None:
        """Give the way to other processes on this database; SQLite has none."""
        if database_url(self._url).get_backend_name() == "sqlite":
            return None
        return Neighbours(partial(open_engine, self._url), self._codec, self._clock)

    def writer(
        self,
        deliver: Deliver,
        hold: Hold = lambda _jobs, _text: None,
        neighbours: Neighbours | None = None,
    ) -> Writer:
        """Make the writer; it owns the one connection that writes.

        What it releases, the processes on a PostgreSQL hear of, also without being one of them.
        """
        engine = open_engine(self._url)
        board = neighbours.board if neighbours else None
        if board is None and engine.dialect.name == "postgresql":
            board = Board(self._codec)
        return Writer(
            engine, self._codec, self._describe, self._clock, deliver, hold=hold, board=board
        )

    def readers(self, connections: int) -> Readers:
        """Make readers for so many threads."""
        engine = open_engine(self._url, read_only=True, connections=connections)
        return Readers(engine, self._codec)

    def perform(self, run: Callable[[WriteStore], Outcome]) -> tuple[str, ...]:
        """Run one job here and now, for the command line; gives its reply, or MushError.

        That tells what the database said, where it was the database that did not take it.
        """
        writer = self.writer(lambda _: None)
        try:
            job = Job(job_id(), CONSOLE, None, run, lambda _: None)  # type: ignore[arg-type]  # the writer hands a WriteStore
            (_, result), *_ = writer.run([job])  # without neighbours, nobody's facts come before
        finally:
            writer.close()
        if isinstance(result, Committed):
            return result.reply
        if writer.trouble:
            raise cannot_be_used(writer.trouble)
        raise MushError("refused", result.text)
