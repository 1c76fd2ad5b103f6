from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.ledger import digest
from mushcombat.domain.proof import AlteredError, throws_in, verify
from tests.unit.domain.transcripts import (
    Line,
    closed,
    good,
    opened,
    rolled,
    said,
    withheld,
    written,
)

GOOD = good()
HEAD = GOOD[-1]["head"]
OPENED, SAID, ROLLED, CONTEST, CLOSED = 1, 2, 3, 4, 7


def check(lines: list[Line], head: str | None = None) -> tuple[int, int, int, int]:
    text = [json.dumps(line, ensure_ascii=False) for line in lines]
    done = verify(text, text, head)
    return done.rows, done.withheld, done.dice, done.unproved


def fault(lines: list[Line], head: str | None = None) -> str:
    with pytest.raises(AlteredError) as caught:
        check(lines, head)
    assert str(caught.value).startswith(f"line {caught.value.line}: ")
    return str(caught.value)


def changed(place: int, **values: Any) -> list[Line]:
    lines = good()
    lines[place] |= values
    return lines


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
    place = next(n for n, line in enumerate(GOOD) if line["type"] == "withheld")
    assert check(changed(place, **smuggled)) == (6, 1, 9, 0)


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


def test_a_transcript_cut_short_is_named_behind_its_last_line() -> None:
    assert fault(good()[:-1]) == "line 9: the end is missing: the transcript was cut short"
    assert fault([]) == "line 1: the end is missing: the transcript was cut short"


def test_a_line_cut_in_the_middle_is_named() -> None:
    text = [json.dumps(line) for line in GOOD]
    text[SAID] = text[SAID][:40]
    with pytest.raises(AlteredError, match=r"^line 3: this is not JSON$"):
        verify(text, text)


@pytest.mark.parametrize("junk", ["", "{", "nonsense", "\x00", "9" * 5000, "[" * 100_000])
def test_junk_is_named_whatever_it_is(junk: str) -> None:
    with pytest.raises(AlteredError, match=r"^line 1: this is not JSON$"):
        verify([junk], [junk])


@pytest.mark.parametrize("value", ["[]", "5", "null", '"text"', "true", "NaN"])
def test_a_line_that_is_no_object_is_named(value: str) -> None:
    with pytest.raises(AlteredError, match=r"^line 1: this is not a JSON object$"):
        verify([value], [value])


def test_a_payload_nested_as_deep_as_json_can_be_read_is_an_answer_all_the_same() -> None:
    for depth in range(850, 1000):
        lines = [json.dumps(line) for line in GOOD]
        deep = "[" * depth + "]" * depth
        lines[SAID] = json.dumps(GOOD[SAID] | {"payload": "HERE"}).replace('"HERE"', deep)
        with pytest.raises(AlteredError, match=r"^line 3: "):
            verify(lines, lines)


@pytest.mark.parametrize(
    "header", [{"type": "row"}, {"format": 2}, {"format": None}, {"type": None}]
)
def test_another_header_is_named(header: dict[str, Any]) -> None:
    assert fault(changed(0, **header)) == "line 1: this is no header of a transcript"


def test_rows_of_another_scene_are_no_rows_of_the_transcript() -> None:
    assert fault(changed(0, scene=8)) == "line 2: this is no row of a transcript"


def test_a_line_of_an_unknown_type_is_named() -> None:
    assert fault(changed(SAID, type="note")) == "line 3: this is no row of a transcript"


def test_a_row_that_lacks_a_field_is_named() -> None:
    lines = good()
    del lines[SAID]["audience"]
    assert fault(lines) == "line 3: this is no row of a transcript"


@pytest.mark.parametrize("field", ["scene", "seq", "action", "era", "dice_from", "dice_to"])
@pytest.mark.parametrize("odd", ["1", [1], {}, None, 1.0, True])
def test_a_number_of_a_row_that_is_none_is_named(field: str, odd: object) -> None:
    row = rolled(0) | {field: odd}
    assert fault(written(opened(), row, closed())) == "line 3: this is no row of a transcript"


@pytest.mark.parametrize("odd", ["1", [1], {}, None, 1.0, True])
@pytest.mark.parametrize("place", [OPENED, CLOSED])
def test_an_era_that_is_no_number_is_named(place: int, odd: object) -> None:
    lines = changed(place, payload=GOOD[place]["payload"] | {"era": odd})
    assert fault(lines) == f"line {place + 1}: the era is no number"


