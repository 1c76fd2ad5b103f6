"""What can be found wrong with a configuration before a server runs on it: all of it at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from mushcombat.config import Config
from mushcombat.errors import MushError
from mushcombat.faults import Fault, FaultyError, shown
from mushcombat.net.endpoints import WANTED, Place, wrong_with
from mushcombat.rulebook import build_routers, load_rulebook, load_texts
from mushcombat.service.world import World
from mushcombat.storage.urls import URLS, check_url, without_password

LISTENS = ("server.telnet", "web.listen", "metrics.listen")
"""The keys that name endpoints."""


def check(config: Config, url: str | None) -> None:
    """Check settings, rules tables, texts, help and views as a start of the server would.

    FaultyError lists all that is wrong; MushError tells what is with the `url` that the command
    line names. No port is opened, and nothing is written.
    """
    faults: list[Fault] = []
    loads: Sequence[Callable[[], object]] = (
        lambda: check_settings(config),
        lambda: build_routers(load_rulebook(config), World()),
        lambda: load_texts(config),
    )
    for load in loads:
        try:
            load()
        except FaultyError as problem:
            faults += problem.faults
    if faults:
        raise FaultyError(faults)
    if url is not None:
        check_url(url)


def check_settings(config: Config, *, given: Sequence[str] = ()) -> None:
    """Check what only the world outside can tell of settings: FaultyError lists what is wrong.

    `given` are the keys in whose place the command line says something.
    """
    faults = [
        Fault(config.file, key, shown(found), expected)
        for key, found, expected in (*_endpoints(config, given), *_folders(config, given))
        if key.partition("[")[0] not in given
    ]
    if faults:
        raise FaultyError(faults)


def keys_given(url: str | None, telnet: Sequence[str], web: Sequence[str]) -> list[str]:
    """Name the keys in whose place the command line says something."""
    said = {"database.url": url, "server.telnet": telnet, "web.listen": web}
    return [key for key, value in said.items() if value]


def or_key(said: Sequence[str], key: str, config: Config) -> str:
    """Name the place in the file, where the command line did not say something else."""
    return "" if said else f", or {key} in {config.file}"


def _endpoints(config: Config, given: Sequence[str]) -> Iterator[tuple[str, object, str]]:
    taken: dict[Place, str] = {}
    named = (config.server.telnet, config.web.listen, config.metrics.listen)
    for key, descriptions in zip(LISTENS, named, strict=True):
        if key in given:
            continue
        for at, wrong in enumerate(wrong_with(descriptions, taken, key)):
            if wrong:
                yield f"{key}[{at}]", descriptions[at], f"{WANTED} ({wrong})"
    if not (config.server.telnet or config.web.listen or "web.listen" in given):
        yield "server.telnet", [], f"{WANTED}, here or in web.listen"


def _folders(config: Config, given: Sequence[str]) -> Iterator[tuple[str, object, str]]:
    if not _can_be_a_folder(config.var_folder):
        yield "paths.var", config.paths.var, "a folder, or where one can be made"
    url = config.database.url
    try:
        if "database.url" not in given:
            check_url(url)
    except MushError as problem:
        why = problem.text.rstrip(".")
        yield "database.url", without_password(url), f"{URLS} ({why})"


def _can_be_a_folder(path: Path) -> bool:
    """Tell whether a path is a folder, or what there is of it ends in one."""
    there = next((each for each in (path, *path.parents) if each.exists()), Path())
    return there.is_dir()
