"""Cursors: the last line of a scene that somebody was shown."""

from __future__ import annotations

import pytest

from mushcombat.domain.ports import Login
from tests.contract.bench import Bench, saying


@pytest.fixture
def ada(bench: Bench) -> Login:
    return bench.login("Ada")


@pytest.fixture
def bram(bench: Bench) -> Login:
    return bench.login("Bram")


def seen(bench: Bench, scene: int, who: Login) -> int:
    return bench.read(lambda store: store.seen(scene, who.character))


def test_a_cursor_only_grows(bench: Bench, ada: Login, bram: Login) -> None:
    scene, other = bench.scene(ada), bench.scene(bram)
    bench.do(lambda store: store.saw([(scene, ada.character, 5), (other, bram.character, 2)]))
    bench.do(lambda store: store.saw([(scene, ada.character, 3), (other, bram.character, 4)]))
    assert (seen(bench, scene, ada), seen(bench, other, bram)) == (5, 4)


def test_nothing_to_note_is_noted(bench: Bench, ada: Login) -> None:
    scene = bench.scene(ada)
    bench.do(lambda store: store.saw([]))
    assert seen(bench, scene, ada) == 0


def test_who_was_never_in_a_scene_has_no_cursor_in_it(
    bench: Bench, ada: Login, bram: Login
) -> None:
    scene = bench.scene(ada)
    bench.do(lambda store: store.saw([(scene, bram.character, 3)]))
    assert seen(bench, scene, bram) == 0
    assert seen(bench, 999, bram) == 0
    assert seen(bench, scene, ada) == 0


def test_who_joins_misses_nothing_of_what_was_before(bench: Bench, ada: Login, bram: Login) -> None:
    scene, now = bench.scene(ada), bench.clock()
    bench.facts(saying(scene, "one"), saying(scene, "two"))
    bench.do(lambda store: store.join_scene(scene, bram.character, now))
    assert seen(bench, scene, bram) == bench.log(scene)[-1].seq


def test_who_leaves_has_seen_all_up_to_then_and_misses_what_comes(
    bench: Bench, ada: Login, bram: Login
) -> None:
    scene, now = bench.scene(ada), bench.clock()
    bench.do(lambda store: store.join_scene(scene, bram.character, now))
    bench.facts(saying(scene, "one"))
    bench.do(lambda store: store.leave_scene(scene, bram.character, now))
    left = seen(bench, scene, bram)
    assert left == bench.read(lambda store: store.last_seq(scene)) + 1  # the row of the leaving
    bench.facts(saying(scene, "two"), saying(scene, "three"))
    bench.do(lambda store: store.join_scene(scene, bram.character, now))
    assert seen(bench, scene, bram) == left


def test_a_cursor_is_noted_in_one_batch_with_who_leaves(
    bench: Bench, ada: Login, bram: Login
) -> None:
    scene, now = bench.scene(ada), bench.clock()
    bench.do(lambda store: store.join_scene(scene, bram.character, now))

    def leaves(store: object) -> object:
        store.saw([(scene, bram.character, 50)])  # type: ignore[attr-defined]
        store.leave_scene(scene, bram.character, now)  # type: ignore[attr-defined]
        return None

    bench.do(leaves)
    assert seen(bench, scene, bram) == 50
    assert bram.character not in (bench.read(lambda s: s.scene(scene)) or ada).participants  # type: ignore[union-attr]


def test_a_referee_can_be_named_and_dropped(bench: Bench, ada: Login, bram: Login) -> None:
    scene, now = bench.scene(ada), bench.clock()
    bench.do(lambda store: store.join_scene(scene, bram.character, now))
    bench.do(lambda store: store.name_referee(scene, bram.character))
    bench.do(lambda store: store.drop_referee(scene, ada.character))
    found = bench.read(lambda store: store.scene(scene))
    assert found is not None
    assert found.referees == {bram.character}
