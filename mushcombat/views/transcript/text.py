"""A transcript as plain text.

A line of the server's own begins with two spaces and no more, or with the number of its row. What
players wrote begins with none, and goes on with four: whatever they typed, it can't pass for one
of those.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from textwrap import TextWrapper

from wcwidth import wcswidth, wrap

from mushcombat.domain.text import INDENT, flush_left, looks_like_ours
from mushcombat.domain.transcripts import Source, Wanted
from mushcombat.views.transcript.blocks import Blocks, Line, Sort
from mushcombat.views.transcript.title import title_of

PLAYERS = "    "
"""Where lines go on that players wrote."""

SERVERS = "  "
"""Where lines begin that the server wrote."""

NARROWEST = 20
"""Columns that are left for words however narrow a transcript is asked for."""

_TAG = re.compile(r"\[\w+\] ")


def text_lines(source: Source, wanted: Wanted, blocks: Blocks) -> Iterator[str]:
    """Write a transcript: a paragraph a pose, its results under it; an audit a row a paragraph."""
    yield from _heading(source, wanted)
    if blocks.audit:
        for line in blocks.lines():
            yield ""
            yield from _audited(line, wanted.width)
        return
    for block in blocks:
        yield ""
        if block.pose:
            yield from _posed(block.pose, wanted.width)
        for line in block.under:
            yield from (_posed if line.sort is Sort.OOC else _result)(line, wanted.width)


def _heading(source: Source, wanted: Wanted) -> Iterator[str]:
    title = title_of(source, wanted)
    shown = f"<title> {title.title}" if looks_like_ours(title.title) else title.title
    yield from wrapped(shown, wanted.width, PLAYERS)
    yield "=" * min(max(wcswidth(shown), 1), wanted.width or 78)
    for name, value in title.facts:
        yield from wrapped(f"{name}: {value}", wanted.width, PLAYERS)
    for name, value in (("Warning", title.warning), ("Summary", title.summary)):
        if value:
            yield from _paragraph(f"{name}: {value}", wanted.width)


def _posed(line: Line, width: int) -> Iterator[str]:
    return _paragraph(flush_left(line.text), width)


def _paragraph(text: str, width: int) -> Iterator[str]:
    """Write words of a player: the first line at the margin, all others where theirs go on."""
    first, *rest = text.split("\n")
    yield from wrapped(first, width, PLAYERS)
    for line in rest:
        yield from wrapped(PLAYERS + line.removeprefix(INDENT), width, PLAYERS)


def _result(line: Line, width: int) -> Iterator[str]:
    """Write a line of the server's; it goes on behind its tag."""
    tag = _TAG.match(line.text)
    hang = max(len(SERVERS + tag[0]) if tag else 0, len(PLAYERS))
    first, *rest = line.text.lstrip(" ").split("\n")
    yield from wrapped(SERVERS + first, width, " " * hang)
    for more in rest:
        yield from wrapped(" " * hang + more.strip(" "), width, " " * hang)


def _audited(line: Line, width: int) -> Iterator[str]:
    fact = line.fact
    note = f" ({line.note})" if line.note else ""
    at = f"{fact.at:%Y-%m-%d %H:%M:%S} UTC"
    return _paragraph(f"#{fact.seq} {at} {line.by}{note}: {line.text}", width)


def wrapped(line: str, width: int, indent: str) -> Iterable[str]:
    """Wrap one line at so many columns (0: not at all); what goes on is indented."""
    if not width:
        return [line.rstrip(" ")]
    columns = max(width, len(indent) + NARROWEST)
    if len(line) <= columns and line.isascii():
        return [line.rstrip(" ")]
    if line.isascii():
        fold = TextWrapper(
            columns,
            subsequent_indent=indent,
            break_on_hyphens=False,
            expand_tabs=False,
            replace_whitespace=False,
        ).wrap
        return fold(line) or [""]
    return wrap(
        line,
        columns,
        control_codes="ignore",
        subsequent_indent=indent,
        break_on_hyphens=False,
        expand_tabs=False,
        replace_whitespace=False,
    ) or [""]
