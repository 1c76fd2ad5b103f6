"""What a server says of telnet's options, and what it learns of the client; no I/O.

Nothing waits for an answer: the login screen is shown and lines are taken whatever the client
says, or if it says nothing at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from typing import Final

from mushcombat.wire import codes, environ, gmcp, mssp, naws
from mushcombat.wire.charset import Charset
from mushcombat.wire.telnet import Line, OptionChanged, Subnegotiation, Telnet, Token
from mushcombat.wire.terminal import UTF_8, Terminal
from mushcombat.wire.ttype import Rounds, is_mud_client

Status = Iterable[tuple[str, str]]

LOCAL: Final = frozenset(
    {codes.BINARY, codes.ECHO, codes.EOR, codes.CHARSET, codes.MSSP, codes.GMCP}
)
"""What we perform if the client asks for it."""

REMOTE: Final = frozenset({codes.BINARY, codes.TTYPE, codes.NAWS, codes.NEW_ENVIRON, codes.CHARSET})
"""What the client may perform if it offers."""

PASSED_OVER: Final = frozenset({codes.GMCP})
"""Blightmud offers GMCP itself besides agreeing to ours; it has one direction only."""

GA_ONLY: Final = frozenset({"blightmud", "potato"})
"""Clients that know a prompt by GA alone. Others show an empty line for a GA."""


def codec() -> Telnet:
    """Make a codec with the options of a server."""
    return Telnet(local=LOCAL, remote=REMOTE, passed_over=PASSED_OVER)


class Negotiation:
    """Negotiates on one link by its codec, which the bytes of the link go through.

    Give it the codec's tokens with `take`, and send the codec's output after each call.
    """

    def __init__(self, codec: Telnet, status: Callable[[], Status]) -> None:
        """Tell `status` (names and values of MSSP) to who asks for it, once."""
        self.terminal = Terminal()
        self._codec = codec
        self._status = status
        self._types = Rounds()
        self._charset = Charset()
        self._told_status = False
        self._asked_variables = False
        self._question = environ.QUESTION
        self._asked_back = False

    def begin(self) -> None:
        """Ask and offer what is worth it, in 18 bytes.

        No SGA and no ECHO: those two together make Mudlet warn, and a mask that stays on hides
        all that is typed.
        """
        for option in (codes.TTYPE, codes.NAWS):
            self._codec.enable_remote(option)
        for option in (codes.CHARSET, codes.MSSP, codes.GMCP, codes.EOR):
            self._codec.enable_local(option)

    def quiet(self) -> None:
        """Ask for CHARSET the other way round, some time after `begin` without an answer.

        Not where no telnet was spoken: three more odd bytes are all that netcat would see.
        """
        self._charset.give_up()
        if self._codec.spoke and not self._codec.local_on(codes.CHARSET):
            self._ask_back()

    def take(self, token: Token) -> bool:
        """Take a token of any kind; tell whether more is known of the terminal by it."""
        if isinstance(token, Line):
            return False
        before = copy(self.terminal)
        if isinstance(token, OptionChanged):
            self._option(token)
        elif isinstance(token, Subnegotiation):
            self._said(token.option, token.payload)
        return self.terminal != before

    def note_telnet(self) -> bool:
        """Note, after a packet, whether telnet was ever spoken; tell whether that is news."""
        news = self._codec.spoke and not self.terminal.telnet
        self.terminal.telnet = self._codec.spoke
        return news

    def prompt(self) -> None:
        """Mark the end of a prompt that no line end follows, where the client wants that."""
        if self.terminal.marks_prompts:
            self._codec.mark(codes.EOR_MARK)
        elif self.terminal.client.casefold().partition(" ")[0] in GA_ONLY:
            self._codec.mark(codes.GA)

    def _option(self, changed: OptionChanged) -> None:
        match (changed.option, changed.local, changed.on):
            case (codes.TTYPE, False, True):
                self._say(codes.TTYPE, self._types.ask())
            case (codes.CHARSET, _, True):
                self._say(codes.CHARSET, self._charset.request())
            case (codes.CHARSET, True, False):
                self._ask_back()
            case (codes.NEW_ENVIRON, False, True):
                self._send_question()
            case (codes.MSSP, True, True):
                self._tell_status()
            case (codes.EOR, True, on):
                self.terminal.marks_prompts = on
            case (codes.GMCP, True, on):
                self.terminal.gmcp = on
            case _:
                pass

    def _said(self, option: int, payload: bytes) -> None:
        match option:
            case codes.TTYPE:
                self._type(payload)
            case codes.CHARSET:
                self._characters(payload)
            case codes.NAWS:
                self._window(payload)
            case codes.NEW_ENVIRON:
                environ.take(payload, self.terminal)
            case codes.GMCP if not self.terminal.client:
                self.terminal.client = gmcp.client_in(payload)
            case _:
                pass

    def _say(self, option: int, payload: bytes) -> None:
        if payload:
            self._codec.subnegotiate(option, payload)

    def _type(self, payload: bytes) -> None:
        self._say(codes.TTYPE, self._types.hear(payload, self.terminal))
        if self._types.mtts or is_mud_client(self.terminal.client):
            self._ask_for_variables()

    def _window(self, payload: bytes) -> None:
        size = naws.window(payload)
        if size is not None:
            self.terminal.columns, self.terminal.rows = size

    def _characters(self, payload: bytes) -> None:
        answer, agreed = self._charset.hear(payload)
        self._say(codes.CHARSET, answer)
        if not agreed or agreed == self.terminal.charset:
            return
        self._codec.drop_half_character()
        self.terminal.charset = agreed
        if agreed == UTF_8:
            self._utf8()

    def _utf8(self) -> None:
        """Ask for MTTS again if it came before: Mudlet has its UTF-8 bit only from now on."""
        if self._types.mtts and not self.terminal.utf8:
            self._say(codes.TTYPE, self._types.again())
        self.terminal.utf8 = True

    def _ask_back(self) -> None:
        if not self._asked_back:
            self._asked_back = True
            self._codec.enable_remote(codes.CHARSET)

    def _ask_for_variables(self) -> None:
        """Ask only clients made for games: others have crashed on the question that follows."""
        if not self._asked_variables:
            self._asked_variables = True
            self._codec.enable_remote(codes.NEW_ENVIRON)
            self._send_question()

    def _send_question(self) -> None:
        """Name the variables, once, as soon as the client is known and agrees to tell them."""
        if self._codec.remote_on(codes.NEW_ENVIRON) and self._asked_variables:
            self._say(codes.NEW_ENVIRON, self._question)
            self._question = b""

    def _tell_status(self) -> None:
        if not self._told_status:
            self._told_status = True
            self._codec.subnegotiate(codes.MSSP, mssp.payload(self._status()))
