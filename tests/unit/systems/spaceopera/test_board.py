from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.systems.spaceopera.board import (
    NAMES,
    Figure,
    approach,
    arc,
    bearing,
    distance,
    free_square,
    off_side,
    path,
    read_direction,
    step,
)

SQUARES = st.tuples(st.integers(-50, 50), st.integers(-50, 50))


@given(SQUARES, st.integers(0, 7), st.integers(1, 9))
def test_so_1_a_step_is_as_far_as_it_says_and_bears_where_it_went(
    start: tuple[int, int], direction: int, squares: int
) -> None:
    there = step(start, direction, squares)
    assert distance(start, there) == squares
    assert bearing(start, there) == direction


@given(SQUARES, st.integers(0, 7), SQUARES)
def test_so_2_each_other_square_is_in_one_arc_and_opposite_ones_are_opposite(
    square: tuple[int, int], facing: int, other: tuple[int, int]
) -> None:
    if square == other:
        return
    here = arc(Figure(*square, facing), other)
    behind = arc(Figure(*square, (facing + 4) % 8), other)
    opposite = {"front": "rear", "left": "right", "right": "left"}
    if here in opposite and here != "front":
        assert behind == opposite[here]
    assert (here == "front") <= (behind == "rear")


def test_so_2_front_is_ahead_and_two_diagonals_sides_are_square_and_the_rest_is_rear() -> None:
    north = Figure(0, 0, 0)
    arcs = [arc(north, step((0, 0), direction)) for direction in range(8)]
    assert arcs == ["front", "front", "right", "rear", "rear", "rear", "left", "front"]


def test_so_2_a_bearing_is_rounded_to_the_nearest_45_degrees() -> None:
    assert bearing((0, 0), (1, 3)) == 0
    assert bearing((0, 0), (2, 3)) == 1


def test_so_3_the_off_hand_is_the_left_of_the_right_handed() -> None:
    assert off_side(left_handed=False) == "left"
    assert off_side(left_handed=True) == "right"


@pytest.mark.parametrize("place", range(8))
def test_directions_are_read_by_name_and_by_letters(place: int) -> None:
    letters = "".join(part[0] for part in NAMES[place].split("-"))
    for typed in (NAMES[place], NAMES[place].replace("-", ""), letters, letters.upper()):
        assert read_direction(typed) == place
    assert read_direction("up") is None


def test_so_1_who_joins_finds_a_free_square_so_far_away() -> None:
    taken = {(0, 0)}
    for _ in range(9):
        square = free_square((0, 0), 4, taken)
        assert square not in taken
        assert distance((0, 0), square) >= 4
        taken.add(square)
    assert max(distance((0, 0), square) for square in taken) == 5


def test_so_1_who_stands_in_the_way_stops_a_walk() -> None:
    assert path((0, 0), 2, 3, set()) == (3, 0)
    assert path((0, 0), 2, 3, {(2, 0)}) == (1, 0)


def test_so_1_one_comes_up_to_somebody_until_they_touch() -> None:
    assert approach((0, 0), (4, 0), 3, {(4, 0)}) == (3, 0)
    assert approach((0, 0), (2, 0), 3, {(2, 0)}) == (1, 0)
    assert approach((0, 0), (4, 0), 3, {(1, 0), (4, 0)}) == (0, 0)
