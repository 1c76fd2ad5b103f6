"""Sheets: +sheet for everyone, +set for staff and referees, in the scene's own rule system."""

from __future__ import annotations

from collections.abc import Mapping

from mushcombat.domain.character import Character
from mushcombat.domain.command import (
    Access,
    Call,
    Context,
    Lane,
    Outcome,
    ReadContext,
    Verb,
    WriteContext,
)
from mushcombat.domain.events import GAME_LEDGER, Audience, Draft, TraitSet
from mushcombat.domain.reasons import reason_of
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.service.parsing import maybe_words
from mushcombat.service.people import find_player
from mushcombat.systems.system import System


@record(frozen=True, slots=True)
class Setting:
    """Arguments of +set, still as typed: the system that reads them depends on the scene."""

    name: str
    trait: str
    level: str
    reason: str


def _setting(call: Call) -> Setting:
    left, right = call.sides()
    name, slash, trait = left.partition("/")
    level, _, reason = (right or "").partition(",")
    if not slash or not name.strip() or not trait.strip() or not level.strip():
        raise call.wrong()
    return Setting(name.strip(), trait.strip(), level.strip(), reason_of(reason))


def _subject(context: ReadContext, name: str) -> Character:
    """Find whose sheet is meant; a referee who is not staff reaches those in the scene only."""
    them = _named(context, name)
    scene = context.scene
    mine = scene is not None and (them.id in scene.participants or them.scene == scene.id)
    if context.actor.is_staff or mine or them.id == context.actor.id:
        return them
    raise MushError("sheet", f"{them.name} is not in your scene.", "Ask staff.")


def _named(context: ReadContext, name: str) -> Character:
    """Find an NPC or participant of the scene here first, else any player."""
    found = context.find_here(name)
    return found[0] if len(found) == 1 else find_player(context, name)


def sheet_verbs(systems: Mapping[str, System], default: str) -> tuple[Verb, ...]:
    """Give the verbs of this file."""

    def system_of(context: Context) -> System:
        return systems[context.scene.system if context.scene else default]

    def show(context: ReadContext, name: str) -> Outcome:
        system = system_of(context)
        them = _subject(context, name or "me")
        return Outcome.tell(f"{them.name}, {system.title}", *system.show_sheet(context, them))

    def change(context: WriteContext, setting: Setting) -> Outcome:
        system, them = system_of(context), _subject(context, setting.name)
        new = system.read_trait(setting.trait, setting.level)
        before = context.store.sheet(them.id, system.name).level(new.group, new.trait)
        context.store.set_trait(them.id, system.name, new.group, new.trait, new.level)
        event = TraitSet(
            them.id,
            them.name,
            system.name,
            new.group,
            new.trait,
            before,
            new.level,
            setting.reason,
        )
        ledger = context.scene.id if context.scene else GAME_LEDGER
        return Outcome.of(Draft(event, Audience.PRIVATE, ledger))

    syntax = "+set <name>/<attribute or skill>=<level>[, <reason>]"
    return (
        Verb("+sheet", "+sheet[ <name>]", Access.GUEST, Lane.READ, maybe_words, show),
        Verb("+set", syntax, Access.REFEREE, Lane.WRITE, _setting, change),
    )
