"""The tables of channels, and of what players have chosen about others."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from mushcombat.storage.schema import Base


class ChannelRow(Base):
    """A channel; `last_seq` is the number of its newest line."""

    __tablename__ = "channels"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(16))
    name_key: Mapped[str] = mapped_column(String(16), unique=True)
    alias: Mapped[str] = mapped_column(String(16), unique=True)
    role: Mapped[int]  # the least that may be on it
    everyone: Mapped[bool]  # on it until they say otherwise
    last_seq: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime]


class ChannelMember(Base):
    """What a player has said about a channel: on, off, left. No row: as the channel begins."""

    __tablename__ = "channel_members"

    channel_id: Mapped[int] = mapped_column(ForeignKey("channels.id"), primary_key=True)
    character_id: Mapped[int] = mapped_column(ForeignKey("characters.id"), primary_key=True)
    state: Mapped[str] = mapped_column(String(8))


class ChannelLine(Base):
    """A line that was said on a channel; only the newest are kept."""

    __tablename__ = "channel_lines"

    channel_id: Mapped[int] = mapped_column(ForeignKey("channels.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    actor_id: Mapped[int]
    actor_name: Mapped[str] = mapped_column(String(24))
    text: Mapped[str] = mapped_column(Text)


class PlayerSetting(Base):
    """A player's choices that are one word each; `left_room_id` is where +ic leads back to."""

    __tablename__ = "player_settings"

    character_id: Mapped[int] = mapped_column(ForeignKey("characters.id"), primary_key=True)
    watches_all: Mapped[bool] = mapped_column(default=False)
    pages_locked: Mapped[bool] = mapped_column(default=False)
    left_room_id: Mapped[int | None] = mapped_column(ForeignKey("rooms.id"))


class ContactRow(Base):
    """Another player whom one ignores or watches."""

    __tablename__ = "contacts"

    character_id: Mapped[int] = mapped_column(ForeignKey("characters.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(8), primary_key=True)
    other_id: Mapped[int] = mapped_column(ForeignKey("characters.id"), primary_key=True)
