"""The last step of every line: as a kind of screen shows it, in bytes."""

from __future__ import annotations

from wcwidth import width as cells
from wcwidth import wrap

from mushcombat.domain.screen import Kind
from mushcombat.domain.text import INDENT
from mushcombat.views.aloud import aloud
from mushcombat.views.paint import Pieces, Style, painted, reply_pieces
from mushcombat.wire.text import encode, transliterate


def present(pieces: Pieces, kind: Kind) -> bytes:
    """Give the bytes of one or more lines, with the end of the last one."""
    return _bytes("".join([_painted(text, style, kind) for text, style in pieces]), kind)


def unpainted(text: str, kind: Kind) -> bytes:
    """Give the bytes of one or more lines without a colour: most kinds of screen show none."""
    return _bytes(_painted(text, None, kind), kind)


def _bytes(shown: str, kind: Kind) -> bytes:
    return encode(wrapped(shown, kind.width) + "\n", kind.encoding)


def _painted(text: str, style: Style | None, kind: Kind) -> str:
    """Paint a piece; no ESC comes in by the wire, and one in an old log would paint nothing."""
    shown = transliterate(text, kind.encoding).replace("\x1b", "")
    return painted(shown, style, kind.colours) if style and kind.colours else shown


def reply(text: str, kind: Kind, style: Style | None = None) -> bytes:
    """Give the bytes of what the server answers to one connection alone."""
    if kind.reader:
        text = aloud(text)
    whole: Pieces = ((text, style),)
    return present(reply_pieces(text) if kind.colours and style is None else whole, kind)


def wrapped(text: str, columns: int) -> str:
    """Wrap every line at so many cells; 0 wraps none.

    Lines break between words, a long word between grapheme clusters. What goes on is indented
    more than its beginning, so that no words of a player's come to stand where the server's begin.
    """
    if not columns or (len(text) <= columns and text.isascii()):
        return text
    return "\n".join(_line(line, columns) for line in text.split("\n"))


def _line(line: str, columns: int) -> str:
    if cells(line) <= columns:
        return line
    body = line.lstrip(" ")
    indent = " " * min(len(line) - len(body), columns // 4)
    broken = wrap(
        body,
        columns,
        initial_indent=indent,
        subsequent_indent=indent + INDENT,
        break_on_hyphens=False,
    )
    return "\n".join(broken)
