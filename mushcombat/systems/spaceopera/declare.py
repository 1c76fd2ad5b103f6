"""Declaring what one does in a phase: +attack, +strike, +disarm, +parry, +turn, +move (SO-4)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from mushcombat.domain.command import Access, Call, Lane, Outcome, Verb, WriteContext
from mushcombat.domain.events import Draft
from mushcombat.domain.numbers import parse_whole
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.systems.spaceopera.board import (
    NAMES,
    TOUCHING,
    arc,
    distance,
    read_direction,
)
from mushcombat.systems.spaceopera.declaring import aimed_at, exchange_of
from mushcombat.systems.spaceopera.events import Noted
from mushcombat.systems.spaceopera.exchange import base
from mushcombat.systems.spaceopera.formulas import attacks, clamped
from mushcombat.systems.spaceopera.mine import (
    Desk,
    Mine,
    check_grip,
    declare,
    my_turn,
    target_of,
    weapon_for,
)
from mushcombat.systems.spaceopera.roster import change_seat, check_at_hand
from mushcombat.systems.spaceopera.stance import Stance, engaging, reaches, touching
from mushcombat.systems.spaceopera.state import Act
from mushcombat.systems.spaceopera.tables import Tables, Weapon, find

NOTHING = frozenset({"nothing", "none"})

_TOWARD = re.compile(r"towards?\s+(.+)", re.IGNORECASE)
_STRIKE = re.compile(r"device(?:\s+of\s+(.+))?|(.+?)'s\s+device|(.+)", re.IGNORECASE)


@record(frozen=True, slots=True)
class Attack:
    """Arguments of +attack, as typed."""

    targets: tuple[str, ...]
    weapon: str
    shares: tuple[int, ...]


def read_attack(call: Call) -> Attack:
    """Parse `<target>[, <target>][=<weapon>][, split <share>/<share>]`."""
    left, right = call.sides()
    targets = tuple(name.strip() for name in left.split(",") if name.strip())
    weapon, *items = (item.strip() for item in (right or "").split(","))
    if not targets:
        raise call.wrong()
    shares: tuple[int, ...] = ()
    for item in items:
        word, _, numbers = item.partition(" ")
        if word.casefold() != "split":
            raise call.wrong(f'modifier: "{clip(item)}" is none: split 30/20, or the referee\'s.')
        shares = tuple(parse_whole(part, "share", 1, 100) for part in numbers.split("/"))
    return Attack(targets, weapon, shares)


def _attack(desk: Desk, context: WriteContext, attack: Attack) -> list[Draft]:
    """SO-9, SO-10: strike one, or several with shares of the chance."""
    tables, mine = desk.tables, my_turn(context, desk.tables)
    weapon = weapon_for(context, mine, attack.weapon, tables)
    targets = [target_of(context, mine, name) for name in attack.targets]
    turn = _check_reach(mine, targets, weapon)
    shares = _shares(mine, targets, weapon, attack.shares, tables)
    if len(targets) == 1:
        targets *= max(1, len(shares))
    act = Act(targets=tuple(t.id for t in targets), weapon=weapon.name, shares=shares)
    how = f"split {'/'.join(str(share) for share in shares)}" if shares else ""
    return declare(desk, context, mine, act, how, weapon=weapon.name, turn_to=turn)


def _check_reach(mine: Mine, targets: list[Stance], weapon: Weapon) -> int | None:
    """SO-3, SO-8: refuse who is out of reach; gives whom one turns to first, at one's side."""
    me, turn = mine.me, None
    for target in targets:
        if reaches(me, target, weapon):
            continue
        side = arc(me.seat.figure, target.square) in {"left", "right"}
        if side and len(targets) == 1 and distance(me.square, target.square) <= TOUCHING:
            turn = target.id
            continue
        raise MushError("reach", *_why_not(me, target))
    return turn


def _why_not(me: Stance, target: Stance) -> tuple[str, str]:
    if distance(me.square, target.square) > TOUCHING:
        return f"{target.name} is out of reach.", f"+move toward {target.name}"
    return f"{target.name} is not in front of you (SO-3).", f"+turn {target.name}"


