"""What holds for one attack: how it is typed, and what it is made with."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from mushcombat.domain.breakdown import Term
from mushcombat.domain.numbers import parse_whole, refusal
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.systems.otherspace.combat_sections import BANDS, FULL, Band
from mushcombat.systems.otherspace.gear import PSIONIC, Card, Kind, Sort, Weapon
from mushcombat.systems.otherspace.tables import Tables
from mushcombat.systems.shapes import LARGEST

Maneuver = Literal["attack", "disarm", "grapple", "throw", "detonate", "psi"]

NOT_ARMED: frozenset[Maneuver] = frozenset({"grapple"})
"""Maneuvers that no weapon counts for (OS-53)."""

EXPLOSIVE: frozenset[Maneuver] = frozenset({"attack", "throw", "detonate"})
"""Maneuvers in which a grenade may go off at point blank (OS-19)."""


@record(frozen=True, slots=True)
class Situation:
    """One attack and what holds for it.

    `weapon` and `card` are names of the tables; `skill` stands in for the weapon's own;
    `hand` is set for each attack of a dual wielder; `next_attack` are effects that wait for
    this attack. A range is given as `band` or as `feet`, or not at all.
    """

    maneuver: Maneuver = "attack"
    weapon: str = ""
    skill: str = ""
    band: Band | Literal[""] = ""
    feet: int | None = None
    cover: int = 0
    movement: Literal["", "walking", "running"] = ""
    blind: bool = False
    hand: Literal["", "first", "second"] = ""
    improvised: bool = False
    closing: bool = False
    back: bool = False
    stun: bool = False
    lethal: bool = False
    card: str = ""
    card_held: bool = False
    atmosphere: bool = True
    gravity: bool = True
    railgun_warm: bool = True
    next_attack: tuple[Term, ...] = ()


def weapon_of(situation: Situation, tables: Tables) -> Weapon | None:
    """Give the weapon that counts; None for a grapple, and for a psionic skill alone.

    MushError for a weapon that is none, or none where one is needed.
    """
    if situation.maneuver in NOT_ARMED:
        return None
    if situation.maneuver == "psi" and not situation.weapon:
        return None
    return tables.combat.weapon(situation.weapon)


def sort_of(situation: Situation, tables: Tables) -> Sort:
    """Tell what an attack is: that decides on range, defence and damage."""
    weapon = weapon_of(situation, tables)
    if weapon is None:
        return "psionic" if situation.maneuver == "psi" else "melee"
    return weapon.sort


def is_melee(situation: Situation, tables: Tables) -> bool:
    """Tell whether an attack is made hand to hand."""
    return sort_of(situation, tables) == "melee"


def skill_of(situation: Situation, tables: Tables) -> str:
    """Name the skill that is rolled; MushError for a psionic attack with none."""
    weapon = weapon_of(situation, tables)
    if situation.skill:
        return situation.skill
    if weapon is not None:
        return weapon.skill
    if situation.maneuver == "psi":
        names = ", ".join(psionic_skills(tables))
        raise MushError("skill", "No psionic skill is named.", f"There are: {names}.")
    return "Unarmed"


def psionic_skills(tables: Tables) -> list[str]:
    """Name the skills that an attack with the mind may use (OS-40)."""
    weapons = (weapon for weapon in tables.combat.weapons if weapon.weapon_class == PSIONIC)
    return list(dict.fromkeys(weapon.skill for weapon in weapons))


def card_of(situation: Situation, tables: Tables) -> Card | None:
    """Give the action card that is played with the attack."""
    return tables.combat.card(situation.card) if situation.card else None


def kind_of(situation: Situation, tables: Tables) -> Kind:
    """Tell whether the attack harms or stuns (OS-20, OS-23)."""
    weapon = weapon_of(situation, tables)
    stuns = situation.stun or (weapon is not None and weapon.damage == "stun")
    return "stun" if stuns else "harm"


def band_of(situation: Situation, tables: Tables) -> Band | None:
    """OS-11: the range band; None if no range was given. MushError past the last."""
    if situation.feet is None:
        return situation.band or None
    band = tables.combat.bands.at(situation.feet)
    if band is None:
        most = tables.combat.bands.extreme.high
        raise MushError("range", f"{situation.feet} feet is out of range.", f"At most {most} feet.")
    return band


_Change = tuple[str, Mapping[str, Any]]
"""What a modifier is about, which only one may be, and what it sets."""

_WORDS: Mapping[str, _Change] = {
    **{band: ("range", {"band": band}) for band in BANDS},
    "point blank": ("range", {"maneuver": "detonate"}),
    "walking": ("movement", {"movement": "walking"}),
    "running": ("movement", {"movement": "running"}),
    "closing": ("step", {"closing": True}),
    "back": ("step", {"back": True}),
    "stun": ("intent", {"stun": True}),
    "lethal": ("intent", {"lethal": True}),
    "blind": ("sight", {"blind": True}),
    "dual": ("hand", {"hand": "first"}),
    "improvised": ("make", {"improvised": True}),
}

MODIFIERS = (
    "close, short, medium, long, extreme or a number of feet, cover <percent>, walking, running,"
    " blind, dual, improvised, closing, back, stun, lethal, point blank, card <name>"
)
"""What an attack takes behind its weapon, for messages."""

_FEET = re.compile(r"([+-]?\d+)(?: ?(?:feet|foot|ft))?")
_COVER = re.compile(r"cover ([^%]*[^% ]) ?%?")
_CARD = re.compile(r"card (.+)")


def read_modifiers(
    typed: Sequence[str], tables: Tables, start: Situation | None = None
) -> Situation:
    """Read what was typed behind the weapon into a situation, on top of `start`.

    MushError for what is no modifier, and for two that contradict each other.
    """
    changes: dict[str, Any] = {}
    before: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for text in typed:
        about, change = _read(text, tables)
        earlier, earlier_change = before.setdefault(about, (text, change))
        if earlier_change != change:
            words = f'"{clip(text.strip())}" contradicts "{clip(earlier.strip())}"'
            raise MushError("modifier", f"modifier: {words}.", "Type one of them.")
        changes |= change
    start = start or Situation()
    if "maneuver" in changes and start.maneuver not in EXPLOSIVE:
        hint = "Try +detonate, or +attack with a grenade."
        raise MushError("modifier", f"Nothing explodes in a {start.maneuver} attack.", hint)
    return replace(start, **changes)


def _read(text: str, tables: Tables) -> _Change:
    word = " ".join(text.casefold().split())
    if word in _WORDS:
        return _WORDS[word]
    if feet := _FEET.fullmatch(word):
        return "range", {"feet": parse_whole(feet[1], "feet", 0, LARGEST)}
    if cover := _COVER.fullmatch(word):
        return "cover", {"cover": parse_whole(cover[1], "cover", 0, FULL)}
    if card := _CARD.fullmatch(word):
        return "card", {"card": find_card(card[1], tables).name}
    raise refusal(text, "modifier", f"none of: {MODIFIERS}")


def find_card(typed: str, tables: Tables) -> Card:
    """Find one action card by name; MushError that lists them, or those it could be."""
    found = tables.combat.find_card(typed)
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(card.name for card in found)
        raise MushError("card", f'card: "{clip(typed)}" could be {names}.', "Type more of it.")
    names = ", ".join(card.name for card in tables.combat.cards)
    raise MushError("card", f'card: "{clip(typed)}" is no action card.', f"There are: {names}.")
