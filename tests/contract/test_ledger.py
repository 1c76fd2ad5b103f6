"""The log as it is stored: numbers, hash chain, dice, and what text it holds."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from mushcombat.domain.breakdown import Breakdown, Term
from mushcombat.domain.command import Outcome
from mushcombat.domain.dice import SceneDice, Throw, scene_key
from mushcombat.domain.events import GAME_LEDGER, Audience, Draft, RoomDug, Unreadable
from mushcombat.storage.writes import WriteStore
from mushcombat.systems.otherspace.events import Rolled
from tests.contract.bench import SEED, Bench, Run, describe, say, saying, words_of

HASHED = (
    ("scene", "scene_id"),
    ("seq", "seq"),
    ("actor", "actor_id"),
    ("name", "actor_name"),
    ("kind", "kind"),
    ("version", "version"),
    ("audience", "audience"),
    ("action", "action"),
    ("era", "era"),
    ("dice_from", "dice_from"),
    ("dice_to", "dice_to"),
)


@pytest.fixture
def scene(bench: Bench) -> int:
    return bench.scene(bench.login("Ada"))


def rolls(scene: int, *counts: int, ledgered: bool = True) -> Run:
    """Make the run of a job that throws dice, some at a time, and shows them in one entry."""

    def run(store: WriteStore) -> Outcome:
        dice = store.dice(scene)
        throws = tuple(dice.throw(count, 10, "roll") for count in counts)
        total = Breakdown((Term(3, "3"),), throws)
        event = Rolled(7, "Ada", "Pistol", "Good", total)
        return Outcome.of(Draft(event, Audience.ROOM, scene if ledgered else None))

    return run


def stored(bench: Bench, scene: int) -> list[dict[str, Any]]:
    rows = bench.rows("SELECT * FROM scene_log WHERE scene_id = :it ORDER BY seq", it=scene)
    return [dict(row._mapping) for row in rows]


def recomputed_head(rows: list[dict[str, Any]]) -> str:
    """Chain rows as docs/trust.md tells it, with hashlib and json alone."""
    head = "0" * 64
    for row in rows:
        hashed = {ours: row[column] for ours, column in HASHED}
        at = row["at"] if isinstance(row["at"], datetime) else datetime.fromisoformat(row["at"])
        hashed["at"] = at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        hashed["payload"] = json.loads(row["payload"])
        written = json.dumps(hashed, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        digest = hashlib.sha256(bytes.fromhex(row["salt"]) + written.encode()).hexdigest()
        assert row["digest"] == digest
        head = hashlib.sha256(bytes.fromhex(head) + bytes.fromhex(digest)).hexdigest()
        assert row["head"] == head
    return head


def test_rows_are_numbered_without_gaps_over_many_batches(bench: Bench, scene: int) -> None:
    for n in range(3):
        bench.run(saying(scene, f"a{n}"), lambda _: 1 // 0, saying(scene, f"b{n}"))  # type: ignore[arg-type,return-value]  # meant to break
    assert [row["seq"] for row in stored(bench, scene)] == [*range(1, 8)]
    assert bench.value("SELECT next_seq FROM scenes WHERE id = :it", it=scene) == 8


def test_all_that_one_job_logs_is_of_one_moment_and_the_next_is_later(
    bench: Bench, scene: int
) -> None:
    def speaks_twice(_: WriteStore) -> Outcome:
        return Outcome.of(say(scene, "one"), say(scene, "two"))

    one, two, three = bench.facts(speaks_twice, saying(scene, "three"))
    assert one.at == two.at < three.at


def test_the_stored_chain_is_what_anyone_computes_from_the_rows(bench: Bench, scene: int) -> None:
    other = bench.scene(bench.login("Bram"))
    bench.facts(saying(scene, "Grüße, “Ωmega” \u2028 \x7f 🎲"), saying(other, "elsewhere"))
    bench.facts(rolls(scene, 4))
    facts = bench.facts(saying(scene, "end"), bench.closes(scene))
    for number in (scene, other):
        head = bench.value("SELECT head FROM scenes WHERE id = :it", it=number)
        assert head == recomputed_head(stored(bench, number))
    assert facts[-1].head == recomputed_head(stored(bench, scene))


def test_an_altered_row_breaks_the_chain(bench: Bench, scene: int) -> None:
    bench.facts(saying(scene, "I never said that"))
    rows = stored(bench, scene)
    rows[1]["payload"] = rows[1]["payload"].replace("never", "always")
    with pytest.raises(AssertionError):
        recomputed_head(rows)


def test_no_two_rows_have_one_salt(bench: Bench, scene: int) -> None:
    bench.facts(*[saying(scene, "the same")] * 20)
    salts = [row["salt"] for row in stored(bench, scene)]
    assert len(set(salts)) == 21
    assert {len(salt) for salt in salts} == {32}


def test_each_row_owns_the_dice_that_it_shows_and_all_can_be_thrown_again(
    bench: Bench, scene: int
) -> None:
    bench.facts(rolls(scene, 4), saying(scene, "between"), rolls(scene, 1, 2))
    bench.facts(rolls(scene, 3))
    rows = stored(bench, scene)
    owned = [(row["dice_from"], row["dice_to"]) for row in rows]
    assert owned == [(0, 0), (0, 4), (4, 4), (4, 7), (7, 10)]
    dice = SceneDice(scene_key(SEED), 0)
    for row in rows:
        for throw in json.loads(row["payload"]).get("breakdown", {}).get("throws", []):
            again = dice.throw(len(throw["faces"]), throw["sides"], throw["label"])
            assert Throw(throw["start"], "roll", 10, tuple(throw["faces"])) == again
    assert dice.counter == 10
    assert bench.value("SELECT dice_counter FROM scenes WHERE id = :it", it=scene) == 10


def test_dice_that_no_row_shows_count_all_the_same(bench: Bench, scene: int) -> None:
    bench.facts(rolls(scene, 4, ledgered=False))
    bench.facts(rolls(scene, 2))
    assert bench.value("SELECT dice_counter FROM scenes WHERE id = :it", it=scene) == 6
    throw = json.loads(stored(bench, scene)[-1]["payload"])["breakdown"]["throws"][0]
    assert throw["start"] == 4


def test_only_what_everyone_in_the_room_may_read_is_stored_as_text(
    bench: Bench, scene: int
) -> None:
    hidden = [say(scene, "hush", audience) for audience in (Audience.PRIVATE, Audience.REFEREES)]
    dug = Draft(RoomDug(3, "Deck"), Audience.ROOM, GAME_LEDGER)
    facts = bench.facts(lambda _: Outcome.of(say(scene, "aloud"), *hidden, dug))
    plain = [row["plain"] for row in stored(bench, scene)]
    assert plain == ["Nobody: scene.opened", describe(facts[0]), None, None]
    assert [row["plain"] for row in stored(bench, GAME_LEDGER)] == [None]
    assert words_of(bench.log(scene)) == ["aloud", "hush", "hush"]


def test_a_row_of_unknown_shape_reads_as_its_stored_text(bench: Bench, scene: int) -> None:
    def from_the_future(store: WriteStore) -> Outcome:
        store.ledgers.flush()
        return Outcome.of(say(scene, "today"))

    bench.facts(from_the_future)
    hidden = [say(scene, "hush", Audience.PRIVATE)]
    bench.facts(lambda _: Outcome.of(*hidden))
    forge(bench, "UPDATE scene_log SET version = 99 WHERE seq = 2")
    forge(bench, "UPDATE scene_log SET kind = 'otherspace.psi' WHERE seq = 3")
    opened, today, hush = bench.log(scene)
    assert opened.event.kind == "scene.opened"
    assert today.event == Unreadable("spoken", "Nobody: today")
    assert hush.event == Unreadable("otherspace.psi", "")


def test_a_job_and_part_stand_in_the_log_once(bench: Bench, scene: int) -> None:
    bench.facts(lambda _: Outcome.of(say(scene, "one"), say(scene, "two")))
    jobs = [(row["job"], row["part"]) for row in stored(bench, scene)][1:]
    assert [part for _, part in jobs] == [0, 1]
    assert len({job for job, _ in jobs}) == 1
    with pytest.raises(IntegrityError):
        forge(bench, "UPDATE scene_log SET part = 1 WHERE seq = 2")


def forge(bench: Bench, statement: str) -> None:
    """Change rows behind the program's back."""
    with bench.engine.begin() as connection:
        connection.exec_driver_sql(statement)
