"""Harm and its end: applying it to somebody, stuns that wear off, wounds proposed at the end."""

from __future__ import annotations

from mushcombat.domain.command import ReadContext, WriteContext
from mushcombat.domain.events import GAME_LEDGER, Audience, Draft
from mushcombat.domain.fight import ON, PROPOSED, Pending
from mushcombat.domain.scene import Scene
from mushcombat.domain.text import listing
from mushcombat.records import record
from mushcombat.systems import tracker
from mushcombat.systems.otherspace import health
from mushcombat.systems.otherspace.aftermath import hurt_here
from mushcombat.systems.otherspace.combat_events import (
    Noted,
    QuirkSet,
    WoundDropped,
    WoundProposed,
)
from mushcombat.systems.otherspace.fighter import Fighter
from mushcombat.systems.otherspace.gear import Kind
from mushcombat.systems.otherspace.roster import (
    NAME,
    change_condition,
    change_seat,
    condition_of,
    fighter_of,
    seat_of,
    seconds,
)
from mushcombat.systems.otherspace.tables import Tables


@record(frozen=True, slots=True)
class Harm:
    """What somebody is to suffer: points, of which kind, meant to kill or not, by which action.

    `between_players`: no NPC had a hand in it (OS-50).
    """

    kind: Kind
    amount: int
    lethal: bool
    action: int
    between_players: bool = False


@record(frozen=True, slots=True)
class Felt:
    """What came of it: health that remains, its word, and the outcome ('' or OS-42, 43, 49)."""

    health: int
    word: str
    outcome: str


def suffer(
    context: WriteContext, scene: Scene | None, target: int, harm: Harm, tables: Tables
) -> Felt:
    """Apply harm to somebody: condition, wound row, stun, death or near death (OS-41 to OS-50)."""
    before = fighter_of(context.store, target, context.now, tables)
    taken = health.take(before, harm.kind, harm.amount, tables, lethal=harm.lethal)
    dead = condition_of(context.store, target, context.now, tables).dead
    if dead:
        taken = health.still_dead(taken)
    outcome, fields = str(taken.outcome), {"harm": taken.harm, "stun": taken.stun}
    if outcome == "dead" and not dead and _has_luck(context, scene, harm, before, tables):
        taken = health.saved_by_luck(taken, tables)
        outcome, fields["luck_used"] = "luck", _luck_used(context, target, tables) + 1
    fields["dead"] = outcome == "dead"
    if taken.stunned:
        fields["stunned_until"] = seconds(context.now) + tables.combat.pace.stun_minutes * 60
        _must_skip(context, scene, target)
    change_condition(context, target, before.name, tables, **fields)
    if taken.quirk:
        impose(context, before, taken.quirk, "near death")
    if harm.amount:
        context.store.add_wound(
            target,
            NAME,
            scene=scene.id if scene else None,
            action=harm.action,
            kind=harm.kind,
            amount=harm.amount,
            at=seconds(context.now),
        )
    left = 100 - taken.harm - taken.stun
    return Felt(left, health.band(left, tables), outcome)


def _luck_used(context: WriteContext, target: int, tables: Tables) -> int:
    return condition_of(context.store, target, context.now, tables).luck_used


def _has_luck(
    context: WriteContext, scene: Scene | None, harm: Harm, target: Fighter, tables: Tables
) -> bool:
    """Tell whether a luck card is left, and counts here (OS-50)."""
    left = tables.combat.luck_cards - _luck_used(context, target.id, tables)
    return left > 0 and (scene is None or scene.luck or not harm.between_players)


def _must_skip(context: WriteContext, scene: Scene | None, target: int) -> None:
    """OS-43: in a fight a stun does not end before the victim's next turn was skipped."""
    found = seat_of(context, scene.id, target) if scene else None
    if found:
        change_seat(context, *found, stun_skip=True)


def impose(context: WriteContext, them: Fighter, quirk: str, reason: str) -> None:
    """Write a quirk on a sheet; it is there once."""
    context.store.write(
        "quirk",
        (them.id, NAME, quirk),
        f"{them.name}: {quirk}",
        reason=reason,
        imposed_by=context.actor.id or None,
        at_seconds=seconds(context.now),
    )


def drop(context: WriteContext, them: Fighter, quirk: str) -> None:
    """Take a quirk off a sheet."""
    context.store.remove("quirk", (them.id, NAME, quirk), f"{them.name}: {quirk}")


def worst_quirk(them: Fighter, tables: Tables) -> str:
    """Give the worst wound quirk that somebody has, '' for none (OS-46)."""
    names = [quirk.name for quirk in tables.combat.wounds.quirks]
    held = [name for name in names if name in them.quirks]
    return held[-1] if held else ""


def wounds_due(
    context: WriteContext, scene: Scene, tables: Tables
) -> list[tuple[Fighter, str, Pending | None]]:
    """OS-45: give whom what wound is due, worse than what they have, and the proposal there is.

    Nothing, '', where what was proposed is due no more.
    """
    waiting = context.store.pending(scene.id)
    proposed = {each.actor: each for each in waiting if each.stage == PROPOSED}
    people = dict.fromkeys([*hurt_here(context, scene, tables), *proposed])
    found = []
    for character in people:
        them = fighter_of(context.store, character, context.now, tables)
        dead = condition_of(context.store, character, context.now, tables).dead
        quirk = health.wound_quirk(them.harm, tables, dead=dead)
        due = "" if _worse_or_same(worst_quirk(them, tables), quirk, tables) else quirk
        if due or character in proposed:
            found.append((them, due, proposed.get(character)))
    return found


