"""who had left a scene before it became private"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    shut_out: sa.Column[bool] = sa.Column(
        "shut_out", sa.Boolean(), server_default=sa.false(), nullable=False
    )
    op.add_column("participants", shut_out)


def downgrade() -> None:
    op.drop_column("participants", "shut_out")
