"""Eras, words for the dice, and answers to sharing, as both databases keep them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from mushcombat.domain.breakdown import Breakdown, Term
from mushcombat.domain.command import Outcome, Refused
from mushcombat.domain.dice import SceneDice, commitment, scene_key
from mushcombat.domain.eras import DiceWords, Era, SceneReopened
from mushcombat.domain.events import Audience, Draft, Event
from mushcombat.domain.ports import Login
from mushcombat.domain.proof import Verified, verify
from mushcombat.domain.scene import Scene
from mushcombat.domain.transcripts import LoggedRow
from mushcombat.errors import MushError
from mushcombat.storage.writes import WriteStore
from mushcombat.systems.otherspace.events import Rolled
from tests.contract.bench import SEED, Bench, saying, who

LATER = bytes(range(32, 64))


@pytest.fixture
def ada(bench: Bench) -> Login:
    return bench.login("Ada")


@pytest.fixture
def bram(bench: Bench) -> Login:
    return bench.login("Bram")


def stored(bench: Bench, number: int) -> Scene:
    scene = bench.read(lambda store: store.scene(number))
    assert scene is not None
    return scene


def draft(scene: int, event: Event) -> Outcome:
    return Outcome.of(Draft(event, Audience.ROOM, scene))


def gives(scene: int, words: str) -> Callable[[WriteStore], Outcome]:
    def run(store: WriteStore) -> Outcome:
        store.give_words(scene, words)
        return draft(scene, DiceWords(store.era(scene).number, words))

    return run


def rolls(scene: int) -> Callable[[WriteStore], Outcome]:
    def run(store: WriteStore) -> Outcome:
        throw = store.dice(scene).throw(4, 3, "roll")
        total = Breakdown((Term(4, "4"),), (throw,))
        return draft(scene, Rolled(1, "Ada", "Strength", "Fair", total))

    return run


def reopens(scene: int, room: int, seed: bytes = LATER) -> Callable[[WriteStore], Outcome]:
    def run(store: WriteStore) -> Outcome:
        store.reopen_scene(scene, room, seed)
        era = store.era(scene).number
        event = SceneReopened("A Test", "otherspace", room, "Deck", False, era, commitment(seed))
        return draft(scene, event)

    return run


def exported(bench: Bench, scene: int) -> Verified:
    """Export everything and verify it."""
    rows: list[LoggedRow] = bench.read(lambda store: list(store.exported(scene, 10**6)))
    lines: list[dict[str, Any]] = [{"type": "transcript", "format": 1, "scene": scene}]
    lines += [{"type": "row", "salt": r.salt, "digest": r.digest, **r.hashed} for r in rows]
    head = rows[-1].fact.head
    lines.append({"type": "end", "head": head, "rows": len(rows), "withheld": 0})
    text = [json.dumps(line, ensure_ascii=False) for line in lines]
    shown = bench.value("SELECT head FROM scenes WHERE id = :it", it=scene)
    return verify(text, text, shown)


def test_words_go_into_the_key_of_the_dice_in_their_order(bench: Bench, ada: Login) -> None:
    scene = bench.scene(ada)
    bench.facts(gives(scene, "the red door"), gives(scene, "7 pm"))
    assert bench.do(lambda store: store.era(scene)) == Era(1, ("the red door", "7 pm"))
    throw = bench.do(lambda store: store.dice(scene).throw(8, 6, "test"))
    key = scene_key(SEED, ("the red door", "7 pm"))
    assert throw == SceneDice(key, 0).throw(8, 6, "test")


def test_words_given_in_the_batch_of_the_first_die_count(bench: Bench, ada: Login) -> None:
    scene = bench.scene(ada)
    bench.facts(gives(scene, "red"), rolls(scene), bench.closes(scene))
    assert exported(bench, scene).dice == 4


def test_words_are_refused_once_a_die_was_thrown(bench: Bench, ada: Login) -> None:
    scene = bench.scene(ada)
    assert not bench.do(lambda store: store.dice_thrown(scene))
    _, refused = bench.run(rolls(scene), gives(scene, "late"))
    assert isinstance(refused, Refused)
    assert refused.text == "A die has been thrown. Words count before the first one."
    assert bench.do(lambda store: store.dice_thrown(scene))
    (again,) = bench.run(gives(scene, "later"))
    assert isinstance(again, Refused)
    assert bench.do(lambda store: store.era(scene)).words == ()


def test_a_reopened_scene_goes_on_with_an_era_of_its_own(
    bench: Bench, ada: Login, bram: Login
) -> None:
    scene, loft = bench.scene(ada), bench.room("Loft")
    bench.do(lambda store: store.join_scene(scene, bram.character, bench.clock()))
    bench.facts(rolls(scene), bench.closes(scene))
    (opened,) = bench.facts(reopens(scene, loft))
    assert (opened.seq, stored(bench, scene).open, stored(bench, scene).room) == (4, True, loft)
    assert stored(bench, scene).closed_at is None
    assert stored(bench, scene).participants == {ada.character, bram.character}
    assert bench.value("SELECT era FROM scene_log WHERE seq = 4 AND scene_id = :it", it=scene) == 2
    assert not bench.do(lambda store: store.dice_thrown(scene))
    bench.facts(gives(scene, "blue"), rolls(scene), bench.closes(scene))
    done = exported(bench, scene)
    assert (done.rows, done.dice, done.unproved) == (7, 8, 0)


def test_dice_of_the_new_era_fall_by_its_seed_and_go_on_numbering(bench: Bench, ada: Login) -> None:
    scene, loft = bench.scene(ada), bench.room("Loft")
    bench.facts(rolls(scene), bench.closes(scene), reopens(scene, loft))
    throw = bench.do(lambda store: store.dice(scene).throw(4, 6, "test"))
    assert throw == SceneDice(scene_key(LATER), 4).throw(4, 6, "test")


def test_closing_reopening_and_speaking_fit_in_one_batch(bench: Bench, ada: Login) -> None:
    scene, loft = bench.scene(ada), bench.room("Loft")
    jobs = (rolls(scene), bench.closes(scene), reopens(scene, loft), saying(scene, "again"))
    assert [fact.seq for fact in bench.facts(*jobs)] == [2, 3, 4, 5]
    bench.facts(bench.closes(scene))
    assert exported(bench, scene).rows == 6


def test_a_reopening_that_is_refused_leaves_the_scene_closed(bench: Bench, ada: Login) -> None:
    scene, loft = bench.scene(ada), bench.room("Loft")
    bench.facts(bench.closes(scene))

    def run(store: WriteStore) -> Outcome:
        store.reopen_scene(scene, loft, LATER)
        raise MushError("no", "No.")

    refused, spoken = bench.run(run, saying(scene, "hello"))
    assert isinstance(refused, Refused)
    assert isinstance(spoken, Refused)
    assert not stored(bench, scene).open
    assert bench.value("SELECT count(*) FROM scene_seeds WHERE scene_id = :it", it=scene) == 1


def test_a_room_takes_no_second_open_scene_by_reopening(bench: Bench, ada: Login) -> None:
    deck = bench.room()
    scene = bench.scene(ada, deck)
    bench.facts(bench.closes(scene))
    bench.scene(ada, deck)
    (result,) = bench.run(reopens(scene, deck))
    assert isinstance(result, Refused)
    assert not stored(bench, scene).open


def test_answers_are_kept_and_a_yes_ends_with_the_era(
    bench: Bench, ada: Login, bram: Login
) -> None:
    scene, loft, cass = bench.scene(ada), bench.room("Loft"), bench.login("Cass")
    for login in (bram, cass):
        bench.do(lambda store, it=login: store.join_scene(scene, it.character, bench.clock()))  # type: ignore[misc]
    bench.do(lambda store: store.ask_sharing(scene))
    people = (ada.character, bram.character, cass.character)
    for one, answer in zip(people, ("yes", "no", "out"), strict=True):
        bench.do(lambda store, it=one, say=answer: store.answer_sharing(scene, it, say))  # type: ignore[misc]
    assert stored(bench, scene).sharing
    assert stored(bench, scene).consents == dict(zip(people, ("yes", "no", "out"), strict=True))
    bench.facts(bench.closes(scene), reopens(scene, loft))
    assert not stored(bench, scene).sharing
    assert stored(bench, scene).consents == {people[1]: "no", people[2]: "out"}


def test_the_last_scene_that_closed_is_the_last_one_of_those_one_was_in(
    bench: Bench, ada: Login, bram: Login
) -> None:
    first, second, third = bench.scene(ada), bench.scene(ada), bench.scene(bram)

    def last(login: Login) -> Scene | None:
        return bench.read(lambda store: store.last_closed(login.character))

    assert last(ada) is None
    bench.facts(bench.closes(second), bench.closes(first), bench.closes(third))
    assert last(ada) == stored(bench, first)
    assert last(bram) == stored(bench, third)
    bench.do(lambda store: store.invite(third, ada.character))
    assert last(ada) == stored(bench, first), "who was invited alone was not in it"
    bench.facts(reopens(first, bench.room("Loft")))
    assert last(ada) == stored(bench, second)
    assert bench.read(lambda store: store.last_closed(2**40)) is None


def test_facts_of_an_export_name_who_did_them(bench: Bench, ada: Login) -> None:
    scene = bench.scene(ada)
    bench.run(bench.job(saying(scene, "hello"), actor=who(ada)))
    rows = bench.read(lambda store: list(store.exported(scene, 99)))
    assert [row.fact.actor for row in rows][1] == who(ada)
