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
    parts = [(transliterate(text, kind.encoding), style) for text, style in pieces]
    # No ESC comes in by the wire; were one in an old log, it would still paint nothing.
    shown = "".join(painted(text.replace("\x1b", ""), style, kind.colours) for text, style in parts)
    return encode(wrapped(shown, kind.width) + "\n", kind.encoding)


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
