"""The tables, typed; `migrations/` makes them, and a test holds the two together.

Times are UTC with microseconds on every database. Columns are real ones; only the payload of a
logged row is JSON, in the canonical form that was hashed.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, ClassVar

from sqlalchemy import (
    BigInteger,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    String,
    Text,
    UniqueConstraint,
    false,
    text,
    true,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

BIGGEST = 2**31 - 1
"""The biggest number that a column takes; above it nothing can be found."""


def _sqlite_time(value: datetime | None) -> str | None:
    """Write a time as SQLAlchemy keeps it in SQLite: UTC with microseconds, without a zone."""
    if value is None:
        return None
    return _in_utc(value).isoformat(" ", "microseconds")[:-6]  # for +00:00


def _in_utc(value: datetime) -> datetime:
    if value.tzinfo is None:
        raise ValueError("a time without a zone can't be stored")
    return value if value.tzinfo is UTC else value.astimezone(UTC)


class UtcDateTime(TypeDecorator[datetime]):
    """A point in time: aware in Python, UTC without zone in the database."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """Store UTC; a time without a zone is a mistake of ours."""
        return None if value is None else _in_utc(value).replace(tzinfo=None)

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], Any] | None:
        """For SQLite write the text itself: every row has a time, and the library's way is slow."""
        return _sqlite_time if dialect.name == "sqlite" else super().bind_processor(dialect)

    def process_result_value(self, value: Any | None, _dialect: Dialect) -> datetime | None:
        """Give back an aware time."""
        return value.replace(tzinfo=UTC) if value is not None else None


class Base(DeclarativeBase):
    """What the tables share: names for constraints, so that a migration can find them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar = {datetime: UtcDateTime}


class Account(Base):
    """A login."""

    __tablename__ = "accounts"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(24))
    name_key: Mapped[str] = mapped_column(String(24), unique=True)
    password_hash: Mapped[str] = mapped_column(String(200))
    role: Mapped[int]
    disabled: Mapped[bool] = mapped_column(default=False)
    one_time: Mapped[bool] = mapped_column(default=False)  # the password works once
    spent: Mapped[bool] = mapped_column(default=False)  # and it has
    created_at: Mapped[datetime]
    last_login_at: Mapped[datetime | None]


class Room(Base):
    """A place. A temporary one holds one scene, and goes back to `origin_id` when that closes."""

    __tablename__ = "rooms"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    kind: Mapped[str] = mapped_column(String(16))  # start, ooc, room, temporary, gone
    description: Mapped[str] = mapped_column(Text, default="")
    origin_id: Mapped[int | None] = mapped_column(ForeignKey("rooms.id"))

    __table_args__ = (
        Index(
            "uq_rooms_one_of_its_kind",
            "kind",
            unique=True,
            sqlite_where=text("kind IN ('start', 'ooc')"),
            postgresql_where=text("kind IN ('start', 'ooc')"),
        ),
    )


class Exit(Base):
    """A way from a room to another; `names` are its name and aliases, joined by `;`."""

    __tablename__ = "exits"

    id: Mapped[int] = mapped_column(primary_key=True)
    room_id: Mapped[int] = mapped_column(ForeignKey("rooms.id"), index=True)
    names: Mapped[str] = mapped_column(String(200))
    destination_id: Mapped[int] = mapped_column(ForeignKey("rooms.id"))


class CharacterRow(Base):
    """A player's character (with an account) or an NPC (of a scene)."""

    __tablename__ = "characters"

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), unique=True)
    scene_id: Mapped[int | None] = mapped_column(ForeignKey("scenes.id"))
    name: Mapped[str] = mapped_column(String(24))
    name_key: Mapped[str] = mapped_column(String(24))
    room_id: Mapped[int] = mapped_column(ForeignKey("rooms.id"))
    description: Mapped[str] = mapped_column(Text, default="")
    doing: Mapped[str] = mapped_column(String(80), default="")
    hidden: Mapped[bool] = mapped_column(default=False, server_default=false())  # an NPC
    created_at: Mapped[datetime]

    __table_args__ = (
        Index(
            "uq_characters_player_name",
            "name_key",
            unique=True,
            sqlite_where=text("account_id IS NOT NULL"),
            postgresql_where=text("account_id IS NOT NULL"),
        ),
        Index(
            "uq_characters_npc_name",
            "scene_id",
            "name_key",
            unique=True,
            sqlite_where=text("scene_id IS NOT NULL"),
            postgresql_where=text("scene_id IS NOT NULL"),
        ),
        Index("ix_characters_name_key", "name_key"),
        Index("ix_characters_room_id", "room_id"),
    )


