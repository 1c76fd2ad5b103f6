"""What one carries: +give, +take, +wield, +wear, +ready, +weapons, +armor, +speed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

from mushcombat.domain.command import Access, Call, Lane, Outcome, ReadContext, Verb, WriteContext
from mushcombat.domain.fight import ON, Fight
from mushcombat.domain.scene import Scene
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.systems import tracker
from mushcombat.systems.items import put, read_gift
from mushcombat.systems.otherspace.combat_events import ItemSet, Noted
from mushcombat.systems.otherspace.fighter import speed
from mushcombat.systems.otherspace.people import check_able
from mushcombat.systems.otherspace.roster import (
    NAME,
    change_seat,
    fighter_of,
    seat_of,
    why_helpless,
)
from mushcombat.systems.otherspace.tables import Tables
from mushcombat.systems.pending import own_pending
from mushcombat.systems.people import anybody, note

NOTHING = frozenset({"nothing", "none"})
Ready = Callable[[WriteContext, str], Outcome]


def find_item(typed: str, tables: Tables) -> str:
    """Find a weapon, suit, card or other item by name; MushError for none or several."""
    combat = tables.combat
    names = [
        *(thing.name for thing in combat.find_weapon(typed)),
        *(thing.name for thing in combat.find_armour(typed)),
        *(thing.name for thing in combat.find_card(typed)),
        *combat.find_item(typed),
    ]
    exact = [name for name in names if name.casefold() == typed.casefold()]
    found = list(dict.fromkeys(exact or names))
    if len(found) == 1:
        return found[0]
    if found:
        raise MushError(
            "item", f'item: "{clip(typed)}" could be {", ".join(found[:6])}.', "Type more."
        )
    raise MushError(
        "item", f'item: there is no "{clip(typed)}".', "+weapons and +armor list things."
    )


def _give(tables: Tables, context: WriteContext, arguments: tuple[str, str, str]) -> Outcome:
    them, item = anybody(context, arguments[0]), find_item(arguments[1], tables)
    put(context, NAME, them, item, 1)
    event = ItemSet(them.id, them.name, item, "given", arguments[2])
    return Outcome.of(note(context, event, private=True))


def _take(tables: Tables, context: WriteContext, arguments: tuple[str, str, str]) -> Outcome:
    them, item = anybody(context, arguments[0]), find_item(arguments[1], tables)
    put(context, NAME, them, item, -1)
    event = ItemSet(them.id, them.name, item, "taken", arguments[2])
    return Outcome.of(note(context, event, private=True))


def use(
    context: WriteContext, character: int, name: str, item: str, *, suit: bool, tables: Tables
) -> None:
    """Take one thing in hand, or put it on; what was in its place is put away."""
    for held in context.store.items(character, NAME):
        same_kind = (tables.combat.suit(held.name) is not None) == suit
        wanted = held.name == item
        if same_kind and held.in_use != wanted:
            key = (character, NAME, held.name)
            context.store.write("item", key, f"{name}'s {held.name}", in_use=wanted)


def _in_use(
    tables: Tables, what: Literal["in hand", "worn"], context: WriteContext, typed: str
) -> Outcome:
    """Wield or wear something that is carried; nothing puts it away."""
    me, suit = context.actor, what == "worn"
    check_able(context, fighter_of(context.store, me.id, context.now, tables), tables)
    if typed.casefold() in NOTHING:
        item = _held(context, suit=suit, tables=tables)
        use(context, me.id, me.name, "", suit=suit, tables=tables)
        event = ItemSet(me.id, me.name, item, "taken off" if suit else "put away")
    else:
        item = _carried(context, typed, suit=suit, tables=tables)
        use(context, me.id, me.name, item, suit=suit, tables=tables)
        event = ItemSet(me.id, me.name, item, what)
    return Outcome.of(note(context, event))


def _held(context: WriteContext, *, suit: bool, tables: Tables) -> str:
    """Name what the actor has in hand or wears; MushError that says what to type for nothing."""
    for item in context.store.items(context.actor.id, NAME):
        if item.in_use and (tables.combat.suit(item.name) is not None) == suit:
            return item.name
    if suit:
        raise MushError("item", "You wear no armour.", "+wear <armour> puts some on.")
    raise MushError("item", "You have nothing in hand.", "+wield <weapon> takes one in hand.")


def _carried(context: WriteContext, typed: str, *, suit: bool, tables: Tables) -> str:
    found = tables.combat.find_armour(typed) if suit else tables.combat.find_weapon(typed)
    held = {item.name for item in context.store.items(context.actor.id, NAME)}
    mine = [thing.name for thing in found if thing.name in held]
    if len(mine) == 1:
        return mine[0]
    hint = "+sheet shows what you carry; a referee gives more."
    raise MushError("item", f'You carry no "{clip(typed)}".', hint)


def _ready(tables: Tables, context: WriteContext, typed: str) -> Outcome:
    """OS-16: activate a railgun; it takes the round, and a power cell."""
    weapon = tables.combat.weapon(_carried(context, typed, suit=False, tables=tables))
    if weapon.energy != "rail":
        return Outcome.tell(f"The {weapon.name} is ready as it is.")
    scene, fight = tracker.scene_of(context), tracker.fight_of(context, ON)
    found = seat_of(context, scene.id, context.actor.id)
    if found is None:
        raise MushError("fight", "You are not in the fight.", "Join it with +combat/join.")
    held = {item.name for item in context.store.items(context.actor.id, NAME)}
    if weapon.needs and weapon.needs not in held:
        raise MushError("item", f"The {weapon.name} needs a {weapon.needs}.", "A referee gives it.")
    why = why_helpless(context.store, found[0], context.now, tables)
    if why:
        raise MushError("fight", f"{found[0].name} can't act: {why}.", "+combat shows it.")
    if not found[1].warm_from:
        _check_free(context, scene, fight)
    warm = found[1].warm_from or fight.round + 1
    change_seat(context, *found, warm_from=warm)
    text = f"activates the {weapon.name}: it can fire from round {warm} on"
    return Outcome.of(context.show(Noted(context.actor.id, context.actor.name, text)))


def _check_free(context: WriteContext, scene: Scene, fight: Fight) -> None:
    """OS-16: activating takes the attack of one's own turn; refuse where there is none to take."""
    if fight.turn != context.actor.id:
        raise MushError("turn", "Activating it takes your own turn.", "+combat shows whose it is.")
    if own_pending(context, scene, context.actor.id):
        raise MushError("turn", "You have an action pending.", "+combat shows it.")


