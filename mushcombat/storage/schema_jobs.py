"""The table of what was committed lately, whether or not a log holds any of it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, String
from sqlalchemy.orm import Mapped, mapped_column

from mushcombat.storage.schema import Base


class RecentJob(Base):
    """A transaction that is in, by the id of the first job in it that was done."""

    __tablename__ = "recent_jobs"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    at: Mapped[datetime]

    # Every commit writes one: on SQLite the key is the table, which saves a page each time.
    __table_args__ = (Index("ix_recent_jobs_at", "at"), {"sqlite_with_rowid": False})
