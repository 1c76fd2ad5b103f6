"""What a transcript proves: its rows, their order, and the dice of the seed."""

from __future__ import annotations

from typing import Any

import pytest

from mushcombat.domain.proof import throws_in
from tests.unit.domain.transcripts import (
    CLOSED,
    GOOD,
    HEAD,
    OPENED,
    ROLLED,
    SAID,
    changed,
    check,
    closed,
    fault,
    good,
    opened,
    rolled,
    said,
    withheld,
    written,
)


def test_a_good_transcript_holds_with_all_its_dice() -> None:
    assert check(GOOD) == (6, 1, 9, 0)
    assert check(GOOD, HEAD) == (6, 1, 9, 0)


def test_the_head_may_be_given_in_capitals_and_with_spaces() -> None:
    assert check(GOOD, f" {HEAD.upper()}\n") == (6, 1, 9, 0)


def test_a_scene_without_dice_holds_too() -> None:
    assert check(written(opened(), closed())) == (2, 0, 0, 0)


def test_the_dice_of_a_scene_that_is_still_open_are_not_proved() -> None:
    assert check(written(opened(), rolled(0), rolled(4))) == (3, 0, 0, 8)


def test_an_altered_payload_is_named_with_its_line() -> None:
    lines = changed(SAID, payload={"style": "say", "text": "No!"})
    assert fault(lines) == "line 3: the row was altered: its digest is another one"


@pytest.mark.parametrize("field", ["at", "actor", "name", "kind", "version", "audience", "salt"])
def test_any_other_altered_field_is_named_with_its_line(field: str) -> None:
    other = "00" if field == "salt" else 99
    assert fault(changed(SAID, **{field: other})) == (
        "line 3: the row was altered: its digest is another one"
    )


@pytest.mark.parametrize("field", ["action", "era", "dice_from", "dice_to"])
def test_an_altered_number_is_named_with_its_line(field: str) -> None:
    assert fault(changed(SAID, **{field: 99})).startswith("line 3: the row was altered")


def test_a_row_with_another_digest_is_named() -> None:
    assert fault(changed(SAID, digest="0" * 64)).startswith("line 3: the row was altered")


def test_a_removed_row_is_named_where_it_is_missing() -> None:
    lines = good()
    del lines[SAID]
    assert fault(lines) == "line 3: row 2 of the log is missing"


def test_a_removed_withheld_row_is_named_where_it_is_missing() -> None:
    lines = [line for line in good() if line["type"] != "withheld"]
    assert fault(lines) == "line 7: row 6 of the log is missing"


def test_swapped_rows_are_named() -> None:
    lines = good()
    lines[SAID], lines[ROLLED] = lines[ROLLED], lines[SAID]
    assert fault(lines) == "line 3: row 2 of the log is missing"


def test_a_row_put_in_twice_is_named() -> None:
    lines = good()
    lines.insert(SAID, lines[SAID])
    assert fault(lines) == "line 4: row 3 of the log is missing"


def test_a_changed_seed_does_not_fit_its_commitment() -> None:
    lines = changed(CLOSED, payload={"era": 1, "seed": "22" * 32})
    assert fault(lines) == "line 8: the seed does not fit the commitment shown at the opening"


@pytest.mark.parametrize("seed", ["zz", "11" * 31, "", None, 5])
def test_a_seed_that_is_none_is_named(seed: object) -> None:
    lines = changed(CLOSED, payload={"era": 1, "seed": seed})
    assert fault(lines) == "line 8: the seed is no seed of 32 bytes"


def test_another_commitment_does_not_fit_the_seed() -> None:
    payload = GOOD[OPENED]["payload"] | {"commitment": "0" * 64}
    lines = changed(OPENED, payload=payload)
    assert fault(lines) == "line 2: the row was altered: its digest is another one"
    forged = opened() | {"payload": payload}
    assert fault(written(forged, said(), rolled(0), closed())) == (
        "line 5: the seed does not fit the commitment shown at the opening"
    )


def test_a_second_commitment_for_the_same_dice_is_named() -> None:
    again = opened()
    again["payload"] |= {"commitment": "0" * 64}
    lines = written(again, opened(), rolled(0), closed())
    assert fault(lines) == "line 3: another commitment was shown before"


