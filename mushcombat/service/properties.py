"""What is set on a scene: +scene/set, by its referee or by who opened it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mushcombat.domain.command import Access, Call, Lane, Outcome, Verb, WriteContext
from mushcombat.domain.fight import SceneSet
from mushcombat.domain.scene import Scene
from mushcombat.domain.state import Value
from mushcombat.domain.text import clip, listing
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.service.parsing import one_line
from mushcombat.service.scenes import LONGEST_TITLE, my_scene
from mushcombat.service.zones import read_zone
from mushcombat.systems import tracker

LONGEST_SUMMARY = 1000


@record(frozen=True, slots=True)
class Property:
    """One of them: its field of the scene, and how its value is read, or refused."""

    field: str
    read: Callable[[str], Value]


def _choice(name: str, field: str, *choices: str) -> Property:
    def read(typed: str) -> Value:
        value = typed.casefold()
        if value not in choices:
            raise MushError(
                "setting",
                f'{name}: "{clip(typed)}" is not one.',
                f"Say {listing([*choices], 'or')}.",
            )
        return value == "yes" if choices == ("yes", "no") else value

    return Property(field, read)


def _words(name: str, field: str, longest: int) -> Property:
    def read(typed: str) -> Value:
        return one_line(typed, name, longest) if typed else ""

    return Property(field, read)


def _title(typed: str) -> Value:
    return one_line(typed, "title", LONGEST_TITLE)


PROPERTIES: Mapping[str, Property] = {
    "title": Property("title", _title),
    "summary": _words("summary", "summary", LONGEST_SUMMARY),
    "date": _words("date", "ic_date", 80),
    "location": _words("location", "location", 80),
    "warning": _words("warning", "warning", 200),
    "type": _words("type", "kind", 24),
    "zone": Property("zone", read_zone),
    "order": _choice("order", "pose_order", "free", "order", "3-per"),
    "pacing": _choice("pacing", "pacing", "live", "relaxed", "slow"),
    "mode": _choice("mode", "mode", "strict", "normal", "open"),
    "rolls": _choice("rolls", "rolls", "auto", "manual"),
    "health": _choice("health", "health", "numbers", "bands"),
    "atmosphere": _choice("atmosphere", "atmosphere", "yes", "no"),
    "gravity": _choice("gravity", "gravity", "yes", "no"),
    "luck": _choice("luck", "luck", "yes", "no"),
}

_ALSO = {"icdate": "date", "ic_date": "date", "kind": "type", "place": "location"}


def _setting(call: Call) -> tuple[str, str]:
    """Parse `<property>=<value>`; nothing behind the `=` empties what can be empty."""
    name, value = call.sides()
    if not name or value is None:
        raise call.wrong(f"There are {listing(sorted(PROPERTIES))}.")
    return name.casefold(), value


def _is_own(context: WriteContext, scene: Scene) -> bool:
    """Tell whether the actor opened the scene, and does not fight in it where a referee rules."""
    me = context.actor.id
    fights = scene.mode != "open" and tracker.fights(context.store, scene.id, me)
    return me == scene.owner and not fights


def _not_theirs(context: WriteContext, scene: Scene) -> MushError:
    """Say who sets; to who opened the scene, that they fight in it (OS-56)."""
    if context.actor.id == scene.owner:
        told = "You fight here, and who fights doesn't referee (OS-56)."
        return MushError("scene", told, "+combat/leave first, or ask the referee.")
    return MushError("scene", "The referee sets that, or who opened the scene.", "Ask them.")


def _set(context: WriteContext, arguments: tuple[str, str]) -> Outcome:
    scene = my_scene(context)
    if not (context.referees or _is_own(context, scene)):
        raise _not_theirs(context, scene)
    typed, value = arguments
    name = _ALSO.get(typed, typed)
    known = PROPERTIES.get(name)
    if known is None:
        names = listing(sorted(PROPERTIES))
        raise MushError("setting", f'property: "{clip(typed)}" is none.', f"There are {names}.")
    stored = known.read(value)
    context.store.write("scene", (scene.id,), f"the scene's {name}", **{known.field: stored})
    shown = value.casefold() if isinstance(stored, bool) else str(stored)
    return Outcome.of(context.show(SceneSet(name, shown)))


def property_verbs() -> tuple[Verb, ...]:
    """Give the verbs of this file."""
    syntax = "+scene/set <property>=<value>"
    return (Verb("+scene/set", syntax, Access.PLAYER, Lane.WRITE, _setting, _set),)
