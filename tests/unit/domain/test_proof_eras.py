"""Eras, each with a seed, a commitment and players' words of its own; rows that are withheld."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mushcombat.domain.dice import commitment, die, scene_key
from mushcombat.domain.proof import AlteredError, Verified, verify
from tests.unit.domain.transcripts import SEED, Line, closed, opened, said, withheld, written

LATER = b"\x33" * 32


def check(lines: list[Line], head: str | None = None) -> Verified:
    text = [json.dumps(line, ensure_ascii=False) for line in lines]
    return verify(text, text, head)


def fault(lines: list[Line], head: str | None = None) -> str:
    with pytest.raises(AlteredError) as caught:
        check(lines, head)
    return str(caught.value)


def row(like: Line, era: int, kind: str, payload: Any, version: int = 1) -> Line:
    return {**like, "era": era, "kind": kind, "payload": payload, "version": version}


def words(text: object, era: int = 1) -> Line:
    return row(said(), era, "dice.words", {"era": era, "words": text})


def shut(seed: bytes = SEED, era: int = 1, count: object = 0) -> Line:
    payload = {"era": era, "seed": seed.hex(), "words": count}
    return row(said(), era, "scene.closed", payload, 2)


def reopened(seed: bytes = LATER, era: int = 2) -> Line:
    payload = {"title": "T", "era": era, "commitment": commitment(seed)}
    return row(said(), era, "scene.reopened", payload)


def rolled(start: int, *given: str, era: int = 1, seed: bytes = SEED, other: bool = False) -> Line:
    """Make a roll of four dice as seed and words let them fall, or one of them otherwise."""
    key = scene_key(seed, given)
    faces = [die(key, n, "roll", 6) for n in range(start, start + 4)]
    faces[0] = faces[0] % 6 + 1 if other else faces[0]
    throw = {"start": start, "label": "roll", "sides": 6, "faces": faces}
    dice = {"dice_from": start, "dice_to": start + 4}
    return row(said(), era, "otherspace.rolled", {"throws": [throw]}) | dice


TWO_ERAS = [opened(), rolled(0), shut(), reopened(), rolled(4, era=2, seed=LATER), said()]


def era_two(*rows: Line) -> list[Line]:
    return [{**each, "era": 2} if each["era"] == 1 else each for each in rows]


WHOLE = [*TWO_ERAS[:5], *era_two(said()), shut(LATER, 2)]


def test_a_scene_that_was_reopened_holds_with_the_dice_of_both_eras() -> None:
    done = check(written(*WHOLE))
    assert (done.rows, done.dice, done.unproved, done.uncommitted) == (7, 8, 0, 0)


def test_the_dice_of_a_reopened_scene_that_is_open_are_not_proved_and_the_others_are() -> None:
    done = check(written(*WHOLE[:-1]))
    assert (done.dice, done.unproved) == (4, 4)


def test_a_forged_die_of_either_era_is_found() -> None:
    first = [opened(), rolled(0, other=True), *WHOLE[2:]]
    assert fault(written(*first)) == "line 3: the dice of the seed fell otherwise"
    second = [*WHOLE[:4], rolled(4, era=2, seed=LATER, other=True), *WHOLE[5:]]
    assert fault(written(*second)) == "line 6: the dice of the seed fell otherwise"


def test_the_dice_of_one_era_do_not_fall_by_the_seed_of_another() -> None:
    mixed = [*WHOLE[:4], rolled(4, era=2, seed=SEED), *WHOLE[5:]]
    assert fault(written(*mixed)) == "line 6: the dice of the seed fell otherwise"


def test_the_seed_of_an_era_must_fit_its_own_commitment() -> None:
    assert fault(written(*WHOLE[:-1], shut(SEED, 2))) == (
        "line 8: the seed does not fit the commitment shown at the opening"
    )


def test_dice_go_on_numbering_from_era_to_era() -> None:
    again = [*WHOLE[:4], rolled(0, era=2, seed=LATER), *WHOLE[5:]]
    assert fault(written(*again)) == "line 6: these dice were thrown before"


def test_an_era_must_be_opened_by_a_row_and_ends_with_the_next() -> None:
    assert fault(written(opened(), *era_two(said()))) == ("line 3: an era begins that no row opens")
    assert fault(written(*WHOLE[:4], said())) == "line 6: an era goes on that was over"
    assert check(written(opened(), withheld(), *era_two(said()))).withheld == 1


def test_a_row_can_not_say_of_itself_that_it_belongs_to_another_era() -> None:
    odd = reopened() | {"era": 1}
    assert fault(written(opened(), odd)) == ("line 3: the row belongs to another era than it says")


def test_dice_fall_by_seed_and_the_players_words_in_their_order() -> None:
    lines = [opened(), words("red"), words("blue"), rolled(0, "red", "blue"), shut(count=2)]
    assert check(written(*lines)).dice == 4
    swapped = [opened(), words("blue"), words("red"), *lines[3:]]
    assert fault(written(*swapped)) == "line 5: the dice of the seed fell otherwise"


def test_words_after_the_first_die_are_found() -> None:
    late = [opened(), rolled(0), words("late"), shut(count=1)]
    assert fault(written(*late)) in {
        "line 3: the dice of the seed fell otherwise",
        "line 4: words were given after the first die",
    }
    open_still = [opened(), rolled(0), words("late")]
    assert fault(written(*open_still)) == "line 4: words were given after the first die"


def test_words_of_a_later_era_may_follow_dice_of_an_earlier_one() -> None:
    lines = [*WHOLE[:4], words("red", 2), rolled(4, "red", era=2, seed=LATER), shut(LATER, 2, 1)]
    assert check(written(*lines)).dice == 8


@pytest.mark.parametrize("count", [1, "0", None, -1, True])
def test_a_closing_that_counts_other_words_than_were_given_is_found(count: object) -> None:
    assert fault(written(opened(), rolled(0), shut(count=count))) == (
        "line 4: it counts other words for the dice than were given"
    )
    assert fault(written(opened(), words("x"), rolled(0, "x"), shut(count=0))) == (
        "line 5: it counts other words for the dice than were given"
    )
    one = [opened(), words("x"), rolled(0, "x"), shut(count=True)]
    assert fault(written(*one)).startswith("line 5: it counts other words")
    assert fault(written(opened(), words("x"), rolled(0, "x"), closed())) == (
        "line 5: it counts other words for the dice than were given"
    )


@pytest.mark.parametrize("odd", [None, 5, ["x"], {}])
def test_words_that_are_no_text_are_found(odd: object) -> None:
    assert fault(written(opened(), words(odd))) == "line 3: the words are no text"


def test_dice_are_not_proved_where_words_in_their_key_are_withheld() -> None:
    lines = [opened(), withheld(), rolled(0, "secret"), shut(count=1)]
    done = check(written(*lines))
    assert (done.dice, done.unproved) == (0, 4)


def test_dice_whose_commitment_is_withheld_fall_by_the_seed_and_are_counted_apart() -> None:
    done = check(written(withheld(), rolled(0), shut()))
    assert (done.dice, done.unproved, done.uncommitted) == (4, 0, 4)
    forged = written(withheld(), rolled(0, other=True), shut())
    assert fault(forged) == "line 3: the dice of the seed fell otherwise"


def test_dice_whose_commitment_and_seed_are_withheld_are_not_proved() -> None:
    done = check(written(withheld(), rolled(0), withheld()))
    assert (done.dice, done.unproved, done.uncommitted) == (0, 4, 0)


def test_the_first_bad_line_is_named_though_a_later_one_is_worse() -> None:
    lines = written(*WHOLE)
    lines[2]["payload"] = {"throws": []}
    lines[7]["payload"] = {"era": 2, "seed": "xx", "words": 0}
    assert fault(lines) == "line 3: the row was altered: its digest is another one"
    text = [json.dumps(line) for line in lines[:4]] + ["no JSON"]
    with pytest.raises(AlteredError, match=r"^line 3: "):
        verify(text, text)


def test_a_forger_who_chains_a_reopened_scene_anew_is_caught_by_either_head() -> None:
    honest = written(*WHOLE)
    forged = written(opened(), said("Never said."), *WHOLE[1:])
    assert check(forged).rows == 8
    assert fault(forged, honest[-1]["head"]).startswith("line 10: the chain ends in ")
    cut = written(*WHOLE[:3])
    assert check(cut, cut[-1]["head"]).rows == 3
    assert fault(cut, honest[-1]["head"]).startswith("line 5: the chain ends in ")


def test_a_forger_who_swaps_a_withheld_row_is_caught_by_the_head() -> None:
    edit = row(said(), 1, "pose.edited", {"row": 2, "style": "pose", "text": "now"})
    honest = written(opened(), withheld(), edit, shut())
    assert check(honest, honest[-1]["head"]).withheld == 1
    other = withheld() | {"digest": "ab" * 32}
    forged = written(opened(), other, edit, shut())
    assert check(forged).withheld == 1
    assert fault(forged, honest[-1]["head"]).startswith("line 6: the chain ends in ")
    lines = [dict(line) for line in honest]
    lines[2]["digest"] = "ab" * 32
    assert fault(lines) == "line 6: the head is not that of the rows"
