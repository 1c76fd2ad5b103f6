"""Asking why: +why writes out an action, every term with its source, and what it changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from mushcombat.domain.breakdown import Breakdown, Term
from mushcombat.domain.command import Access, Call, Lane, Outcome, ReadContext, Verb
from mushcombat.domain.dice import Throw
from mushcombat.domain.events import CORE_EVENTS, Event, Fact, TraitSet
from mushcombat.domain.fight import Asked, Told
from mushcombat.domain.history import History
from mushcombat.domain.numbers import parse_whole
from mushcombat.domain.scene import Scene
from mushcombat.domain.state import Redone, Row, Shift, StateChanged, Undone
from mushcombat.domain.visibility import Viewer, redact, viewer_of
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.service.change_words import phrases
from mushcombat.service.history import history_of, names_for, no_action, opening
from mushcombat.service.parsing import MOST_SCENES
from mushcombat.service.scene_log import Render
from mushcombat.service.scenes import my_scene
from mushcombat.service.versions import as_read
from mushcombat.service.zones import in_zone
from mushcombat.systems.system import System

PAGE = 50
"""Rows of a log that are looked through at once for the last action."""

WIDTH = 25
"""Columns of a term; its source stands behind them, unless the term is longer."""

_SIGNS = {"-": "minus", "+": "plus", "=": "is", "x": "times"}
_TALK = frozenset(CORE_EVENTS) - {TraitSet}
_REASON = re.compile(r"(\d+) \((.+)\)")
_TAG = re.compile(r"\A\[\w+\] ")


@record(frozen=True, slots=True)
class Telling:
    """What writing out an action needs: how facts read, the system, the scene, who asks."""

    render: Render
    system: System
    context: ReadContext
    scene: Scene

    @property
    def viewer(self) -> Viewer:
        """The one who asks."""
        return viewer_of(self.context.actor, self.scene)

    def line(self, fact: Fact) -> str:
        """Write a fact without the number of its action."""
        return self.render(fact).removesuffix(f" #{fact.action}")


def _number(call: Call) -> int | None:
    text = call.text.removeprefix("#")
    return parse_whole(text, "action", 1, MOST_SCENES) if text else None


def _why(
    systems: Mapping[str, System], render: Render, context: ReadContext, number: int | None
) -> Outcome:
    scene = my_scene(context)
    telling = Telling(render, systems[scene.system], context, scene)
    action = number or _last_action(telling)
    opening(context, scene.id, action)
    rows = context.store.action(scene.id, action)
    seen = [fact for fact in (redact(row, telling.viewer) for row in rows) if fact]
    facts = [fact for fact, _ in as_read(context, scene, telling.viewer, seen)]
    if not facts:
        raise no_action(action)
    return Outcome.tell(*_explained(telling, action, facts))


def _last_action(telling: Telling) -> int:
    """Find the last action of the scene that is more than talk, and that they may see."""
    store, scene = telling.context.store, telling.scene.id
    end = store.last_seq(scene)
    while end > 0:
        for row in reversed(store.log(scene, max(1, end - PAGE + 1), end)):
            fact = redact(row, telling.viewer)
            if fact and fact.action and type(fact.event) not in {*_TALK, StateChanged}:
                return fact.action
        end -= PAGE
    raise MushError("action", "Nothing has been done here yet.", "+scene/log shows what was said.")


def _explained(telling: Telling, action: int, facts: Sequence[Fact]) -> Iterator[str]:
    """Write the heading, then each fact with its sums, and what it changed."""
    yield _heading(telling, action, facts[0])
    events = [fact.event for fact in facts]
    changed = any(isinstance(event, StateChanged) for event in events)
    changed = changed and not isinstance(events[0], Undone | Redone)  # which have told it
    history = history_of(telling.context, telling.scene.id) if changed else None
    for fact in facts:
        if isinstance(fact.event, StateChanged):
            yield from _changes(telling, history, fact) if history else ()
            continue
        if fact is not facts[0]:
            yield from _line(telling, fact)
        yield from _sums(telling, fact.event, events)


# the heading


def _heading(telling: Telling, action: int, first: Fact) -> str:
    """Write `#5 Ada attacks Thug with pistol, 21:14:07 UTC, taken back by #9 (Rhea: too far)`."""
    text, _, more = telling.line(first).partition("\n")
    if not any(True for _ in sums_of(first.event)):
        text = _TAG.sub("", text, count=1)
    text = _summed(text, first.event).rstrip(".")
    rest = f"\n{more}" if more else ""
    by = "" if first.actor.name in text else f", by {first.actor.name}"
    when = f"{_at(telling, first)} {telling.scene.zone}"
    return f"#{action} {text}{by}, {when}{_fate(telling, action)}{rest}"


def _at(telling: Telling, fact: Fact) -> str:
    """Write a time to the second, in the scene's zone, which the heading names."""
    return f"{in_zone(fact.at, telling.scene.zone):%H:%M:%S}"


