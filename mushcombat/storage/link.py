"""The writer's one connection, kept from a transaction to the next, with its session.

To get a connection from the pool and to make a session take longer than to write a pose.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from mushcombat.storage.attempts import SpoiledError
from mushcombat.storage.memo import Recorded
from mushcombat.storage.trouble import reason

log = logging.getLogger(__name__)


class NotBegunError(Exception):
    """No transaction could be begun, for that reason: whatever was to be done, none was tried."""


class Link:
    """Opened when a transaction is begun, and kept until something goes wrong with it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._session: Recorded | None = None

    @contextmanager
    def begun(self) -> Iterator[Recorded]:
        """Begin a transaction, on SQLite with the file's lock; what is not committed is undone.

        Raises NotBegunError when the database does not let it.
        """
        session = self._begin()
        try:
            yield session
        except SpoiledError:
            self._end(session)
            raise
        except BaseException:  # whatever it was, it goes on from here; the connection does not
            self.drop()
            raise
        self._end(session)

    def drop(self) -> None:
        """Throw the connection away, with whatever is under way on it."""
        session, self._session = self._session, None
        if session is not None:
            connection = session.connection()
            connection.invalidate()
            session.close()
            connection.close()

    def close(self) -> None:
        """Close the connection, if there is one; what is not committed is undone."""
        session, self._session = self._session, None
        if session is not None:
            session.close()
            session.connection().close()

    def _begin(self) -> Recorded:
        try:
            session = self._session = self._session or Recorded(self._engine.connect())
            session.connection().begin()
        except SQLAlchemyError as problem:
            log.error("no transaction could be begun: %s", reason(problem))  # noqa: TRY400 -- it is the database's trouble, and told in a line
            self.drop()
            raise NotBegunError(reason(problem)) from problem
        return session

    def _end(self, session: Recorded) -> None:
        """Undo what was not committed; the session forgets all it held.

        A connection on which that fails is lost, and with it what was not committed.
        """
        if self._session is None:
            return
        try:
            if session.in_transaction():
                session.close()
            if session.connection().in_transaction():
                session.connection().rollback()
        except SQLAlchemyError as problem:
            log.warning("a transaction could not be undone: %s", reason(problem))
            self.drop()
