"""Finding whom a staff command is about, and where what it does is logged."""

from __future__ import annotations

from mushcombat.domain.character import Character
from mushcombat.domain.command import Context, ReadContext
from mushcombat.domain.events import GAME_LEDGER, Audience, Draft, Event
from mushcombat.domain.text import clip
from mushcombat.errors import MushError


def anybody(context: ReadContext, typed: str) -> Character:
    """Find somebody of the scene, NPCs too; outside scenes those who stand here, and oneself.

    Staff find any player besides; MushError for none or several.
    """
    name = context.actor.name if typed.casefold() in {"", "me"} else typed.strip()
    found = context.find_here(name) or _players(context, name)
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(one.name for one in found[:5])
        raise MushError("who", f'"{clip(name)}" could be {names}.', "Type more of the name.")
    where = "+scene lists yours." if context.scene else "look lists who is here."
    raise MushError("who", f'Nobody called "{clip(name)}" is within reach.', where)


def _players(context: ReadContext, name: str) -> list[Character]:
    """Find players who are not in the scene here: whomever staff name, else who is within reach."""
    if context.actor.is_staff:
        return context.store.find_players(name)
    if context.scene is not None:
        return []
    within = context.present | {context.actor.id}
    found = context.store.find_players(name)
    return [one for one in found if one.room == context.room and one.id in within]


def check_outside(context: ReadContext, them: Character) -> None:
    """Refuse to do to somebody in the scene of this room what its log and people must know of."""
    scenes = context.store.scenes_with(them.id) if context.scene is None else []
    for scene in scenes:
        if scene.room == context.room:
            text = f"{them.name} is in scene {scene.id}, and you are not."
            raise MushError("scene", text, f"+scene/join {scene.id} first.")


def check_shown(context: ReadContext, character: int, name: str) -> None:
    """Refuse what a hidden NPC can't do, or have done to it, without being seen."""
    if context.scene is not None and character in context.store.hidden(context.scene.id):
        raise MushError("hidden", f"{name} is hidden.", f"Type +npc/show {name} first.")


def note(context: Context, event: Event, *, private: bool = False) -> Draft:
    """Draft what staff did: in a scene for its room and log, else for the game's ledger."""
    audience = Audience.PRIVATE if private or context.scene is None else Audience.ROOM
    return Draft(event, audience, _ledger(context))


def note_here(context: Context, event: Event) -> Draft:
    """Draft what a player did, for all who are there; outside scenes for the game's ledger."""
    return Draft(event, Audience.ROOM, _ledger(context))


def _ledger(context: Context) -> int:
    return context.scene.id if context.scene else GAME_LEDGER
