"""channels, with one for everybody and one for staff; whom players ignore and watch"""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

FIRST = (("Public", "pub", 0), ("Staff", "staff", 2))
"""Name, alias and least role: guests are on the first, staff on both."""


def _key(table: str, column: str, to: str, *, nullable: bool = False) -> sa.Column[int]:
    key = sa.ForeignKey(f"{to}.id", name=f"fk_{table}_{column}")
    return sa.Column(column, sa.Integer(), key, nullable=nullable)


def upgrade() -> None:
    op.create_table(
        "channels",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(16), nullable=False),
        sa.Column("name_key", sa.String(16), nullable=False),
        sa.Column("alias", sa.String(16), nullable=False),
        sa.Column("role", sa.Integer(), nullable=False),
        sa.Column("everyone", sa.Boolean(), nullable=False),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_channels"),
        sa.UniqueConstraint("name_key", name="uq_channels_name_key"),
        sa.UniqueConstraint("alias", name="uq_channels_alias"),
    )
    op.create_table(
        "channel_members",
        _key("channel_members", "channel_id", "channels"),
        _key("channel_members", "character_id", "characters"),
        sa.Column("state", sa.String(8), nullable=False),
        sa.PrimaryKeyConstraint("channel_id", "character_id", name="pk_channel_members"),
    )
    op.create_table(
        "channel_lines",
        _key("channel_lines", "channel_id", "channels"),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("actor_id", sa.Integer(), nullable=False),
        sa.Column("actor_name", sa.String(24), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("channel_id", "seq", name="pk_channel_lines"),
    )
    op.create_table(
        "player_settings",
        _key("player_settings", "character_id", "characters"),
        sa.Column("watches_all", sa.Boolean(), nullable=False),
        sa.Column("pages_locked", sa.Boolean(), nullable=False),
        _key("player_settings", "left_room_id", "rooms", nullable=True),
        sa.PrimaryKeyConstraint("character_id", name="pk_player_settings"),
    )
    op.create_table(
        "contacts",
        _key("contacts", "character_id", "characters"),
        sa.Column("kind", sa.String(8), nullable=False),
        _key("contacts", "other_id", "characters"),
        sa.PrimaryKeyConstraint("character_id", "kind", "other_id", name="pk_contacts"),
    )
    _furnish()


def _furnish() -> None:
    """Make the channels that every game begins with."""
    now = datetime.now(UTC).replace(tzinfo=None)
    for name, alias, role in FIRST:
        op.execute(
            sa.text(
                "INSERT INTO channels (name, name_key, alias, role, everyone, last_seq, created_at)"
                " VALUES (:name, :key, :alias, :role, :everyone, 0, :now)"
            ).bindparams(
                name=name, key=name.casefold(), alias=alias, role=role, everyone=True, now=now
            )
        )


def downgrade() -> None:
    for table in ("contacts", "player_settings", "channel_lines", "channel_members", "channels"):
        op.drop_table(table)