@pytest.mark.parametrize("salt", ["xy", "", None, 5, [], "é"])
def test_a_salt_that_is_none_is_named(salt: object) -> None:
    assert fault(changed(SAID, salt=salt)).startswith("line 3: the row ")


def test_a_row_that_cannot_be_hashed_is_named() -> None:
    lines = changed(SAID, payload={"n": float("nan")})
    assert fault(lines) == "line 3: the row and its salt can't be hashed"
    surrogate = changed(SAID, payload={"text": "\ud800"})
    text = [json.dumps(line) for line in surrogate]
    with pytest.raises(AlteredError, match="line 3: the row and its salt can't be hashed"):
        verify(text, text)


@pytest.mark.parametrize("odd", ["xy", None, 7, "\ud800"])
def test_a_withheld_rows_digest_that_is_none_is_named(odd: object) -> None:
    place = next(n for n, line in enumerate(GOOD) if line["type"] == "withheld")
    text = [json.dumps(line) for line in changed(place, digest=odd)]
    with pytest.raises(AlteredError, match=rf"^line {place + 1}: the digest is not one$"):
        verify(text, text)


def test_another_head_or_other_counts_at_the_end_are_named() -> None:
    assert fault(changed(-1, head="0" * 64)) == "line 9: the head is not that of the rows"
    for counts in ({"rows": 5}, {"withheld": 0}, {"rows": "6"}, {"rows": None}):
        assert fault(changed(-1, **counts)) == "line 9: the counts are not those of the rows"


def test_something_behind_the_end_is_named() -> None:
    lines = good()
    assert fault([*lines, lines[-1]]) == "line 10: something stands behind the end"


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=4)
    | st.sampled_from([0, 1, 2, 3, 7, 8, -1, 2**70, "1", "00" * 32, "scene.opened", "row", "end"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["era", "seed", "start", "label", "sides", "faces"]), inner
        )
    ),
    max_leaves=6,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Give the path of every value inside a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, below in inner:
        found.append((*path, key))
        if isinstance(below, dict | list):
            found += places(below, (*path, key))
    return found


def put(lines: list[Line], path: tuple[Any, ...], value: Any) -> None:
    """Change one value, and its row's digest too, so that more than the hash is asked."""
    here: Any = lines
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = value


def rehash(lines: list[Line]) -> None:
    for line in lines:
        try:
            row = {k: v for k, v in line.items() if k not in {"type", "salt", "digest"}}
            line["digest"] = digest(line["salt"], row)
        except (AttributeError, KeyError, TypeError, ValueError):
            continue


PATHS = places(GOOD)


@given(path=st.sampled_from(PATHS), value=JUNK, again=st.booleans())
def test_no_change_of_one_value_gives_anything_but_an_answer(
    path: tuple[Any, ...], value: Any, again: bool
) -> None:
    lines = good()
    put(lines, path, value)
    if again:
        rehash(lines)
    text = [json.dumps(line) for line in lines]
    try:
        done = verify(text, text)
    except AlteredError as altered:
        assert 1 <= altered.line <= len(lines) + 1  # noqa: PT017 -- either is right
    else:
        assert done.head == HEAD


@given(st.data())
def test_no_mixture_of_lines_gives_anything_but_an_answer(data: st.DataObject) -> None:
    lines = data.draw(st.lists(st.sampled_from([json.dumps(line) for line in GOOD]), max_size=12))
    try:
        assert verify(lines, lines).rows <= len(lines)
    except AlteredError as altered:
        assert 1 <= altered.line <= len(lines) + 1  # noqa: PT017 -- either is right


WHOLE: list[tuple[str, Callable[[], list[Line]]]] = [
    ("nothing but an end", lambda: [GOOD[-1]]),
    ("nothing but a header", lambda: [GOOD[0]]),
    ("rows without a header", lambda: good()[1:]),
]


@pytest.mark.parametrize("make", [make for _, make in WHOLE], ids=[name for name, _ in WHOLE])
def test_parts_of_a_transcript_do_not_hold(make: Callable[[], list[Line]]) -> None:
    assert fault(make()).startswith("line ")