class Trait(Base):
    """One level on a sheet: an attribute or a skill, in one system."""

    __tablename__ = "traits"

    character_id: Mapped[int] = mapped_column(ForeignKey("characters.id"), primary_key=True)
    system: Mapped[str] = mapped_column(String(32), primary_key=True)
    grouping: Mapped[str] = mapped_column(String(16), primary_key=True)  # attribute, skill
    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    level: Mapped[int]


class Wound(Base):
    """One harm done: when, by which logged action, what kind, how many health points."""

    __tablename__ = "wounds"

    id: Mapped[int] = mapped_column(primary_key=True)
    character_id: Mapped[int] = mapped_column(ForeignKey("characters.id"), index=True)
    system: Mapped[str] = mapped_column(String(32))
    scene_id: Mapped[int | None] = mapped_column(ForeignKey("scenes.id"))
    action: Mapped[int | None]
    kind: Mapped[str] = mapped_column(String(16))
    amount: Mapped[int]
    at_seconds: Mapped[int] = mapped_column(BigInteger, server_default="0")  # since 1970


class Quirk(Base):
    """A lasting trait of a character with effects on rolls: a wound's, a gift, a fault."""

    __tablename__ = "quirks"

    id: Mapped[int] = mapped_column(primary_key=True)
    character_id: Mapped[int] = mapped_column(ForeignKey("characters.id"))
    system: Mapped[str] = mapped_column(String(32))
    name: Mapped[str] = mapped_column(String(40))
    reason: Mapped[str] = mapped_column(Text, default="")
    imposed_by: Mapped[int | None] = mapped_column(ForeignKey("characters.id"))
    at_seconds: Mapped[int] = mapped_column(BigInteger, server_default="0")  # since 1970

    __table_args__ = (UniqueConstraint("character_id", "system", "name"),)


class SceneRow(Base):
    """A scene, and the head of its log. Row 0 is the game's own ledger, which is no scene."""

    __tablename__ = "scenes"

    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str] = mapped_column(String(120))
    system: Mapped[str] = mapped_column(String(32))
    status: Mapped[str] = mapped_column(String(16))  # open, closed; the game's ledger: ledger
    private: Mapped[bool] = mapped_column(default=False)
    room_id: Mapped[int | None] = mapped_column(ForeignKey("rooms.id"))
    # No foreign key: characters name their scene, and a ring of tables helps nobody.
    owner_id: Mapped[int | None]
    opened_at: Mapped[datetime]
    closed_at: Mapped[datetime | None]
    era: Mapped[int] = mapped_column(default=0)
    mode: Mapped[str] = mapped_column(String(8), default="normal", server_default="normal")
    rolls: Mapped[str] = mapped_column(String(8), default="auto", server_default="auto")
    atmosphere: Mapped[bool] = mapped_column(default=True, server_default=true())
    gravity: Mapped[bool] = mapped_column(default=True, server_default=true())
    health: Mapped[str] = mapped_column(String(8), default="numbers", server_default="numbers")
    luck: Mapped[bool] = mapped_column(default=True, server_default=true())
    summary: Mapped[str] = mapped_column(String(2000), default="", server_default=text("''"))
    ic_date: Mapped[str] = mapped_column(String(80), default="", server_default=text("''"))
    location: Mapped[str] = mapped_column(String(80), default="", server_default=text("''"))
    warning: Mapped[str] = mapped_column(String(200), default="", server_default=text("''"))
    kind: Mapped[str] = mapped_column(String(24), default="", server_default=text("''"))
    zone: Mapped[str] = mapped_column(String(40), default="UTC", server_default="UTC")
    pose_order: Mapped[str] = mapped_column(String(8), default="free", server_default="free")
    pacing: Mapped[str] = mapped_column(String(16), default="live", server_default="live")
    paused: Mapped[bool] = mapped_column(default=False, server_default=false())
    sharing: Mapped[bool] = mapped_column(default=False, server_default=false())  # asked for
    next_seq: Mapped[int] = mapped_column(default=1)
    head: Mapped[str] = mapped_column(String(64))
    dice_counter: Mapped[int] = mapped_column(default=0)

    __table_args__ = (
        # At most one open scene a room, whoever is quicker.
        Index(
            "uq_scenes_one_open_a_room",
            "room_id",
            unique=True,
            sqlite_where=text("status = 'open'"),
            postgresql_where=text("status = 'open'"),
        ),
    )