def _weapons(tables: Tables, _context: ReadContext, _: None) -> Outcome:
    lines = []
    for w in tables.combat.weapons:
        words = [w.skill, f"ODF {w.odf}", f"{w.shots} shots" if w.shots > 1 else ""]
        words += ["stun" if w.damage == "stun" else "", w.energy if w.energy != "none" else ""]
        words += [f"concealing it: {w.conceal}" if w.conceal else "", w.legal]
        lines.append(f"{w.name}: {', '.join(word for word in words if word)}")
    return Outcome.tell(*lines)


def _armour(tables: Tables, _context: ReadContext, _: None) -> Outcome:
    lines = [
        f"{suit.name}: DDF {suit.ddf}, {suit.penalty} to Dexterity and Athletics"
        for suit in tables.combat.armour
    ]
    return Outcome.tell(*lines)


def _speed(tables: Tables, context: ReadContext, name: str) -> Outcome:
    them = anybody(context, name)
    walk, run = speed(fighter_of(context.store, them.id, context.now, tables), tables)
    return Outcome.tell(f"{them.name} walks {walk} feet a round and runs {run} (OS-32).")


def _text(call: Call) -> str:
    return call.text


def _words(call: Call) -> str:
    if not call.text:
        raise call.wrong()
    return call.text


def _nothing(call: Call) -> None:
    if call.text:
        raise call.wrong(f'Nothing follows this command, but "{clip(call.text)}" did.')


def gear_verbs(tables: Tables) -> tuple[Verb, ...]:
    """Give the verbs of this file."""
    write, read, player, referee = Lane.WRITE, Lane.READ, Access.PLAYER, Access.REFEREE
    give, take = "+give <name>=<item>[, <reason>]", "+take <name>=<item>[, <reason>]"

    def own(name: str, syntax: str, run: Ready) -> Verb:
        return Verb(name, syntax, player, write, _words, run, shown=True, stands_in=True)

    return (
        Verb("+give", give, referee, write, read_gift, partial(_give, tables)),
        Verb("+take", take, referee, write, read_gift, partial(_take, tables)),
        own("+wield", "+wield <weapon>|nothing", partial(_in_use, tables, "in hand")),
        own("+wear", "+wear <armour>|nothing", partial(_in_use, tables, "worn")),
        own("+ready", "+ready <weapon>", partial(_ready, tables)),
        Verb("+weapons", "+weapons", Access.GUEST, read, _nothing, partial(_weapons, tables)),
        Verb(
            "+armor",
            "+armor",
            Access.GUEST,
            read,
            _nothing,
            partial(_armour, tables),
            aliases=("+armour",),
        ),
        Verb("+speed", "+speed[ <name>]", Access.GUEST, read, _text, partial(_speed, tables)),
    )
