"""The record that a rule system is: its verbs, events, texts, and how it reads a sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from mushcombat.domain.breakdown import Term
from mushcombat.domain.character import Character
from mushcombat.domain.command import Outcome, ReadContext, Verb, WriteContext
from mushcombat.domain.events import Event
from mushcombat.domain.fight import Combatant
from mushcombat.domain.scene import Scene
from mushcombat.domain.state import Phrase, Shift
from mushcombat.records import record
from mushcombat.systems.tracker import FightRules

Describe = Callable[[Any, str], str]
"""Writes an event of the system as one line, without its number; handed the actor's name."""


DescribeData = Callable[[Any, str], tuple[str, dict[str, Any]]]
"""Tells an event's fields for a client's scripts: `Action` or `Result`, and what docs/gmcp.md has
for Combat.Action or Combat.Result; handed the actor's name. It says no more than the line does."""

Tell = Callable[[ReadContext, Character], Mapping[str, Any]]
"""Tells somebody of their own character, in fields."""


def nothing_to_tell(_context: ReadContext, _character: Character) -> Mapping[str, Any]:
    """Tell nothing."""
    return {}


def by_name(_group: str, name: str) -> str:
    """Write a trait as it is called."""
    return name


DescribeChanges = Callable[[Sequence[Shift], Mapping[int, str], bool], Iterable[Phrase]]
"""Tells what shifts mean that the system knows of; handed names by id, and whether to tell health
in numbers."""


@record(frozen=True, slots=True)
class TraitChange:
    """A typed `<trait>=<level>`, understood; level None takes the trait off the sheet."""

    group: str
    trait: str
    level: int | None


@record(frozen=True, slots=True)
class System:
    """One rule system, whole.

    `waiting` tells the actor alone what waits for them in a scene, and what to type; `detail` says
    of a term of an action's sums what its rule was applied to, '' for nothing. `brief` writes
    outcomes in few words, '' for what is none; `results` tells who hurt whom in fewer, '' where
    nobody did. `speak` says events for a screen reader, what matters first and without their sums
    (+why has them); those that it leaves out are spoken as they are described, with words for the
    signs. `steps` are events that are none when another action goes on with them: the rolls of
    an attack, say. Brief screens leave those out, `workings` too, and `openings` but for who acts.
    `rank` is what it calls the number that the order of a fight goes by; `show_trait` writes a
    trait, by its group and name, as it reads in a sentence.
    `data`, `vitals` and `status` are its part of what a client's scripts get: Combat.Action and
    Combat.Result, Char.Vitals, Char.Status.
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
    seat: Callable[[ReadContext, Combatant], str]
    pending_text: Callable[[ReadContext, Scene, Mapping[int, str]], str]
    describe_changes: DescribeChanges
    waiting: Callable[[ReadContext, Scene], tuple[str, ...]]
    detail: Callable[[Term, Sequence[Event]], str]
    make_npc: Callable[[WriteContext, Character, str], str]
    due: Callable[[WriteContext, int], Outcome]
    stun_over: Callable[[WriteContext, int], Outcome]
    scene_ends: Callable[[WriteContext], Outcome]
    help_folder: Path
    brief: Mapping[type[Event], Describe] = field(default_factory=dict)
    steps: frozenset[type[Event]] = frozenset()
    speak: Mapping[type[Event], Describe] = field(default_factory=dict)
    workings: frozenset[type[Event]] = frozenset()
    openings: frozenset[type[Event]] = frozenset()
    results: Mapping[type[Event], Describe] = field(default_factory=dict)
    rank: str = "reaction"
    show_trait: Callable[[str, str], str] = by_name
    data: Mapping[type[Event], DescribeData] = field(default_factory=dict)
    vitals: Tell = nothing_to_tell
    status: Tell = nothing_to_tell
