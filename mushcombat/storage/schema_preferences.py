"""The table of what players set for themselves; `schema` has what it points at."""

from __future__ import annotations

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from mushcombat.storage.schema import Base


class PreferenceRow(Base):
    """One preference of a login that is not left to the client; value as `domain.preferences`."""

    __tablename__ = "preferences"

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    name: Mapped[str] = mapped_column(String(16), primary_key=True)
    value: Mapped[str] = mapped_column(String(16))
