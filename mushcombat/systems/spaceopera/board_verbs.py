"""The board for people: +map, +face, and the referee's +place (SO-1 to SO-3)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from mushcombat.domain.command import Access, Call, Lane, Outcome, ReadContext, Verb, WriteContext
from mushcombat.domain.fight import ON
from mushcombat.domain.numbers import parse_whole
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.systems import tracker
from mushcombat.systems.spaceopera.asks import where
from mushcombat.systems.spaceopera.board import ARROWS, NAMES, bearing, read_direction
from mushcombat.systems.spaceopera.events import Noted
from mushcombat.systems.spaceopera.mine import Mine, on_the_board, target_of
from mushcombat.systems.spaceopera.roster import change_seat
from mushcombat.systems.spaceopera.stance import Stance, stances, touching
from mushcombat.systems.spaceopera.tables import Tables

FARTHEST = 99
WIDEST = 30
"""Squares of a map in one direction; on a wider board the words alone are given."""


def _map(tables: Tables, context: ReadContext, _: None) -> Outcome:
    """Draw the board, and tell it in words, a line each figure: as the actor's own sees them."""
    scene = tracker.scene_of(context)
    fight, everyone = context.store.fight(scene.id), stances(context, scene.id, tables)
    known = [one for one in everyone.values() if one.id not in context.unknown]
    if fight is None or fight.phase != ON or not known:
        raise MushError("fight", "There is nobody on the board.", "+combat shows the fight.")
    me = everyone.get(context.actor.id)
    if me is None:
        words = [_plainly(one) for one in known]
    else:
        words = [where(me, one, fight.round, tables) for one in known if one.id != me.id]
        words.insert(0, f"You: at {me.seat.x},{me.seat.y}, facing {NAMES[me.seat.facing]}")
    drawn = () if context.screen.reader else tuple(_drawn(known))
    return Outcome.tell(*drawn, *words)


def _plainly(one: Stance) -> str:
    return f"{one.name}: at {one.seat.x},{one.seat.y}, facing {NAMES[one.seat.facing]}"


def letters(names: list[str]) -> list[str]:
    """Give each name a letter of its own: its first, or else the first that is free."""
    given: list[str] = []
    for name in names:
        wanted = [*name.upper(), *"ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
        free = (letter for letter in wanted if letter.isalpha() and letter not in given)
        given.append(next(free, "?"))
    return given


def _drawn(figures: list[Stance]) -> Iterator[str]:
    """Draw letters and arrows for facings, north at the top; nothing where it would be too wide."""
    across = [one.square[0] for one in figures]
    up = [one.square[1] for one in figures]
    if max(across) - min(across) >= WIDEST or max(up) - min(up) >= WIDEST:
        return
    marks = letters([one.name for one in figures])
    cells = {
        one.square: f"{mark}{ARROWS[one.seat.facing]}"
        for one, mark in zip(figures, marks, strict=True)
    }
    for y in range(max(up), min(up) - 1, -1):
        row = (cells.get((x, y), " .") for x in range(min(across), max(across) + 1))
        yield "  " + " ".join(row)


def _face(tables: Tables, context: WriteContext, typed: str) -> Outcome:
    """SO-4: turn where one likes while nobody touches one; engaged, that is a phase's +turn."""
    mine = on_the_board(context, tables)
    if touching(mine.me, mine.everyone) and context.by is None:
        raise MushError("engaged", "You are engaged: turning takes time.", "+turn <name>")
    facing = _facing(context, mine, typed)
    change_seat(context, mine.me.combatant, facing=facing)
    event = Noted(mine.me.id, mine.me.name, f"faces {NAMES[facing]}")
    return Outcome.of(context.show(event))


def _facing(context: ReadContext, mine: Mine, typed: str) -> int:
    direction = read_direction(typed)
    if direction is not None:
        return direction
    return bearing(mine.me.square, target_of(context, mine, typed).square)


def _read_place(call: Call) -> tuple[str, int, int, str]:
    """Parse `<name>=<x>,<y>[, <direction>]`."""
    name, right = call.sides()
    x, _, rest = (right or "").partition(",")
    y, _, way = rest.partition(",")
    if not name or not y.strip():
        raise call.wrong()
    low, high = -FARTHEST, FARTHEST
    return name, parse_whole(x, "x", low, high), parse_whole(y, "y", low, high), way.strip()


def _place(tables: Tables, context: WriteContext, arguments: tuple[str, int, int, str]) -> Outcome:
    """SO-1: the referee puts a figure on a square, facing as it did or as is said."""
    name, x, y, way = arguments
    scene = tracker.scene_of(context)
    tracker.fight_of(context, ON)
    everyone = stances(context, scene.id, tables)
    found = [one for one in context.find_here(name) if one.id in everyone]
    if len(found) != 1:
        raise MushError("who", f'Nobody called "{clip(name)}" is on the board.', "+map shows who.")
    them = everyone[found[0].id]
    facing = read_direction(way) if way else them.seat.facing
    if facing is None:
        raise MushError("direction", f'"{clip(way)}" is no direction.', f"{', '.join(NAMES)}.")
    taken = [one.name for one in everyone.values() if one.square == (x, y) and one.id != them.id]
    if taken:
        raise MushError("square", f"{taken[0]} stands there.", "Name another square.")
    change_seat(context, them.combatant, x=x, y=y, facing=facing)
    event = Noted(them.id, them.name, f"stands at {x},{y}, facing {NAMES[facing]}")
    return Outcome.of(context.show(event))


def board_verbs(tables: Tables) -> tuple[Verb, ...]:
    """Give the verbs of this file."""

    def words(call: Call) -> str:
        if not call.text:
            raise call.wrong()
        return call.text

    player, write = Access.PLAYER, Lane.WRITE
    face, place = partial(_face, tables), partial(_place, tables)
    face_syntax = "+face <direction|name>"
    where_syntax = "+place <name>=<x>,<y>[, <direction>]"
    return (
        Verb("+map", "+map", Access.GUEST, Lane.READ, lambda _: None, partial(_map, tables)),
        Verb(
            "+face",
            face_syntax,
            player,
            write,
            words,
            face,
            shown=True,
            stands_in=True,
        ),
        Verb("+place", where_syntax, Access.REFEREE, write, _read_place, place, shown=True),
    )