def _shares(
    mine: Mine, targets: list[Stance], weapon: Weapon, shares: tuple[int, ...], tables: Tables
) -> tuple[int, ...]:
    """SO-10: refuse a split that is not the chance's, or into more than there may be."""
    if not shares and len(targets) == 1:
        return ()
    me, into = mine.me, len(shares) or len(targets)
    exchange = exchange_of(me, targets[0], weapon.name, mine.board, tables)
    chance = clamped(base(exchange, tables)).total
    most = attacks(chance, me.fighter.skill(weapon.name), me.fighter, tables)
    if max(into, len(targets)) > most:
        text = f"A chance of {chance} makes {most} attack{'s' if most > 1 else ''} (SO-10)."
        raise MushError("split", text, _fewer(most, targets))
    if not shares:
        text = f"{len(targets)} targets share the chance, {chance}."
        raise MushError("split", text, f"Add {_even(chance, into)}, or other shares of it.")
    if len(targets) not in {1, into}:
        text = "Each target takes a share."
        raise MushError("split", text, f"Type {_even(chance, len(targets))}.")
    if sum(shares) != chance:
        text = f"The shares come to {sum(shares)}, the chance is {chance}."
        raise MushError("split", text, f"They add up to {chance}: {_even(chance, into)}.")
    return shares


def _fewer(most: int, targets: list[Stance]) -> str:
    """Say what to type where a chance makes no more than so many attacks."""
    if len(targets) > most:
        return f"Name {most} of them." if most > 1 else f"Type +attack {targets[0].name}."
    return f"Split it into {most}." if most > 1 else "Leave it out."


def _even(chance: int, into: int) -> str:
    """Write a split that would be taken: `split 41/40`."""
    share, more = divmod(chance, into)
    return "split " + "/".join(str(share + (place < more)) for place in range(into))


def _armed(
    desk: Desk, context: WriteContext, mine: Mine, target: Stance, wanted: Act
) -> list[Draft]:
    """Go after what somebody holds, with the weapon in hand."""
    weapon = weapon_for(context, mine, "", desk.tables)
    turn = _check_reach(mine, [target], weapon)
    thing = aimed_at(target, wanted.at, desk.tables)
    if thing is None:
        held = "weapon" if wanted.at == "weapon" else "device"
        raise MushError("target", f"{target.name} has no {held} in hand.", "Try +attack.")
    act = replace(wanted, targets=(target.id,), weapon=weapon.name)
    return declare(desk, context, mine, act, f"at the {thing.name}", turn_to=turn)


def _disarm(desk: Desk, context: WriteContext, called: tuple[str, str]) -> list[Draft]:
    """SO-20: knock a weapon or shield out of somebody's hand."""
    mine = my_turn(context, desk.tables)
    wanted = Act(kind="disarm", at=called[1])
    return _armed(desk, context, mine, target_of(context, mine, called[0]), wanted)


def _strike(desk: Desk, context: WriteContext, typed: str) -> list[Draft]:
    """Strike at a device itself (decided: the chance is that of a disarm, the damage SO-16)."""
    mine = my_turn(context, desk.tables)
    target = target_of(context, mine, typed) if typed else _only_guarded(context, mine)
    return _armed(desk, context, mine, target, Act(kind="device", at="shield"))


def _only_guarded(context: WriteContext, mine: Mine) -> Stance:
    found = [one for one in touching(mine.me, mine.everyone) if one.seat.device]
    known = [one for one in found if one.id not in context.unknown]
    if len(known) != 1:
        who = "Nobody" if not known else "More than one"
        text = f"{who} beside you has a device in hand."
        raise MushError("target", text, "+strike device of <name>")
    return known[0]


def _parry(desk: Desk, context: WriteContext, typed: str) -> tuple[list[Draft], str]:
    """SO-4, SO-11: a device in the off hand parries beside an attack, a weapon in place of it."""
    tables, mine = desk.tables, my_turn(context, desk.tables)
    me = mine.me
    if typed.casefold() in NOTHING:
        change_seat(context, me.combatant, device="")
        return [context.show(Noted(me.id, me.name, "has the off hand free"))], ""
    thing = find(typed, tables.things, "device")
    if thing.parry is None:
        raise MushError("device", f"The {thing.name} does not parry.", "+help +parry")
    check_at_hand(context, me.fighter, thing)
    check_grip(mine, thing)
    alone = Act(kind="parry", weapon=thing.name)
    if thing.name == me.seat.weapon:
        return declare(desk, context, mine, alone, "", parry=thing.name), ""
    if thing.hands == 2:
        return declare(desk, context, mine, alone, "with both hands", device=thing.name), ""
    if me.weapon(tables).hands == 2:
        text = f"The {me.seat.weapon} takes both hands."
        raise MushError("hands", text, f"+wield another weapon, or +parry {me.seat.weapon}.")
    change_seat(context, me.combatant, device=thing.name)
    note = Noted(me.id, me.name, f"parries with the {thing.name} in the off hand")
    return [context.show(note)], "Now declare what you do beside: +attack, +turn, +move or +pass."


