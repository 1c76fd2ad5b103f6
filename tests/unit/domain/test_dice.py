from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.dice import (
    FreeDice,
    SceneDice,
    Throw,
    commitment,
    die,
    reroll,
    scene_key,
)

SEED = bytes(range(32))
KEY = scene_key(SEED)
HMAC = "mushcombat.domain.dice.hmac.digest"

keys = st.binary(min_size=32, max_size=32)
labels = st.text(st.characters(codec="utf-8"), max_size=20)
sides = st.integers(2, 256)


def test_the_commitment_is_the_sha_256_of_the_seed_in_hex() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


@pytest.mark.parametrize("seed", [b"", b"x" * 31, b"x" * 33])
def test_a_seed_of_another_length_is_refused(seed: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(seed)
    with pytest.raises(ValueError, match="32 bytes"):
        scene_key(seed)


def test_the_key_is_not_the_commitment_that_everyone_sees() -> None:
    assert KEY.hex() != commitment(SEED)


def test_the_key_can_be_made_by_the_documented_recipe() -> None:
    words = b"\x00\x00\x00\x05luck!" + b"\x00\x00\x00\x02\xc3\xa9"
    recipe = hashlib.sha256(b"mushcombat dice key 1" + SEED + words).digest()
    assert scene_key(SEED, ["luck!", "é"]) == recipe


@given(st.lists(st.text(st.characters(codec="utf-8"))), st.lists(st.text(max_size=3)))
def test_other_words_or_another_order_give_another_key(one: list[str], two: list[str]) -> None:
    clean = [word.encode(errors="replace").decode() for word in two]
    assert (scene_key(SEED, one) == scene_key(SEED, clean)) == (one == clean)


def test_a_die_can_be_thrown_by_the_documented_recipe() -> None:
    digest = hmac.new(KEY, b"7:attack", "sha256").digest()
    first = next(byte for byte in digest if byte < 250)
    assert die(KEY, 7, "attack", 10) == first % 10 + 1


def test_bytes_that_would_favour_low_faces_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HMAC, lambda *_: bytes([255, 250, 249, 3]))
    assert die(KEY, 1, "x", 10) == 10


def test_when_all_bytes_are_skipped_the_next_message_decides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[bytes] = []

    def digest(_key: bytes, message: bytes, _name: str) -> bytes:
        asked.append(message)
        return b"\xff" * 32 if len(asked) < 3 else b"\xff\x04" * 16

    monkeypatch.setattr(HMAC, digest)
    assert die(KEY, 9, "roll", 3) == 2
    assert asked == [b"9:roll", b"9:roll:1", b"9:roll:2"]


@given(keys, st.integers(0), labels, sides)
def test_a_face_is_in_range_and_always_the_same(key: bytes, n: int, label: str, many: int) -> None:
    face = die(key, n, label, many)
    assert 1 <= face <= many
    assert face == die(key, n, label, many)


@pytest.mark.parametrize("many", [-1, 0, 1, 257])
def test_a_die_of_impossible_sides_is_refused(many: int) -> None:
    with pytest.raises(ValueError, match="2 to 256 sides"):
        die(KEY, 1, "x", many)
    with pytest.raises(ValueError, match="2 to 256 sides"):
        FreeDice(lambda n: 0).throw(1, many, "x")
    with pytest.raises(ValueError, match="2 to 256 sides"):
        reroll(KEY, Throw(1, "x", many, (1,)))


@pytest.mark.parametrize("many", [2, 3, 10, 256])
def test_each_face_comes_about_as_often(many: int) -> None:
    per_face = 200
    seen = Counter(die(KEY, n, "fair", many) for n in range(many * per_face))
    chi_square = sum((seen[face] - per_face) ** 2 / per_face for face in range(1, many + 1))
    freedom = many - 1
    assert chi_square < freedom + 5 * (2 * freedom) ** 0.5


def test_each_die_of_a_scene_has_a_number_of_its_own() -> None:
    scene = SceneDice(KEY, 1)
    first, second = scene.throw(4, 3, "roll"), scene.throw(1, 10, "order")
    assert (first.start, second.start, scene.counter) == (1, 5, 6)
    assert first.faces == tuple(die(KEY, n, "roll", 3) for n in (1, 2, 3, 4))
    assert second == Throw(5, "order", 10, (die(KEY, 5, "order", 10),))


def test_a_scene_goes_on_after_a_restart_as_if_there_had_been_none() -> None:
    whole = SceneDice(KEY, 1)
    before, after = whole.throw(4, 3, "a"), whole.throw(4, 3, "a")
    assert SceneDice(KEY, 5).throw(4, 3, "a") == after != before


@pytest.mark.parametrize("many", [0, -3])
def test_no_die_at_all_is_refused_and_uses_no_number(many: int) -> None:
    scene = SceneDice(KEY, 3)
    with pytest.raises(ValueError, match="one die or more"):
        scene.throw(many, 3, "x")
    with pytest.raises(ValueError, match="one die or more"):
        FreeDice(lambda n: 0).throw(many, 3, "x")
    assert scene.counter == 3


def test_a_refused_throw_uses_no_number() -> None:
    scene = SceneDice(KEY, 3)
    with pytest.raises(ValueError, match="sides"):
        scene.throw(2, 1000, "x")
    assert scene.counter == 3


@given(keys, st.integers(0, 10**6), st.integers(1, 20), sides, labels)
def test_a_throw_can_be_rerolled_from_the_log(
    key: bytes, start: int, count: int, many: int, label: str
) -> None:
    throw = SceneDice(key, start).throw(count, many, label)
    assert reroll(key, throw) == throw


def test_a_throw_that_was_altered_does_not_agree_with_its_reroll() -> None:
    throw = SceneDice(KEY, 1).throw(4, 3, "roll")
    faces = (throw.faces[0] % 3 + 1, *throw.faces[1:])
    assert reroll(KEY, Throw(1, "roll", 3, faces)) != Throw(1, "roll", 3, faces)


def test_dice_outside_scenes_use_the_source_handed_in_and_have_no_number() -> None:
    source = iter([0, 2, 1])
    asked: list[int] = []

    def randbelow(n: int) -> int:
        asked.append(n)
        return next(source)

    assert FreeDice(randbelow).throw(3, 3, "free") == Throw(0, "free", 3, (1, 3, 2))
    assert asked == [3, 3, 3]
