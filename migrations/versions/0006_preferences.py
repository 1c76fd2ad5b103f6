"""preferences: how each login wants to be shown things"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    account = sa.ForeignKey("accounts.id", name="fk_preferences_account_id")
    op.create_table(
        "preferences",
        sa.Column("account_id", sa.Integer(), account, nullable=False),
        sa.Column("name", sa.String(16), nullable=False),
        sa.Column("value", sa.String(16), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "name", name="pk_preferences"),
    )


def downgrade() -> None:
    op.drop_table("preferences")
