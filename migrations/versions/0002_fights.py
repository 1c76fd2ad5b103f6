"""fights: conditions, items, the tracker, pending actions, and a scene's settings"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def _settings() -> tuple[sa.Column[Any], ...]:
    """Give the columns that a scene's settings are."""
    return (
        sa.Column("mode", sa.String(8), nullable=False, server_default="normal"),
        sa.Column("rolls", sa.String(8), nullable=False, server_default="auto"),
        sa.Column("atmosphere", sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column("gravity", sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column("health", sa.String(8), nullable=False, server_default="numbers"),
        sa.Column("luck", sa.Boolean(), nullable=False, server_default=sa.true()),
    )


def _character(table: str) -> sa.Column[int]:
    key = sa.ForeignKey("characters.id", name=f"fk_{table}_character_id")
    return sa.Column("character_id", sa.Integer(), key, nullable=False)


def _scene(table: str) -> sa.Column[int]:
    key = sa.ForeignKey("scenes.id", name=f"fk_{table}_scene_id")
    return sa.Column("scene_id", sa.Integer(), key, nullable=False)


def upgrade() -> None:
    for column in _settings():
        op.add_column("scenes", column)
    op.create_table(
        "conditions",
        _character("conditions"),
        sa.Column("system", sa.String(32), nullable=False),
        sa.Column("harm", sa.Integer(), nullable=False),
        sa.Column("stun", sa.Integer(), nullable=False),
        sa.Column("dead", sa.Boolean(), nullable=False),
        sa.Column("stunned_until", sa.BigInteger()),
        sa.Column("healed_day", sa.Integer()),
        sa.Column("rested_day", sa.Integer()),
        sa.Column("luck_used", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("character_id", "system", name="pk_conditions"),
    )
    op.create_index("ix_conditions_stunned_until", "conditions", ["stunned_until"])
    op.create_table(
        "items",
        _character("items"),
        sa.Column("system", sa.String(32), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("in_use", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("character_id", "system", "name", name="pk_items"),
    )
    # Nothing wrote these two yet; what can be undone keeps its times as whole seconds.
    for table in ("wounds", "quirks"):
        with op.batch_alter_table(table) as altered:
            altered.drop_column("at")
            altered.add_column(
                sa.Column("at_seconds", sa.BigInteger(), nullable=False, server_default="0")
            )
    _tracker()


def _tracker() -> None:
    op.create_table(
        "fights",
        _scene("fights"),
        sa.Column("phase", sa.String(8), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer()),
        sa.PrimaryKeyConstraint("scene_id", name="pk_fights"),
    )
    op.create_table(
        "combatants",
        _scene("combatants"),
        _character("combatants"),
        sa.Column("rank", sa.String(400), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("late", sa.Boolean(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("scene_id", "character_id", name="pk_combatants"),
    )
    op.create_table(
        "pending",
        _scene("pending"),
        sa.Column("action", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("actor_id", sa.Integer(), nullable=False),
        sa.Column("stage", sa.String(8), nullable=False),
        sa.Column("owner_id", sa.Integer()),
        sa.Column("due", sa.BigInteger()),
        sa.Column("state", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("scene_id", "action", name="pk_pending"),
    )
    op.create_index("ix_pending_due", "pending", ["due"])


def downgrade() -> None:
    for table in ("pending", "combatants", "fights", "items", "conditions"):
        op.drop_table(table)
    for table in ("wounds", "quirks"):
        with op.batch_alter_table(table) as altered:
            altered.drop_column("at_seconds")
            altered.add_column(
                sa.Column("at", sa.DateTime(), nullable=False, server_default="1970-01-01")
            )
    with op.batch_alter_table("scenes") as scenes:
        for column in _settings():
            scenes.drop_column(column.name)
