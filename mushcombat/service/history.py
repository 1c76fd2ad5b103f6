"""Taking actions back and asking why: +undo, +redo, +why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from mushcombat.domain.breakdown import Breakdown, Term
from mushcombat.domain.command import Access, Call, Lane, Outcome, ReadContext, Verb, WriteContext
from mushcombat.domain.dice import Throw
from mushcombat.domain.events import Event, Fact
from mushcombat.domain.fight import ON, PROPOSED, members
from mushcombat.domain.ledger import canonical
from mushcombat.domain.numbers import parse_whole
from mushcombat.domain.scene import Scene
from mushcombat.domain.state import (
    WHOLE,
    Change,
    Redone,
    StateChanged,
    Undone,
    Value,
    put_back,
    squash,
    whose,
)
from mushcombat.domain.visibility import redact, viewer_of
from mushcombat.errors import MushError
from mushcombat.service.parsing import MOST_SCENES
from mushcombat.service.scene_log import Render
from mushcombat.service.scenes import my_scene
from mushcombat.service.told import draft_about, parted, told_of
from mushcombat.systems.system import System

LOWEST, HIGHEST = 0, 100
"""A number that is taken back by force stays in here, unless it was outside before."""


AMOUNTS = frozenset({"harm", "stun", "count", "luck_used"})
"""Fields that a difference makes sense for: whose turn it is, or until when, is no amount."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Arguments of +undo and +redo."""

    number: int | None
    reason: str
    force: bool


def _wanted(call: Call) -> Wanted:
    left, right = call.sides()
    number = parse_whole(left.removeprefix("#"), "action", 1, MOST_SCENES) if left else None
    return Wanted(number, right or "", "force" in call.switches)


def _number(call: Call) -> int:
    return parse_whole(call.text.removeprefix("#"), "action", 1, MOST_SCENES)


_KINDS = (StateChanged.kind, Undone.kind, Redone.kind)


def changes_of(context: ReadContext, scene: int, action: int) -> tuple[Change, ...]:
    """Give all that an action changed; if it went on after it was taken back, from then on."""
    changes: tuple[Change, ...] = ()
    gone = False
    for fact in context.store.kinds(scene, _KINDS, since=action):
        event = fact.event
        if isinstance(event, Undone | Redone) and event.target == action:
            gone = isinstance(event, Undone)
        elif isinstance(event, StateChanged) and fact.action == action:
            changes, gone = (*(() if gone else changes), *event.changes), False
    return changes


def undone_actions(context: ReadContext, scene: int) -> dict[int, bool]:
    """Give the actions that were ever taken back, the last one last, and whether they still are.

    One that goes on is not: of a wound that is proposed again, say.
    """
    state: dict[int, bool] = {}
    for fact in context.store.kinds(scene, _KINDS):
        if isinstance(fact.event, Undone | Redone):
            state.pop(fact.event.target, None)
            state[fact.event.target] = isinstance(fact.event, Undone)
        elif fact.action in state:
            state[fact.action] = False
    return state


def _changing_actions(context: ReadContext, scene: int) -> list[int]:
    """Give the actions that changed something, in order of their last change."""
    facts = reversed(context.store.kinds(scene, (StateChanged.kind,)))
    return list(dict.fromkeys(f.action for f in facts if f.action is not None))[::-1]


def _opens(context: ReadContext, scene: int, action: int) -> Fact:
    facts = context.store.action(scene, action)
    if not facts or facts[0].seq != action:
        raise no_action(action)
    return facts[0]


def no_action(action: int) -> MushError:
    """Say that an action is not there, whether it never was or is not for the actor's eyes."""
    return MushError("action", f"There is no action #{action}.", "+scene/log shows numbers.")


def _last_undoable(context: ReadContext, scene: int) -> int:
    state = undone_actions(context, scene)
    for action in reversed(_changing_actions(context, scene)):
        if not state.get(action) and not isinstance(
            _opens(context, scene, action).event, Undone | Redone
        ):
            return action
    raise MushError("undo", "There is nothing to take back.", "+scene/log shows what was done.")


def _may_undo(context: ReadContext, scene: Scene, action: int) -> None:
    if context.referees:
        return
    opened, viewer = _opens(context, scene.id, action), viewer_of(context.actor, scene)
    if not any(redact(fact, viewer) for fact in context.store.action(scene.id, action)):
        raise no_action(action)
    own = opened.actor.id == context.actor.id
    if scene.mode == "open" and own and action == _last_undoable(context, scene.id):
        return
    raise MushError("undo", "The referee takes back what was done.", "Ask them.")


