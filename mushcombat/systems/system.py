"""The record that a rule system is: its verbs, events, texts, and how it reads a sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mushcombat.domain.character import Sheet
from mushcombat.domain.command import Verb
from mushcombat.domain.events import Event

Describe = Callable[[Any, str], str]
"""Writes an event of the system as one line, without its number; handed the actor's name."""


@dataclass(frozen=True, slots=True)
class TraitChange:
    """A typed `<trait>=<level>`, understood; level None takes the trait off the sheet."""

    group: str
    trait: str
    level: int | None


@dataclass(frozen=True, slots=True)
class System:
    """One rule system, whole."""

    name: str
    title: str
    verbs: tuple[Verb, ...]
    events: tuple[type[Event], ...]
    describe: Mapping[type[Event], Describe]
    read_trait: Callable[[str, str], TraitChange]
    show_level: Callable[[str, int | None], str]
    show_sheet: Callable[[Sheet], tuple[str, ...]]
    help_folder: Path
