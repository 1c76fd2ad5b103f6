"""Working out what kind of screen a connection is: what its player set, else what it told."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mushcombat.domain.preferences import Preferences
from mushcombat.domain.screen import NARROWEST, TRUE_COLOURS, WIDEST, Kind
from mushcombat.wire.terminal import Terminal

SET = "you set it"
TOLD = "your client says so"
NOT_TOLD = "your client does not tell"
USUAL = "as usual"

_USUALLY_ON = frozenset({"keepalive", "prompt"})
_COLOURS = {"off": 0, "16": 16, "256": 256, "true": TRUE_COLOURS}


def kind_of(terminal: Terminal, wanted: Preferences) -> Kind:
    """Give the kind."""
    reader = screen_reader(terminal, wanted)[0]
    columns = width(terminal, wanted)[0]
    return Kind(
        encoding(terminal, wanted)[0],
        colours(terminal, wanted)[0],
        # Clients tell their wrap column, or a window with a bar in it: the last one stays free.
        columns - 1 if columns else 0,
        reader,
        bool(wanted.brief),
    )


def encoding(terminal: Terminal, wanted: Preferences) -> tuple[str, str]:
    """Give the encoding and why: what both agreed on, else what the client's lines are in."""
    if wanted.encoding:
        return wanted.encoding, SET
    why = USUAL
    if terminal.charset or terminal.utf8:
        why = TOLD
    elif terminal.latin_1:
        why = "so your client types"
    elif terminal.seven_bit:
        why = "your client loses other characters"
    return terminal.encoding, why


def colours(terminal: Terminal, wanted: Preferences) -> tuple[int, str]:
    """Give how many colours and why; a client that spoke telnet and did not tell shows 16."""
    if wanted.colour in _COLOURS:
        return _COLOURS[wanted.colour], SET
    told = terminal.colours
    if wanted.colour == "on":
        return max(16, int(told or 0)), SET
    if screen_reader(terminal, wanted)[0]:
        return 0, "a screen reader has no use for them"
    if told is not None:
        return int(told), TOLD
    return (16, NOT_TOLD) if terminal.telnet else (0, "your client speaks no telnet")


def width(terminal: Terminal, wanted: Preferences) -> tuple[int, str]:
    """Give the columns of the screen and why; 0: lines are never wrapped."""
    if wanted.width is not None:
        return wanted.width, SET
    if screen_reader(terminal, wanted)[0]:
        return 0, "a screen reader takes lines whole"
    if not terminal.columns:
        return 0, NOT_TOLD
    return max(NARROWEST, min(WIDEST, terminal.columns)), TOLD


def screen_reader(terminal: Terminal, wanted: Preferences) -> tuple[bool, str]:
    """Tell whether what is shown is read aloud, and why."""
    if wanted.screenreader is not None:
        return wanted.screenreader, SET
    return terminal.screen_reader, TOLD if terminal.screen_reader else NOT_TOLD


def effects(terminal: Terminal, wanted: Preferences) -> Mapping[str, str]:
    """Write what is in effect, and why, by preference."""
    return {
        "colour": _because(colours(terminal, wanted), _many),
        "width": _because(width(terminal, wanted), _columns),
        "encoding": _because(encoding(terminal, wanted), str),
        "screenreader": _because(screen_reader(terminal, wanted), _on),
        "brief": _switch(wanted, "brief"),
        "keepalive": _switch(wanted, "keepalive"),
        "nospoof": _switch(wanted, "nospoof"),
        "prompt": _switch(wanted, "prompt"),
    }


def _because(found: tuple[object, str], write: Callable[[object], str]) -> str:
    value, why = found
    return f"{write(value)} ({why})"


def _switch(wanted: Preferences, name: str) -> str:
    value = getattr(wanted, name)
    if value is None:
        return f"{_on(name in _USUALLY_ON)} ({USUAL})"
    return f"{_on(value)} ({SET})"


def _on(value: object) -> str:
    return "on" if value else "off"


def _many(value: object) -> str:
    return {0: "off", TRUE_COLOURS: "true"}.get(int(str(value)), str(value))


def _columns(value: object) -> str:
    return f"{value} columns" if value else "0, lines are never wrapped"
