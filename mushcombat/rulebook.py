"""What is made of the configuration alone: rule systems, texts, the tables of verbs."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mushcombat.config import Config
from mushcombat.config import load as load_config_file
from mushcombat.domain.channels import CHANNEL_EVENTS
from mushcombat.domain.command import Verb
from mushcombat.domain.dice import FreeDice
from mushcombat.domain.eras import ERA_EVENTS
from mushcombat.domain.events import CORE_EVENTS
from mushcombat.domain.fight import FIGHT_EVENTS
from mushcombat.domain.refereeing import REFEREE_EVENTS
from mushcombat.domain.scene_events import SCENE_EVENTS
from mushcombat.domain.settings import SETTING_EVENTS
from mushcombat.domain.sharing import SHARING_EVENTS
from mushcombat.domain.staff_events import STAFF_EVENTS
from mushcombat.domain.state import STATE_EVENTS
from mushcombat.errors import MushError
from mushcombat.faults import WHOLE_FILE, Fault, FaultyError, shown
from mushcombat.service.channels import channel_verbs
from mushcombat.service.connection import CONNECTION_VERBS
from mushcombat.service.contacts import CONTACT_VERBS
from mushcombat.service.eras import era_verbs
from mushcombat.service.fights import fight_verbs
from mushcombat.service.help import HelpBook, help_verbs, read_sections
from mushcombat.service.history import history_verbs
from mushcombat.service.mutter import mutter_verbs
from mushcombat.service.npcs import npc_verbs
from mushcombat.service.pages import page_verbs
from mushcombat.service.people import people_verbs
from mushcombat.service.poses import pose_verbs
from mushcombat.service.pot import pot_verbs
from mushcombat.service.preferences import PREFERENCE_VERBS
from mushcombat.service.properties import property_verbs
from mushcombat.service.publishing import Save, publishing_verbs
from mushcombat.service.recap import recap_verbs
from mushcombat.service.referees import referee_verbs
from mushcombat.service.rooms import ROOM_VERBS
from mushcombat.service.router import Router
from mushcombat.service.scene_life import scene_life_verbs
from mushcombat.service.scene_list import scene_list_verbs
from mushcombat.service.scene_log import scene_log_verbs
from mushcombat.service.scenes import scene_verbs
from mushcombat.service.sheets import sheet_verbs
from mushcombat.service.staff import staff_verbs
from mushcombat.service.talk import talk_verbs
from mushcombat.service.travel import TRAVEL_VERBS
from mushcombat.service.why import why_verbs
from mushcombat.service.world import World
from mushcombat.storage.codec import Codec
from mushcombat.systems import SYSTEMS
from mushcombat.systems.system import System
from mushcombat.views.plain import PlainView
from mushcombat.views.spoken import SpokenView
from mushcombat.views.transcript import Transcripts

SPOKEN = "connect-spoken"
"""The text for those who have the first screen read to them; without it they hear the other."""


@dataclass(frozen=True)
class Rulebook:
    """The rule systems with their tables loaded, and what follows from them alone."""

    systems: Mapping[str, System]
    default: str
    codec: Codec
    view: PlainView
    spoken: SpokenView
    transcripts: Transcripts


def load_config(file: Path) -> Config:
    """Read the configuration. FaultyError lists its faults; OSError when it can't be read."""
    try:
        return load_config_file(file)
    except UnicodeDecodeError as problem:
        raise FaultyError([_no_text(file, problem)]) from problem


def load_rulebook(config: Config) -> Rulebook:
    """Load every system's tables. FaultyError lists the faults of all files."""
    systems: dict[str, System] = {}
    faults: list[Fault] = []
    for name, load in SYSTEMS.items():
        try:
            systems[name] = load(config.rules_folder)
        except FaultyError as problem:
            faults += problem.faults
        except OSError as problem:
            faults.append(_unreadable(problem, "a rules table"))
        except UnicodeDecodeError as problem:
            faults.append(_no_text(config.rules_folder / f"{name}.toml", problem))
    default = config.rules.default or next(iter(SYSTEMS))
    if default not in SYSTEMS:
        names = ", ".join(SYSTEMS)
        faults.append(Fault(config.file, "rules.default", shown(default), f"one of {names}"))
    if faults:
        raise FaultyError(faults)
    events = [event for system in systems.values() for event in system.events]
    core = (
        *CORE_EVENTS,
        *FIGHT_EVENTS,
        *STATE_EVENTS,
        *SCENE_EVENTS,
        *ERA_EVENTS,
        *SHARING_EVENTS,
        *REFEREE_EVENTS,
        *STAFF_EVENTS,
        *CHANNEL_EVENTS,
        *SETTING_EVENTS,
    )
    view = PlainView(systems.values())
    spoken = SpokenView(systems.values(), view)
    transcripts = Transcripts(systems.values(), view)
    return Rulebook(systems, default, Codec([*core, *events]), view, spoken, transcripts)