def test_a_commitment_counts_only_where_it_is_hashed() -> None:
    smuggled = {"kind": "scene.opened", "payload": {"era": 1, "commitment": "0" * 64}}
    assert check(changed(0, **smuggled)) == (6, 1, 9, 0)
    place = next(n for n, line in enumerate(GOOD) if line["type"] == "withheld")
    assert fault(changed(place, **smuggled)).endswith("it has a field that nothing proves")


def test_an_altered_face_is_caught_by_the_dice_though_the_chain_was_made_again() -> None:
    lines = written(opened(), said(), rolled(0, forged=True), closed())
    assert fault(lines) == "line 4: the dice of the seed fell otherwise"


def test_a_chain_that_was_made_again_does_not_end_in_the_head_that_was_noted() -> None:
    rewritten = good(text="Words never said")
    assert check(rewritten)
    assert fault(rewritten, HEAD) == (
        f"line 9: the chain ends in {rewritten[-1]['head']}, not in that head"
    )


def test_dice_shown_twice_are_named() -> None:
    lines = written(opened(), rolled(0), rolled(0), closed())
    assert fault(lines) == "line 4: these dice were thrown before"


def test_dice_outside_those_of_the_row_are_named() -> None:
    lines = written(opened(), rolled(0) | {"dice_to": 3}, closed())
    assert fault(lines) == "line 3: these dice are not the row's own"


def test_dice_thrown_before_a_row_that_no_row_shows_are_named() -> None:
    lines = written(opened(), rolled(0), rolled(8), closed())
    assert fault(lines) == "line 4: dice were thrown before it that no row shows"


def test_a_withheld_row_may_own_the_dice_that_are_missing() -> None:
    assert check(written(opened(), rolled(0), withheld(), rolled(8), closed())) == (4, 1, 8, 0)


def test_dice_that_a_row_owns_and_does_not_show_are_named() -> None:
    lines = written(opened(), rolled(0) | {"dice_to": 5}, closed())
    assert fault(lines) == "line 3: it owns dice that it does not show"


def test_one_throw_used_twice_in_a_row_is_named() -> None:
    row = rolled(0)
    row["payload"] = {"first": row["payload"], "again": row["payload"]}
    assert fault(written(opened(), row, closed())) == "line 3: these dice are not the row's own"


def test_several_throws_in_a_row_are_gone_through_in_order_of_their_dice() -> None:
    row = rolled(4) | {"dice_from": 0, "dice_to": 8}
    row["payload"] = [row["payload"], {"deep": [rolled(0)["payload"]]}]
    assert check(written(opened(), row, closed())) == (3, 0, 8, 0)


def test_dice_without_any_commitment_are_named() -> None:
    lines = written(rolled(0), closed())
    assert fault(lines) == "line 2: no commitment was shown for these dice"


def test_a_die_of_impossible_sides_is_named() -> None:
    row = rolled(0)
    row["payload"]["breakdown"]["throws"][0]["sides"] = 1000
    assert fault(written(opened(), row, closed())) == "line 3: no die has 1000 sides"


@pytest.mark.parametrize(
    "odd",
    [
        {"start": "0"},
        {"start": 0.0},
        {"sides": None},
        {"sides": True},
        {"faces": 3},
        {"faces": ["1"]},
        {"faces": [[1]]},
        {"faces": None},
        {"label": 7},
        {"label": []},
    ],
)
def test_what_only_looks_like_dice_is_named(odd: dict[str, Any]) -> None:
    row = rolled(0)
    row["payload"]["breakdown"]["throws"][0] |= odd
    assert fault(written(opened(), row, closed())) == "line 3: these are no dice"


def test_throws_are_found_however_deep_and_sorted() -> None:
    throws = [rolled(start)["payload"]["breakdown"]["throws"][0] for start in (8, 0, 4)]
    deep: Any = [throws[0], {"a": {"b": [throws[1]]}}, "text", 5, None, {"c": throws[2]}]
    assert [throw.start for throw in throws_in(deep)] == [0, 4, 8]
    assert throws_in({"start": 1, "label": "x", "sides": 3}) == []
