"""The record of Space Opera close combat."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from mushcombat.domain.character import Character
from mushcombat.domain.command import Outcome, Verb, WriteContext
from mushcombat.systems.items import put
from mushcombat.systems.spaceopera import sheet
from mushcombat.systems.spaceopera.asks import waiting, what_waits
from mushcombat.systems.spaceopera.board_verbs import board_verbs
from mushcombat.systems.spaceopera.changes import change_phrases, detail
from mushcombat.systems.spaceopera.chargen import chargen_verbs
from mushcombat.systems.spaceopera.checks import check_verbs
from mushcombat.systems.spaceopera.data import DATA, status, vitals
from mushcombat.systems.spaceopera.declare import declare_verbs
from mushcombat.systems.spaceopera.events import EVENTS
from mushcombat.systems.spaceopera.gear import gear_verbs
from mushcombat.systems.spaceopera.mine import Desk
from mushcombat.systems.spaceopera.odds_verbs import odds_verbs
from mushcombat.systems.spaceopera.phase import make_rules, seat_line
from mushcombat.systems.spaceopera.referee import referee_verbs
from mushcombat.systems.spaceopera.roster import EXPERTISE, NAME, OTHER
from mushcombat.systems.spaceopera.speech import SPEAK
from mushcombat.systems.spaceopera.tables import Tables, find
from mushcombat.systems.spaceopera.tables import load as load_tables
from mushcombat.systems.spaceopera.text import BRIEF, DESCRIBE, OPENINGS, RESULTS, STEPS, WORKINGS
from mushcombat.systems.system import System

TITLE = "Space Opera close combat"


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
        events=EVENTS,
        describe=DESCRIBE,
        read_trait=partial(sheet.read_trait, tables),
        show_level=partial(sheet.show_level, tables),
        show_sheet=partial(sheet.show_sheet, tables),
        fight=fight,
        seat=lambda context, seat: seat_line(context, seat, tables),
        pending_text=what_waits,
        describe_changes=change_phrases,
        waiting=partial(waiting, tables),
        detail=detail,
        make_npc=partial(make_npc, tables),
        due=lambda _context, _action: Outcome(),
        stun_over=lambda _context, _who: Outcome(),
        scene_ends=lambda _context: Outcome(),
        help_folder=Path(__file__).parent / "help",
        brief=BRIEF,
        steps=STEPS,
        speak=SPEAK,
        workings=WORKINGS,
        openings=OPENINGS,
        results=RESULTS,
        rank="initiative",
        show_trait=sheet.show_trait,
        data=DATA,
        vitals=partial(vitals, tables),
        status=partial(status, tables),
    )


def _verbs(desk: Desk) -> tuple[Verb, ...]:
    tables = desk.tables
    return (
        *declare_verbs(desk),
        *referee_verbs(desk),
        *board_verbs(tables),
        *check_verbs(tables),
        *gear_verbs(tables),
        *odds_verbs(tables),
        *chargen_verbs(tables),
    )


def make_npc(tables: Tables, context: WriteContext, npc: Character, typed: str) -> str:
    """Give an NPC the sheet and gear of a template; '' is nothing special."""
    if not typed:
        return "NPC"
    template = find(typed, tables.templates, "template")
    store = context.store
    store.set_trait(npc.id, NAME, OTHER, "HTH", template.factor)
    if template.armour:
        place = tables.armour.classes.index(template.armour) + 1
        store.set_trait(npc.id, NAME, "armour", "armour", place)
    for name, level in template.expertise.items():
        store.set_trait(npc.id, NAME, EXPERTISE, name, level)
    for thing in (template.weapon, template.device):
        if thing:
            put(context, NAME, npc, thing, 1)
            store.write("item", (npc.id, NAME, thing), f"{npc.name}'s {thing}", in_use=True)
    return f"NPC, template {template.name}: {template.summary}"
