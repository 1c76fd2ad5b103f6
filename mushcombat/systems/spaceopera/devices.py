"""What a blow does to the device that turned it (SO-16 to SO-19)."""

from __future__ import annotations

from collections.abc import Sequence

from mushcombat.domain.breakdown import Breakdown, Term
from mushcombat.domain.command import WriteContext
from mushcombat.domain.events import Event
from mushcombat.systems.spaceopera.dice import roll_chance
from mushcombat.systems.spaceopera.events import DeviceHit
from mushcombat.systems.spaceopera.exchange import Exchange
from mushcombat.systems.spaceopera.fighter import DAMAGED, RUINED
from mushcombat.systems.spaceopera.formulas import device_damage, penetration
from mushcombat.systems.spaceopera.roster import set_thing
from mushcombat.systems.spaceopera.tables import Device, Tables, Thing


def harm_device(
    context: WriteContext, exchange: Exchange, thing: Thing, tech: Sequence[Term], tables: Tables
) -> tuple[list[Event], bool]:
    """SO-16: roll for damage, then for penetration; tells whether the blow goes on (SO-18)."""
    skill = exchange.attacker.skill(exchange.weapon.name)
    damage = device_damage(skill, exchange.target.hold(thing)[1], tables)
    what = f"damage to the {thing.name}"
    event, roll = roll_chance(context, exchange.attacker, what, damage, "damaged", "unharmed")
    if roll > damage.total:
        return [event], False
    chance = penetration(exchange.weapon, thing, tech, tables)
    what = f"through the {thing.name}"
    through, roll = roll_chance(
        context, exchange.attacker, what, chance, "penetrated", "not penetrated"
    )
    penetrated = roll <= chance.total
    more = _shield if isinstance(thing, Device) and thing.shield else _weapon
    return [
        event,
        through,
        *more(context, exchange, thing, tables, penetrated=penetrated),
    ], penetrated


def _weapon(
    context: WriteContext, exchange: Exchange, thing: Thing, _tables: Tables, *, penetrated: bool
) -> list[Event]:
    """SO-17, SO-19: penetrated, it breaks; damaged, half of it is left; damaged again, nothing."""
    again = exchange.target.things.get(thing.name) == DAMAGED
    gone = penetrated or again
    set_thing(context, exchange.target.id, thing.name, RUINED if gone else DAMAGED)
    fate = "breaks" if penetrated else "is ruined" if again else "is damaged: half its protection"
    return [DeviceHit(exchange.target.id, exchange.target.name, thing.name, fate)]


def _shield(
    context: WriteContext, exchange: Exchange, thing: Thing, tables: Tables, *, penetrated: bool
) -> list[Event]:
    """SO-19: penetrated any number of times; each damage may destroy it."""
    rule = tables.damage.destroyed
    chance = Breakdown((Term(rule, f"{rule} (destruction)", rule="SO-19"),))
    what = f"destruction of the {thing.name}"
    event, roll = roll_chance(context, exchange.attacker, what, chance, "destroyed", "it holds")
    target = exchange.target
    words = ["penetrated"] if penetrated else []
    if roll <= chance.total:
        set_thing(context, target.id, thing.name, RUINED)
        words.append("destroyed")
    fate = f"is {' and '.join(words)}" if words else "is dented, and holds"
    return [event, DeviceHit(target.id, target.name, thing.name, fate)]
