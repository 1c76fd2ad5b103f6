from __future__ import annotations

from mushcombat.domain.state import WHOLE, Change, Value, squash


def change(field: str, before: Value, after: Value, key: str = "[1]") -> Change:
    return Change("thing", key, field, before, after, "a thing")


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
