"""What the tracker asks this system: initiative, whose turn it is in a phase, what phases change.

A round of the tracker is a phase (SO-4): all roll, then declare from the lowest initiative to the
highest, then act from the highest to the lowest, each action when its referee has ruled.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from mushcombat.domain.breakdown import Breakdown, Term
from mushcombat.domain.command import ReadContext, WriteContext
from mushcombat.domain.events import Audience, Draft
from mushcombat.domain.fight import ON, ROLL, Combatant, Pending, Told
from mushcombat.systems import tracker
from mushcombat.systems.asking import ask
from mushcombat.systems.pending import own_pending
from mushcombat.systems.spaceopera.asks import due_stage, roll_text, ruling_text, turn_text
from mushcombat.systems.spaceopera.board import NAMES, bearing, free_square
from mushcombat.systems.spaceopera.dice import roll_initiative
from mushcombat.systems.spaceopera.formulas import basic
from mushcombat.systems.spaceopera.roster import NAME, change_seat, fighter_of, seats_of, why_out
from mushcombat.systems.spaceopera.stance import engaged_from, fastest, stances
from mushcombat.systems.spaceopera.state import Seat, load_act, load_seat
from mushcombat.systems.spaceopera.tables import Tables, Weapon
from mushcombat.systems.tracker import FightRules

NOTHING = "nothing"
"""What somebody has declared who passed."""


def make_rules(tables: Tables) -> FightRules:
    """Make the record that the tracker asks."""
    return FightRules(
        roll=partial(_roll, tables),
        reroll=partial(_reroll, tables),
        why_not=lambda context, seat: why_out(context, seat, tables),
        passed_over=lambda _context, _seat: [],
        turn_begins=partial(turn_begins, tables),
        turn_ended=_turn_ended,
        new_round=_new_round,
        ended=lambda _context, _seats: [],
        aimed_at=lambda pending: load_act(pending.state).targets,
        whose=partial(whose, tables),
    )


def place_all(context: WriteContext, scene: int, tables: Tables) -> None:
    """SO-1: put who has no square yet so far from the first, facing it; the first faces them."""
    seats = seats_of(context, scene)
    taken = {state.figure.square for _, state in seats.values() if state.x is not None}
    first = next((s.figure.square for _, s in seats.values() if s.x is not None), (0, 0))
    for combatant, state in seats.values():
        if state.x is None:
            square = free_square(first, tables.board.apart, taken) if taken else first
            facing = bearing(square, first) if taken else NAMES.index("east")
            taken.add(square)
            held = _in_use(context, combatant.character, tables)
            change_seat(context, combatant, x=square[0], y=square[1], facing=facing, **held)


def _in_use(context: ReadContext, character: int, tables: Tables) -> dict[str, str]:
    """Give what somebody comes with in the hands: an NPC of a template has it ready."""
    used = {item.name for item in context.store.items(character, NAME) if item.in_use}
    things = [thing for thing in tables.things if thing.name in used]
    return {"weapon" if isinstance(one, Weapon) else "device": one.name for one in things}


def _roll(tables: Tables, context: WriteContext, seat: Combatant) -> tuple[list[Draft], int]:
    """SO-5, SO-6: basic initiative as one stands, against the fastest foe's weapon, and a die.

    From where one is engaged is kept: the chance to hit is of the same basic initiative (SO-9).
    """
    place_all(context, seat.scene, tables)
    everyone = stances(context, seat.scene, tables)
    me = everyone[seat.character]
    foe, engaged = fastest(me, everyone, tables), engaged_from(me, everyone, tables)
    whole = basic(me.fighter, me.weapon(tables), foe, engaged, tables)
    event = roll_initiative(context, me.fighter, whole, tables)
    waits = {"declared": NOTHING} if seat.late and _acting(context, seat.scene) else {}
    change_seat(context, seat, engaged=engaged, **waits)
    return [context.show(event)], event.breakdown.total


def _reroll(
    tables: Tables, context: WriteContext, tied: Sequence[Combatant]
) -> tuple[list[Draft], dict[int, int]]:
    """SO-5: the die again between the tied."""
    drafts: list[Draft] = []
    numbers: dict[int, int] = {}
    for seat in tied:
        fighter = fighter_of(context.store, seat.character, tables)
        even = Breakdown((Term(0, "tied 0", rule="SO-5"),))
        event = roll_initiative(context, fighter, even, tables, "tie")
        drafts.append(context.show(event))
        numbers[seat.character] = event.breakdown.total
    return drafts, numbers


def _acting(context: ReadContext, scene: int) -> bool:
    """Tell whether the actions of the phase have begun: who comes then waits for the next."""
    fight = context.store.fight(scene)
    seats = seats_of(context, scene)
    return fight is not None and fight.turn in seats and bool(seats[fight.turn][1].declared)


def whose(tables: Tables, context: WriteContext, scene: int) -> int | None:
    """SO-4: who declares next, from the lowest; then who acts next, from the highest; else None."""
    placed = [pair for pair in seats_of(context, scene).values() if pair[0].rank]
    able = [(c, state) for c, state in placed if not why_out(context, c, tables)]
    for combatant, state in reversed(able):
        if not state.declared:
            return combatant.character
    here = tracker.scene_of(context)
    acting = (c.character for c, _ in able if own_pending(context, here, c.character))
    return next(acting, None)


def turn_begins(tables: Tables, context: WriteContext, seat: Combatant) -> list[Draft]:
    """Ask for a declaration; or let the action that was declared come up (SO-4)."""
    scene = tracker.scene_of(context)
    mine = own_pending(context, scene, seat.character)
    if load_seat(seat.state).declared and mine:
        return come_up(context, seat, mine[0], tables)
    everyone = stances(context, scene.id, tables)
    known = {one: stance for one, stance in everyone.items() if one not in scene.hidden}
    text = turn_text(everyone[seat.character], known, tables)
    return [ask(seat, text, f"{text} {seat.name}: <command>")]


def come_up(
    context: WriteContext, seat: Combatant, pending: Pending, tables: Tables
) -> list[Draft]:
    """Ask the referee for a ruling; in a scene where nobody rules, the actor to go on.

    Nothing is written: an action is due when it is its actor's turn (see `due_stage`).
    """
    if due_stage(context, pending) == ROLL:
        return [let_roll(seat, pending)]
    text = ruling_text(context, pending, tables)
    return [Draft(Told(text), Audience.REFEREES, seat.scene, pending.action)]


def let_roll(seat: Combatant, pending: Pending) -> Draft:
    """Ask the actor for their +go."""
    text = roll_text(pending.action)
    return ask(seat, text, f"{text} ({seat.name})", pending.action)


def _turn_ended(context: WriteContext, seat: Combatant) -> list[Draft]:
    """Who ends their turn and has declared nothing, does nothing in this phase."""
    if not load_seat(seat.state).declared:
        change_seat(context, seat, declared=NOTHING)
    return []


def _new_round(context: WriteContext, seats: Sequence[Combatant]) -> list[Draft]:
    """SO-4: in a new phase all is declared anew; what is in the hands stays there."""
    for seat in seats:
        change_seat(context, seat, declared="", parry="", turn_to=None, exposed=False)
    return []


def seat_line(context: ReadContext, seat: Combatant, tables: Tables) -> str:
    """Write one combatant for the tracker: hands, wounds, where they stand, what they declared."""
    state: Seat = load_seat(seat.state)
    fighter = fighter_of(context.store, seat.character, tables)
    wounds = [f"{count} {name}" for name, count in fighter.wounds.items() if count]
    fight = context.store.fight(seat.scene)
    on = fight is not None and fight.phase == ON
    words = [
        f"{state.weapon} in hand" if state.weapon != "unarmed" else state.weapon,
        f"{state.device} in the off hand" if state.device else "",
        f"wounds: {', '.join(wounds)}" if wounds else "",
        why_out(context, seat, tables),
        f"at {state.x},{state.y} facing {NAMES[state.facing]}" if state.x is not None else "",
        (f"declared: {state.declared}" if state.declared else "to declare") if on else "",
    ]
    return f"{seat.name}: {', '.join(word for word in words if word)}."
