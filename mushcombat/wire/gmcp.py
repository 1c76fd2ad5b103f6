"""GMCP without I/O: `Package.Sub[ SP json]` in and out, and which packages a client asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Final

from mushcombat.records import record
from mushcombat.wire.ttype import name_of

MOST_BYTES: Final = 16_384
"""Longest payload that is looked at; telnet's codec lets no longer one through either."""

MOST_DEPTH: Final = 16
"""How deep arrays and objects may stand in each other in what we read."""

MOST_MODULES: Final = 128
"""Modules that one client may list; Mudlet lists about ten."""

_SET, _ADD, _REMOVE = "core.supports.set", "core.supports.add", "core.supports.remove"
_HELLO: Final = b"core.hello"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*")
_LONGEST_NAME = 64
_BRACKETS = re.compile(r"[\[\]{}]")


@record(frozen=True, slots=True)
class Message:
    """One message; `data` is what its JSON holds, `bare` tells that it had none."""

    package: str
    data: Any = None
    bare: bool = False

    @property
    def name(self) -> str:
        """The package's name for comparing: case does not count in it."""
        return self.package.casefold()


def parse(payload: bytes) -> Message | None:
    """Read a message; None for anything that is none, whatever it is.

    That is: no UTF-8, a NUL, no name, bad JSON, NaN or an infinity, more than `MOST_BYTES`, or
    deeper than `MOST_DEPTH`.
    """
    if len(payload) > MOST_BYTES or b"\0" in payload:
        return None
    try:
        name, blank, body = payload.decode("utf-8").partition(" ")
    except UnicodeDecodeError:
        return None
    if len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
        return None
    body = body.strip() if blank else ""
    return _read(name, body) if body else Message(name, bare=True)


def _read(name: str, body: str) -> Message | None:
    if _depth(body) > MOST_DEPTH:
        return None
    try:
        return Message(name, json.loads(body, parse_constant=_no_number))
    except (ValueError, RecursionError):
        return None


def client_in(payload: bytes) -> str:
    """Give the name that a client gives itself in a `Core.Hello`; "" in any other message.

    Case does not count in the key: Blightmud writes it "Client".
    """
    if payload[: len(_HELLO)].lower() != _HELLO:
        return ""
    message = parse(payload)
    if message is None or message.name != _HELLO.decode() or not isinstance(message.data, dict):
        return ""
    for key, value in message.data.items():
        if key.casefold() == "client" and isinstance(value, str):
            return name_of(value.encode(errors="replace"))
    return ""


def _depth(body: str) -> int:
    """Count how deep brackets stand in each other; those in strings count too, which is enough."""
    deepest = depth = 0
    for found in _BRACKETS.finditer(body):
        depth += 1 if found[0] in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def encode(package: str, data: Any = None) -> bytes:
    """Write a message; `data` None is a bare one.

    The bytes are UTF-8 without FF and without NUL (JSON escapes that one), which some clients
    trip over. ValueError for what is not JSON: NaN, say.
    """
    if data is None:
        return package.encode("ascii")
    body = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return f"{package} {body}".encode("utf-8", errors="replace")


class Supports:
    """The modules that a client listed, by `Core.Supports.Set`, `Add` and `Remove`.

    An entry is `Char 1`: a name and a version, which nobody uses. It stands for the package of
    that name and all below it: `Char 1` for Char.Vitals, too.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        """Take modules' names, in small letters."""
        self._names = set(names)
        self._known: dict[str, bool] = {}  # what was asked for; we send a dozen packages

    def __bool__(self) -> bool:
        return bool(self._names)

    def has(self, package: str) -> bool:
        """Tell whether the client wants a package."""
        if package not in self._known:
            parts = package.casefold().split(".")
            above = (".".join(parts[:end]) for end in range(1, len(parts) + 1))
            self._known[package] = not self._names.isdisjoint(above)
        return self._known[package]

    def change(self, message: str, entries: Any) -> Supports | None:
        """Take in the list of a message; gives what it alone asks for, be it listed before or not.

        None if it was none of those three; nothing is what `Remove` asks for.
        """
        if message not in {_SET, _ADD, _REMOVE} or not isinstance(entries, list):
            return None
        names = set(_names(entries))
        self._known.clear()
        if message == _REMOVE:
            self._names -= names
            return Supports()
        kept = self._names if message == _ADD else set()
        self._names = set(sorted(kept | names)[:MOST_MODULES])
        return Supports(names)


def _names(entries: Iterable[Any]) -> Iterable[str]:
    for entry in entries:
        name = entry.split(" ")[0] if isinstance(entry, str) else ""
        if len(name) <= _LONGEST_NAME and _NAME.fullmatch(name):
            yield name.casefold()
