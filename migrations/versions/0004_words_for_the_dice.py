"""words for the dice: what players gave for an era's key, and the number of its first die"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    words = sa.Column("words", sa.Text(), nullable=False, server_default=sa.text("'[]'"))
    op.add_column("scene_seeds", words)
    first = sa.Column("first_die", sa.Integer(), nullable=False, server_default="0")
    op.add_column("scene_seeds", first)


def downgrade() -> None:
    op.drop_column("scene_seeds", "first_die")
    op.drop_column("scene_seeds", "words")
