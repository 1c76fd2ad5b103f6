"""Muttering: one person hears all of it, the room hears parts.

Free dice decide what the room hears, never those of the scene; the log holds that alone.
"""

from __future__ import annotations

from mushcombat.domain.command import Access, Call, Context, Lane, Outcome, Verb, WriteContext
from mushcombat.domain.dice import Dice
from mushcombat.domain.events import Audience, Draft, Who
from mushcombat.domain.names import match, name_key
from mushcombat.domain.poses import overheard
from mushcombat.domain.scene_events import Muttered, MutteredTo
from mushcombat.domain.text import clip, word_list
from mushcombat.errors import MushError
from mushcombat.service.world import World

Muttering = tuple[str | None, str]
"""To whom, '' for nobody, None for nobody but perhaps by mistake, and what."""


def _muttering(call: Call) -> Muttering:
    """Parse `<name>=<text>`, `=<text>` or `<text>`."""
    left, right = call.sides()
    text = left if right is None else right
    if not word_list(text):
        raise call.wrong()
    return (None if right is None else left), text


def _check_meant(people: dict[int, str], text: str) -> None:
    """Refuse a text that begins with the name of somebody here: the room would hear of it."""
    for name in people.values():
        if text.casefold().startswith(name_key(name) + " "):
            raise MushError(
                "mutter",
                f"Is that for {name}? Then type mutter {name}=<text>.",
                "For nobody: mutter =<text>.",
            )


def what_is_heard(text: str, dice: Dice) -> str:
    """Give what the room hears: each word or not, by a die of two sides, but never all of them."""
    words = word_list(text)
    kept = [face == 2 for face in dice.throw(len(words), 2, "mutter").faces]
    if all(kept):
        kept[max(range(len(words)), key=lambda at: len(words[at]))] = False
    return overheard(words, kept)


def _people(world: World, context: Context) -> dict[int, str]:
    """Give who is in the room, and the NPCs of the scene that the actor may know of.

    In a scene this runs in the writer, where the reactor's picture is out of reach.
    """
    if not isinstance(context, WriteContext):
        return {them.id: them.name for them in world.here(context.room)}
    here = context.store.occupants(context.room)
    people = {them.id: them.name for them in here if them.id in context.present}
    scene = context.scene
    if scene is not None:
        unknown = frozenset() if context.referees else scene.hidden
        people |= {one: name for one, name in scene.npcs.items() if one not in unknown}
    return people


def _check_shown(context: Context) -> None:
    """Refuse what only one person would hear of an NPC that nobody knows of."""
    if context.scene is not None and context.actor.id in context.scene.hidden:
        name = context.actor.name
        raise MushError("hidden", f"{name} is hidden.", f"Type +npc/show {name} first.")


def _find(people: dict[int, str], typed: str) -> int:
    found = match(typed, ((name, one) for one, name in people.items()))
    if not found:
        raise MushError("who", f'Nobody called "{clip(typed)}" is here.', "WHO lists names.")
    if len(found) > 1:
        names = ", ".join(people[one] for one in found[:5])
        raise MushError("who", f'"{clip(typed)}" could be {names}.', "Type more of the name.")
    return found[0]


def _whole(context: Context, to: int | None, name: str, text: str) -> list[Draft]:
    """Draft all of the words, for whom they are meant for; for an NPC its referees hear them."""
    hears = context.actor.id if to is None else to
    drafts = [Draft(MutteredTo(hears, name, text), Audience.PRIVATE)]
    if to is not None and context.scene is not None and to in context.scene.npcs:
        npc, by = Who(to, name), context.actor.name
        drafts += [
            Draft(MutteredTo(referee, name, text, by), Audience.PRIVATE, actor=npc)
            for referee in sorted(context.scene.referees - {context.actor.id})
        ]
    return drafts


def mutter_verbs(world: World, dice: Dice) -> tuple[Verb, ...]:
    """Give the verb of this file; `dice` are free ones."""

    def mutter(context: Context, arguments: Muttering) -> Outcome:
        typed, text = arguments
        _check_shown(context)
        people = _people(world, context)
        if typed is None:
            _check_meant(people, text)
        to = _find(people, context.actor.name if typed == "me" else typed) if typed else None
        name = people[to] if to is not None else ""
        heard = context.show(Muttered(to, name, what_is_heard(text, dice)))
        return Outcome.of(*_whole(context, to, name, text), heard)

    return (
        Verb(
            "mutter",
            "mutter [<name>=]<text>",
            Access.GUEST,
            Lane.HERE,
            _muttering,
            mutter,
            shown=True,
            talk=True,
        ),
    )
