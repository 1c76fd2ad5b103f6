"""What waits for somebody in this system, said when it comes up and whenever they ask again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from mushcombat.domain.command import ReadContext
from mushcombat.domain.fight import DECLARED, ON, ROLL, RULING, Pending
from mushcombat.domain.scene import Scene
from mushcombat.systems.pending import pending_text
from mushcombat.systems.spaceopera.board import NAMES, arc, bearing, distance
from mushcombat.systems.spaceopera.declaring import outlook
from mushcombat.systems.spaceopera.roster import seat_of
from mushcombat.systems.spaceopera.stance import Stance, engaging, guards, stances
from mushcombat.systems.spaceopera.state import load_act
from mushcombat.systems.spaceopera.tables import Tables

_ARCS = {
    "front": "in front of",
    "left": "at the left side of",
    "right": "at the right side of",
    "rear": "behind",
}


def due_stage(context: ReadContext, pending: Pending) -> str:
    """Tell what a declared action waits for: its turn, then a ruling, or +go where nobody rules."""
    fight, scene = context.store.fight(pending.scene), context.store.scene(pending.scene)
    if pending.stage != DECLARED or fight is None or fight.turn != pending.actor:
        return pending.stage
    return ROLL if scene is not None and scene.mode == "open" else RULING


def what_waits(context: ReadContext, scene: Scene, names: Mapping[int, str]) -> str:
    """Write what is pending: what was declared, and what is due."""
    return pending_text(context, scene, names, partial(due_stage, context))


def turn_text(me: Stance, everyone: dict[int, Stance], tables: Tables) -> str:
    """Ask for a declaration: who can strike at one, and what may be typed (SO-4)."""
    foes = [f"{foe.name} {_side(me, foe)} you" for foe in engaging(me, everyone, tables)]
    who = f" Engaged by {', '.join(foes)}." if foes else ""
    verbs = "+attack, +strike, +disarm, +parry, +turn, +move or +pass"
    return f"[Turn] Declare what you do: {verbs}.{who}"


def _side(me: Stance, foe: Stance) -> str:
    return _ARCS[arc(me.seat.figure, foe.square)]


def roll_text(number: int) -> str:
    """Tell somebody that their action's time has come."""
    return f"[Roll] #{number}, your action, comes now: +go {number}"


def ruling_text(context: ReadContext, pending: Pending, tables: Tables) -> str:
    """Write what a referee needs for a ruling: who, on whom, the sums, what to type."""
    act, number = load_act(pending.state), pending.action
    names = context.store.names([pending.actor, *act.targets])
    whom = ", ".join(names[one] for one in dict.fromkeys(act.targets))
    what = f"{names[pending.actor]}: {act.kind}{f' {whom}' if whom else ''}"
    lines = [
        f"[Ruling] #{number} {what}.",
        *outlook(context, pending.scene, pending.actor, act, tables),
    ]
    lines.append(f"  +ok {number}, +ok {number}=<number> <reason>, or +no {number}=<reason>")
    return "\n".join(lines)


def waiting(tables: Tables, context: ReadContext, scene: Scene) -> tuple[str, ...]:
    """Say what waits for the actor: a declaration, a roll, a ruling."""
    lines: list[str] = []
    rules = _rules(context, scene)
    for pending in context.store.pending(scene.id):
        stage = due_stage(context, pending)
        if stage == ROLL and pending.owner == context.actor.id:
            lines.append(roll_text(pending.action))
        elif stage == RULING and rules:
            lines += ruling_text(context, pending, tables).splitlines()
    return (*lines, *_turn(context, scene, tables, rules=rules))


def _turn(context: ReadContext, scene: Scene, tables: Tables, *, rules: bool) -> Iterator[str]:
    """Remind who declares next; referees too, who may do it for the absent."""
    fight = context.store.fight(scene.id)
    if fight is None or fight.phase != ON or fight.turn is None:
        return
    everyone = stances(context, scene.id, tables)
    me = everyone.get(fight.turn)
    if me is None or me.seat.declared:
        return
    if me.id == context.actor.id:
        yield turn_text(me, everyone, tables)
    elif rules:
        away = "" if me.id in context.present else ", who is not connected"
        yield f"[Turn] {me.name} declares next{away}: +as {me.name}=<command> does it for them."


def _rules(context: ReadContext, scene: Scene) -> bool:
    """Tell whether the actor is asked for rulings: a referee, or staff where none is connected.

    Nobody rules in a fight of their own.
    """
    named = context.actor.id in scene.referees
    stands_by = context.actor.is_staff and not scene.referees & context.present
    return (named or stands_by) and seat_of(context, scene.id, context.actor.id) is None


def where(me: Stance, other: Stance, round_: int, tables: Tables) -> str:
    """Tell in words where another stands, as a map shows it (SO-1 to SO-3).

    "Bram: 1 square north-east, facing you, in your shield arc".
    """
    far = distance(me.square, other.square)
    squares = f"{far} square{'s' if far != 1 else ''} {NAMES[bearing(me.square, other.square)]}"
    turned = _turned(me, other)
    inside = ", in your shield arc" if guards(me, other, round_, tables) else ""
    side = f", {_side(me, other)} you" if arc(me.seat.figure, other.square) != "front" else ""
    return f"{other.name}: {squares}, {turned}{inside}{side}"


def _turned(me: Stance, other: Stance) -> str:
    if arc(other.seat.figure, me.square) == "rear":
        return "its back to you"
    ahead = other.seat.facing == bearing(other.square, me.square)
    return "facing you" if ahead else f"facing {NAMES[other.seat.facing]}"
