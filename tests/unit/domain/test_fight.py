from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.fight import (
    ON,
    Combatant,
    Fight,
    Step,
    break_ties,
    by_rank,
    members,
    next_turn,
    written_order,
)

ADA, BRAM, CASS, DEE = 1, 2, 3, 4


class Rerolls:
    """Gives prepared numbers, and remembers who was asked to roll again."""

    def __init__(self, *rounds: Mapping[int, int]) -> None:
        self.asked: list[list[int]] = []
        self.between: list[set[int]] = []
        self._rounds = list(rounds)

    def __call__(self, tied: Sequence[int], between: Sequence[int]) -> Mapping[int, int]:
        self.asked.append(list(tied))
        self.between.append(set(between))
        return self._rounds.pop(0)


def test_os_10_the_order_goes_from_highest_to_lowest_reaction() -> None:
    rerolls = Rerolls()
    ranks = break_ties({BRAM: (7,), ADA: (9,), CASS: (-1,)}, rerolls)
    assert by_rank(ranks) == [ADA, BRAM, CASS]
    assert rerolls.asked == []


def test_os_10_a_tie_is_rerolled_between_those_tied_alone() -> None:
    rerolls = Rerolls({BRAM: 6, CASS: 18})
    ranks = break_ties({ADA: (9,), BRAM: (7,), CASS: (7,)}, rerolls)
    assert ranks == {ADA: (9,), BRAM: (7, 6), CASS: (7, 18)}
    assert by_rank(ranks) == [ADA, CASS, BRAM]
    assert rerolls.asked == [[BRAM, CASS]]


def test_os_10_whoever_is_still_tied_rerolls_again() -> None:
    rerolls = Rerolls({ADA: 8, BRAM: 6, CASS: 8}, {ADA: 3, CASS: 5})
    ranks = break_ties({ADA: (9,), BRAM: (9,), CASS: (9,)}, rerolls)
    assert ranks == {ADA: (9, 8, 3), BRAM: (9, 6), CASS: (9, 8, 5)}
    assert by_rank(ranks) == [CASS, ADA, BRAM]
    assert rerolls.asked == [[ADA, BRAM, CASS], [ADA, CASS]]


def test_os_10_two_ties_are_rerolled_apart_the_higher_first() -> None:
    rerolls = Rerolls({CASS: 1, DEE: 2}, {ADA: 9, BRAM: 8})
    ranks = break_ties({ADA: (5,), BRAM: (5,), CASS: (7,), DEE: (7,)}, rerolls)
    assert by_rank(ranks) == [DEE, CASS, ADA, BRAM]
    assert rerolls.asked == [[CASS, DEE], [ADA, BRAM]]


def test_os_10_who_comes_late_to_a_broken_tie_rolls_against_its_rerolls() -> None:
    rerolls = Rerolls({CASS: 7})
    ranks = break_ties({ADA: (9, 8), BRAM: (9, 6), CASS: (9,)}, rerolls)
    assert by_rank(ranks) == [ADA, CASS, BRAM]
    assert rerolls.asked == [[CASS]]


def test_os_10_who_comes_late_and_rerolls_the_same_rolls_on_with_that_one() -> None:
    rerolls = Rerolls({CASS: 8}, {ADA: 1, CASS: 2})
    ranks = break_ties({ADA: (9, 8), BRAM: (9, 6), CASS: (9,)}, rerolls)
    assert by_rank(ranks) == [CASS, ADA, BRAM]
    assert rerolls.asked == [[CASS], [ADA, CASS]]
    assert rerolls.between == [{ADA, BRAM, CASS}, {ADA, CASS}]


def test_os_10_nobody_and_one_alone_have_an_order() -> None:
    assert break_ties({}, Rerolls()) == {}
    assert break_ties({ADA: (3,)}, Rerolls()) == {ADA: (3,)}


def test_os_10_dice_that_never_part_a_tie_do_not_hang() -> None:
    with pytest.raises(RuntimeError, match="100 rerolls are broken"):
        break_ties({ADA: (9,), BRAM: (9,)}, lambda tied, _: dict.fromkeys(tied, 4))


