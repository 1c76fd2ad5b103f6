"""@set: how somebody is shown things. `net` runs it, this file is its row and its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from mushcombat.domain.command import Access, Call, Lane, Outcome, Verb, session_only
from mushcombat.domain.ports import Writes
from mushcombat.domain.preferences import NAMES, preference, read_preference
from mushcombat.domain.text import clip, listing
from mushcombat.errors import MushError
from mushcombat.records import record

USAGE = "@set <preference>=<value>"
_SWITCHES = frozenset({"screenreader", "brief", "keepalive", "nospoof", "prompt"})
_WORDS = re.compile(r"\s*([^\s=]+)\s*[=\s]?\s*(.*)", re.DOTALL)
_FLAG = re.compile(r"\s*me\s*=\s*(!?)\s*(.+)", re.IGNORECASE | re.DOTALL)


@record(frozen=True, slots=True)
class Wish:
    """What somebody wants: a value as it is stored, None for what their client says.

    `name` '' asks for the list; `asks` for one of it.
    """

    name: str = ""
    value: str | None = None
    asks: bool = True


def read_wish(text: str, usage: str = USAGE) -> Wish:
    """Read `colour 256`, `width=0`, `me=NOSPOOF`, `me=!NOSPOOF`, `colour`, or nothing."""
    if not text.strip():
        return Wish()
    flag = _FLAG.fullmatch(text)
    found = _WORDS.fullmatch(flag[2] if flag else text)
    typed, value = (found[1], found[2].strip()) if found else (text, "")
    name = preference(typed)
    if name is None:
        hint = f"There are {listing([*NAMES])}. Usage: {usage}"
        raise MushError("set", f'preference: "{clip(typed)}" is none.', hint)
    if flag and not value:
        value = "off" if flag[1] else "on"
    return wish(name, value) if value else Wish(name)


def wish(name: str, value: str) -> Wish:
    """Read the value of a preference; MushError says what it takes."""
    return Wish(name, read_preference(name, value), asks=False)


def login_wish(line: str) -> Wish | None:
    """Read a line of the login screen: `set width 0`, or `width 0`, `screenreader` alone.

    None is another line. There, the bare name of a switch turns it on; any other asks how it is.
    """
    found = _WORDS.fullmatch(line)
    word, rest = (found[1].casefold(), found[2].strip()) if found else ("", "")
    if word in {"set", "@set"}:
        return read_wish(rest, "set <preference> <value>")
    name = preference(word)
    if name is None:
        return None
    value = rest or ("on" if name in _SWITCHES else "")
    return wish(name, value) if value else Wish(name)


def nospoof(call: Call) -> Wish:
    """Read `@nospoof[ on|off]`; nothing asks how it is."""
    return wish("nospoof", call.text) if call.text else Wish("nospoof")


def keep(account: int, wishes: Mapping[str, str | None]) -> Callable[[Writes], Outcome]:
    """Make the job that stores what somebody set."""

    def run(store: Writes) -> Outcome:
        for name, value in wishes.items():
            store.set_preference(account, name, value)
        return Outcome()

    return run


def _called(call: Call) -> Wish:
    return read_wish(call.text)


PREFERENCE_VERBS = (
    Verb(
        "@set",
        "@set[ <preference>[=<value>]]",
        Access.GUEST,
        Lane.SESSION,
        _called,
        session_only,
        aliases=("set",),
    ),
    Verb("@nospoof", "@nospoof[ on|off]", Access.GUEST, Lane.SESSION, nospoof, session_only),
)
