"""Reading and writing bans."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from mushcombat.domain.bans import Ban
from mushcombat.storage.schema_bans import BanRow


class BanReads:
    """The part of a store that reads bans."""

    _session: Session

    def bans(self) -> list[Ban]:
        """Give all bans, those that have run out too, by target."""
        rows = self._session.scalars(select(BanRow).order_by(BanRow.target))
        return [
            Ban(row.target, row.character_id, row.reason, row.made_by, row.since, row.until)
            for row in rows
        ]


class BanWrites(BanReads):
    """The part of a store that writes bans."""

    def ban(self, ban: Ban) -> None:
        """Keep a ban, in place of an older one of the same target."""
        self._session.merge(
            BanRow(
                target=ban.target,
                character_id=ban.subject,
                reason=ban.reason,
                made_by=ban.by,
                since=ban.since,
                until=ban.until,
            )
        )
        self._session.flush()

    def lift_ban(self, target: str) -> bool:
        """Forget a ban; tells whether there was one."""
        row = self._session.get(BanRow, target)
        if row is not None:
            self._session.delete(row)
            self._session.flush()
        return row is not None
