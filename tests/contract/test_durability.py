"""What a commit means: on disk, on connections that say so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from mushcombat.errors import MushError
from mushcombat.storage import engine as engines
from mushcombat.storage.engine import WAL_PAGES
from mushcombat.storage.reads import ReadStore
from mushcombat.storage.writes import WriteStore
from tests.contract.bench import Bench, saying

only_sqlite = pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
only_postgresql = pytest.mark.parametrize("backend", ["postgresql"], indirect=True)


def setting(bench: Bench, statement: str) -> object:
    """Ask the writer's own connection, inside a job."""

    def ask(store: WriteStore) -> object:
        return store._session.execute(text(statement)).scalar_one()

    return bench.do(ask)


@only_sqlite
@pytest.mark.parametrize(
    ("pragma", "value"),
    [
        ("synchronous", 2),
        ("journal_mode", "wal"),
        ("wal_autocheckpoint", WAL_PAGES),
        ("foreign_keys", 1),
        ("query_only", 0),
    ],
)
def test_the_writer_on_sqlite_waits_for_the_disk_in_wal_mode(
    bench: Bench, pragma: str, value: object
) -> None:
    assert setting(bench, f"PRAGMA {pragma}") == value


@only_sqlite
def test_sqlites_own_log_goes_into_the_database_now_and_then(
    prepared_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "WAL_PAGES", 20)
    bench = Bench(prepared_url)
    scene = bench.scene(bench.login("Ada"))
    bench.log(scene)  # a reader's connection stays open beside the writer's
    for number in range(200):  # some six pages each
        bench.facts(saying(scene, str(number)))
    assert Path(f"{bench.engine.url.database}-wal").stat().st_size < 40 * 4096
    bench.close()


@only_postgresql
@pytest.mark.parametrize(
    ("name", "value"), [("synchronous_commit", "on"), ("TimeZone", "UTC"), ("fsync", "on")]
)
def test_the_writer_on_postgresql_waits_for_the_disk(bench: Bench, name: str, value: str) -> None:
    assert setting(bench, f"SHOW {name}") == value


def test_a_foreign_key_is_held(bench: Bench) -> None:
    ada = bench.login("Ada")
    with pytest.raises(MushError, match="Somebody else was quicker"):
        bench.do(lambda store: store.move(ada.character, 4711))
    assert bench.value("SELECT room_id FROM characters") == 1


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE rooms SET name = 'Mine'",
        "DELETE FROM scenes",
        "INSERT INTO rooms (name, kind, description) VALUES ('Mine', 'room', '')",
        "DROP TABLE traits",
        "CREATE TABLE mine (id INTEGER)",
    ],
)
def test_readers_can_not_write(bench: Bench, statement: str) -> None:
    def write(store: ReadStore) -> None:
        store._session.execute(text(statement))
        store._session.commit()

    with pytest.raises((DBAPIError, MushError)) as refusal:
        bench.read(write)
    assert re.search("(?i)read-?only", str(refusal.value.__cause__ or refusal.value))
    assert [place.name for place in bench.read(lambda store: store.places())] == [
        "The Landing",
        "OOC Lounge",
    ]


def test_readers_read_on_while_the_writer_is_in_a_transaction(bench: Bench) -> None:
    seen: list[list[str]] = []

    def dig(store: WriteStore) -> None:
        store.dig("Deck")
        seen.append([place.name for place in bench.read(lambda reads: reads.places())])

    bench.do(dig)
    seen.append([place.name for place in bench.read(lambda reads: reads.places())])
    assert seen == [["The Landing", "OOC Lounge"], ["The Landing", "OOC Lounge", "Deck"]]


def test_so_many_readers_as_asked_for_read_at_once(bench: Bench) -> None:
    def outer(store: ReadStore) -> int:
        inner = bench.read(lambda other: len(other.places()))
        return inner + len(store.places())

    assert bench.read(outer) == 4
