"""The record that a rule system is: its verbs, events, texts, and how it reads a sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mushcombat.domain.character import Character
from mushcombat.domain.command import Outcome, ReadContext, Verb, WriteContext
from mushcombat.domain.events import Event
from mushcombat.domain.fight import Combatant
from mushcombat.domain.scene import Scene
from mushcombat.domain.state import Change
from mushcombat.systems.tracker import FightRules

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
    """One rule system, whole.

    `results` tells in a few words who hurt whom, '' where nobody did.
    """

    name: str
    title: str
    verbs: tuple[Verb, ...]
    events: tuple[type[Event], ...]
    describe: Mapping[type[Event], Describe]
    read_trait: Callable[[str, str], TraitChange]
    show_level: Callable[[str, int | None], str]
    show_sheet: Callable[[ReadContext, Character], tuple[str, ...]]
    fight: FightRules
    seat: Callable[[ReadContext, Scene, Combatant], str]
    pending_text: Callable[[ReadContext, Scene, Mapping[int, str]], str]
    describe_changes: Callable[[ReadContext, Sequence[Change], Scene], tuple[str, ...]]
    make_npc: Callable[[WriteContext, Character, str], str]
    due: Callable[[WriteContext, int], Outcome]
    stun_over: Callable[[WriteContext, int], Outcome]
    scene_ends: Callable[[WriteContext], Outcome]
    help_folder: Path
    results: Mapping[type[Event], Describe] = field(default_factory=dict)
