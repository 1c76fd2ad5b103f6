"""The record of OtherSpace: Millennium refereed combat."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from mushcombat.domain.character import Character
from mushcombat.domain.command import Outcome, Verb, WriteContext
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.systems import tracker
from mushcombat.systems.items import put
from mushcombat.systems.otherspace import sheet
from mushcombat.systems.otherspace.arms import natural
from mushcombat.systems.otherspace.brief import BRIEF, OPENINGS, STEPS, WORKINGS
from mushcombat.systems.otherspace.calculators import calculator_verbs
from mushcombat.systems.otherspace.change_text import change_phrases, detail
from mushcombat.systems.otherspace.chargen_verbs import chargen_verbs
from mushcombat.systems.otherspace.combat_events import COMBAT_EVENTS
from mushcombat.systems.otherspace.combat_text import DESCRIBE_COMBAT, RESULTS
from mushcombat.systems.otherspace.data import DATA, status, vitals
from mushcombat.systems.otherspace.declare import declare_verbs
from mushcombat.systems.otherspace.defend import answer_for_the_silent, defend_verbs
from mushcombat.systems.otherspace.events import EVENTS
from mushcombat.systems.otherspace.fight_rules import make_rules, seat_line
from mushcombat.systems.otherspace.fighter import from_template
from mushcombat.systems.otherspace.gear_verbs import gear_verbs
from mushcombat.systems.otherspace.odds_verbs import odds_verbs
from mushcombat.systems.otherspace.referee import referee_verbs
from mushcombat.systems.otherspace.resolve import Desk
from mushcombat.systems.otherspace.rolls import roll_verbs
from mushcombat.systems.otherspace.roster import NAME
from mushcombat.systems.otherspace.speech import SPEAK
from mushcombat.systems.otherspace.tables import Tables
from mushcombat.systems.otherspace.tables import load as load_tables
from mushcombat.systems.otherspace.text import DESCRIBE
from mushcombat.systems.otherspace.waiting import waiting
from mushcombat.systems.otherspace.wound_verbs import wound_verbs
from mushcombat.systems.otherspace.wounds import end_stun, impose, impose_due
from mushcombat.systems.pending import pending_text
from mushcombat.systems.system import System

TITLE = "OtherSpace: Millennium"


def load(rules: Path) -> System:
    """Read the tables of a folder of rules; FaultyError lists all that is wrong with them."""
    file = rules / f"{NAME}.toml"
    tables = load_tables(file.read_text(encoding="utf-8"), str(file))
    fight = make_rules(tables)
    desk = Desk(tables, fight)
    return System(
        name=NAME,
        title=TITLE,
        verbs=_verbs(desk),
        events=(*EVENTS, *COMBAT_EVENTS),
        describe={**DESCRIBE, **DESCRIBE_COMBAT},
        read_trait=lambda trait, level: sheet.read_trait(trait, level, tables),
        show_level=lambda _group, level: sheet.show_level(level, tables),
        show_sheet=partial(sheet.show_sheet, tables),
        fight=fight,
        seat=lambda context, seat: seat_line(context, seat, tables),
        pending_text=pending_text,
        describe_changes=lambda shifts, names, numbers: change_phrases(
            tables, shifts, names, numbers=numbers
        ),
        waiting=partial(waiting, tables),
        detail=detail,
        make_npc=partial(make_npc, tables),
        due=partial(answer_for_the_silent, desk),
        stun_over=lambda context, who: Outcome.of(*end_stun(context, who, tables)),
        scene_ends=partial(scene_ends, tables),
        help_folder=Path(__file__).parent / "help",
        brief=BRIEF,
        steps=STEPS,
        speak=SPEAK,
        workings=WORKINGS,
        openings=OPENINGS,
        results=RESULTS,
        data=DATA,
        vitals=partial(vitals, tables),
        status=partial(status, tables),
    )


def _verbs(desk: Desk) -> tuple[Verb, ...]:
    tables, fight = desk.tables, desk.rules
    return (
        *roll_verbs(tables, fight),
        *calculator_verbs(tables),
        *declare_verbs(desk),
        *referee_verbs(desk),
        *defend_verbs(desk),
        *wound_verbs(tables, fight),
        *gear_verbs(tables),
        *odds_verbs(tables),
        *chargen_verbs(tables),
    )


def make_npc(tables: Tables, context: WriteContext, npc: Character, typed: str) -> str:
    """Give an NPC the sheet, gear and gifts of a template; '' is nothing special."""
    if not typed:
        return "NPC"
    found = tables.combat.find_template(typed)
    if len(found) != 1:
        known = ", ".join(template.name for template in tables.combat.templates)
        raise MushError("template", f'template: "{clip(typed)}" is none.', f"There are {known}.")
    template = found[0]
    fighter = from_template(template, npc.id, npc.name, tables)
    for name, level in fighter.attributes.items():
        context.store.set_trait(npc.id, NAME, "attribute", name, level)
    for name, level in fighter.skills.items():
        context.store.set_trait(npc.id, NAME, "skill", name, level)
    for quirk in sorted(fighter.gifts | fighter.faults):
        impose(context, fighter, quirk, template.name)
    weapons = [tables.combat.weapon(name) for name in template.weapons]
    carried = [weapon.name for weapon in weapons if not natural(fighter, weapon, tables)]
    for item in (*carried, *([template.armour] if template.armour else [])):
        put(context, NAME, npc, item, 1)
        if item in {fighter.wielded, fighter.armour}:
            about = f"{npc.name}'s {item}"
            context.store.write("item", (npc.id, NAME, item), about, in_use=True)
    return f"NPC, template {template.name}: {template.summary}"


def scene_ends(tables: Tables, context: WriteContext) -> Outcome:
    """OS-44, OS-45: stun wears off, and a wound that nobody ruled on is what the rule makes it.

    Also that of who was hurt outside of a fight: nobody was asked about it.

    The stun of those too who left the scene and are in no other. After the scene its referee may
    have no say any more, so a proposal that was left open would be lost.
    """
    scene = tracker.scene_of(context)
    drafts = impose_due(context, scene, tables)
    here = scene.participants | scene.npcs.keys()
    for character in sorted(here | scene.took_part):
        stun = context.store.condition(character, NAME).stun
        if stun and (character in here or not context.store.scenes_with(character)):
            drafts += end_stun(context, character, tables, scene_over=True)
    return Outcome.of(*drafts)
