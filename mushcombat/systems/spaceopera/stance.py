"""Who is engaged by whom, from where, and what turns a blow: read from the board (SO-1 to SO-8)."""

from __future__ import annotations

from collections.abc import Iterator

from mushcombat.domain.breakdown import Breakdown
from mushcombat.domain.command import ReadContext
from mushcombat.domain.fight import Combatant
from mushcombat.records import record
from mushcombat.systems.spaceopera.board import TOUCHING, Square, arc, distance, off_side
from mushcombat.systems.spaceopera.fighter import Fighter
from mushcombat.systems.spaceopera.formulas import protection
from mushcombat.systems.spaceopera.roster import fighter_of, seats_of
from mushcombat.systems.spaceopera.state import Seat
from mushcombat.systems.spaceopera.tables import Tables, Thing, Weapon


@record(frozen=True, slots=True)
class Stance:
    """A combatant, whole: who it is, this system's part of the seat, the sheet."""

    combatant: Combatant
    seat: Seat
    fighter: Fighter

    @property
    def id(self) -> int:
        """The character."""
        return self.combatant.character

    @property
    def name(self) -> str:
        """The character's name."""
        return self.combatant.name

    @property
    def square(self) -> Square:
        """Where they stand."""
        return self.seat.figure.square

    def weapon(self, tables: Tables) -> Weapon:
        """Give the weapon in the primary hand."""
        return tables.weapon(self.seat.weapon)

    def device(self, tables: Tables) -> Thing | None:
        """Give what is in the off hand, None for nothing."""
        return tables.thing(self.seat.device) if self.seat.device else None


def stances(context: ReadContext, scene: int, tables: Tables) -> dict[int, Stance]:
    """Give all of a fight who stand on the board, by character, in order."""
    return {
        character: Stance(combatant, seat, fighter_of(context.store, character, tables))
        for character, (combatant, seat) in seats_of(context, scene).items()
        if seat.x is not None
    }


@record(frozen=True, slots=True)
class Board:
    """All who stand on the board, by character, and the phase that it is."""

    everyone: dict[int, Stance]
    round: int


def board_of(context: ReadContext, scene: int, tables: Tables) -> Board:
    """Give the board of a scene's fight; nobody is on it where there is no fight."""
    fight = context.store.fight(scene)
    return Board(stances(context, scene, tables), fight.round if fight else 0)


def reaches(one: Stance, other: Stance, weapon: Weapon) -> bool:
    """SO-1, SO-3: whether a weapon reaches: the squares around, or a granted reach, in front."""
    reach = one.fighter.reach if weapon.long else TOUCHING
    far = distance(one.square, other.square)
    return 0 < far <= reach and arc(one.seat.figure, other.square) == "front"


def touching(me: Stance, everyone: dict[int, Stance]) -> list[Stance]:
    """SO-1: those whose bases touch one's own."""
    near = (other for other in everyone.values() if other.id != me.id)
    return [other for other in near if distance(me.square, other.square) <= TOUCHING]


def engaging(me: Stance, everyone: dict[int, Stance], tables: Tables) -> list[Stance]:
    """Give those who can strike at somebody from where they stand (decided: others don't count)."""
    able = (s for s in everyone.values() if s.id != me.id and not s.fighter.out(tables))
    return [other for other in able if reaches(other, me, other.weapon(tables))]


def engaged_from(me: Stance, everyone: dict[int, Stance], tables: Tables) -> str:
    """SO-6: the worst arc from which one is engaged: "rear", "side", or "" for the front alone."""
    arcs = {arc(me.seat.figure, foe.square) for foe in engaging(me, everyone, tables)}
    if "rear" in arcs:
        return "rear"
    return "side" if arcs & {"left", "right"} else ""


def fastest(me: Stance, everyone: dict[int, Stance], tables: Tables) -> Weapon | None:
    """SO-24: the fastest weapon against one: of those who touch, or else of all; None for none."""
    foes = touching(me, everyone) or [s for s in everyone.values() if s.id != me.id]
    weapons = [foe.weapon(tables) for foe in foes]
    return max(weapons, key=lambda weapon: weapon.speed, default=None)


def back_of(target: Stance, attacker: Stance) -> str:
    """SO-7: whether a target has its back to an attacker: "kept", "turning" to it, or "".

    Who declared to turn from the rear is turning for the whole phase, also once they have turned.
    """
    behind = arc(target.seat.figure, attacker.square) == "rear"
    if target.seat.turn_to == attacker.id:
        return "turning" if behind or target.seat.exposed else ""
    return "kept" if behind else ""


def guards(
    target: Stance, attacker: Stance, round_: int, tables: Tables
) -> tuple[Thing, Breakdown] | None:
    """SO-11: what the target parries this attacker with: of two, what protects better."""
    found = [
        (thing, protection(target.fighter, thing, thing.parry, tables))
        for thing in _held(target, attacker, tables)
        if thing.parry and not _gripped(target, thing, round_)
    ]
    return max(found, key=lambda one: one[1].total, default=None)


def _held(target: Stance, attacker: Stance, tables: Tables) -> Iterator[Thing]:
    """SO-3, SO-8: the off hand covers front and its side, the primary one front and the other."""
    seat = target.seat
    side = arc(seat.figure, attacker.square)
    off = off_side(left_handed=target.fighter.left_handed)
    if seat.exposed or side == "rear":
        return
    if seat.device and side in {"front", off}:
        yield tables.thing(seat.device)
    if seat.parry and side != off:
        yield tables.thing(seat.parry)


def _gripped(target: Stance, thing: Thing, round_: int) -> bool:
    """SO-21: what was nearly lost can't be used in the phase after."""
    return target.seat.grip == thing.name and round_ <= target.seat.grip_until