def _undo(systems: Mapping[str, System], context: WriteContext, wanted: Wanted) -> Outcome:
    scene = my_scene(context)
    action = wanted.number or _last_undoable(context, scene.id)
    _may_undo(context, scene, action)
    if undone_actions(context, scene.id).get(action):
        raise MushError("undo", f"#{action} is taken back already.", f"+redo {action}?")
    opening = _opens(context, scene.id, action).event
    if isinstance(opening, Undone | Redone):
        other = "redo" if isinstance(opening, Undone) else "undo"
        hint = f"Type +{other} {opening.target}."
        raise MushError("undo", f"#{action} took back or redid another action.", hint)
    changes = _some_changes(context, scene.id, action)
    done, left = _take_back(context, scene, action, changes, force=wanted.force)
    _check_tracker(context, scene, "undo")
    net = squash(tuple(done))
    told = told_of(systems[scene.system], context, scene, net)
    people, shown = parted((*told, *_turn_again(context, net), *left))
    event = Undone(action, wanted.reason, shown, wanted.force, people)
    return Outcome.of(draft_about(context, scene, action, event))


def _redo(systems: Mapping[str, System], context: WriteContext, wanted: Wanted) -> Outcome:
    scene = my_scene(context)
    action = wanted.number or _last_undone(context, scene.id)
    _may_undo(context, scene, action)
    if not undone_actions(context, scene.id).get(action):
        raise MushError("redo", f"#{action} is not taken back.", "+undo takes back.")
    changes = _some_changes(context, scene.id, action)
    for change in changes:
        fits, value = _moved(change.reversed(), context.store.now(change))
        if not fits:
            what = "something" if whose(change) in context.unknown else change.about
            raise MushError("redo", f"#{action} no longer fits: {what} has changed since.", "+why")
        context.store.apply(change, value)
    _check_tracker(context, scene, "redo")
    people, shown = parted(told_of(systems[scene.system], context, scene, squash(changes)))
    event = Redone(action, wanted.reason, shown, people)
    return Outcome.of(draft_about(context, scene, action, event))


def _why(render: Render, context: ReadContext, action: int) -> Outcome:
    scene = my_scene(context)
    _opens(context, scene.id, action)
    viewer = viewer_of(context.actor, scene)
    facts = (redact(fact, viewer) for fact in context.store.action(scene.id, action))
    lines = [line for fact in facts if fact for line in explained(fact, render)]
    if not lines:
        raise no_action(action)
    return Outcome.tell(*_taken_back(context, scene.id, action), *lines)


def _some_changes(context: ReadContext, scene: int, action: int) -> tuple[Change, ...]:
    _opens(context, scene, action)
    changes = changes_of(context, scene, action)
    if not changes:
        raise MushError("undo", f"#{action} changed nothing.", f"+why {action} shows it.")
    return changes


def _last_undone(context: ReadContext, scene: int) -> int:
    undone = [action for action, is_so in undone_actions(context, scene).items() if is_so]
    if not undone:
        raise MushError("redo", "Nothing is taken back.", "+undo takes back.")
    return undone[-1]


def _take_back(
    context: WriteContext, scene: Scene, action: int, changes: Sequence[Change], *, force: bool
) -> tuple[list[Change], list[tuple[int, str]]]:
    """Put every field back; where something later built on it, refuse, or do what is left to do.

    Gives what was changed, and what to say of fields that did not go all the way back.
    """
    done: list[Change] = []
    left: list[tuple[int, str]] = []
    for change in reversed(changes):
        now = context.store.now(change)
        fits, value = _moved(change, now)
        if not fits and not force:
            raise _built_upon(context, scene.id, action, change)
        if not fits:
            value, text = _forced(change, now)
            text = text if scene.health == "numbers" else f"{change.about}: not all of it"
            left.append((whose(change), text))
        if fits or value != now:
            context.store.apply(change, value)
            done.append(replace(change, before=now, after=value))
    return done, left


def _moved(change: Change, now: Value) -> tuple[bool, Value]:
    """Give what its field holds without a change; False when something was built on it."""
    if change.field == WHOLE:
        return now == change.after, change.before
    return put_back(now, change.before, change.after)


def _check_tracker(context: WriteContext, scene: Scene, code: str) -> None:
    """Refuse what would leave the fight in pieces: an undo out of order can ask for that."""
    fight, seats = context.store.fight(scene.id), context.store.combatants(scene.id)
    pending = [p for p in context.store.pending(scene.id) if p.stage != PROPOSED]
    on = fight is not None and fight.phase == ON
    turn = fight.turn if fight is not None else None
    problem = ""
    if len({p.actor for p in pending}) < len(pending):
        problem = "somebody would have two actions pending"
    elif pending and not on:
        problem = "an action would be pending in no fight"
    elif turn is not None and not (on and turn in members(seats)):
        problem = "it would be the turn of somebody who is not in the fight"
    elif on and len({seat.place for seat in seats if seat.rank}) < len(members(seats)):
        problem = "two would have the same place in the order"
    if problem:
        raise MushError(code, f"That can't be: {problem}.", "+combat shows it; +no or +next first.")


def _forced(change: Change, now: Value) -> tuple[Value, str]:
    """Apply the difference to amounts, clamped; anything else stays as it is."""
    if change.field == WHOLE:
        return _forced_whole(change, now)
    value = _less(now, change.before, change.after) if change.field in AMOUNTS else None
    if value is None:
        return now, f"{change.about}: {change.field} stays as it is now"
    return value, f"{change.about}: {change.field} {now} -> {value} by the difference"


