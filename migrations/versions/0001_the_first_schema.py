"""the first schema"""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=24), nullable=False),
        sa.Column("name_key", sa.String(length=24), nullable=False),
        sa.Column("password_hash", sa.String(length=200), nullable=False),
        sa.Column("role", sa.Integer(), nullable=False),
        sa.Column("disabled", sa.Boolean(), nullable=False),
        sa.Column("one_time", sa.Boolean(), nullable=False),
        sa.Column("spent", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("last_login_at", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("name_key", name=op.f("uq_accounts_name_key")),
    )
    op.create_table(
        "rooms",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("origin_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["origin_id"], ["rooms.id"], name=op.f("fk_rooms_origin_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rooms")),
    )
    op.create_index(
        "uq_rooms_one_of_its_kind",
        "rooms",
        ["kind"],
        unique=True,
        sqlite_where=sa.text("kind IN ('start', 'ooc')"),
        postgresql_where=sa.text("kind IN ('start', 'ooc')"),
    )
    op.create_table(
        "exits",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("room_id", sa.Integer(), nullable=False),
        sa.Column("names", sa.String(length=200), nullable=False),
        sa.Column("destination_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["destination_id"], ["rooms.id"], name=op.f("fk_exits_destination_id")
        ),
        sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name=op.f("fk_exits_room_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exits")),
    )
    op.create_index("ix_exits_room_id", "exits", ["room_id"], unique=False)
    op.create_table(
        "scenes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(length=120), nullable=False),
        sa.Column("system", sa.String(length=32), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("room_id", sa.Integer(), nullable=True),
        sa.Column("owner_id", sa.Integer(), nullable=True),
        sa.Column("opened_at", sa.DateTime(), nullable=False),
        sa.Column("closed_at", sa.DateTime(), nullable=True),
        sa.Column("era", sa.Integer(), nullable=False),
        sa.Column("next_seq", sa.Integer(), nullable=False),
        sa.Column("head", sa.String(length=64), nullable=False),
        sa.Column("dice_counter", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name=op.f("fk_scenes_room_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scenes")),
    )
    op.create_index(
        "uq_scenes_one_open_a_room",
        "scenes",
        ["room_id"],
        unique=True,
        sqlite_where=sa.text("status = 'open'"),
        postgresql_where=sa.text("status = 'open'"),
    )
    op.create_table(
        "characters",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("scene_id", sa.Integer(), nullable=True),
        sa.Column("name", sa.String(length=24), nullable=False),
        sa.Column("name_key", sa.String(length=24), nullable=False),
        sa.Column("room_id", sa.Integer(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("doing", sa.String(length=80), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_characters_account_id")
        ),
        sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name=op.f("fk_characters_room_id")),
        sa.ForeignKeyConstraint(["scene_id"], ["scenes.id"], name=op.f("fk_characters_scene_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_characters")),
        sa.UniqueConstraint("account_id", name=op.f("uq_characters_account_id")),
    )
    op.create_index("ix_characters_name_key", "characters", ["name_key"], unique=False)
    op.create_index("ix_characters_room_id", "characters", ["room_id"], unique=False)
    op.create_index(
        "uq_characters_npc_name",
        "characters",
        ["scene_id", "name_key"],
        unique=True,
        sqlite_where=sa.text("scene_id IS NOT NULL"),
        postgresql_where=sa.text("scene_id IS NOT NULL"),
    )
    op.create_index(
        "uq_characters_player_name",
        "characters",
        ["name_key"],
        unique=True,
        sqlite_where=sa.text("account_id IS NOT NULL"),
        postgresql_where=sa.text("account_id IS NOT NULL"),
    )
    op.create_table(
        "scene_log",
        sa.Column("scene_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("actor_id", sa.Integer(), nullable=False),
        sa.Column("actor_name", sa.String(length=24), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("audience", sa.String(length=16), nullable=False),
        sa.Column("action", sa.Integer(), nullable=False),
        sa.Column("era", sa.Integer(), nullable=False),
        sa.Column("dice_from", sa.Integer(), nullable=False),
        sa.Column("dice_to", sa.Integer(), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("head", sa.String(length=64), nullable=False),
        sa.Column("job", sa.String(length=32), nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("plain", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["scene_id"], ["scenes.id"], name=op.f("fk_scene_log_scene_id")),
        sa.PrimaryKeyConstraint("scene_id", "seq", name=op.f("pk_scene_log")),
        sa.UniqueConstraint("job", "part", name=op.f("uq_scene_log_job_part")),
    )
    op.create_index("ix_scene_log_action", "scene_log", ["scene_id", "action"], unique=False)
    op.create_table(
        "scene_seeds",
        sa.Column("scene_id", sa.Integer(), nullable=False),
        sa.Column("era", sa.Integer(), nullable=False),
        sa.Column("seed", sa.LargeBinary(length=32), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["scene_id"], ["scenes.id"], name=op.f("fk_scene_seeds_scene_id")),
        sa.PrimaryKeyConstraint("scene_id", "era", name=op.f("pk_scene_seeds")),
    )
    op.create_table(
        "participants",
        sa.Column("scene_id", sa.Integer(), nullable=False),
        sa.Column("character_id", sa.Integer(), nullable=False),
        sa.Column("referee", sa.Boolean(), nullable=False),
        sa.Column("invited", sa.Boolean(), nullable=False),
        sa.Column("joined_at", sa.DateTime(), nullable=True),
        sa.Column("left_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["character_id"], ["characters.id"], name=op.f("fk_participants_character_id")
        ),
        sa.ForeignKeyConstraint(["scene_id"], ["scenes.id"], name=op.f("fk_participants_scene_id")),
        sa.PrimaryKeyConstraint("scene_id", "character_id", name=op.f("pk_participants")),
    )
    op.create_index("ix_participants_character_id", "participants", ["character_id"], unique=False)
    op.create_table(
        "quirks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("character_id", sa.Integer(), nullable=False),
        sa.Column("system", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("imposed_by", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["character_id"], ["characters.id"], name=op.f("fk_quirks_character_id")
        ),
        sa.ForeignKeyConstraint(
            ["imposed_by"], ["characters.id"], name=op.f("fk_quirks_imposed_by")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_quirks")),
        sa.UniqueConstraint(
            "character_id", "system", "name", name=op.f("uq_quirks_character_id_system_name")
        ),
    )
    op.create_table(
        "traits",
        sa.Column("character_id", sa.Integer(), nullable=False),
        sa.Column("system", sa.String(length=32), nullable=False),
        sa.Column("grouping", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["character_id"], ["characters.id"], name=op.f("fk_traits_character_id")
        ),
        sa.PrimaryKeyConstraint(
            "character_id", "system", "grouping", "name", name=op.f("pk_traits")
        ),
    )
    op.create_table(
        "wounds",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("character_id", sa.Integer(), nullable=False),
        sa.Column("system", sa.String(length=32), nullable=False),
        sa.Column("scene_id", sa.Integer(), nullable=True),
        sa.Column("action", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["character_id"], ["characters.id"], name=op.f("fk_wounds_character_id")
        ),
        sa.ForeignKeyConstraint(["scene_id"], ["scenes.id"], name=op.f("fk_wounds_scene_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_wounds")),
    )
    op.create_index("ix_wounds_character_id", "wounds", ["character_id"], unique=False)
    _furnish()


def _furnish() -> None:
    """Make what every game has: two rooms with a way between them, and its own ledger."""
    op.execute(
        sa.text(
            "INSERT INTO rooms (name, kind, description) VALUES (:name, :kind, :text)"
        ).bindparams(
            name="The Landing",
            kind="start",
            text="A broad steel deck under work lights. Everyone begins here.",
        )
    )
    op.execute(
        sa.text(
            "INSERT INTO rooms (name, kind, description) VALUES (:name, :kind, :text)"
        ).bindparams(
            name="OOC Lounge",
            kind="ooc",
            text="Soft chairs, bad coffee, no story. Talk as yourselves here.",
        )
    )
    for names, here, there in (
        ("OOC Lounge;ooc room;lounge", "start", "ooc"),
        ("Out;o;landing", "ooc", "start"),
    ):
        op.execute(
            sa.text(
                "INSERT INTO exits (room_id, names, destination_id) SELECT a.id, :names, b.id"
                " FROM rooms a, rooms b WHERE a.kind = :here AND b.kind = :there"
            ).bindparams(names=names, here=here, there=there)
        )
    op.execute(
        sa.text(
            "INSERT INTO scenes (id, title, system, status, private, opened_at, era, next_seq,"
            " head, dice_counter)"
            " VALUES (0, 'The game''s ledger', '', 'ledger', :private, :now, 0, 1, :head, 0)"
        ).bindparams(private=True, now=datetime.now(UTC).replace(tzinfo=None), head="0" * 64)
    )


def downgrade() -> None:
    for table in (
        "wounds",
        "traits",
        "quirks",
        "participants",
        "scene_seeds",
        "scene_log",
        "characters",
        "scenes",
        "exits",
        "rooms",
        "accounts",
    ):
        op.drop_table(table)
