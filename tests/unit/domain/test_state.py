from __future__ import annotations

import pytest

from mushcombat.domain.state import WHOLE, Change, Value, put_back, squash


def change(field: str, before: Value, after: Value, key: str = "[1]") -> Change:
    return Change("thing", key, field, before, after, "a thing")


def test_a_change_turned_round_takes_it_back() -> None:
    there = change("harm", 0, 5)
    assert there.reversed() == change("harm", 5, 0)
    assert there.reversed().reversed() == there


def test_changes_of_one_field_come_to_its_first_before_and_last_after() -> None:
    changes = (change("harm", 0, 5), change("stun", 0, 1), change("harm", 5, 9))
    assert set(squash(changes)) == {change("harm", 0, 9), change("stun", 0, 1)}


def test_what_was_put_back_on_the_way_is_no_change() -> None:
    assert squash((change("harm", 0, 5), change("harm", 5, 0))) == ()
    assert squash(()) == ()


def test_the_same_field_of_another_thing_is_another() -> None:
    changes = (change("harm", 0, 5), change("harm", 0, 5, "[2]"))
    assert squash(changes) == changes


def test_what_came_and_went_has_not_changed() -> None:
    came, went = change(WHOLE, None, '{"a":1}'), change(WHOLE, '{"a":2}', None)
    assert squash((came, change("a", 1, 2), went)) == ()


def test_what_came_and_was_changed_came_as_it_is_last() -> None:
    (one,) = squash((change(WHOLE, None, '{"a":1}'), change("a", 1, 2)))
    assert (one.field, one.before, one.after) == (WHOLE, None, '{"a":2}')


def test_what_was_changed_and_went_went_as_it_was_first() -> None:
    (one,) = squash((change("a", 1, 2), change(WHOLE, '{"a":2}', None)))
    assert (one.field, one.before, one.after) == (WHOLE, '{"a":1}', None)


def test_what_went_and_came_back_has_changed_where_it_differs() -> None:
    gone = change(WHOLE, '{"a":1,"b":1}', None)
    assert squash((gone, change(WHOLE, None, '{"a":1,"b":1}'))) == ()
    (one,) = squash((gone, change(WHOLE, None, '{"a":1,"b":7}')))
    assert (one.field, one.before, one.after) == ("b", 1, 7)


@pytest.mark.parametrize(
    ("now", "before", "after", "fits", "value"),
    [
        (5, 0, 5, True, 0),
        (6, 0, 5, False, 6),
        (None, 0, None, True, 0),
        ("x", "a", "b", False, "x"),
        # Of an object each key counts for itself: what was built on is another one.
        ('{"a":2,"b":9}', '{"a":1,"b":1}', '{"a":2,"b":1}', True, '{"a":1,"b":9}'),
        ('{"a":3,"b":1}', '{"a":1,"b":1}', '{"a":2,"b":1}', False, '{"a":3,"b":1}'),
        ('{"a":1,"b":1,"c":2}', '{"a":1}', '{"a":1,"b":1}', True, '{"a":1,"c":2}'),
        ('{"b":1}', '{"a":1}', "x", False, '{"b":1}'),
    ],
)
def test_a_field_is_put_back_unless_something_was_built_on_it(
    now: Value, before: Value, after: Value, fits: bool, value: Value
) -> None:
    assert put_back(now, before, after) == (fits, value)
