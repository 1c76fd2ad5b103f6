"""Whatever is given as a transcript and is none, or not a whole one, gets an answer."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.dice import Throw
from mushcombat.domain.ledger import GENESIS, digest, link
from mushcombat.domain.proof import AlteredError, throws_in, verify
from tests.unit.domain.transcripts import (
    CLOSED,
    GOOD,
    HEAD,
    OPENED,
    SAID,
    Line,
    changed,
    check,
    closed,
    fault,
    good,
    opened,
    rolled,
    written,
)


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


@pytest.mark.parametrize("place", range(1, len(GOOD)))
def test_a_field_that_nothing_proves_is_named(place: int) -> None:
    told = fault(changed(place, text="Ada gave up."))
    assert told == f"line {place + 1}: it has a field that nothing proves"


def test_the_first_line_may_have_more_fields() -> None:
    assert check(changed(0, title="T")) == check(good())


@pytest.mark.parametrize("place", range(len(GOOD)))
def test_a_field_that_stands_twice_is_named(place: int) -> None:
    """The last one is hashed, and the first one is what somebody reads."""
    text = [json.dumps(line) for line in GOOD]
    text[place] = text[place].replace("{", '{"type": "x", "type": "y", ', 1)
    with pytest.raises(AlteredError, match=rf"^line {place + 1}: a field stands in it twice$"):
        verify(text, text)


def test_a_field_that_stands_twice_deep_in_a_row_is_named() -> None:
    twice = '"text": "No!", "text": "Yes!"'
    text = [json.dumps(line).replace('"text": "Yes!"', twice) for line in GOOD]
    with pytest.raises(AlteredError, match=r"^line 3: a field stands in it twice$"):
        verify(text, text)


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


def chained(lines: list[Line]) -> None:
    """Compute the whole chain anew, as a forger does."""
    head = GENESIS
    rehash(lines)
    for line in lines[1:-1]:
        with contextlib.suppress(ValueError):
            head = link(head, str(line.get("digest")))
    lines[-1]["head"] = head


def proved(line: Line) -> Line:
    """Give what of a line stands for something: a hash without what it is of does not."""
    return {key: value for key, value in line.items() if key not in {"salt", "digest", "head"}}


def thrown(lines: list[Line]) -> list[Throw]:
    return [throw for line in lines for throw in throws_in(line.get("payload"))]


@given(path=st.sampled_from([path for path in PATHS if path[0] > 0 and path[1:]]), value=JUNK)
def test_who_forges_a_value_and_the_chain_behind_it_gets_another_head_and_no_other_dice(
    path: tuple[Any, ...], value: Any
) -> None:
    lines = good()
    put(lines, path, value)
    chained(lines)
    text = [json.dumps(line) for line in lines]
    try:
        done = verify(text, text)
    except AlteredError:
        return
    assert thrown(lines) == thrown(GOOD)
    if [*map(proved, lines[1:])] != [*map(proved, GOOD[1:])]:
        assert done.head != HEAD


WHOLE: list[tuple[str, Callable[[], list[Line]]]] = [
    ("nothing but an end", lambda: [GOOD[-1]]),
    ("nothing but a header", lambda: [GOOD[0]]),
    ("rows without a header", lambda: good()[1:]),
]


@pytest.mark.parametrize("make", [make for _, make in WHOLE], ids=[name for name, _ in WHOLE])
def test_parts_of_a_transcript_do_not_hold(make: Callable[[], list[Line]]) -> None:
    assert fault(make()).startswith("line ")
