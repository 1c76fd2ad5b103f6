"""What the codec finds in a peer's bytes."""

from __future__ import annotations

from typing import TypeAlias

from mushcombat.records import record


@record(frozen=True, slots=True)
class Line:
    """One complete line without its ending; bytes as sent, but without NUL, FF not doubled."""

    raw: bytes


@record(frozen=True, slots=True)
class LineTooLong:
    """A line passed the longest length; nothing of it is given. One token for each such line."""


@record(frozen=True, slots=True)
class OptionChanged:
    """An option has come to rest in a new state by what the peer said.

    `local` True: we perform it (the peer said DO or DONT); False: the peer does (WILL or WONT).
    `on` False also tells that the peer refused what we had asked for.
    """

    option: int
    local: bool
    on: bool


@record(frozen=True, slots=True)
class Subnegotiation:
    """What the peer said between IAC SB `option` and IAC SE; FF is not doubled any more."""

    option: int
    payload: bytes


@record(frozen=True, slots=True)
class Command:
    """A telnet command of one byte, `codes.SIMPLE_COMMANDS`: AYT wants an answer, others none."""

    code: int


Token: TypeAlias = Line | LineTooLong | OptionChanged | Subnegotiation | Command
