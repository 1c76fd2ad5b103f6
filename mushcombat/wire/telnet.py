"""Telnet without I/O: bytes in, tokens out, and the bytes to send handed back (RFC 854, 855)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from mushcombat.wire import codes
from mushcombat.wire.lines import LineBuffer
from mushcombat.wire.options import Side
from mushcombat.wire.tokens import (
    Command,
    Line,
    LineTooLong,
    OptionChanged,
    Subnegotiation,
    Token,
)

__all__ = [
    "Command",
    "Line",
    "LineTooLong",
    "OptionChanged",
    "Subnegotiation",
    "Telnet",
    "Token",
    "escape",
    "newlines",
    "subnegotiation",
]

_IAC: Final = bytes((codes.IAC,))
_LINE_END = re.compile(r"\r[\n\0]?|\n\r?")

# Our WILL and WONT ECHO (the password mask) are not questions: TinTin++ and others never
# answer them, and by RFC 1143 the second password prompt would then wait for ever.
_UNACKNOWLEDGED: Final = frozenset({codes.ECHO})


def escape(data: bytes) -> bytes:
    """Double every FF, as data must be on a telnet link (RFC 854)."""
    return data.replace(_IAC, _IAC + _IAC)


def newlines(text: str) -> str:
    """Make every line end CR LF: CR LF, CR NUL, LF CR, lone CR and lone LF count as one each."""
    return _LINE_END.sub("\r\n", text) if "\r" in text else text.replace("\n", "\r\n")


def subnegotiation(option: int, payload: bytes) -> bytes:
    """Write IAC SB `option` (0 to 254) payload IAC SE, FF in the payload doubled (RFC 855)."""
    head, tail = bytes((codes.IAC, codes.SB, option)), bytes((codes.IAC, codes.SE))
    return head + escape(payload) + tail


def _is_window(sub: bytearray) -> bool:
    """Tell whether a whole NAWS ends with FF: the FF that follows may be half of IAC SE.

    Some clients do not double the FF of a window 255 high (RFC 1073); an SE that comes as data
    then is no data, since a window has four bytes.
    """
    return len(sub) == 5 and sub[0] == codes.NAWS and sub[-1] == codes.IAC


class Telnet:
    """One end of a telnet link; made for a server, but the two ends are alike.

    Give it what arrives with `receive`, and send what `output` gives after each call of a
    method. No bytes raise an exception or end the link, and the tokens do not depend on how
    the bytes are cut into packets. Options are kept by RFC 1143, except our own ECHO: that is
    on or off as soon as we say so, and the peer's DO or DONT for it is swallowed.

    What is owed to the peer is bounded by what it sent: one answer of three bytes at most to a
    negotiation of three, so `output` grows in a `receive` by no more bytes than were given
    (and the two at most that an earlier call left incomplete).
    """

    def __init__(
        self,
        *,
        local: Collection[int] = (),
        remote: Collection[int] = (),
        passed_over: Collection[int] = (),
        max_line: int = 8192,
        max_subnegotiation: int = 16384,
    ) -> None:
        """Agree to perform `local` when the peer says DO, and that it does `remote` on its WILL.

        Other options are refused, once each and direction; but what we ask for ourselves
        (`enable_local`, `enable_remote`) may be any option. The peer's WILL and WONT for those
        `passed_over` have no effect and no answer. `max_line` and `max_subnegotiation` are in
        bytes as unescaped, without ending or option byte.
        """
        self._local = Side(codes.WILL, codes.WONT, local, _UNACKNOWLEDGED)
        self._remote = Side(codes.DO, codes.DONT, remote, passed_over)
        self.spoke = False
        """The peer has sent a telnet command, so it is no netcat."""
        self._lines = LineBuffer(max_line)
        self._max_sub = max_subnegotiation
        self._sub: bytearray | None = None  # option byte and payload, inside SB only
        self._sub_over = False
        self._rest = b""  # the start of an IAC sequence, two bytes at most
        self._output = bytearray()
        self._tokens: list[Token] = []

    def receive(self, data: bytes) -> list[Token]:
        """Take bytes from the peer; give what they complete, in their order."""
        return list(self.each(data))

    def each(self, data: bytes) -> Iterable[Token]:
        """Do the same step by step: what is asked in between holds for the bytes that follow.

        All of it must be taken before the next bytes are given.
        """
        if self._rest or self._sub is not None or _IAC in data:
            return self._step_by_step(data)
        tokens: list[Token] = []
        self._lines.feed(data, tokens)
        return tokens

    def _step_by_step(self, data: bytes) -> Iterator[Token]:
        if self._rest:
            data, self._rest = self._rest + data, b""
        at, end = 0, len(data)
        while at < end:
            iac = data.find(_IAC, at)
            stop = end if iac < 0 else iac
            if stop > at:
                self._data(data[at:stop])
                yield from self._take_tokens()
            at = end if iac < 0 else self._after_iac(data, iac)
            if self._tokens:
                yield from self._take_tokens()

    def _take_tokens(self) -> list[Token]:
        tokens, self._tokens = self._tokens, []
        return tokens

    def output(self) -> bytes:
        """Take the negotiation bytes that wait to be sent; they are not given again."""
        if not self._output:
            return b""
        waiting = bytes(self._output)
        self._output.clear()
        return waiting

    def enable_local(self, option: int) -> None:
        """Offer to perform an option (WILL); nothing if it is on or offered already."""
        self._output += self._local.ask(option, on=True)

    def disable_local(self, option: int) -> None:
        """Stop performing an option (WONT), or take the offer back; nothing if it is off."""
        self._output += self._local.ask(option, on=False)

    def enable_remote(self, option: int) -> None:
        """Ask the peer to perform an option (DO); nothing if it is on or asked for already."""
        self._output += self._remote.ask(option, on=True)

    def disable_remote(self, option: int) -> None:
        """Ask the peer to stop an option (DONT), or drop the wish; nothing if it is off."""
        self._output += self._remote.ask(option, on=False)

    def subnegotiate(self, option: int, payload: bytes) -> None:
        """Say something about an option; whether it is on is for the caller to know."""
        self._output += subnegotiation(option, payload)

    def mark(self, code: int) -> None:
        """Send a command of one byte: EOR or GA after a prompt, NOP to keep a link alive."""
        self._output += bytes((codes.IAC, code))

    def drop_half_character(self) -> None:
        """Forget the half of a UTF-8 character that the line so far ends with."""
        self._lines.drop_half_character()

    def local_on(self, option: int) -> bool:
        """Tell whether we perform the option now."""
        return self._local.is_on(option)

    def remote_on(self, option: int) -> bool:
        """Tell whether the peer performs the option now."""
        return self._remote.is_on(option)

    def _data(self, data: bytes) -> None:
        """Take data bytes, FF not doubled any more, as text or into the subnegotiation."""
        if self._sub is None:
            self._lines.feed(data, self._tokens)
        elif _is_window(self._sub) and data[0] == codes.SE:
            self._end_sub()
            if len(data) > 1:
                self._data(data[1:])
        elif not self._sub_over:
            self._sub += data
            if len(self._sub) > self._max_sub + 1:
                self._sub.clear()
                self._sub_over = True

    def _after_iac(self, data: bytes, iac: int) -> int:
        """Handle the IAC sequence at `iac`, or keep it if it is incomplete; give its end."""
        code = data[iac + 1] if iac + 1 < len(data) else None
        negotiation = code in codes.OPTION_COMMANDS
        size = 3 if negotiation else 2
        if code is None or iac + size > len(data):
            self._rest = data[iac:]
            return len(data)
        if code == codes.IAC:
            self._data(_IAC)
        elif code < codes.EOF:
            self._no_command(data[iac : iac + 2])
        else:
            # Every other command ends a subnegotiation.
            self.spoke = True
            self._end_sub()
            if negotiation:
                self._negotiate(code, data[iac + 2])
            else:
                self._command(code)
        return iac + size

    def _no_command(self, pair: bytes) -> None:
        """Take IAC and a byte that is no command: dropped in text, both data in SB.

        Some clients do not double the FF of a window 255 wide (NAWS, RFC 1073).
        """
        if self._sub is not None:
            self._data(pair)

    def _command(self, code: int) -> None:
        if code == codes.SB:
            self._sub, self._sub_over = bytearray(), False
        elif code in codes.SIMPLE_COMMANDS:
            self._tokens.append(Command(code))

    def _end_sub(self) -> None:
        """End the subnegotiation, if we are in one; its option may be off, or missing.

        That is by IAC SE, or by another command in it, which RFC 855 does not allow: BSD's
        telnetd and libtelnet then also take what there is as complete, and obey the command.
        """
        sub, self._sub = self._sub, None
        if not sub or not (self.local_on(sub[0]) or self.remote_on(sub[0])):
            return
        self._tokens.append(Subnegotiation(sub[0], bytes(sub[1:])))

    def _negotiate(self, code: int, option: int) -> None:
        """Take WILL, WONT, DO or DONT; DO and DONT are about what we perform.

        A timing mark is no state but a question, answered each time (RFC 860): after an
        interrupt, BSD's telnet shows nothing until it hears the answer.
        """
        if (code, option) == (codes.DO, codes.TIMING_MARK):
            self._output += bytes((codes.IAC, codes.WILL, option))
            return
        local = code in (codes.DO, codes.DONT)
        on = code in (codes.WILL, codes.DO)
        answer, settled = (self._local if local else self._remote).hear(option, on=on)
        self._output += answer
        if settled:
            self._tokens.append(OptionChanged(option, local, on=self._on(option, local=local)))

    def _on(self, option: int, *, local: bool) -> bool:
        return self.local_on(option) if local else self.remote_on(option)
