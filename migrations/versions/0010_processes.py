"""processes: servers on one database, who is connected to which, and what they tell each other"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "processes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("host", sa.String(255), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("renewed_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_processes"),
    )
    op.create_table(
        "presences",
        sa.Column("process_id", sa.Integer(), nullable=False),
        sa.Column("character_id", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("active", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["process_id"], ["processes.id"], name="fk_presences_process_id"),
        sa.ForeignKeyConstraint(
            ["character_id"], ["characters.id"], name="fk_presences_character_id"
        ),
        sa.PrimaryKeyConstraint("process_id", "character_id", name="pk_presences"),
    )
    op.create_index("ix_presences_character_id", "presences", ["character_id"])
    # Speech that nobody needs kept crosses by it: it is not worth a write to the disk.
    unlogged = ["UNLOGGED"] if op.get_bind().dialect.name == "postgresql" else []
    op.create_table(
        "bulletins",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("prior", sa.BigInteger(), nullable=False),
        sa.Column("process_id", sa.Integer()),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_bulletins"),
        prefixes=unlogged,
    )


def downgrade() -> None:
    op.drop_table("bulletins")
    op.drop_table("presences")
    op.drop_table("processes")
