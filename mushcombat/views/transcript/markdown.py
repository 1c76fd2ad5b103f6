"""A transcript as Markdown: poses as paragraphs, results quoted in italics under them.

Whatever players typed is literal. Every sign that means something inside a line is escaped
wherever it stands; what means something at the beginning of a line alone is escaped there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mushcombat.domain.text import INDENT
from mushcombat.domain.transcripts import AUDIT, Source, Wanted
from mushcombat.views.transcript.blocks import Blocks, Line, Sort
from mushcombat.views.transcript.title import title_of

_ANYWHERE = re.compile(
    r"[\\`*_{}\[\]<>&~|$^@]"  # emphasis, code, links, HTML, entities, tables, sums, mentions
    r"|=(?==)|(?<==)="  # marked text
    r"|:(?=\S)"  # https://, javascript:, :smile:
    r"|(?<=www)\.",  # what some renderers make a link of
    re.IGNORECASE,
)
_FIRST = re.compile(r"[#+\-=!:%]")
"""Headings, lists, rules, notes: they begin a line."""
_NUMBERED = re.compile(r"(\d+)([.)])")
_SPACE = "&nbsp;"
HARD_BREAK = "\\"
"""At the end of a line: the next one begins where it does."""


def literal(text: str) -> str:
    """Escape one line of anybody's text: it reads as it was typed."""
    words = text.lstrip(" ")
    blanks = _SPACE * (len(text) - len(words))
    words = _ANYWHERE.sub(lambda found: f"\\{found[0]}", words.rstrip(" "))
    if not blanks and _FIRST.match(words):
        return f"\\{words}"
    number = None if blanks else _NUMBERED.match(words)
    return f"{number[1]}\\{words[number.end(1) :]}" if number else blanks + words


def _literals(text: str) -> list[str]:
    """Escape text line by line; players' own lines after the first lose the server's indent."""
    first, *rest = text.split("\n")
    return [literal(line) or _SPACE for line in (first, *(r.removeprefix(INDENT) for r in rest))]


def markdown_lines(source: Source, wanted: Wanted, blocks: Blocks) -> Iterator[str]:
    """Write a transcript."""
    yield from _heading(source, wanted)
    for block in blocks:
        if block.pose:
            yield from _posed(block.pose, audit=blocks.audit)
        quoted = False
        for line in block.under:
            if line.sort is Sort.OOC:
                yield from _posed(line, audit=blocks.audit)
                quoted = False
            elif blocks.audit or line.brief:
                yield from _quoted(line, audit=blocks.audit, first=not quoted)
                quoted = True


def _heading(source: Source, wanted: Wanted) -> Iterator[str]:
    """Write `**Dockside Ambush** (2026-11-30, Dock 7; Ada, Bram, Thug; referee Rhea)`."""
    title = title_of(source, wanted)
    referees = f"referee {literal(', '.join(title.referees))}" if title.referees else ""
    people = literal(", ".join(title.people))
    where = f"{title.date}, {literal(title.place)}"
    parts = "; ".join(part for part in (where, people, referees) if part)
    yield f"**{literal(title.title)}** ({parts})"
    named = {"IC date", "Type"} | (
        {"Scene", "When", "Profile"} if wanted.profile == AUDIT else set()
    )
    facts = [*((n, v) for n, v in title.facts if n in named), ("Warning", title.warning)]
    shown = [f"*{name}:* {literal(value)}" for name, value in facts if value]
    if shown:
        yield ""
        yield from _broken(shown)
    if title.summary:
        yield ""
        yield from _broken(_literals(title.summary))


def _broken(lines: list[str]) -> Iterator[str]:
    """Keep lines apart that stand in one paragraph."""
    yield from (line + HARD_BREAK for line in lines[:-1])
    yield lines[-1]


def _posed(line: Line, *, audit: bool) -> Iterator[str]:
    yield ""
    first, *rest = _literals(line.text)
    yield from _broken([_stamp(line) + first if audit else first, *rest])


def _quoted(line: Line, *, audit: bool, first: bool) -> Iterator[str]:
    """Write `> *Ada hits Thug by 5: 44. Thug 56/100.* [#11]`."""
    if first:
        yield ""
    else:
        yield ">"
    words = [f"*{words}*" for words in _literals(line.text if audit else line.brief)]
    if audit:
        words[0] = _stamp(line) + words[0]
    else:
        words[-1] += f" [#{line.fact.action}]"
    yield from (f"> {text}" for text in _broken(words))


def _stamp(line: Line) -> str:
    fact = line.fact
    note = f" ({literal(line.note)})" if line.note else ""
    return f"**\\#{fact.seq}** {fact.at:%Y-%m-%d %H:%M:%S} UTC {literal(line.by)}{note}: "
