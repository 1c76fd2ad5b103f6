"""Lines out of a stream of text bytes, however they end and however they are cut up."""

from __future__ import annotations

import re

from mushcombat.wire.tokens import Line, LineTooLong, Token

# CR LF, CR NUL, lone CR, LF CR, lone LF (RFC 854 p. 11 knows the first two; clients send all).
_ENDING = re.compile(rb"(\r[\n\0]?|\n\r?)")
_HALF_CHARACTER = re.compile(
    rb"(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})\Z"
)
_SECOND_HALF = {b"\r": b"\n\0", b"\n": b"\r"}


class LineBuffer:
    """Collects text bytes and gives complete lines; the same ones for any cut of the bytes.

    A line is given with the first byte of its ending, so a lone CR never waits for the next
    byte; if that byte then is the other half of the ending, it is swallowed.
    """

    def __init__(self, max_line: int) -> None:
        """Take lines of at most `max_line` bytes, not counting the ending and NULs."""
        self._max = max_line
        self._partial = bytearray()
        self._dropping = False  # inside a line whose LineTooLong has been given
        self._swallow = b""  # bytes that would be the second half of the last ending

    def feed(self, data: bytes, into: list[Token]) -> None:
        """Take text bytes, without telnet commands; append the lines that they end to `into`."""
        if self._swallow and data:
            if data[0] in self._swallow:
                data = data[1:]
            self._swallow = b""
        end = len(data) - 2
        whole = not (self._partial or self._dropping)
        if whole and data.find(b"\r") == end >= 0 and data.find(b"\n") == end + 1:
            text = data[:end].replace(b"\0", b"")  # one line: nearly every packet
            into.append(Line(text) if len(text) <= self._max else LineTooLong())
            return
        pieces = _ENDING.split(data)
        if len(pieces) > 1 and not pieces[-1]:
            self._swallow = _SECOND_HALF.get(pieces[-2], b"")
        texts = pieces[::2]
        if b"\0" in data:
            texts = [text.replace(b"\0", b"") for text in texts]
        tail = texts.pop()
        if texts:
            self._end_lines(texts, into)
        self._keep(tail, into)

    def drop_half_character(self) -> None:
        """Forget the beginning of a UTF-8 character at the end of the line so far.

        For a change of character sets in mid-line: the other half would be read as another one.
        """
        found = _HALF_CHARACTER.search(self._partial)
        if found:
            del self._partial[found.start() :]

    def _end_lines(self, texts: list[bytes], into: list[Token]) -> None:
        """Give complete lines; the first of them began with what is kept."""
        if self._dropping:
            del texts[0]
            self._dropping = False
        elif self._partial:
            texts[0] = bytes(self._partial) + texts[0]
            self._partial.clear()
        longest = self._max
        into.extend([Line(text) if len(text) <= longest else LineTooLong() for text in texts])

    def _keep(self, text: bytes, into: list[Token]) -> None:
        """Keep the start of a line until its ending comes, or drop it if it is too long."""
        if self._dropping:
            return
        self._partial += text
        if len(self._partial) > self._max:
            self._partial.clear()
            self._dropping = True
            into.append(LineTooLong())
