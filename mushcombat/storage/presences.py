"""Who is connected to which process; written in the transaction that tells the others."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from mushcombat.domain.character import Role
from mushcombat.domain.processes import DEAD, Standing
from mushcombat.domain.settings import Settings
from mushcombat.storage.channels import ChannelStore
from mushcombat.storage.schema import Account, CharacterRow
from mushcombat.storage.schema_processes import PresenceRow, ProcessRow

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)

NOW = text("clock_timestamp() AT TIME ZONE 'UTC'")
"""The database's own clock, which is the same for all processes."""

IS_DEAD = ProcessRow.renewed_at < text(f"{NOW.text} - interval '{DEAD} seconds'")
"""What is so of a process that has not renewed its lease for too long."""


def begin_process(session: Session, process: int | None = None) -> int:
    """Note that this process runs; gives its number, the next one if it has none."""
    row: dict[str, Any] = {"host": socket.gethostname()[:255], "pid": os.getpid()}
    if process is not None:
        row["id"] = process
    added = insert(ProcessRow).values(**row, renewed_at=NOW)
    return session.scalars(
        added.on_conflict_do_update(index_elements=["id"], set_={"renewed_at": NOW}).returning(
            ProcessRow.id
        )
    ).one()


def disown(session: Session) -> None:
    """Let the leases of processes of this machine run out that are no more: one was killed."""
    here = select(ProcessRow.id, ProcessRow.pid).where(
        ProcessRow.host == socket.gethostname()[:255]
    )
    gone = [row.id for row in session.execute(here) if not _runs(row.pid)]
    session.execute(update(ProcessRow).where(ProcessRow.id.in_(gone)).values(renewed_at=LONG_AGO))


def _runs(pid: int) -> bool:
    """Tell whether another process has this number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return pid != os.getpid()


class PresenceWrites(ChannelStore):
    """The part of a store that writes presences."""

    def stand(self, process: int, character: int, since: datetime, active: datetime) -> bool:
        """Note that a player is connected to a process; tells whether it is the only one."""
        row = PresenceRow(process_id=process, character_id=character, since=since, active=active)
        self._session.merge(row)
        self._session.flush()
        return self.stands_at(character) == 1

    def part(self, process: int, character: int) -> bool:
        """Note that a player is connected to it no longer; tells whether to no other either."""
        row = self._session.get(PresenceRow, (process, character))
        if row is None:
            return False
        self._session.delete(row)
        self._session.flush()
        return self.stands_at(character) == 0

    def stands_at(self, character: int) -> int:
        """Give to how many processes a player is connected."""
        found = select(func.count()).where(PresenceRow.character_id == character)
        return self._session.scalar(found) or 0

    def stirred(self, process: int, character: int, active: datetime) -> None:
        """Note when somebody last typed something."""
        row = self._session.get(PresenceRow, (process, character))
        if row is not None:
            row.active = active

    def standings(self, process: int | None = None) -> list[Standing]:
        """Give who is connected, to one process or to any."""
        return standings(self._session, self.settings, process)

    def begin_process(self, process: int) -> None:
        """Note a process again that the others took for dead."""
        begin_process(self._session, process)

    def is_dead(self, process: int) -> bool:
        """Tell whether a process has not renewed its lease for too long."""
        dead = select(ProcessRow.id).where(ProcessRow.id == process, IS_DEAD)
        return self._session.scalar(dead) is not None

    def end_process(self, process: int) -> None:
        """Forget a process that nobody is connected to any more."""
        self._session.execute(delete(PresenceRow).where(PresenceRow.process_id == process))
        self._session.execute(delete(ProcessRow).where(ProcessRow.id == process))


def standings(
    session: Session, settings: Callable[[int], Settings], process: int | None = None
) -> list[Standing]:
    """Give who is connected, to one process or to any, by process and character."""
    wanted = (
        select(PresenceRow, CharacterRow, Account.role)
        .join(CharacterRow, CharacterRow.id == PresenceRow.character_id)
        .join(Account, Account.id == CharacterRow.account_id)
        .order_by(PresenceRow.process_id, PresenceRow.character_id)
    )
    if process is not None:
        wanted = wanted.where(PresenceRow.process_id == process)
    rows: Sequence[tuple[PresenceRow, CharacterRow, int]]
    rows = [(row[0], row[1], row[2]) for row in session.execute(wanted)]
    return [
        Standing(
            presence.process_id,
            them.id,
            them.name,
            Role(role),
            them.account_id or 0,
            them.room_id,
            them.description,
            them.doing,
            presence.since,
            presence.active,
            settings(them.id),
        )
        for presence, them, role in rows
    ]
