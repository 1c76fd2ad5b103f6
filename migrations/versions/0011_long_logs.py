"""indexes for long logs: the few rows that nobody spoke, by kind; and the rows of one person"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    unspoken = sa.text("kind <> 'spoken'")
    op.create_index(
        "ix_scene_log_unspoken",
        "scene_log",
        ["scene_id", "kind", "seq"],
        sqlite_where=unspoken,
        postgresql_where=unspoken,
    )

    op.create_index("ix_scene_log_actor", "scene_log", ["scene_id", "actor_id", "seq"])


def downgrade() -> None:
    op.drop_index("ix_scene_log_actor", "scene_log")
    op.drop_index("ix_scene_log_unspoken", "scene_log")
