"""treatments: who has tried to heal whom, and failed"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def _character(column: str) -> sa.Column[int]:
    key = sa.ForeignKey("characters.id", name=f"fk_treatments_{column}")
    return sa.Column(column, sa.Integer(), key, nullable=False)


def upgrade() -> None:
    op.create_table(
        "treatments",
        _character("character_id"),
        sa.Column("system", sa.String(32), nullable=False),
        _character("healer_id"),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("character_id", "system", "healer_id", name="pk_treatments"),
    )


def downgrade() -> None:
    op.drop_table("treatments")
