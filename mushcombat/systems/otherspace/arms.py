"""What somebody can fight with: carried, grown, thought, or picked up from a table."""

from __future__ import annotations

from mushcombat.domain.ports import Reads
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.systems.otherspace.fighter import Fighter, has
from mushcombat.systems.otherspace.gear import Weapon
from mushcombat.systems.otherspace.roster import NAME
from mushcombat.systems.otherspace.tables import Tables

UNARMED = "unarmed"


def natural(fighter: Fighter, weapon: Weapon, tables: Tables) -> bool:
    """Tell whether a weapon needs no carrying: fists, claws one has, the mind of who has Psi."""
    if weapon.sort == "psionic":
        return has(fighter, "Psi", tables)
    return weapon.weapon_class == UNARMED and (not weapon.gift or weapon.gift in fighter.gifts)


def find_weapon(
    store: Reads, fighter: Fighter, typed: str, tables: Tables, *, improvised: bool = False
) -> Weapon:
    """Find the weapon that is meant among those at hand; '' is the one that is wielded.

    MushError for one that is none, that is not carried, or that could be several.
    """
    if not typed:
        return tables.combat.weapon(fighter.wielded or UNARMED)
    carried = {item.name for item in store.items(fighter.id, NAME)}
    known = tables.combat.find_weapon(typed)
    at_hand = [w for w in known if improvised or w.name in carried or natural(fighter, w, tables)]
    if len(at_hand) == 1:
        return at_hand[0]
    if not known:
        hint = "+weapons lists them; add improvised for what only resembles one."
        raise MushError("weapon", f'weapon: "{clip(typed)}" is none.', hint)
    if not at_hand:
        text = f"{fighter.name} carries no {known[0].name}."
        raise MushError("weapon", text, f"A referee gives it: +give {fighter.name}={known[0].name}")
    names = ", ".join(weapon.name for weapon in at_hand)
    raise MushError("weapon", f'weapon: "{clip(typed)}" could be {names}.', "Type more of it.")


def card_held(store: Reads, fighter: Fighter, card: str) -> bool:
    """Tell whether an action card is held (OS-54)."""
    return any(item.name == card for item in store.items(fighter.id, NAME))


def holds_polearm(fighter: Fighter, tables: Tables) -> bool:
    """OS-21: whether somebody has a polearm in hand."""
    held = fighter.wielded
    return bool(held) and tables.combat.weapon(held).weapon_class == "polearm"
