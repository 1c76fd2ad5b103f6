"""Finding whom a staff command is about, and where what it does is logged."""

from __future__ import annotations

from mushcombat.domain.character import Character
from mushcombat.domain.command import Context, ReadContext
from mushcombat.domain.events import GAME_LEDGER, Audience, Draft, Event
from mushcombat.domain.text import clip
from mushcombat.errors import MushError


def anybody(context: ReadContext, typed: str) -> Character:
    """Find somebody of the scene, NPCs too; staff find any player besides.

    A referee who is not staff reaches only those in the scene; MushError for none or several.
    """
    name = context.actor.name if typed.casefold() in {"", "me"} else typed.strip()
    found = context.find_here(name)
    if not found and (context.actor.is_staff or context.scene is None):
        found = context.store.find_players(name)
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(one.name for one in found[:5])
        raise MushError("who", f'"{clip(name)}" could be {names}.', "Type more of the name.")
    raise MushError("who", f'Nobody called "{clip(name)}" is within reach.', "+scene lists yours.")


def check_shown(context: ReadContext, character: int, name: str) -> None:
    """Refuse what a hidden NPC can't do, or have done to it, without being seen."""
    if context.scene is not None and character in context.store.hidden(context.scene.id):
        raise MushError("hidden", f"{name} is hidden.", f"Type +npc/show {name} first.")


def note(context: Context, event: Event, *, private: bool = False) -> Draft:
    """Draft what staff did: in a scene for its room and log, else for the game's ledger."""
    audience = Audience.PRIVATE if private or context.scene is None else Audience.ROOM
    return Draft(event, audience, context.scene.id if context.scene else GAME_LEDGER)
