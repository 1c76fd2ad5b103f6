"""The tables by which several processes on one PostgreSQL are one game.

SQLite has them too, and they stay empty there: one process needs none of it.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from mushcombat.storage.schema import Base


class ProcessRow(Base):
    """A server that runs. It renews `renewed_at`, by the database's clock, or counts as dead."""

    __tablename__ = "processes"

    id: Mapped[int] = mapped_column(primary_key=True)
    host: Mapped[str] = mapped_column(String(255))
    pid: Mapped[int]
    renewed_at: Mapped[datetime]


class PresenceRow(Base):
    """A player who is connected to a process."""

    __tablename__ = "presences"

    process_id: Mapped[int] = mapped_column(ForeignKey("processes.id"), primary_key=True)
    character_id: Mapped[int] = mapped_column(ForeignKey("characters.id"), primary_key=True)
    since: Mapped[datetime]
    active: Mapped[datetime]

    __table_args__ = (Index("ix_presences_character_id", "character_id"),)


class Bulletin(Base):
    """What one transaction released, for every process to show; the order of ids is the commits'.

    `prior` is the bulletin before it: who reads on from another one has missed something. On
    PostgreSQL the table is unlogged, and rows are dropped after a while: logs keep what is kept.
    """

    __tablename__ = "bulletins"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    prior: Mapped[int] = mapped_column(BigInteger)
    process_id: Mapped[int | None]  # None: the command line
    facts: Mapped[str] = mapped_column(Text)  # JSON
