"""The schema: up, down, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from mushcombat.errors import MushError
from mushcombat.storage import migrate, upgrades
from mushcombat.storage.engine import open_engine
from mushcombat.storage.revisions import newest, revisions
from mushcombat.storage.tables import METADATA
from mushcombat.storage.upgrades import alembic_config
from tests.contract.bench import open_database

OLDEST_FIRST = [
    script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()
][::-1]


def test_the_names_of_the_scripts_tell_the_same_as_alembic() -> None:
    assert revisions() == OLDEST_FIRST
    assert newest() == ScriptDirectory.from_config(alembic_config()).get_current_head()


@contextmanager
def transaction(url: str) -> Iterator[Connection]:
    engine = open_engine(url)
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


def migrated(url: str, go: Callable[..., None], revision: str) -> None:
    """Go up or down to a revision, with Alembic alone."""
    with transaction(url) as connection:
        config = alembic_config()
        config.attributes["connection"] = connection
        go(config, revision)


def tables(url: str) -> set[str]:
    with transaction(url) as connection:
        return set(inspect(connection).get_table_names())


def pretend(url: str, revision: str) -> None:
    """Let a database say that it has another revision."""
    with transaction(url) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :it"), {"it": revision})


def differences(url: str) -> list[object]:
    """Give what is different between the models and the tables."""
    with transaction(url) as connection:
        options = {"compare_type": True, "compare_server_default": True}
        return [*compare_metadata(MigrationContext.configure(connection, opts=options), METADATA)]


def knows_newer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program be written for a revision after all that there are."""
    monkeypatch.setattr(migrate, "newest", lambda: "9999")


def test_an_empty_database_is_brought_to_the_newest_schema(database_url: str) -> None:
    database = open_database(database_url)
    assert database.revision() is None
    database.prepare(upgrade=False)
    assert database.revision() == newest()
    assert tables(database_url) == set(METADATA.tables) | {"alembic_version"}


@pytest.mark.parametrize("revision", OLDEST_FIRST)
def test_every_revision_comes_up_to_the_newest(database_url: str, revision: str) -> None:
    migrated(database_url, command.upgrade, revision)
    assert open_database(database_url).revision() == revision
    open_database(database_url).prepare(upgrade=True)
    assert open_database(database_url).revision() == newest()
    assert differences(database_url) == []


def test_the_models_and_the_migrated_schema_agree(prepared_url: str) -> None:
    assert differences(prepared_url) == []


def test_a_difference_between_models_and_schema_would_be_seen(prepared_url: str) -> None:
    with transaction(prepared_url) as connection:
        connection.execute(text("ALTER TABLE accounts ADD COLUMN surplus INTEGER"))
        connection.execute(text("DROP INDEX uq_scenes_one_open_a_room"))
    assert len(differences(prepared_url)) == 2


def test_the_schema_goes_down_to_nothing_and_up_again(prepared_url: str) -> None:
    migrated(prepared_url, command.downgrade, "base")
    assert tables(prepared_url) == {"alembic_version"}
    open_database(prepared_url).prepare(upgrade=False)
    assert open_database(prepared_url).revision() == newest()
    assert differences(prepared_url) == []


def test_preparing_twice_changes_nothing(prepared_url: str) -> None:
    database = open_database(prepared_url)
    database.prepare_and(lambda store: store.dig("Deck"))
    database.prepare(upgrade=True)
    database.prepare(upgrade=False)
    names = database.prepare_and(lambda store: [place.name for place in store.places()])
    assert names == ["The Landing", "OOC Lounge", "Deck"]


@pytest.mark.parametrize("upgrade", [True, False])
def test_a_newer_schema_is_refused_and_left_alone(prepared_url: str, upgrade: bool) -> None:
    pretend(prepared_url, "7777")
    with pytest.raises(MushError, match=r"schema 7777, which this program does not know.*newer"):
        open_database(prepared_url).prepare(upgrade=upgrade)
    assert open_database(prepared_url).revision() == "7777"


def test_an_older_schema_is_refused_unless_upgrading(
    prepared_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    was = newest()
    knows_newer(monkeypatch)
    with pytest.raises(MushError, match=rf"older schema {was}.*mushcombat db upgrade"):
        open_database(prepared_url).prepare(upgrade=False)


def test_an_older_schema_is_upgraded_when_upgrading(
    prepared_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    knows_newer(monkeypatch)
    note = SimpleNamespace(upgrade=lambda config, revision: asked.append(revision))
    monkeypatch.setattr(upgrades, "command", note)
    open_database(prepared_url).prepare(upgrade=True)
    assert asked == ["head"]


def test_a_failing_first_act_leaves_the_database_empty(database_url: str) -> None:
    def fail(_: object) -> None:
        raise MushError("no", "It is not to be.")

    with pytest.raises(MushError, match="not to be"):
        open_database(database_url).prepare_and(fail)
    assert open_database(database_url).revision() is None


def test_a_new_game_has_two_rooms_with_ways_and_its_ledger(prepared_url: str) -> None:
    places = open_database(prepared_url).prepare_and(lambda store: store.places())
    start, lounge = places
    assert (start.kind, lounge.kind) == ("start", "ooc")
    assert [way.destination for way in start.ways] == [lounge.id]
    assert [way.destination for way in lounge.ways] == [start.id]
    with transaction(prepared_url) as connection:
        found = connection.execute(text("SELECT id, status, next_seq, head FROM scenes")).all()
    assert [tuple(row) for row in found] == [(0, "ledger", 1, "0" * 64)]
