"""The record of OtherSpace: Millennium refereed combat."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from mushcombat.systems.otherspace import sheet
from mushcombat.systems.otherspace.calculators import calculator_verbs
from mushcombat.systems.otherspace.events import EVENTS
from mushcombat.systems.otherspace.rolls import NAME, roll_verbs
from mushcombat.systems.otherspace.tables import load as load_tables
from mushcombat.systems.otherspace.text import DESCRIBE
from mushcombat.systems.system import System

TITLE = "OtherSpace: Millennium"


def load(rules: Path) -> System:
    """Read the tables of a folder of rules; FaultyError lists all that is wrong with them."""
    file = rules / f"{NAME}.toml"
    tables = load_tables(file.read_text(encoding="utf-8"), str(file))
    return System(
        name=NAME,
        title=TITLE,
        verbs=(*roll_verbs(tables), *calculator_verbs(tables)),
        events=EVENTS,
        describe=DESCRIBE,
        read_trait=lambda trait, level: sheet.read_trait(trait, level, tables),
        show_level=lambda _group, level: sheet.show_level(level, tables),
        show_sheet=partial(sheet.show_sheet, tables=tables),
        help_folder=Path(__file__).parent / "help",
    )
