"""Taking actions back, and letting them stand again: +undo, +redo."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from mushcombat.domain.command import Access, Call, Lane, Outcome, ReadContext, Verb, WriteContext
from mushcombat.domain.events import Fact
from mushcombat.domain.history import Ground, History, Place
from mushcombat.domain.numbers import parse_whole
from mushcombat.domain.reasons import reason_of
from mushcombat.domain.scene import Scene
from mushcombat.domain.state import (
    STATE_EVENTS,
    Change,
    Redone,
    Row,
    Shift,
    Undone,
    write_field,
)
from mushcombat.domain.text import listing
from mushcombat.domain.visibility import redact, viewer_of
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.service.change_words import known_ids, phrases, worth_telling
from mushcombat.service.fight_history import (
    check_tracker,
    check_turn_is_free,
    gone_fighters,
    whose_turn,
)
from mushcombat.service.npc_history import (
    check_names_are_free,
    check_npcs_may_go,
    seen_anew,
)
from mushcombat.service.parsing import MOST_SCENES
from mushcombat.service.scenes import my_scene
from mushcombat.service.told import drafts_about, named_in, people_in
from mushcombat.systems.system import System

Systems = Mapping[str, System]

AT_ONCE = 100
"""Actions whose beginnings are read at a time."""


@record(frozen=True, slots=True)
class Wanted:
    """Arguments of +undo and +redo."""

    number: int | None
    reason: str
    force: bool


def _wanted(call: Call) -> Wanted:
    left, right = call.sides()
    number = parse_whole(left.removeprefix("#"), "action", 1, MOST_SCENES) if left else None
    return Wanted(number, reason_of(right or ""), "force" in call.switches)


def history_of(context: ReadContext, scene: int, since: int = 0) -> History:
    """Read what became of every action of a scene's log, or of those behind row `since` alone."""
    facts = context.store.kinds(scene, [event.kind for event in STATE_EVENTS], since)
    return History(fact for fact in facts if not _is_about_before(fact, since))


def _is_about_before(fact: Fact, since: int) -> bool:
    """Tell whether a fact takes back, or lets stand again, an action that is not behind a row."""
    return isinstance(fact.event, Undone | Redone) and fact.event.target <= since


def opening(context: ReadContext, scene: int, action: int) -> Fact:
    """Give the entry that opened an action; MushError when there is none."""
    facts = context.store.action(scene, action)
    if not facts or facts[0].seq != action:
        raise no_action(action)
    return facts[0]


def no_action(action: int) -> MushError:
    """Say that an action is not there, whether it never was or is not for the actor's eyes."""
    return MushError("action", f"There is no action #{action}.", "+scene/log shows numbers.")


def names_for(context: ReadContext, scene: Scene, shifts: Iterable[Shift]) -> dict[int, str]:
    """Give the names of everyone of a scene, and of whom shifts are about."""
    people = {*scene.took_part, *scene.participants, *scene.npcs, *known_ids(shifts)}
    return context.store.names(sorted(people))


# +undo


def _undo(systems: Systems, context: WriteContext, wanted: Wanted) -> Outcome:
    scene = my_scene(context)
    history = history_of(context, scene.id)
    action = wanted.number or _last(context, scene, history)
    _may(context, scene, action, own=scene.mode == "open")
    _check_last(context, scene, history, action)
    _check_undo(context, scene, history, action)
    about, hidden = _met(context, history, action), context.store.hidden(scene.id)
    check_npcs_may_go(context, systems[scene.system].fight, scene, history.comings(action))
    ground = history.built_on(action)
    force = _may_force(context, history, action, ground)
    if _stands_on(ground) and not (wanted.force and force):
        raise _built_upon(context, scene, action, ground, force=force)
    gone = gone_fighters(context, scene)
    shifts = _turn(context, history, action, about, stands=False)
    check_tracker(context, scene, "undo", gone)
    told = (
        *_told(systems, context, scene, shifts, again=True),
        *_left(action, ground, history, shifts),
    )
    people = people_in(told, names_for(context, scene, shifts))
    event = Undone(action, wanted.reason, told, wanted.force, people)
    drafts = drafts_about(context, scene, event, hidden)
    return Outcome.of(*drafts, *seen_anew(context, scene, shifts))


def _last(context: ReadContext, scene: Scene, history: History) -> int:
    """Find the last action that stands, and of which something is left; players' own in open."""
    own = scene.mode == "open" and not context.referees
    action = _last_own(context, scene, history) if own else _last_standing(history)
    if action is None:
        raise _nothing(" of yours" if own else "")
    return action


def _nothing(whose: str) -> MushError:
    text = f"There is nothing{whose} to take back."
    return MushError("undo", text, "+scene/log shows what was done.")


