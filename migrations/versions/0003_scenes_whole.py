"""scenes whole: what they are about, pausing, hidden NPCs, consent to share, what each has seen"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

TEXTS = (
    ("summary", 2000, ""),
    ("ic_date", 80, ""),
    ("location", 80, ""),
    ("warning", 200, ""),
    ("kind", 24, ""),
    ("zone", 40, "UTC"),
    ("pose_order", 8, "free"),
    ("pacing", 16, "live"),
)
"""Columns that describe a scene: name, width, default."""


def upgrade() -> None:
    for name, width, default in TEXTS:
        column = sa.Column(
            name, sa.String(width), nullable=False, server_default=sa.text(f"'{default}'")
        )
        op.add_column("scenes", column)
    for table, flag in (("scenes", "paused"), ("scenes", "sharing"), ("characters", "hidden")):
        column = sa.Column(flag, sa.Boolean(), nullable=False, server_default=sa.false())
        op.add_column(table, column)
    seen = sa.Column("seen", sa.Integer(), nullable=False, server_default="0")
    op.add_column("participants", seen)
    op.add_column("participants", sa.Column("consent", sa.String(8)))


def downgrade() -> None:
    op.drop_column("participants", "consent")
    op.drop_column("participants", "seen")
    op.drop_column("characters", "hidden")
    for name in ("sharing", "paused", *(name for name, _, _ in reversed(TEXTS))):
        op.drop_column("scenes", name)
