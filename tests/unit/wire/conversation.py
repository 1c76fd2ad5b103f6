"""Conversations of clients with us, as they are kept in files.

A line is a step: `C:` what the client sends, `S:` all that we have sent since the last such line
(nothing, if a C has none after it), `ask` and `shown` a password prompt and its end, `quiet` a
while without a word. Bytes stand in angle brackets, in hex; other characters are themselves.
`knows` is followed by what is known of the terminal in the end, where it differs from nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from pathlib import Path

from mushcombat.wire import codes
from mushcombat.wire.terminal import Colours, Terminal
from tests.unit.wire.peers import Server

FOLDER = Path(__file__).parent / "conversations"
_TELNET = re.compile(rb"\xff\xfa.*?\xff\xf0|\xff[\xfb-\xfe].|\xff.", re.DOTALL)
_HEX = re.compile(rb"<([0-9A-F ]+)>")


@dataclass
class Conversation:
    """The steps of one client, and what is known of it in the end."""

    name: str
    steps: list[tuple[str, bytes]] = field(default_factory=list)
    terminal: Terminal = field(default_factory=Terminal)

    @property
    def said(self) -> bytes:
        """All that the client sends."""
        return b"".join(data for step, data in self.steps if step == "C")

    @property
    def telnet(self) -> bytes:
        """What of it is telnet."""
        return b"".join(_TELNET.findall(self.said))

    @property
    def lines(self) -> list[bytes]:
        """The lines among it: all that is no telnet and ends a line."""
        text = _TELNET.sub(b"", self.said)
        return text.replace(b"\0", b"").replace(b"\r", b"").split(b"\n")[:-1]


def bytes_of(text: str) -> bytes:
    """Read the notation."""
    return _HEX.sub(lambda found: bytes.fromhex(found[1].decode()), text.encode())


def read(file: Path) -> Conversation:
    """Read one file."""
    said, _, known = file.read_text(encoding="utf-8").partition("\nknows\n")
    made = Conversation(file.stem)
    for line in said.splitlines():
        step, _, data = line.partition(": ")
        if line and not line.startswith("#"):
            assert step in {"C", "S", "ask", "shown", "quiet"}, line
            made.steps.append((step, bytes_of(data)))
    made.terminal.telnet = b"\xff" in made.said
    for line in known.splitlines():
        name, _, value = line.partition(": ")
        _know(made.terminal, name, value)
    return made


def _know(terminal: Terminal, name: str, value: str) -> None:
    assert name in {each.name for each in fields(Terminal)}, name
    known: object = {"yes": True}.get(value, int(value) if value.isdecimal() else value)
    setattr(terminal, name, Colours[value] if name == "colours" else known)


def all_of_them() -> list[Conversation]:
    """Read every file."""
    return [read(file) for file in sorted(FOLDER.glob("*.txt"))]


def perform(server: Server, step: str, data: bytes) -> bytes:
    """Do one step; gives what we send."""
    match step:
        case "C":
            return server.hear(data)
        case "ask":
            server.codec.enable_local(codes.ECHO)
            return server.codec.output() + server.prompt()
        case "shown":
            server.codec.disable_local(codes.ECHO)
            return server.codec.output()
        case _:
            return server.quiet()
