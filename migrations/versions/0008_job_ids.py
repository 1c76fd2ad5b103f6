"""job ids: which transactions are in, for when the answer to a COMMIT got lost"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "recent_jobs",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_recent_jobs"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_recent_jobs_at", "recent_jobs", ["at"])


def downgrade() -> None:
    op.drop_table("recent_jobs")