def _turn(desk: Desk, context: WriteContext, typed: str) -> list[Draft]:
    """SO-7, SO-8: turn to face somebody when one's time comes."""
    mine = my_turn(context, desk.tables)
    target = target_of(context, mine, typed)
    behind = arc(mine.me.seat.figure, target.square) == "rear"
    near = touching(mine.me, mine.everyone)
    exposed = behind and target in (*near, *engaging(mine.me, mine.everyone, desk.tables))
    act = Act(kind="turn", targets=(target.id,))
    how = "and can neither attack nor parry" if exposed else ""
    return declare(desk, context, mine, act, how, turn_to=target.id, exposed=exposed)


@record(frozen=True, slots=True)
class Walk:
    """Arguments of +move: so many squares in a direction (None: ahead), or toward somebody."""

    squares: int
    direction: int | None
    toward: str


def read_walk(call: Call) -> Walk:
    """Parse `<squares>[ <direction>]` or `toward <name>`."""
    found = _TOWARD.fullmatch(call.text)
    if found:
        return Walk(99, None, found[1])
    number, _, way = call.text.partition(" ")
    squares = parse_whole(number, "squares", 1, 99)
    direction = read_direction(way) if way.strip() else None
    if way.strip() and direction is None:
        raise call.wrong(f'direction: "{clip(way)}" is none of {", ".join(NAMES)}.')
    return Walk(squares, direction, "")


def _move(desk: Desk, context: WriteContext, walk: Walk) -> list[Draft]:
    """SO-1: walk in place of an attack, less far where one is engaged."""
    board, mine = desk.tables.board, my_turn(context, desk.tables)
    me = mine.me
    engaged = touching(me, mine.everyone)
    most = board.move_engaged if engaged else board.move
    if not walk.toward and walk.squares > most:
        state = "engaged" if engaged else "not engaged"
        text = f"One moves {most} square{'s' if most != 1 else ''} a phase when {state} (SO-1)."
        raise MushError("squares", text, f"+move {most}")
    squares = min(walk.squares, most)
    if walk.toward:
        target = target_of(context, mine, walk.toward)
        act = Act(kind="move", targets=(target.id,), squares=squares)
        return declare(desk, context, mine, act, f"up to {squares}")
    direction = me.seat.facing if walk.direction is None else walk.direction
    act = Act(kind="move", squares=squares, direction=direction)
    return declare(desk, context, mine, act, f"{squares} {NAMES[direction]}")


def _words(call: Call) -> str:
    if not call.text:
        raise call.wrong()
    return call.text


def _read_disarm(call: Call) -> tuple[str, str]:
    left, right = call.sides()
    at = (right or "").casefold()
    if not left:
        raise call.wrong()
    if at not in {"weapon", "shield"}:
        ways = f"+disarm {clip(left)}=weapon or +disarm {clip(left)}=shield"
        raise MushError("at", "Name what to knock away:", f"{ways}.")
    return left, at


def _read_strike(call: Call) -> str:
    found = _STRIKE.fullmatch(_words(call))
    return next((group for group in found.groups() if group), "") if found else ""


def declare_verbs(desk: Desk) -> tuple[Verb, ...]:
    """Give the verbs of this file."""

    def row(syntax: str, parse: Callable[[Call], Any], run: Callable[..., Outcome]) -> Verb:
        name = syntax.partition(" ")[0]
        return Verb(name, syntax, Access.PLAYER, Lane.WRITE, parse, run, shown=True, stands_in=True)

    def does(act: Callable[..., list[Draft]]) -> Callable[..., Outcome]:
        return lambda context, called: Outcome.of(*act(desk, context, called))

    def parries(context: WriteContext, typed: str) -> Outcome:
        drafts, reply = _parry(desk, context, typed)
        return Outcome.of(*drafts, reply=(reply,) if reply else ())

    attack = "+attack <target>[, <target>][=<weapon>][, split <share>/<share>]"
    return (
        row(attack, read_attack, does(_attack)),
        row("+disarm <target>=weapon|shield", _read_disarm, does(_disarm)),
        row("+strike device[ of <name>]", _read_strike, does(_strike)),
        row("+parry <device>|nothing", _words, parries),
        row("+turn <name>", _words, does(_turn)),
        row("+move <squares>[ <direction>]|toward <name>", read_walk, does(_move)),
    )
