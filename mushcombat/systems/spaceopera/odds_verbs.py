"""+odds: the exact chance before anybody rolls, to the asker alone; nothing is touched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from mushcombat.domain.breakdown import Term
from mushcombat.domain.command import Access, Lane, Outcome, ReadContext, Verb
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.systems.odds import Question, read_question
from mushcombat.systems.people import anybody
from mushcombat.systems.spaceopera.declaring import exchange_of
from mushcombat.systems.spaceopera.exchange import Exchange, base, parried, unparried
from mushcombat.systems.spaceopera.formulas import (
    CERTAIN,
    armour_needs,
    attacks,
    clamped,
    device_damage,
    disarm_terms,
    protection,
    wound_of,
)
from mushcombat.systems.spaceopera.roster import check_hands, fighter_of
from mushcombat.systems.spaceopera.stance import Board, board_of
from mushcombat.systems.spaceopera.tables import Tables, Thing, Weapon, find

FACINGS = ("rear", "side")
"""From where the attacker is engaged (SO-6)."""

BACKS = {"behind": "kept", "turning": "turning"}
"""What of the target's back (SO-7)."""


def _board(context: ReadContext, question: Question, tables: Tables) -> Exchange:
    """Put a blow together: as the board stands for two who are on it, else face to face."""
    mine, theirs = anybody(context, question.attacker), anybody(context, question.target)
    weapon = find(question.weapon, tables.weapons, "weapon")
    board = board_of(context, context.scene.id, tables) if context.scene else Board({}, 0)
    me, target = board.everyone.get(mine.id), board.everyone.get(theirs.id)
    if me is not None and target is not None:
        return exchange_of(me, target, weapon.name, board, tables)
    fighters = [fighter_of(context.store, one.id, tables) for one in (mine, theirs)]
    return Exchange(fighters[0], weapon, fighters[1], tables.weapon("unarmed"))


def _with_choice(exchange: Exchange, typed: str, tables: Tables) -> Exchange:
    """Take what stands behind the target's name: a weapon against the attack, or a device."""
    thing = find(typed, tables.things, "weapon or device")
    if isinstance(thing, Weapon):
        return replace(exchange, foe=thing)
    return _guarded(exchange, thing, tables)


def _guarded(exchange: Exchange, thing: Thing, tables: Tables) -> Exchange:
    if thing.parry is None:
        raise MushError("device", f"The {thing.name} does not parry.", "+help +parry")
    guard = thing, protection(exchange.target, thing, thing.parry, tables)
    return replace(exchange, guard=guard)


def _modified(exchange: Exchange, item: str, tables: Tables) -> Exchange:
    """Take one modifier: rear, side, behind, turning, parry <device>, own <device>."""
    word, _, rest = item.casefold().partition(" ")
    if word in FACINGS and not rest:
        return replace(exchange, engaged=word)
    if word in BACKS and not rest:
        return replace(exchange, back=BACKS[word])
    if word == "parry" and rest:
        return _guarded(exchange, find(rest, tables.things, "device"), tables)
    if word == "own" and rest:
        return replace(exchange, own=find(rest, tables.things, "device"))
    hint = "rear, side, behind, turning, parry <device>, own <device>, disarm weapon|shield."
    raise MushError("modifier", f'modifier: "{clip(item)}" is none.', f"There are: {hint}")


def _asked(context: ReadContext, question: Question, tables: Tables) -> tuple[Exchange, str]:
    """Give the blow that is asked about, and what it disarms, "" for nothing."""
    exchange, at = _board(context, question, tables), ""
    if question.choice:
        exchange = _with_choice(exchange, question.choice, tables)
    for item in question.modifiers:
        if item.casefold() in {"disarm weapon", "disarm shield"}:
            at = item.casefold().partition(" ")[2]
        else:
            exchange = _modified(exchange, item, tables)
    check_hands(exchange.own, exchange.weapon)
    return exchange, at


def _odds(tables: Tables, context: ReadContext, question: Question) -> Outcome:
    exchange, at = _asked(context, question, tables)
    who = f"{exchange.attacker.name} against {exchange.target.name}, {exchange.weapon.name}"
    if at:
        chance = clamped(unparried(exchange, tables, *_disarm(exchange, at, tables)))
        return Outcome.tell(f"[Odds] {who}, disarm: {chance.formula()}")
    chance = parried(exchange, unparried(exchange, tables))
    head = f"[Odds] {who}: {chance.formula()}"
    return Outcome.tell(head, *_device(exchange, tables), *_after(exchange, tables))


def _disarm(exchange: Exchange, at: str, tables: Tables) -> tuple[Term, ...]:
    thing: Thing = exchange.foe
    if at == "shield":
        if exchange.guard is None:
            raise MushError("disarm", "The target has no device.", "Add parry <device>.")
        thing = exchange.guard[0]
    return disarm_terms(exchange.target, thing, at, tables)


def _device(exchange: Exchange, tables: Tables) -> Iterator[str]:
    """SO-16: the chance that the device is damaged where only the parry turned the blow."""
    if exchange.guard is None:
        return
    thing = exchange.guard[0]
    skill = exchange.attacker.skill(exchange.weapon.name)
    damage = device_damage(skill, exchange.target.hold(thing)[1], tables)
    yield f"[Odds] The {thing.name}, if it turns the blow, is damaged: {damage.formula()}"


def _after(exchange: Exchange, tables: Tables) -> Iterator[str]:
    """Tell of splitting, armour and wounds (SO-10, SO-25, SO-26)."""
    chance = clamped(base(exchange, tables)).total
    skill = exchange.attacker.skill(exchange.weapon.name)
    most = attacks(chance, skill, exchange.attacker, tables)
    if most > 1:
        yield f"  The roll may be split into {most} attacks of {chance} together."
    needs = armour_needs(exchange.weapon, exchange.target.armour, tables)
    if needs is not None:
        goes = max(0, tables.armour.die + 1 - needs) * CERTAIN // tables.armour.die
        yield f"  Through armour class {exchange.target.armour}: {goes}%."
    die = tables.wound_roll.die
    rolls = [wound_of(face + exchange.weapon.injury, tables).name for face in range(1, die + 1)]
    shares = {wound.name: rolls.count(wound.name) * CERTAIN // die for wound in tables.wounds}
    yield f"  The wound: {', '.join(f'{name} {part}%' for name, part in shares.items() if part)}."


def odds_verbs(tables: Tables) -> tuple[Verb, ...]:
    """Give the verbs of this file."""
    syntax = "+odds <attacker>/<weapon>=<target>[/<weapon or device>][, <modifier> ...]"
    run, aliases = partial(_odds, tables), ("+whatif",)
    return (Verb("+odds", syntax, Access.PLAYER, Lane.READ, read_question, run, aliases=aliases),)
