"""The table of bans."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from mushcombat.storage.schema import Base


class BanRow(Base):
    """Whom staff keep out: an address, a network in CIDR, or a player by name and character."""

    __tablename__ = "bans"

    target: Mapped[str] = mapped_column(String(64), primary_key=True)
    character_id: Mapped[int | None] = mapped_column(ForeignKey("characters.id"))
    reason: Mapped[str] = mapped_column(String(200))
    made_by: Mapped[str] = mapped_column(String(24))
    since: Mapped[datetime]
    until: Mapped[datetime | None]
