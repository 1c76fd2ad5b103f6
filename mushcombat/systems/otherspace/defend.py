"""What a defender types: +defend, +defend/always, +full; and what the clock says for the silent."""

from __future__ import annotations

from dataclasses import replace

from mushcombat.domain.command import Access, Call, Lane, Outcome, Verb, WriteContext
from mushcombat.domain.events import Audience, Draft
from mushcombat.domain.fight import DEFENCE, ON, Pending
from mushcombat.domain.scene import Scene
from mushcombat.domain.state import StateChanged
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.systems import tracker
from mushcombat.systems.otherspace.combat_events import Noted
from mushcombat.systems.otherspace.defence import better
from mushcombat.systems.otherspace.resolve import Desk, Resolution
from mushcombat.systems.otherspace.roster import change_seat, seat_of
from mushcombat.systems.otherspace.situation import find_card
from mushcombat.systems.otherspace.waiting import asked
from mushcombat.systems.pending import find_pending, meant, number_of, own_pending


@record(frozen=True, slots=True)
class Defended:
    """Arguments of +defend."""

    number: int | None
    choice: str
    card: str
    always: bool


def _defended(call: Call) -> Defended:
    """Parse `[<number>] <choice>[, card <name>]`; without a choice one asks what there is."""
    text, _, card = call.text.partition(",")
    first, _, rest = text.strip().partition(" ")
    numbered = first.removeprefix("#").isdigit()
    choice = (rest if numbered else text).strip()
    always = "always" in call.switches
    if not choice and always:
        raise call.wrong()
    number = number_of(first) if numbered else None
    played = card.strip().removeprefix("card").strip()
    return Defended(number, choice, played, always)


def _answer(
    desk: Desk, context: WriteContext, scene: Scene, pending: Pending, given: Defended
) -> list[Draft]:
    resolution = Resolution(desk, context, scene, pending)
    if seat_of(context, scene.id, context.actor.id) is None:
        return resolution.proceed()
    card = find_card(given.card, desk.tables) if given.card else None
    played = card.name if card else ""
    resolution.choose("", card=played)
    choice = meant(given.choice, [c.name for c in resolution.choices()])
    if card and card.free_athletics and choice != "Athletics":
        hint = f"+defend athletics, card {card.name}"
        raise MushError("card", f"{card.name} is for Athletics alone (OS-54).", hint)
    resolution.choose(choice, card=played)
    return resolution.proceed()


def _always(desk: Desk, context: WriteContext, scene: Scene, given: Defended) -> list[Draft]:
    found = seat_of(context, scene.id, context.actor.id)
    if found is None:
        raise MushError("fight", "You are not in the fight.", "Join it with +combat/join.")
    choice = meant(given.choice, ("Dexterity", "Willpower", "Psi", *desk.tables.skills.names))
    change_seat(context, *found, always=choice)
    who, changes = found[0], context.store.noted()
    shown = context.show(Noted(who.character, who.name, f"defends with {choice} from now on"))
    # It is an action of its own: the attack that it may answer is taken back without it.
    noted = Draft(StateChanged(changes), Audience.REFEREES, scene.id, follows=True)
    return [shown, noted] if changes else [shown]


def _defend(desk: Desk, context: WriteContext, given: Defended) -> Outcome:
    scene = tracker.scene_of(context)
    drafts = _always(desk, context, scene, given) if given.always else []
    waiting = context.store.pending(scene.id)
    mine = [p for p in waiting if p.stage == DEFENCE and p.owner == context.actor.id]
    if given.always and not mine:
        return Outcome.of(*drafts)
    number = given.number or (mine[0].action if len(mine) == 1 else None)
    pending = find_pending(context, scene, number, (DEFENCE,), "+defend <number> <choice>")
    if pending.owner != context.actor.id:
        raise MushError("defend", "You are not asked to defend.", "+combat shows who is.")
    if not given.choice:
        return Outcome.tell(*asked(context, scene, pending, desk.tables))
    answered = _answer(desk, context, scene, pending, given)
    return Outcome.of(*drafts, *(_of(pending, draft) for draft in answered))


def _of(pending: Pending, draft: Draft) -> Draft:
    """Let all that an answer leads to be of the attack that it answers."""
    return draft if draft.action or draft.follows else replace(draft, action=pending.action)


def _full(desk: Desk, context: WriteContext) -> Outcome:
    """OS-28: forgo the attack of the round, and defend without the count."""
    scene, fight = tracker.scene_of(context), tracker.fight_of(context, ON)
    found = seat_of(context, scene.id, context.actor.id)
    if found is None or fight.turn != context.actor.id:
        raise MushError("turn", "Full defence is taken on one's own turn.", "+combat shows it.")
    if own_pending(context, scene, context.actor.id):
        raise MushError("turn", "You have an action pending.", "+combat shows it.")
    change_seat(context, *found, full=True)
    event = Noted(found[0].character, found[0].name, "takes a full defence")
    return Outcome.of(context.show(event), *tracker.end_turn(context, desk.rules))


def answer_for_the_silent(desk: Desk, context: WriteContext, action: int) -> Outcome:
    """Go on with an action whose defender has not answered in time, by the better choice."""
    scene = tracker.scene_of(context)
    for pending in context.store.pending(scene.id):
        due = pending.due
        if pending.action == action and due is not None and due <= context.now.timestamp():
            resolution = Resolution(desk, context, scene, pending)
            seconds = desk.tables.combat.pace.defence_seconds
            found = seat_of(context, scene.id, pending.owner or 0)
            if found:
                given_up = found[1].no_attack
                choice = better(resolution.choices(), desk.tables, given_up=given_up).name
                resolution.choose(choice, f"silent for {seconds} s: the better choice")
            return Outcome.of(*resolution.proceed())
    return Outcome()


def defend_verbs(desk: Desk) -> tuple[Verb, ...]:
    """Give the verbs of this file."""

    def defend(context: WriteContext, given: Defended) -> Outcome:
        return _defend(desk, context, given)

    def full(context: WriteContext, _: None) -> Outcome:
        return _full(desk, context)

    def nothing(call: Call) -> None:
        if call.text:
            raise call.wrong(f'Nothing follows this command, but "{clip(call.text)}" did.')

    player, write = Access.PLAYER, Lane.WRITE
    return (
        Verb(
            "+defend",
            "+defend[/always][ <number>][ <choice>][, card <name>]",
            player,
            write,
            _defended,
            defend,
            flags=frozenset({"always"}),
            shown=True,
            stands_in=True,
        ),
        Verb("+full", "+full", player, write, nothing, full, shown=True, stands_in=True),
    )
