"""What a defender may answer an attack with, and what each answer begins with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mushcombat.domain.breakdown import Term, modifier
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.systems.otherspace.fighter import (
    Fighter,
    has,
    is_down,
    needed,
    not_zero,
    trait_terms,
)
from mushcombat.systems.otherspace.formulas import psi_resistance
from mushcombat.systems.otherspace.gear import Card
from mushcombat.systems.otherspace.situation import Situation, card_of, is_melee, sort_of
from mushcombat.systems.otherspace.tables import Tables

NONE = "none"
"""The choice of who can't defend."""

_ORDINALS = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


@record(frozen=True, slots=True)
class Choice:
    """One way to defend: what is rolled, all that counts for it before the dice, its price."""

    name: str
    terms: tuple[Term, ...]
    costs_next_attack: bool = False

    @property
    def base(self) -> int:
        """What the terms add up to."""
        return sum(term.value for term in self.terms)

    @property
    def rolls(self) -> bool:
        """Whether dice are thrown for it."""
        return self.name != NONE


@record(frozen=True, slots=True)
class _Answer:
    """Who answers what, and how they stand in the round."""

    defender: Fighter
    situation: Situation
    before: int
    full: bool
    card: Card | None
    card_held: bool
    tables: Tables


def choices(
    defender: Fighter,
    situation: Situation,
    *,
    defences_before: int = 0,
    full_defence: bool = False,
    unaware: bool = False,
    stunned: bool = False,
    card: str = "",
    card_held: bool = False,
    tables: Tables,
) -> tuple[Choice, ...]:
    """Give what the defender may choose from, one choice or more (OS-26, OS-27, OS-28, OS-40).

    `defences_before` counts those of this round; `card` is an action card of the defender's.
    Who is unconscious, stunned or unaware has the choice "none" alone, which has no dice.
    MushError for a card that is none, or not for defending.
    """
    if unaware or stunned or is_down(defender, tables):
        return (_helpless(tables),)
    own = _defence_card(card, tables)
    answer = _Answer(
        defender, situation, defences_before, full_defence, own, card_held, tables=tables
    )
    if sort_of(situation, tables) == "psionic":
        return tuple(_by_mind(answer))
    return tuple(_by_body(answer))


def better(options: Sequence[Choice], tables: Tables, *, given_up: bool = False) -> Choice:
    """Give the choice with the highest base, for who does not choose (OS-55).

    One that costs the next attack counts for less (this game's ruling), unless that attack is
    `given_up` already; of equal ones the one that costs nothing is taken.
    """
    worth = 0 if given_up else tables.combat.defence.attack_worth

    def value(choice: Choice) -> tuple[int, bool]:
        costs = choice.costs_next_attack
        return choice.base - worth * costs, not costs

    return max(options, key=value)


def _helpless(tables: Tables) -> Choice:
    """OS-26: no roll; it counts as Terrible."""
    word = tables.combat.defence.helpless
    level = needed(word, tables)
    return Choice(NONE, (Term(level, f"no defence {level} ({word})", rule="OS-26", kind="level"),))


def _defence_card(name: str, tables: Tables) -> Card | None:
    """OS-54: a card that is for defending."""
    if not name:
        return None
    card = tables.combat.card(name)
    if "defence" not in card.on:
        raise MushError("card", f"{card.name} is no card for a defence.")
    return card


def _by_mind(answer: _Answer) -> Iterator[Choice]:
    """OS-40: Willpower, with what the gift adds, or Psi; Athletics is no help."""
    resistant = "Psi Resistant" in answer.defender.gifts
    yield _choice(answer, "Willpower", [psi_resistance(answer.tables)] if resistant else [])
    if has(answer.defender, "Psi", answer.tables):
        yield _choice(answer, "Psi")


def _by_body(answer: _Answer) -> Iterator[Choice]:
    """OS-26, OS-27, OS-52: raw Dexterity, Athletics, and hand to hand the skill in hand.

    Of a blast at point blank there is only the first (OS-19).
    """
    rule = answer.tables.combat.defence
    yield _choice(answer, "Dexterity", [modifier(rule.raw_dexterity, "raw dexterity", "OS-26")])
    if answer.situation.maneuver == "detonate":
        return
    yield _athletics(answer)
    skill = _skill_in_hand(answer)
    if skill:
        yield _choice(answer, skill)


def _athletics(answer: _Answer) -> Choice:
    """OS-27, OS-28: it is a full defence, which costs the next attack unless a card spares it."""
    spared = answer.card is not None and answer.card.free_athletics
    choice = _choice(replace(answer, full=answer.full or not spared), "Athletics")
    return replace(choice, costs_next_attack=not (spared or answer.full))


def _skill_in_hand(answer: _Answer) -> str:
    """Name the skill that parries: of the weapon in hand, or Unarmed; "" where there is none.

    Guns do not parry; but in a struggle for a weapon its own skill counts, whatever it is.
    """
    if not is_melee(answer.situation, answer.tables):
        return ""
    if not answer.defender.wielded:
        return "Unarmed"
    weapons = answer.tables.combat.weapons
    held = next((one for one in weapons if one.name == answer.defender.wielded), None)
    if held is None or held.sort == "psionic":
        return ""
    struggle = answer.situation.maneuver == "disarm"
    return held.skill if held.sort == "melee" or struggle else ""


def _choice(answer: _Answer, trait_name: str, own: Sequence[Term] = ()) -> Choice:
    """Put together a roll of a trait, what the choice itself brings, and what any defence has."""
    others = (*own, *_again(answer), *_cards(answer, trait_name))
    first = trait_terms(answer.defender, trait_name, answer.tables)
    return Choice(trait_name, (*first, *not_zero(others)))


def _again(answer: _Answer) -> Iterator[Term]:
    """OS-28: each defence after the first of a round, unless it is a full defence."""
    if answer.before and not answer.full:
        value = answer.tables.combat.defence.each_more * answer.before
        yield modifier(value, f"{_ordinal(answer.before)} defence", "OS-28")


def _ordinal(before: int) -> str:
    """Name the place of a defence that so many came before."""
    return _ORDINALS[before - 1] if before <= len(_ORDINALS) else f"{before + 1}th"


def _cards(answer: _Answer, trait_name: str) -> Iterator[Term]:
    """OS-54: what the attacker's card does to a defence, and one's own that is not held.

    A card that makes Athletics free is no part of another choice.
    """
    against = card_of(answer.situation, answer.tables)
    if against is not None:
        yield modifier(against.defence, against.name, "OS-54")
    own = answer.card
    if own and not answer.card_held and (trait_name == "Athletics" or not own.free_athletics):
        yield modifier(answer.tables.combat.attack.no_card, "no card", "OS-54")
