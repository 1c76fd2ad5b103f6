"""the index of actions leaves out the row that an action begins with: its number is the action's"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

COLUMNS = ["scene_id", "action"]


def upgrade() -> None:
    op.drop_index("ix_scene_log_action", "scene_log")
    later = sa.text("action <> seq")
    op.create_index(
        "ix_scene_log_action", "scene_log", COLUMNS, sqlite_where=later, postgresql_where=later
    )


def downgrade() -> None:
    op.drop_index("ix_scene_log_action", "scene_log")
    op.create_index("ix_scene_log_action", "scene_log", COLUMNS)
