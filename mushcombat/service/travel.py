"""Out of character and back: +ooc to the lounge, +ic to where one was."""

from __future__ import annotations

from mushcombat.domain.command import Access, Lane, Outcome, Verb, WriteContext
from mushcombat.domain.events import Spoken
from mushcombat.domain.ports import Place
from mushcombat.errors import MushError
from mushcombat.service.parsing import maybe_words, nothing
from mushcombat.service.rooms import may_enter, move_draft, start_room
from mushcombat.systems import tracker


def _check_free(context: WriteContext) -> None:
    """Refuse to take somebody out of a fight, or an NPC anywhere."""
    me = context.actor.id
    if context.by is not None:
        raise MushError("ooc", f"{context.actor.name} is always in character.", "Move yourself.")
    scenes = context.store.scenes_with(me)
    if any(tracker.fights(context.store, scene.id, me) for scene in scenes):
        hint = "+combat/leave first, or talk with ooc <text>."
        raise MushError("ooc", "You are in the middle of a fight.", hint)


def _place(context: WriteContext) -> tuple[int, Place]:
    """Give the room that the actor is in, and the one for those out of character."""
    me = context.store.character(context.actor.id)
    lounge = next((place for place in context.store.places() if place.kind == "ooc"), None)
    if me is None or lounge is None:
        raise MushError("ooc", "There is no room for that.", "Talk with ooc <text>.")
    return me.room, lounge


def _ooc(context: WriteContext, text: str) -> Outcome:
    """Go out of character; with words, say them so, as `ooc` does."""
    if text:
        return Outcome.of(context.show(Spoken("ooc", text)))
    _check_free(context)
    here, lounge = _place(context)
    if here == lounge.id:
        return Outcome.tell("You are out of character here: +ic takes you back.")
    context.store.leave_from(context.actor.id, here)
    draft = move_draft(context, context.actor, here, lounge.id)
    return Outcome.of(draft, reply=("You are out of character: +ic takes you back.",))


def _ic(context: WriteContext, _: None) -> Outcome:
    """Go back to where the actor came from; where that is no more, to the start."""
    _check_free(context)
    here, lounge = _place(context)
    if here != lounge.id:
        raise MushError("ic", "You are in character already.", "+ooc goes to the lounge.")
    left = context.store.left_from(context.actor.id)
    place = context.store.place(left) if left is not None else None
    gone = place is None or place.kind == "gone" or not may_enter(context, place)
    room = start_room(context) if place is None or gone else place.id
    context.store.leave_from(context.actor.id, None)
    lost = ("Where you were is no more: you are where everyone begins.",)
    reply = lost if left is not None and gone else ()
    return Outcome.of(move_draft(context, context.actor, here, room), reply=reply)


TRAVEL_VERBS = (
    Verb(
        "+ooc",
        "+ooc, or +ooc <text>",
        Access.GUEST,
        Lane.WRITE,
        maybe_words,
        _ooc,
        shown=True,
        talk=True,
    ),
    Verb("+ic", "+ic", Access.GUEST, Lane.WRITE, nothing, _ic),
)