def _forced_whole(change: Change, now: Value) -> tuple[Value, str]:
    """Take an action's amounts out of what it began, and others have added to since."""
    if not (isinstance(change.after, str) and isinstance(now, str)) or change.before is not None:
        return now, f"{change.about} stays as it is now"
    made, holds = json.loads(change.after), json.loads(now)
    less = {key: _less(holds.get(key), 0, made.get(key)) for key in sorted(AMOUNTS & holds.keys())}
    changed = {k: v for k, v in less.items() if v is not None and v != holds[k]}
    if not changed:
        return now, f"{change.about} stays as it is now"
    told = ", ".join(f"{key} {holds[key]} -> {value}" for key, value in changed.items())
    return canonical(holds | changed), f"{change.about}: {told} by the difference"


def _less(now: Value, before: Value, after: Value) -> int | None:
    """Give an amount without what went from `before` to `after`; None for what is none."""
    if type(before) is not int or type(after) is not int or type(now) is not int:
        return None
    return max(min(LOWEST, before), min(now + before - after, max(HIGHEST, before)))


def _built_upon(context: WriteContext, scene: int, action: int, change: Change) -> MushError:
    """Name the later actions that changed the same field."""
    place = change.thing, change.key
    later = [
        fact.action
        for fact in context.store.kinds(scene, (StateChanged.kind,))
        if isinstance(fact.event, StateChanged)
        and fact.action != action
        and (fact.seq or 0) > action
        and any((c.thing, c.key) == place for c in fact.event.changes)
    ]
    numbers = ", ".join(f"#{number}" for number in dict.fromkeys(later)) or "something outside"
    about = "" if whose(change) in context.unknown else f" ({change.about})"
    return MushError(
        "undo",
        f"#{action} can't be taken back alone: {numbers} built on it{about}.",
        f"Take those back first, or +undo/force {action}.",
    )


def _turn_again(context: ReadContext, net: Sequence[Change]) -> tuple[tuple[int, str], ...]:
    turns = [c.after for c in net if (c.thing, c.field) == ("fight", "turn")]
    if not turns or not isinstance(turns[-1], int):
        return ()
    name = context.store.names([turns[-1]]).get(turns[-1], "nobody")
    return ((turns[-1], f"{name}'s turn again"),)


# why


def _taken_back(context: ReadContext, scene: int, action: int) -> tuple[str, ...]:
    if not undone_actions(context, scene).get(action):
        return ()
    for fact in reversed(context.store.kinds(scene, (Undone.kind,))):
        if isinstance(fact.event, Undone) and fact.event.target == action:
            reason = f": {fact.event.reason}" if fact.event.reason else ""
            return (f"Taken back by #{fact.seq} ({fact.actor.name}{reason}).",)
    return ()


def explained(fact: Fact, render: Render) -> Iterator[str]:
    """Write a fact with every term of its sums: rule, who ruled it, and the faces of dice."""
    if isinstance(fact.event, StateChanged):
        for change in fact.event.changes:
            if change.field != WHOLE and change.thing != "pending":
                yield f"  {change.about}: {change.field} {change.before} -> {change.after}"
        return
    line = render(fact)
    by = "" if fact.actor.name in line else f" (by {fact.actor.name})"
    yield f"{fact.at:%H:%M:%S} UTC {line}{by}"
    for breakdown in sums_of(fact.event):
        for term in breakdown.terms:
            yield f"  {_signed(term)}: {_source(term)}"
        for throw in breakdown.throws:
            yield f"  {_faces(throw)}"


def sums_of(event: Event) -> Iterator[Breakdown]:
    """Give the sums that an event holds."""
    for name in getattr(event, "__dataclass_fields__", ()):
        value = getattr(event, name)
        if isinstance(value, Breakdown):
            yield value


def _signed(term: Term) -> str:
    return f"{'+' if term.value >= 0 else '-'} {abs(term.value)} {term.text}"


def _source(term: Term) -> str:
    parts = [part for part in (term.rule, f"ruled by {term.by}" if term.by else "") if part]
    return ", ".join(parts) or "sheet"


def _faces(throw: Throw) -> str:
    """Write faces; dice of three sides as fudge dice are read."""
    signs = {1: "-", 2: "0", 3: "+"}
    shown = [signs[f] if throw.sides == len(signs) else str(f) for f in throw.faces]
    last = throw.start + len(throw.faces) - 1
    return f"dice {' '.join(shown)} (dice {throw.start} to {last} of this scene)"


def history_verbs(systems: Mapping[str, System], render: Render) -> tuple[Verb, ...]:
    """Give the verbs of this file."""
    flags = frozenset({"force"})
    write, player = Lane.WRITE, Access.PLAYER
    return (
        Verb(
            "+undo",
            "+undo[/force][ <number>][=<reason>]",
            player,
            write,
            _wanted,
            partial(_undo, systems),
            flags=flags,
        ),
        Verb(
            "+redo", "+redo[ <number>][=<reason>]", player, write, _wanted, partial(_redo, systems)
        ),
        Verb("+why", "+why <number>", Access.GUEST, Lane.READ, _number, partial(_why, render)),
    )
