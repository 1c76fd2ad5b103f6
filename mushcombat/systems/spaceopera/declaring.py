"""What an action comes to before its dice, for the one who declares and the referee (SO-9)."""

from __future__ import annotations

from collections.abc import Iterator

from mushcombat.domain.breakdown import Breakdown
from mushcombat.domain.command import ReadContext
from mushcombat.systems.spaceopera.exchange import Exchange, base, parried, share_of, unparried
from mushcombat.systems.spaceopera.formulas import disarm_terms
from mushcombat.systems.spaceopera.stance import (
    Board,
    Stance,
    back_of,
    board_of,
    guards,
)
from mushcombat.systems.spaceopera.state import Act
from mushcombat.systems.spaceopera.tables import Tables, Thing


def exchange_of(
    me: Stance,
    target: Stance,
    weapon: str,
    board: Board,
    tables: Tables,
) -> Exchange:
    """Put together a blow as the board stands, with what this phase's initiative lost (SO-9)."""
    return Exchange(
        attacker=me.fighter,
        weapon=tables.weapon(weapon),
        target=target.fighter,
        foe=target.weapon(tables),
        engaged=me.seat.engaged,
        back=back_of(target, me),
        own=me.device(tables),
        guard=guards(target, me, board.round, tables),
    )


def aimed_at(target: Stance, at: str, tables: Tables) -> Thing | None:
    """Give what a disarm, or a strike at a device, goes after; None for nothing there."""
    if at == "weapon":
        return None if target.seat.weapon == "unarmed" else target.weapon(tables)
    return target.device(tables)


def split_chance(actor: int, act: Act, board: Board, tables: Tables) -> Breakdown | None:
    """SO-10: give the chance that an attack splits, the one against its first target.

    None for an attack that is not split, or whose targets have all left the fight.
    """
    there = [board.everyone[one] for one in act.targets if one in board.everyone]
    if not act.shares or not there:
        return None
    return base(exchange_of(board.everyone[actor], there[0], act.weapon, board, tables), tables)


def outlook(
    context: ReadContext, scene: int, actor: int, act: Act, tables: Tables
) -> Iterator[str]:
    """Write the chances of an action as things stand, a line each target."""
    board = board_of(context, scene, tables)
    if act.kind not in {"attack", "disarm", "device"}:
        return
    me, whole = board.everyone[actor], split_chance(actor, act, board, tables)
    for place, one in enumerate(act.targets):
        target = board.everyone.get(one)
        if target is not None:
            exchange = exchange_of(me, target, act.weapon, board, tables)
            share = share_of(whole, act.shares, place) if whole else None
            yield f"  {target.name}: {_chance(exchange, target, act, share, tables)}"


def _chance(
    exchange: Exchange, target: Stance, act: Act, share: Breakdown | None, tables: Tables
) -> str:
    thing = aimed_at(target, act.at, tables) if act.at else None
    if thing is None:
        return parried(exchange, unparried(exchange, tables, share=share)).formula()
    terms = disarm_terms(exchange.target, thing, act.at, tables)
    return unparried(exchange, tables, *terms).formula()
