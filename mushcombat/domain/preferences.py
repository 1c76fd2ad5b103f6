"""How a player wants to be shown things, and how what they type for it is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from mushcombat.domain.numbers import parse_whole
from mushcombat.domain.screen import NARROWEST, WIDEST
from mushcombat.domain.text import clip, listing
from mushcombat.errors import MushError
from mushcombat.records import record

AUTO = "auto"
"""Typed for any of them: what the client tells decides again."""

_SWITCH = {"on": "on", "yes": "on", "1": "on", "off": "off", "no": "off", "0": "off"}
_COLOURS = {
    **_SWITCH,
    "1": "on",
    "none": "off",
    "16": "16",
    "ansi": "16",
    "256": "256",
    "xterm256": "256",
    "true": "true",
    "truecolor": "true",
    "truecolour": "true",
    "24bit": "true",
}
_ENCODINGS = {
    "utf-8": "utf-8",
    "utf8": "utf-8",
    "unicode": "utf-8",
    "latin-1": "latin-1",
    "latin1": "latin-1",
    "iso-8859-1": "latin-1",
    "ascii": "ascii",
    "us-ascii": "ascii",
}


@record(frozen=True, slots=True)
class Preferences:
    """What a player set; None is what they left to the client.

    `colour` is on, off, 16, 256 or true; `width` the columns of their screen, 0 for no wrapping.
    `prompt`: whether the end of a prompt is marked for the client.
    """

    colour: str | None = None
    width: int | None = None
    encoding: str | None = None
    screenreader: bool | None = None
    brief: bool | None = None
    keepalive: bool | None = None
    nospoof: bool | None = None
    prompt: bool | None = None

    @classmethod
    def of(cls, stored: Mapping[str, str]) -> Preferences:
        """Read what is stored; what another version of the program stored is left out."""
        found: dict[str, Any] = {}
        for field in fields(cls):
            value = stored.get(field.name)
            if value is not None:
                found[field.name] = _meaning(field.name, value)
        return cls(**found)


NONE_SET = Preferences()
"""All is left to the client."""

NAMES: tuple[str, ...] = tuple(field.name for field in fields(Preferences))

_ALSO = {
    "color": "colour",
    "colours": "colour",
    "colors": "colour",
    "ansi": "colour",
    "columns": "width",
    "wrap": "width",
    "charset": "encoding",
    "reader": "screenreader",
    "screen_reader": "screenreader",
    "screen-reader": "screenreader",
    "terse": "brief",
    "prompts": "prompt",
}


def preference(typed: str) -> str | None:
    """Give the preference of a name or of another one that is usual; None if it is none."""
    word = typed.casefold()
    found = _ALSO.get(word, word)
    return found if found in NAMES else None


def read_preference(name: str, typed: str) -> str | None:
    """Read a value as it is stored; None for "auto". MushError says what it takes."""
    value = typed.strip().casefold()
    if value == AUTO:
        return None
    return _READ.get(name, _switch)(name, value)


def _switch(name: str, value: str) -> str:
    return _one_of(name, value, _SWITCH, ("on", "off", AUTO))


def _colour(name: str, value: str) -> str:
    return _one_of(name, value, _COLOURS, ("on", "off", "16", "256", "true", AUTO))


def _encoding(name: str, value: str) -> str:
    return _one_of(name, value, _ENCODINGS, ("utf-8", "latin-1", "ascii", AUTO))


def _one_of(name: str, value: str, known: Mapping[str, str], names: tuple[str, ...]) -> str:
    found = known.get(value)
    if found is None:
        hint = f"@set {name}={listing([*names], 'or')}"
        raise MushError("set", f'{name}: "{clip(value)}" is not one.', hint)
    return found


def _width(name: str, value: str) -> str:
    columns = 0 if value in {"off", "none"} else parse_whole(value, name, 0, WIDEST)
    if 0 < columns < NARROWEST:
        hint = f"@set width={NARROWEST} to {WIDEST}, or 0 for no wrapping"
        raise MushError("set", f"width: {columns} columns are too few.", hint)
    return str(columns)


_READ: Mapping[str, Callable[[str, str], str]] = {
    "colour": _colour,
    "width": _width,
    "encoding": _encoding,
}


def _meaning(name: str, stored: str) -> str | int | bool | None:
    """Give the value that a stored text stands for; None for one that is not known."""
    try:
        value = read_preference(name, stored)
    except MushError:
        return None
    if value is None or name in {"colour", "encoding"}:
        return value
    return int(value) if name == "width" else value == "on"
