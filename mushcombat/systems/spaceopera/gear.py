"""What one carries and holds: +give, +take, +wield; and what staff mend with it (SO-19, SO-22)."""

from __future__ import annotations

from functools import partial

from mushcombat.domain.command import Access, Call, Lane, Outcome, ReadContext, Verb, WriteContext
from mushcombat.errors import MushError
from mushcombat.systems.items import put, read_gift
from mushcombat.systems.people import anybody, note
from mushcombat.systems.spaceopera.events import ItemSet
from mushcombat.systems.spaceopera.mine import on_the_board
from mushcombat.systems.spaceopera.roster import (
    NAME,
    change_seat,
    check_at_hand,
    fighter_of,
    set_thing,
)
from mushcombat.systems.spaceopera.tables import Tables, Weapon, find


def _give(tables: Tables, context: WriteContext, arguments: tuple[str, str, str]) -> Outcome:
    """Give a thing; one that was damaged or lost is whole and at hand again."""
    them, thing = anybody(context, arguments[0]), find(arguments[1], tables.things, "thing")
    put(context, NAME, them, thing.name, 1)
    if thing.name in fighter_of(context.store, them.id, tables).things:
        set_thing(context, them.id, thing.name, None)
    event = ItemSet(them.id, them.name, thing.name, "given", arguments[2])
    return Outcome.of(note(context, event, private=True))


def _take(tables: Tables, context: WriteContext, arguments: tuple[str, str, str]) -> Outcome:
    them, thing = anybody(context, arguments[0]), find(arguments[1], tables.things, "thing")
    put(context, NAME, them, thing.name, -1)
    event = ItemSet(them.id, them.name, thing.name, "taken", arguments[2])
    return Outcome.of(note(context, event, private=True))


def _wield(tables: Tables, context: WriteContext, typed: str) -> Outcome:
    """Take a weapon in the primary hand; it counts from the next initiative on (SO-5)."""
    mine = on_the_board(context, tables)
    weapon = find(typed, tables.weapons, "weapon")
    check_at_hand(context, mine.me.fighter, weapon)
    device = mine.me.device(tables)
    if device is not None and device.hands + weapon.hands > 2:
        text = f"The {device.name} leaves no hands for the {weapon.name}."
        raise MushError("hands", text, "+parry nothing puts it away.")
    if mine.me.seat.declared:
        text = "You have declared for this phase with what you hold."
        raise MushError("turn", text, "Wait for the next phase.")
    change_seat(context, mine.me.combatant, weapon=weapon.name)
    return Outcome.of(context.show(ItemSet(mine.me.id, mine.me.name, weapon.name, "in hand")))


def _weapons(tables: Tables, _context: ReadContext, _: None) -> Outcome:
    """List weapons and devices with their numbers."""
    lines = [_line(weapon) for weapon in tables.weapons]
    lines += [f"{device.name}: parries {device.parry.percent}" for device in tables.devices]
    return Outcome.tell(*lines)


def _line(weapon: Weapon) -> str:
    parry = f", parries {weapon.parry.percent}" if weapon.parry else ""
    return f"{weapon.name}: speed {weapon.speed}, injury {weapon.injury:+d}{parry}"


def gear_verbs(tables: Tables) -> tuple[Verb, ...]:
    """Give the verbs of this file."""

    def words(call: Call) -> str:
        if not call.text:
            raise call.wrong()
        return call.text

    write, referee = Lane.WRITE, Access.REFEREE
    give, take = partial(_give, tables), partial(_take, tables)
    return (
        Verb("+give", "+give <name>=<thing>[, <reason>]", referee, write, read_gift, give),
        Verb("+take", "+take <name>=<thing>[, <reason>]", referee, write, read_gift, take),
        Verb(
            "+wield",
            "+wield <weapon>",
            Access.PLAYER,
            write,
            words,
            partial(_wield, tables),
            shown=True,
            stands_in=True,
        ),
        Verb(
            "+weapons",
            "+weapons",
            Access.GUEST,
            Lane.READ,
            lambda _: None,
            partial(_weapons, tables),
        ),
    )