def propose(context: WriteContext, tables: Tables) -> list[Draft]:
    """OS-45: propose to the referee what wounds are due; a proposal that still holds stays."""
    scene = tracker.scene_of(context)
    drafts: list[Draft] = []
    first = context.store.next_seq(scene.id)
    for them, quirk, before in wounds_due(context, scene, tables):
        if before is not None and before.state == quirk:
            continue
        if before is not None:
            context.store.remove("pending", (scene.id, before.action), f"{them.name}'s wound")
        if quirk:
            number = first + len(drafts)
            wound = Pending(scene.id, number, "quirk", them.id, PROPOSED, None, None, quirk)
            drafts.append(_proposal(context, them, wound, tables))
    return drafts


def _worse_or_same(held: str, quirk: str, tables: Tables) -> bool:
    """Tell whether a wound that is borne is no lighter than another; none is the lightest."""
    names = ["", *(each.name for each in tables.combat.wounds.quirks)]
    return names.index(held) >= names.index(quirk)


def _proposal(context: WriteContext, them: Fighter, wound: Pending, tables: Tables) -> Draft:
    context.store.write(
        "pending",
        (wound.scene, wound.action),
        f"{them.name}'s wound",
        kind=wound.kind,
        actor_id=wound.actor,
        stage=wound.stage,
        owner_id=wound.owner,
        due=wound.due,
        state=wound.state,
    )
    event = proposal(them, wound.state, tables)
    return Draft(event, Audience.REFEREES, wound.scene, wound.action)


def proposal(them: Fighter, quirk: str, tables: Tables) -> WoundProposed:
    """Tell what is proposed: the quirk, and what it takes away (OS-46)."""
    row = next(each for each in tables.combat.wounds.quirks if each.name == quirk)
    losses = [f"{name} {loss}" for name, loss in row.losses.items()]
    losses += [f"every attribute {row.every}"] if row.every else []
    return WoundProposed(them.id, them.name, quirk, 100 - them.harm, listing(losses))


def proposed_wound(context: ReadContext, them: Fighter, pending: Pending, tables: Tables) -> str:
    """OS-45: give the wound that a proposal is of: a worse one, if they were hurt since."""
    dead = condition_of(context.store, them.id, context.now, tables).dead
    now = health.wound_quirk(them.harm, tables, dead=dead)
    return pending.state if _worse_or_same(pending.state, now, tables) else now


def take_proposal(context: WriteContext, pending: Pending, tables: Tables) -> list[Draft]:
    """Impose what was proposed."""
    them = fighter_of(context.store, pending.actor, context.now, tables)
    scene, action = pending.scene, pending.action
    context.store.remove("pending", (scene, action), f"{them.name}'s wound")
    quirk = proposed_wound(context, them, pending, tables)
    event = give_wound(context, them, quirk, "after the fight", tables)
    return [Draft(event, ledger=scene, action=action)]


def give_wound(
    context: WriteContext, them: Fighter, quirk: str, reason: str, tables: Tables
) -> QuirkSet:
    """Impose a wound in the place of the lighter one there is."""
    held = worst_quirk(them, tables)
    if held and not _worse_or_same(held, quirk, tables):
        drop(context, them, held)
    impose(context, them, quirk, reason)
    return QuirkSet(them.id, them.name, quirk, held=True, reason=reason)


def impose_due(context: WriteContext, scene: Scene, tables: Tables) -> list[Draft]:
    """OS-45: impose what is due and nobody ruled on, proposed or not: the scene closes."""
    drafts: list[Draft] = []
    for them, quirk, before in wounds_due(context, scene, tables):
        if before is not None:
            dropped = drop_proposal(context, before, "it is due no more")
            drafts += [] if quirk else [dropped]
        if quirk:
            event = give_wound(context, them, quirk, "the scene closed", tables)
            drafts.append(Draft(event, ledger=scene.id, action=before.action if before else None))
    return drafts


def drop_proposal(context: WriteContext, pending: Pending, reason: str) -> Draft:
    """Take off what was proposed: who referees decides, and those who referee are told."""
    name = context.store.names([pending.actor])[pending.actor]
    context.store.remove("pending", (pending.scene, pending.action), f"{name}'s wound")
    event = WoundDropped(pending.actor, name, pending.state, reason)
    return Draft(event, Audience.REFEREES, pending.scene, pending.action)


def end_stun(
    context: WriteContext, character: int, tables: Tables, *, scene_over: bool = False
) -> list[Draft]:
    """OS-43, OS-44: end somebody's stun; in a fight not before it has cost a turn."""
    scene = context.scene
    found = seat_of(context, scene.id, character) if scene else None
    fight = context.store.fight(scene.id) if scene else None
    on = fight is not None and fight.phase == ON
    if on and found and found[1].stun_skip and not scene_over:
        # The clock asks again every second; the skipped turn is what it waits for.
        return []
    was = condition_of(context.store, character, context.now, tables)
    name = context.store.names([character])[character]
    shake_off(context, character, name, tables)
    over = "is no longer stunned" if was.stunned_until is not None else "has no stun left"
    return [Draft(Noted(character, name, over), ledger=scene.id if scene else GAME_LEDGER)]


def shake_off(context: WriteContext, character: int, name: str, tables: Tables) -> None:
    """Take off all stun, and the state that it put somebody in."""
    change_condition(context, character, name, tables, stun=0, stunned_until=None)
