"""What a list of games is told of this one (MSSP)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.metadata import version

from mushcombat.net.game import Game


def status(game: Game) -> Iterator[tuple[str, str]]:
    """Give names and values of MSSP; what the configuration leaves open is left out.

    PLAYERS is the number that WHO tells anyone. UPTIME is when the server started, in seconds
    since 1970, as MSSP wants it.
    """
    yield "NAME", game.config.server.name
    yield "PLAYERS", str(len(game.world.everyone()))
    yield "UPTIME", str(int(game.started.timestamp()))
    yield "CODEBASE", f"mushcombat {_version()}"
    yield "FAMILY", "Custom"
    for name in ("CHARSET", "UTF-8", "ANSI", "GMCP"):
        yield name, "UTF-8" if name == "CHARSET" else "1"
    yield from _configured(game)


@cache
def _version() -> str:
    return version("mushcombat")


def _configured(game: Game) -> Iterator[tuple[str, str]]:
    """Give what config/server.toml says, keys in capitals with spaces as MSSP writes them."""
    for key, value in game.config.mssp:
        for each in value if isinstance(value, list) else [value]:
            if each:
                yield key.replace("_", " ").upper(), str(each)
