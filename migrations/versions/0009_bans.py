"""bans: whom staff keep out"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    character = sa.ForeignKey("characters.id", name="fk_bans_character_id")
    op.create_table(
        "bans",
        sa.Column("target", sa.String(64), nullable=False),
        sa.Column("character_id", sa.Integer(), character, nullable=True),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("made_by", sa.String(24), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("until", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("target", name="pk_bans"),
    )


def downgrade() -> None:
    op.drop_table("bans")
