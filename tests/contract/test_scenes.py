"""Scenes: who is in one, who was, who may know of it."""

from __future__ import annotations

import pytest

from mushcombat.domain.dice import SceneDice, commitment, scene_key
from mushcombat.domain.ports import Login, Opening
from mushcombat.domain.scene import Scene
from tests.contract.bench import SEED, Bench


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


@pytest.mark.parametrize(("referee", "private"), [(True, False), (False, True)])
def test_an_opened_scene_has_its_owner_in_it(
    bench: Bench, ada: Login, referee: bool, private: bool
) -> None:
    deck, now = bench.room(), bench.clock()
    opening = Opening("Ünder Stars", "otherspace", deck, ada.character, referee, private, SEED)
    opened = bench.do(lambda store: store.open_scene(opening, now))
    one, nobody = frozenset({ada.character}), frozenset[int]()
    assert opened == Scene(
        1, "Ünder Stars", "otherspace", deck, ada.character, private, True, now, None,
        participants=one, referees=one if referee else nobody, invited=nobody, took_part=one,
    )  # fmt: skip
    assert stored(bench, 1) == opened
    assert bench.read(lambda store: store.open_scenes()) == [opened]


def test_the_seed_of_a_scene_is_kept_with_its_commitment(bench: Bench, ada: Login) -> None:
    scene = bench.scene(ada)
    row = bench.rows("SELECT scene_id, era, seed, commitment FROM scene_seeds")[0]
    assert (row[0], row[1], bytes(row[2]), row[3]) == (scene, 1, SEED, commitment(SEED))
    throw = bench.do(lambda store: store.dice(scene).throw(8, 6, "test"))
    assert throw == SceneDice(scene_key(SEED), 0).throw(8, 6, "test")


def test_people_join_leave_and_come_back(bench: Bench, ada: Login, bram: Login) -> None:
    scene, who = bench.scene(ada), bram.character
    bench.do(lambda store: store.join_scene(scene, who, bench.clock()))
    joined = bench.value("SELECT joined_at FROM participants WHERE character_id = :it", it=who)
    assert stored(bench, scene).participants == {ada.character, who}
    bench.do(lambda store: store.leave_scene(scene, who, bench.clock()))
    assert stored(bench, scene).participants == {ada.character}
    assert stored(bench, scene).took_part == {ada.character, who}
    bench.do(lambda store: store.join_scene(scene, who, bench.clock()))
    assert stored(bench, scene).participants == {ada.character, who}
    again = bench.value("SELECT joined_at FROM participants WHERE character_id = :it", it=who)
    assert again == joined


def test_a_referee_is_one_only_while_in_the_scene(bench: Bench, ada: Login, bram: Login) -> None:
    scene, who = bench.scene(ada), bram.character
    bench.do(lambda store: store.join_scene(scene, who, bench.clock()))
    bench.do(lambda store: store.name_referee(scene, who))
    assert stored(bench, scene).referees == {ada.character, who}
    bench.do(lambda store: store.leave_scene(scene, who, bench.clock()))
    assert stored(bench, scene).referees == {ada.character}
    bench.do(lambda store: store.join_scene(scene, who, bench.clock()))
    assert stored(bench, scene).referees == {ada.character, who}


def test_who_had_left_before_a_scene_became_private_knows_of_it_no_longer(
    bench: Bench, ada: Login, bram: Login
) -> None:
    scene, who = bench.scene(ada), bram.character

    def known() -> tuple[bool, int]:
        listed = bench.read(lambda store: store.scenes_known_to(who, 9)[1])
        return stored(bench, scene).visible_to(who), listed

    bench.do(lambda store: store.join_scene(scene, who, bench.clock()))
    bench.do(lambda store: store.leave_scene(scene, who, bench.clock()))
    assert known() == (True, 1)
    bench.do(lambda store: store.set_privacy(scene, private=True, room=2))
    assert known() == (False, 0)
    bench.do(lambda store: store.invite(scene, who))
    assert known() == (True, 1)
    bench.do(lambda store: store.set_privacy(scene, private=False, room=1))
    assert stored(bench, scene).shut_out == frozenset()


def test_who_is_invited_knows_of_a_private_scene_without_being_in_it(
    bench: Bench, ada: Login, bram: Login
) -> None:
    scene, den = bench.scene(ada), bench.room("Den")
    bench.do(lambda store: store.set_privacy(scene, private=True, room=den))
    assert stored(bench, scene).room == den
    assert not stored(bench, scene).visible_to(bram.character)
    bench.do(lambda store: store.invite(scene, bram.character))
    found = stored(bench, scene)
    assert found.invited == {bram.character}
    assert found.took_part == {ada.character}
    assert found.visible_to(bram.character)
    bench.do(lambda store: store.set_privacy(scene, private=False, room=den))
    assert not stored(bench, scene).private


def test_a_closed_scene_gives_its_seed_and_is_listed_as_closed(bench: Bench, ada: Login) -> None:
    first, second = bench.scene(ada), bench.scene(ada)
    facts = bench.facts(bench.closes(first))
    assert getattr(facts[0].event, "seed", None) == SEED.hex()
    assert [scene.id for scene in bench.read(lambda store: store.open_scenes())] == [second]
    everything = bench.read(lambda store: store.all_scenes())
    assert [(scene.id, scene.open) for scene in everything] == [(first, False), (second, True)]
    closed = stored(bench, first).closed_at
    assert closed is not None
    assert closed > stored(bench, first).opened_at


def test_people_of_one_scene_are_not_in_another(bench: Bench, ada: Login, bram: Login) -> None:
    scenes = [bench.scene(ada), bench.scene(bram)]
    people = [scene.participants for scene in bench.read(lambda store: store.open_scenes())]
    assert [scene.id for scene in bench.read(lambda store: store.open_scenes())] == scenes
    assert people == [{ada.character}, {bram.character}]


def test_the_open_scenes_of_somebody_are_those_they_are_in(
    bench: Bench, ada: Login, bram: Login
) -> None:
    first, second, third = bench.scene(ada), bench.scene(bram), bench.scene(ada)

    def numbers(character: int) -> list[int]:
        return [s.id for s in bench.read(lambda store: store.scenes_with(character))]

    bench.do(lambda store: store.join_scene(second, ada.character, bench.clock()))
    assert numbers(ada.character) == [first, second, third]
    bench.do(lambda store: store.leave_scene(first, ada.character, bench.clock()))
    bench.do(lambda store: store.invite(first, bram.character))
    bench.facts(bench.closes(third))
    assert (numbers(ada.character), numbers(bram.character)) == ([second], [second])
    npc = bench.do(lambda store: store.add_npc(first, "Thug", 1, bench.clock()))
    assert numbers(npc.id) == [first]


def test_the_game_ledger_is_no_scene(bench: Bench) -> None:
    assert bench.read(lambda store: store.scene(0)) is None
    assert bench.read(lambda store: store.all_scenes()) == []
    assert bench.read(lambda store: store.open_scenes()) == []


def test_a_stranger_to_the_database_can_not_join(bench: Bench, ada: Login) -> None:
    scene = bench.scene(ada)
    results = bench.run(lambda store: store.join_scene(scene, 999, bench.clock()))
    assert "Somebody else was quicker" in str(results)
    assert stored(bench, scene).participants == {ada.character}
