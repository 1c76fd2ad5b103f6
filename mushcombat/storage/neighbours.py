"""The way of a process into a game that others may serve too, and out of it. PostgreSQL alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import Engine, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from mushcombat.domain.processes import Standing
from mushcombat.storage.bulletins import CHANNEL, Board, lock_all
from mushcombat.storage.codec import Codec
from mushcombat.storage.listener import JOINED, Census, NoticeListener
from mushcombat.storage.members import Members
from mushcombat.storage.presences import begin_process, disown, standings
from mushcombat.storage.reads import ReadStore
from mushcombat.storage.schema import SceneRow
from mushcombat.storage.trouble import unusable

Load = Callable[[ReadStore, list[Standing]], None]
"""Takes in what the database holds, and who is connected to other processes."""


class Neighbours:
    """A process among others: its number, its place in the bulletins, its jobs, its ear."""

    def __init__(self, open_: Callable[[], Engine], codec: Codec, clock: Callable[[], datetime]):
        self._open = open_
        self._codec = codec
        self._clock = clock
        self.board: Board
        self.members: Members

    def join(self, load: Load) -> None:
        """Become one of the processes, and load the game as it is at that very moment.

        Nobody commits what is shown meanwhile, so nothing is missed, and nothing comes twice.
        Raises MushError where the database goes away.
        """
        engine = self._open()
        try:
            with Session(engine) as session, session.begin():
                self._join(session, load)
        except SQLAlchemyError as problem:
            raise unusable(problem) from problem
        finally:
            engine.dispose()

    def _join(self, session: Session, load: Load) -> None:
        ends = select(SceneRow.id, SceneRow.next_seq)
        self.board = Board(self._codec)
        lock_all(session)
        self.board.cursor = self.board.hold(session)
        disown(session)
        self.board.process = begin_process(session)
        self.members = Members(self.board.process, self._clock)
        self.board.ends = {row.id: row.next_seq - 1 for row in session.execute(ends)}
        store = ReadStore(session, self._codec)
        load(store, standings(session, store.settings))
        session.execute(
            text("SELECT pg_notify(:channel, :notice)"),
            {"channel": CHANNEL, "notice": f"{self.board.process}:{JOINED}"},
        )

    def listener(self, look: Callable[[], None], told: Callable[[Census], None]) -> NoticeListener:
        """Make the thread that listens to the others."""
        return NoticeListener(self._open(), self.members.process, look, told)