@given(st.dictionaries(st.integers(1, 99), st.integers(0, 3), max_size=12), st.integers())
def test_os_10_rerolls_never_change_places_with_the_untied(
    reactions: dict[int, int], seed: int
) -> None:
    chance = Random(seed)

    def reroll(tied: Sequence[int], between: Sequence[int]) -> dict[int, int]:
        assert set(tied) <= set(between)
        return {one: chance.randrange(4) for one in tied}

    ranks = break_ties({one: (value,) for one, value in reactions.items()}, reroll)
    assert {one: rank[0] for one, rank in ranks.items()} == reactions
    order = [reactions[one] for one in by_rank(ranks)]
    assert order == sorted(reactions.values(), reverse=True)
    assert len(set(ranks.values())) == len(ranks)
    tied = [value for value in reactions.values() if list(reactions.values()).count(value) > 1]
    assert sum(1 for rank in ranks.values() if len(rank) > 1) == len(tied)


def test_os_10_the_order_is_written_with_the_rerolls_that_decided() -> None:
    names, ranks = ("Ada", "Bram", "Cass"), ((11,), (9, 8), (9, 6))
    assert written_order(names, ranks) == "Ada 11, Bram 9, Cass 9 (reroll 6 under 8)"


def test_os_10_of_several_rerolls_the_one_that_decided_is_written() -> None:
    ranks = ((9, 8, 5), (9, 8, 3), (9, 6))
    assert written_order(("Ada", "Bram", "Cass"), ranks) == (
        "Ada 9, Bram 9 (reroll 3 under 5), Cass 9 (reroll 6 under 8)"
    )


def test_os_10_an_order_that_a_referee_changed_claims_no_rerolls_that_were_not_lost() -> None:
    ranks = ((9, 6), (9, 8), (11,))
    assert written_order(("Ada", "Bram", "Cass"), ranks) == "Ada 9, Bram 9, Cass 11"


def test_os_10_an_order_of_nobody_is_empty() -> None:
    assert written_order((), ()) == ""


def seat(character: int, place: int, rank: tuple[int, ...] = (5,)) -> Combatant:
    return Combatant(7, character, f"C{character}", rank, place, late=False, state="", player=True)


def test_who_has_not_rolled_has_no_place_in_the_order() -> None:
    assert members([seat(ADA, 2), seat(BRAM, 1), seat(CASS, 0, ())]) == [BRAM, ADA]


def at(turn: int | None, round_: int = 1) -> Fight:
    return Fight(7, ON, round_, turn)


def able(*who: int) -> Callable[[int], bool]:
    return lambda one: one in who


def test_the_turn_goes_down_the_order_and_round_again() -> None:
    order, can = [ADA, BRAM, CASS], able(ADA, BRAM, CASS)
    assert next_turn(order, at(None), can) == Step(1, ADA)
    assert next_turn(order, at(ADA), can) == Step(1, BRAM)
    assert next_turn(order, at(CASS), can) == Step(2, ADA)


def test_those_who_cannot_act_are_passed_over_and_named() -> None:
    assert next_turn([ADA, BRAM, CASS], at(ADA), able(ADA)) == Step(2, ADA, (BRAM, CASS))


def test_when_nobody_can_act_the_turn_is_nobodys() -> None:
    assert next_turn([ADA, BRAM], at(BRAM), able()) == Step(2, None, (ADA, BRAM))
    assert next_turn([], at(None), able()) == Step(1, None)


@pytest.mark.parametrize(
    ("place", "step"), [(0, Step(1, BRAM)), (1, Step(1, CASS)), (2, Step(2, ADA))]
)
def test_the_turn_of_one_who_left_goes_to_who_came_behind_them(place: int, step: Step) -> None:
    order = [ADA, BRAM, CASS]
    gone = order.pop(place)
    assert next_turn(order, at(gone), able(*order), place) == step