def _fate(telling: Telling, action: int) -> str:
    """Tell whether it was taken back, and stands again, by whom and why."""
    kinds = (Undone.kind, Redone.kind)
    for fact in reversed(telling.context.store.kinds(telling.scene.id, kinds, since=action)):
        event = fact.event
        if isinstance(event, Undone | Redone) and event.target == action:
            state = "taken back" if isinstance(event, Undone) else "standing again"
            reason = f": {event.reason}" if event.reason else ""
            return f", {state} by #{fact.action} ({fact.actor.name}{reason})"
    return ""


# the lines


def _line(telling: Telling, fact: Fact) -> Iterator[str]:
    """Write a later fact of the action, with its time."""
    lines = _texts(telling, fact)
    yield "\n".join((f"{_at(telling, fact)} {lines[0].strip()}", *lines[1:]))


def _texts(telling: Telling, fact: Fact) -> list[str]:
    event = fact.event
    if isinstance(event, Asked):
        asked = event.text.startswith("[Defend]")
        return [f"{event.name} is asked how to defend." if asked else f"{event.name}: {event.text}"]
    lines = _summed(telling.line(fact), event).splitlines()
    if isinstance(event, Told) and len(lines) > 1:
        # The sums come below, and what there was to type is typed.
        lines = [line for line in lines[1:] if not line.strip().startswith("+")] or lines
    return lines


def sums_of(event: Event) -> Iterator[Breakdown]:
    """Give the sums that an event holds."""
    for name in getattr(event, "__dataclass_fields__", ()):
        value = getattr(event, name)
        if isinstance(value, Breakdown):
            yield value


def _summed(text: str, event: Event) -> str:
    """Leave out of a line what is written out below it."""
    for breakdown in sums_of(event):
        text = text.replace(breakdown.formula(), str(breakdown.total))
    return text


# the sums


def _sums(telling: Telling, event: Event, events: Sequence[Event]) -> Iterator[str]:
    for breakdown in sums_of(event):
        throws = iter(breakdown.throws)
        rows = []
        for place, term in enumerate(breakdown.terms):
            throw = next(throws, None) if term.kind == "dice" else None
            source = _faces(throw) if throw else _source(term, telling.system.detail(term, events))
            rows.append((_label(term, first=place == 0, thrown=throw is not None), source))
        if telling.context.screen.reader:
            yield from (f"{_in_words(label)}, {_in_words(source)}" for label, source in rows)
            continue
        width = max(WIDTH, *(len(label) for label, _ in rows))
        yield from (f"  {label:<{width}}  {source}".rstrip() for label, source in rows)


def _label(term: Term, *, first: bool, thrown: bool) -> str:
    """Write a term: `Pistol 6 (Great)`, `- 1 medium range`, `+ 5 x 3 = 15`."""
    if thrown:
        return f"{term.op} {abs(term.value)} dice"
    reason = _REASON.fullmatch(term.text)
    text = f"{reason[1]} {reason[2]}" if reason else term.text
    plain = term.op in {"+", "-"} and re.fullmatch(rf"\D*{abs(term.value)}", term.text)
    worth = "" if reason or plain or term.kind == "level" else f" = {term.value}"
    bare = term.op in {"floor", "cap"} or (first and term.op == "+")
    return f"{text}{worth}" if bare else f"{term.op} {text}{worth}"


def _source(term: Term, detail: str) -> str:
    if term.kind == "level":
        return "sheet"
    if term.by:
        return term.by
    return ", ".join(part for part in (term.rule or "as typed", detail) if part)


def _in_words(text: str) -> str:
    """Write what stands in a column for who hears it: words for the signs of terms and faces."""
    return " ".join(_SIGNS.get(word, word) for word in text.split())


def _faces(throw: Throw) -> str:
    """Write faces; dice of three sides as fudge dice are read."""
    signs = {1: "-", 2: "0", 3: "+"}
    shown = [signs[f] if throw.sides == len(signs) else str(f) for f in throw.faces]
    last = throw.start + len(throw.faces) - 1
    return f"{' '.join(shown)}   (dice {throw.start} to {last} of this scene)"


# what it changed


def _changes(telling: Telling, history: History, fact: Fact) -> Iterator[str]:
    """Say what a row of changes did; what waited on the way is told by the lines."""
    shifts = [
        _completed(telling.context, shift)
        for shift in history.shifts(fact.seq or 0)
        if shift.thing != "pending"
    ]
    names = names_for(telling.context, telling.scene, shifts)
    told = phrases(telling.system, shifts, names, numbers=True)
    if told:
        yield f"  Changed: {', '.join(phrase.text for phrase in told)}."


def _completed(context: ReadContext, shift: Shift) -> Shift:
    """Fill in the fields that the log says nothing of: they are as they were."""
    held: Row = context.store.held(shift.thing, shift.key) or {}
    rows = (None if row is None else {**held, **row} for row in (shift.before, shift.after))
    before, after = rows
    return Shift(shift.thing, shift.key, shift.about, before, after)


def why_verbs(systems: Mapping[str, System], render: Render) -> tuple[Verb, ...]:
    """Give the verb of this file."""
    run = partial(_why, systems, render)
    return (Verb("+why", "+why[ <number>]", Access.GUEST, Lane.READ, _number, run),)
