"""Whose turn it is to declare, and with what in the hands: what every declaration needs first."""

from __future__ import annotations

from dataclasses import replace

from mushcombat.domain.command import ReadContext, WriteContext
from mushcombat.domain.events import Draft
from mushcombat.domain.fight import DECLARED, ON, Fight, Pending
from mushcombat.domain.scene import Scene
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.systems import tracker
from mushcombat.systems.pending import write_pending
from mushcombat.systems.people import check_shown
from mushcombat.systems.spaceopera.events import Declared
from mushcombat.systems.spaceopera.roster import change_seat, check_at_hand, check_hands, why_out
from mushcombat.systems.spaceopera.stance import Board, Stance, board_of
from mushcombat.systems.spaceopera.state import Act, dump
from mushcombat.systems.spaceopera.tables import Tables, Thing, Weapon, find
from mushcombat.systems.tracker import FightRules


@record(frozen=True, slots=True)
class Desk:
    """What declaring and resolving need of the system: its tables, its rules for the tracker."""

    tables: Tables
    rules: FightRules


@record(frozen=True, slots=True)
class Mine:
    """The one who declares, among all on the board."""

    scene: Scene
    fight: Fight
    me: Stance
    board: Board

    @property
    def everyone(self) -> dict[int, Stance]:
        """All on the board, by character."""
        return self.board.everyone


def on_the_board(context: WriteContext, tables: Tables) -> Mine:
    """Give the actor among all in the fight; MushError for who is not in it."""
    scene, fight = tracker.scene_of(context), tracker.fight_of(context, ON)
    board = board_of(context, scene.id, tables)
    me = board.everyone.get(context.actor.id)
    if me is None:
        raise MushError("fight", "You are not in the fight.", "Join it with +combat/join.")
    return Mine(scene, fight, me, board)


def my_turn(context: WriteContext, tables: Tables) -> Mine:
    """Give the same of who declares now (SO-4); MushError for anybody else, or who can't act."""
    mine = on_the_board(context, tables)
    why = why_out(context, mine.me.combatant, tables)
    if why:
        raise MushError("fight", f"{mine.me.name} can't act: {why}.", "+combat shows it.")
    if mine.me.seat.declared:
        raise MushError("turn", "You have declared for this phase.", "+combat shows what waits.")
    if mine.fight.turn != mine.me.id:
        raise MushError("turn", "It is not your turn to declare.", "+combat shows whose it is.")
    check_shown(context, mine.me.id, mine.me.name)
    return mine


def target_of(context: ReadContext, mine: Mine, typed: str) -> Stance:
    """Find another one of the fight by name; MushError for none, several or oneself."""
    found = [one for one in context.find_here(typed) if one.id in mine.everyone]
    if len(found) != 1:
        problem = "Nobody" if not found else "More than one"
        text = f'{problem} of the fight is called "{clip(typed)}".'
        raise MushError("target", text, "+combat lists it.")
    if found[0].id == mine.me.id:
        raise MushError("target", "That is you.", "Name somebody else.")
    check_shown(context, found[0].id, found[0].name)
    return mine.everyone[found[0].id]


def weapon_for(context: ReadContext, mine: Mine, typed: str, tables: Tables) -> Weapon:
    """Find the weapon that is meant, "" for that in hand, and refuse what can't be used now."""
    me = mine.me
    weapon = find(typed, tables.weapons, "weapon") if typed else me.weapon(tables)
    check_at_hand(context, me.fighter, weapon)
    check_grip(mine, weapon)
    check_hands(me.device(tables), weapon)
    return weapon


def check_grip(mine: Mine, thing: Thing) -> None:
    """SO-21: refuse what was nearly lost in the phase before."""
    if mine.me.seat.grip == thing.name and mine.fight.round <= mine.me.seat.grip_until:
        text = f"You need this phase for a better grip on the {thing.name}."
        raise MushError("grip", text, "+turn, +move or +pass.")


def declare(
    desk: Desk, context: WriteContext, mine: Mine, act: Act, how: str = "", **seat: object
) -> list[Draft]:
    """Keep an action until its time comes, show it, and let the next one declare (SO-4)."""
    number = context.store.next_seq(mine.scene.id)
    me = mine.me
    pending = Pending(mine.scene.id, number, act.kind, me.id, DECLARED, me.id, None, dump(act))
    write_pending(context, pending)
    change_seat(context, me.combatant, declared=act.kind, **seat)
    people = tuple(dict.fromkeys(act.targets))
    names = tuple(mine.everyone[one].name for one in people)
    armed = act.kind in {"attack", "device", "disarm", "parry"}
    event = Declared(act.kind, names, people, act.weapon if armed else "", how)
    return [context.show(event), *pass_turn(desk, context, number)]


def pass_turn(desk: Desk, context: WriteContext, number: int) -> list[Draft]:
    """Let the tracker find whose turn is next.

    What is asked about another action stands before the rest: the last row is of this one, and
    what changed is noted in it, that undo takes it back with it.
    """
    drafts = tracker.end_turn(context, desk.rules, action=number)
    others = [draft for draft in drafts if draft.action not in {None, number}]
    return others + [replace(draft, action=number) for draft in drafts if draft not in others]