def _last_standing(history: History) -> int | None:
    return next((action for action in history.standing()[::-1] if history.matters(action)), None)


def _last_own(context: ReadContext, scene: Scene, history: History) -> int | None:
    """Find the last action of those that stand which the actor began, from the log's end.

    Also one of which nothing is left: others wrote over it, and so it is not passed over for an
    older one.
    """
    standing = history.standing()[::-1]
    for at in range(0, len(standing), AT_ONCE):
        part = standing[at : at + AT_ONCE]
        opened = {f.seq: f.actor.id for f in context.store.actions(scene.id, part)}
        own = [action for action in part if opened.get(action) == context.actor.id]
        if own:
            return own[0]
    return None


def _may(context: ReadContext, scene: Scene, action: int, *, own: bool = False) -> None:
    """Let the referee; where a player's `own` actions are theirs to take back, also them."""
    if context.referees:
        return
    facts, viewer = context.store.action(scene.id, action), viewer_of(context.actor, scene)
    opened = opening(context, scene.id, action)
    if not any(redact(fact, viewer) for fact in facts):
        raise no_action(action)
    if not own or opened.actor.id != context.actor.id:
        raise MushError("undo", "The referee takes back what was done.", "Ask them.")


def _check_last(context: ReadContext, scene: Scene, history: History, action: int) -> None:
    """Let a player take back their last action alone, whatever others did since."""
    if context.referees or not history.stands(action):
        return
    last = _last_own(context, scene, history)
    if last is None:
        raise _nothing(" of yours")
    if last != action:
        raise MushError("undo", "You take back your own last action alone.", f"Type +undo {last}.")


def _check_undo(context: ReadContext, scene: Scene, history: History, action: int) -> None:
    """Refuse what is taken back already, or can't be."""
    event = opening(context, scene.id, action).event
    if isinstance(event, Undone | Redone):
        other = "redo" if isinstance(event, Undone) else "undo"
        hint = f"Type +{other} {event.target}."
        raise MushError("undo", f"#{action} took back or redid another action.", hint)
    stands = history.stands(action)
    if stands is None:
        raise MushError("undo", f"#{action} changed nothing.", f"+why {action} shows it.")
    if not stands:
        raise MushError("undo", f"#{action} is taken back already.", f"+redo {action}?")


def _stands_on(ground: Ground) -> bool:
    return bool(ground.came or ground.outside)


def _may_force(context: ReadContext, history: History, action: int, ground: Ground) -> bool:
    """Let referees; but what was said by an NPC that was hidden later would be told again."""
    npcs = any(change.thing == "npc" for change in ground.changes)
    return context.referees and not (npcs and history.comings(action))


def _built_upon(
    context: ReadContext, scene: Scene, action: int, ground: Ground, *, force: bool
) -> MushError:
    if not context.referees:
        viewer = viewer_of(context.actor, scene)
        facts = context.store.actions(scene.id, ground.came)
        seen = {fact.action for fact in facts if redact(fact, viewer)}
        ground = replace(ground, came=tuple(number for number in ground.came if number in seen))
    what = f"{_came(ground)} built on it{_about(context, ground)}"
    text = f"#{action} can't be taken back alone: {what}."
    otherwise = ", or ask the referee" if not context.referees else ""
    otherwise = f", or +undo/force {action}" if force else otherwise
    return MushError("undo", text, f"Take those back first{otherwise}.")


def _came(ground: Ground) -> str:
    outside = ["something outside this scene"] if ground.outside else []
    return listing([*(f"#{number}" for number in ground.came), *outside]) or "something later"


def _about(context: ReadContext, ground: Ground) -> str:
    """Name what it is that actions built on; the record of a wound goes with the health."""
    others = [change for change in ground.changes if change.thing != "wound"]
    named = (_subject(change) for change in others or ground.changes)
    hidden = context.store.names(sorted(context.unknown))
    known = [what for what in dict.fromkeys(named) if not named_in(what, hidden)]
    return f" ({listing(known)})" if known else ""


def _subject(change: Change) -> str:
    if change.thing == "fight":
        return "the turn" if change.field in {"turn", "round"} else "the fight"
    return f"{change.about}'s part in it" if change.thing == "combatant" else change.about


def _left(
    action: int, ground: Ground, history: History, shifts: Sequence[Shift]
) -> tuple[str, ...]:
    """Say what an undo by force is: the difference, as far as there is any."""
    if not _stands_on(ground):
        return ()
    far = ", as far as it goes" if history.cut_off(action, shifts) else ""
    return (f"by the difference alone{far}: {_came(ground)} still counts",)


# +redo