def load_texts(config: Config) -> dict[str, str]:
    """Read the texts that players are shown, by name. FaultyError lists the faults of all."""
    texts: dict[str, str] = {}
    faults: list[Fault] = []
    for name in ("connect", "motd", SPOKEN):
        file = config.texts_folder / f"{name}.txt"
        try:
            texts[name] = file.read_text(encoding="utf-8").replace("{name}", config.server.name)
        except OSError as problem:
            if name != SPOKEN or not isinstance(problem, FileNotFoundError):
                faults.append(_unreadable(problem, "a text"))
        except UnicodeDecodeError as problem:
            faults.append(_no_text(file, problem))
    if faults:
        raise FaultyError(faults)
    return texts


def _unreadable(problem: OSError, expected: str) -> Fault:
    return Fault(str(problem.filename), WHOLE_FILE, problem.strerror or "unreadable", expected)


def _no_text(file: Path, problem: UnicodeDecodeError) -> Fault:
    line = problem.object[: problem.start].count(b"\n") + 1
    return Fault(str(file), f"line {line}", "bytes that are no text", "UTF-8")


def keep_nothing(name: str, _lines: Iterable[str]) -> tuple[str, int]:
    """Stand where no server runs that could keep transcripts."""
    raise MushError("file", f"{name} is kept nowhere: no server runs.", "mushcombat serve")


def build_routers(book: Rulebook, world: World, save: Save = keep_nothing) -> dict[str, Router]:
    """Make the table of verbs of each system: the core's and its own, with help for each."""
    routers: dict[str, Router] = {}
    books: dict[str, HelpBook] = {}

    def is_command(word: str) -> bool:
        return any(router.begins(word) for router in routers.values())

    core = (*_scene_verbs(book, save), *_people_verbs(book, world, is_command))
    sections = read_sections(Path(__file__).parent / "service" / "help")
    for system in book.systems.values():
        verbs = (*core, *system.verbs)
        both = {**sections, **read_sections(system.help_folder)}
        helping = help_verbs(verbs, both, system.name, books)
        routers[system.name] = Router((*verbs, *helping))
    return routers


def _people_verbs(
    book: Rulebook, world: World, is_command: Callable[[str], bool]
) -> tuple[Verb, ...]:
    """Give the core's verbs of people: how they talk, where they go, what staff do."""
    return (
        *talk_verbs(world),
        *page_verbs(world),
        *channel_verbs(world, book.view.shown, is_command),
        *CONTACT_VERBS,
        *TRAVEL_VERBS,
        *mutter_verbs(world, FreeDice(secrets.randbelow)),
        *people_verbs(world),
        *ROOM_VERBS,
        *pose_verbs(book.view.shown, world.is_nospoof),
        *staff_verbs(world, book.view.shown),
        *CONNECTION_VERBS,
        *PREFERENCE_VERBS,
    )


def _scene_verbs(book: Rulebook, save: Save) -> tuple[Verb, ...]:
    """Give the core's verbs of scenes, fights and what becomes of them."""
    return (
        *scene_verbs(book.systems, book.default, secrets.token_bytes),
        *scene_list_verbs(),
        *scene_life_verbs(book.view.shown),
        *property_verbs(),
        *scene_log_verbs(book.view.shown),
        *recap_verbs(book.systems, book.view.shown),
        *pot_verbs(),
        *era_verbs(secrets.token_bytes),
        *publishing_verbs(book.transcripts.lines, save),
        *sheet_verbs(book.systems, book.default),
        *fight_verbs(book.systems),
        *npc_verbs(book.systems),
        *referee_verbs(book.systems, book.view.shown),
        *history_verbs(book.systems),
        *why_verbs(book.systems, book.view.shown),
    )