class SceneSeed(Base):
    """The secret behind an era's dice; nothing reads it for showing before the scene closes."""

    __tablename__ = "scene_seeds"

    scene_id: Mapped[int] = mapped_column(ForeignKey("scenes.id"), primary_key=True)
    era: Mapped[int] = mapped_column(primary_key=True)
    seed: Mapped[bytes] = mapped_column(LargeBinary(32))
    commitment: Mapped[str] = mapped_column(String(64))
    words: Mapped[str] = mapped_column(Text, default="[]", server_default=text("'[]'"))  # JSON
    first_die: Mapped[int] = mapped_column(default=0, server_default="0")


class Participant(Base):
    """Somebody in a scene, invited to it, or who once was in it (`joined_at`, `left_at`).

    `shut_out`: they had left before it became private, so it does not exist for them.
    """

    __tablename__ = "participants"

    scene_id: Mapped[int] = mapped_column(ForeignKey("scenes.id"), primary_key=True)
    character_id: Mapped[int] = mapped_column(ForeignKey("characters.id"), primary_key=True)
    referee: Mapped[bool] = mapped_column(default=False)
    invited: Mapped[bool] = mapped_column(default=False)
    joined_at: Mapped[datetime | None]
    left_at: Mapped[datetime | None]
    shut_out: Mapped[bool] = mapped_column(default=False, server_default=false())
    seen: Mapped[int] = mapped_column(default=0, server_default="0")  # last row of the log shown
    consent: Mapped[str | None] = mapped_column(String(8))  # to sharing: yes, no, out

    __table_args__ = (Index("ix_participants_character_id", "character_id"),)


class LogRow(Base):
    """One fact of a scene's log, append-only. `plain` is the public text, null if not public."""

    __tablename__ = "scene_log"

    scene_id: Mapped[int] = mapped_column(ForeignKey("scenes.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    actor_id: Mapped[int]
    actor_name: Mapped[str] = mapped_column(String(24))
    kind: Mapped[str] = mapped_column(String(32))
    version: Mapped[int]
    payload: Mapped[str] = mapped_column(Text)
    audience: Mapped[str] = mapped_column(String(16))
    action: Mapped[int]
    era: Mapped[int]
    dice_from: Mapped[int]
    dice_to: Mapped[int]
    salt: Mapped[str] = mapped_column(String(32))
    digest: Mapped[str] = mapped_column(String(64))
    head: Mapped[str] = mapped_column(String(64))
    job: Mapped[str] = mapped_column(String(32))  # the command that wrote it, and
    part: Mapped[int]  # which of its rows this is: a job is never logged twice
    plain: Mapped[str | None] = mapped_column(Text)

    __table_args__ = (
        UniqueConstraint("job", "part"),
        # An action is numbered by its first row: only what follows it has to be found by it.
        Index(
            "ix_scene_log_action",
            "scene_id",
            "action",
            sqlite_where=text("action <> seq"),
            postgresql_where=text("action <> seq"),
        ),
        Index("ix_scene_log_actor", "scene_id", "actor_id", "seq"),
        # Of a long log, most is talk: whatever else is looked for by its kind is found at once,
        # and a pose has no more to write.
        Index(
            "ix_scene_log_unspoken",
            "scene_id",
            "kind",
            "seq",
            sqlite_where=text("kind <> 'spoken'"),
            postgresql_where=text("kind <> 'spoken'"),
        ),
    )