def _redo(systems: Systems, context: WriteContext, wanted: Wanted) -> Outcome:
    scene = my_scene(context)
    history = history_of(context, scene.id)
    action = wanted.number or _last_undone(history)
    _may(context, scene, action)
    doer = opening(context, scene.id, action).actor
    if history.stands(action) is not False:
        raise MushError("redo", f"#{action} is not taken back.", "+undo takes back.")
    about = _met(context, history, action)
    _check_ground(context, action, history.stood_on(action))
    check_names_are_free(context, scene, history.comings(action))
    gone, turn = gone_fighters(context, scene), whose_turn(context, scene)
    shifts = _turn(context, history, action, about, stands=True)
    check_tracker(context, scene, "redo", gone)
    rules = systems[scene.system].fight
    check_turn_is_free(context, rules, scene, action, doer=doer, before=turn)
    told = _told(systems, context, scene, shifts, again=False)
    people = people_in(told, names_for(context, scene, shifts))
    event = Redone(action, wanted.reason, told, people)
    drafts = drafts_about(context, scene, event, context.store.hidden(scene.id))
    return Outcome.of(*seen_anew(context, scene, shifts), *drafts)


def _last_undone(history: History) -> int:
    undone = history.taken_back()
    if not undone:
        raise MushError("redo", "Nothing is taken back.", "+undo takes back.")
    return undone[-1]


def _check_ground(context: ReadContext, action: int, ground: Ground) -> None:
    """Refuse a redo on another ground than the undo left."""
    if _stands_on(ground):
        text = f"#{action} no longer fits: {_came(ground)} came since{_about(context, ground)}."
        raise MushError("redo", text, "Take that back first.")
    if ground.gone:
        gone = listing([f"#{number}" for number in ground.gone])
        text = f"#{action} no longer fits: it stood on {gone}, taken back since."
        raise MushError("redo", text, f"+redo {ground.gone[0]} first.")


# both


def _met(context: WriteContext, history: History, action: int) -> dict[Place, Change]:
    """Give the rows that an action changed; each is looked at as it is now."""
    places = history.places(action)
    for place, change in places.items():
        history.meet(place, context.store.held(*place), change)
    return places


def _turn(
    context: WriteContext,
    history: History,
    action: int,
    places: Mapping[Place, Change],
    *,
    stands: bool,
) -> list[Shift]:
    """Make the rows what they are with an action, or without it; gives what that changed."""
    before = history.rows(places, action, stands=not stands)
    after = history.rows(places, action, stands=stands)
    shifts = []
    for place, change in reversed(list(places.items())):
        held = context.store.held(*place)
        _put(context, change, held, before[place], after[place])
        now = context.store.held(*place)
        shifts.append(Shift(change.thing, change.key, change.about, held, now))
    return [shift for shift in shifts if shift.before != shift.after]


def _put(
    context: WriteContext, change: Change, held: Row | None, before: Row | None, after: Row | None
) -> None:
    """Write what differs between two states of a row into it, as it is held now."""
    key = tuple(json.loads(change.key))
    if after is None:
        context.store.remove(change.thing, key, change.about)
        return
    known = before if held is not None and before is not None else {}
    fields = {f: write_field(v) for f, v in after.items() if f not in known or known[f] != v}
    context.store.write(change.thing, key, change.about, **fields)


def _in_numbers(context: ReadContext, scene: Scene, shifts: Iterable[Shift]) -> bool:
    """Tell whether the room may read health in numbers: no scene of the hurt hides it (OS-42)."""
    hurt = {json.loads(shift.key)[0] for shift in shifts if shift.thing == "condition"}
    elsewhere = [each for one in hurt for each in context.store.scenes_with(one)]
    return all(each.health == "numbers" for each in (scene, *elsewhere))


def _told(
    systems: Systems, context: ReadContext, scene: Scene, shifts: Sequence[Shift], *, again: bool
) -> tuple[str, ...]:
    """Say to the room what has changed."""
    names, numbers = names_for(context, scene, shifts), _in_numbers(context, scene, shifts)
    told = phrases(systems[scene.system], shifts, names, numbers=numbers, again=again)
    return worth_telling(told) or ("nothing of it was left",)


def history_verbs(systems: Systems) -> tuple[Verb, ...]:
    """Give the verbs of this file."""
    write, player = Lane.WRITE, Access.PLAYER
    undo, redo = "+undo[/force][ <number>][=<reason>]", "+redo[ <number>][=<reason>]"
    force = frozenset({"force"})
    return (
        Verb("+undo", undo, player, write, _wanted, partial(_undo, systems), flags=force),
        Verb("+redo", redo, player, write, _wanted, partial(_redo, systems)),
    )
