"""A server's end of a link without a network, and what clients say to it."""

from __future__ import annotations

from mushcombat.wire import codes
from mushcombat.wire.charset import decode
from mushcombat.wire.negotiation import Negotiation, codec
from mushcombat.wire.telnet import Line, Telnet, subnegotiation
from mushcombat.wire.terminal import Terminal

STATUS = [("NAME", "A game"), ("PLAYERS", "3"), ("GAMEPLAY", "One"), ("GAMEPLAY", "Two")]


def will(option: int) -> bytes:
    return bytes((codes.IAC, codes.WILL, option))


def wont(option: int) -> bytes:
    return bytes((codes.IAC, codes.WONT, option))


def do(option: int) -> bytes:
    return bytes((codes.IAC, codes.DO, option))


def dont(option: int) -> bytes:
    return bytes((codes.IAC, codes.DONT, option))


def sub(option: int, payload: bytes) -> bytes:
    return subnegotiation(option, payload)


def type_is(name: bytes) -> bytes:
    return sub(codes.TTYPE, b"\0" + name)


SEND_TYPE = sub(codes.TTYPE, b"\x01")
REQUEST = sub(codes.CHARSET, b"\x01;UTF-8;ISO-8859-1;US-ASCII")


class Server:
    """Takes a client's bytes; gives what is said to it, and keeps the lines."""

    def __init__(self) -> None:
        self.codec: Telnet = codec()
        self.negotiation = Negotiation(self.codec, lambda: STATUS)
        self.lines: list[bytes] = []
        self.changes = 0
        self.negotiation.begin()
        self.begun = self.codec.output()

    @property
    def terminal(self) -> Terminal:
        return self.negotiation.terminal

    def hear(self, data: bytes) -> bytes:
        """Take bytes; give the answer."""
        for token in self.codec.each(data):
            self.changes += self.negotiation.take(token)
            if isinstance(token, Line):
                self.lines.append(token.raw)
                if not decode(token.raw, self.terminal.charset)[1]:
                    self.terminal.latin_1 = True  # as a session does
        self.changes += self.negotiation.note_telnet()
        return self.codec.output()

    def quiet(self) -> bytes:
        self.negotiation.quiet()
        return self.codec.output()

    def prompt(self) -> bytes:
        self.negotiation.prompt()
        return self.codec.output()
