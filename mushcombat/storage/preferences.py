"""What players set for themselves: reading it, and writing it."""

from __future__ import annotations

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from mushcombat.storage.schema_preferences import PreferenceRow


class PreferenceReads:
    """The part of a store that reads preferences."""

    _session: Session

    def preferences(self, account: int) -> dict[str, str]:
        """Give what a login has set, by name."""
        rows = self._session.scalars(
            select(PreferenceRow).where(PreferenceRow.account_id == account)
        )
        return {row.name: row.value for row in rows}


class PreferenceWrites(PreferenceReads):
    """The part of a store that writes them."""

    def set_preference(self, account: int, name: str, value: str | None) -> None:
        """Set a preference of a login; None leaves it to the client again."""
        mine = (PreferenceRow.account_id == account) & (PreferenceRow.name == name)
        self._session.execute(delete(PreferenceRow).where(mine))
        if value is not None:
            self._session.add(PreferenceRow(account_id=account, name=name, value=value))
        self._session.flush()
