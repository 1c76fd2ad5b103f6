"""A transcript as one HTML page: no script, nothing loaded from anywhere, results folded.

Every text goes through `html.escape`, quotes too; attributes hold nothing that a player typed.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from html import escape

from mushcombat.domain.scene import Scene
from mushcombat.domain.text import INDENT
from mushcombat.domain.transcripts import Source, Wanted
from mushcombat.views.transcript.blocks import Block, Blocks, Line, Sort
from mushcombat.views.transcript.style import CSS, POLICY, SPEAKERS
from mushcombat.views.transcript.title import title_of
from mushcombat.views.transcript.words import offset_label, zone_of

MOST_BRIEF = 3
"""Outcomes that are read without unfolding."""


def html_lines(source: Source, wanted: Wanted, blocks: Blocks) -> Iterator[str]:
    """Write a page, block by block."""
    yield from _head(source, wanted)
    page = _Page(source.scene, audit=blocks.audit)
    yield "<main>"
    for block in blocks:
        yield from page.block(block)
    yield "</main>"
    yield from _foot(blocks)


def _head(source: Source, wanted: Wanted) -> Iterator[str]:
    title = title_of(source, wanted)
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="referrer" content="no-referrer">'
    yield f"<title>{escape(title.title)}</title>"
    yield f"<style>{CSS}</style>\n</head>\n<body>\n<header>"
    yield f'<h1 dir="auto">{escape(title.title)}</h1>'
    if title.warning:
        yield f'<p class="warning" role="note" dir="auto">Warning: {escape(title.warning)}</p>'
    if title.summary:
        yield f'<p class="summary" dir="auto">{escape(title.summary)}</p>'
    yield "<dl>"
    for name, value in title.facts:
        yield f'<dt>{name}</dt><dd dir="auto">{escape(value)}</dd>'
    yield "</dl>\n</header>"


def _foot(blocks: Blocks) -> Iterator[str]:
    """Name the head of the chain: the proof itself is the transcript as JSON lines."""
    yield f"<footer><p>{blocks.read} rows of the log, chain head <code>{blocks.head}</code>."
    yield "The same transcript as JSON lines can be checked with <code>mushcombat verify</code>."
    yield "</p></footer>\n</body>\n</html>"


class _Page:
    """What is remembered from block to block: the day, the offset, and the speakers' colours."""

    def __init__(self, scene: Scene, *, audit: bool) -> None:
        self._zone = zone_of(scene.zone)
        self._offset = offset_label(scene.opened_at, self._zone)
        self._audit = audit
        self._day = ""
        self._colours: dict[int, int] = {}

    def block(self, block: Block) -> Iterator[str]:
        """Write a pose with what folds under it."""
        first = block.pose or block.under[0]
        at = first.fact.at.astimezone(self._zone)
        if f"{at:%Y-%m-%d}" != self._day:
            self._day = f"{at:%Y-%m-%d}"
            yield f'<h2><time datetime="{self._day}">{self._day}</time></h2>'
        yield f"<article{self._colour(block.pose)}>{self._time(first)}"
        if block.pose:
            yield self._words(block.pose)
        yield from self._under(block.under)
        yield "</article>"

    def _colour(self, pose: Line | None) -> str:
        """Give each speaker a colour in the order in which they first speak."""
        if pose is None or not pose.speaker:
            return ""
        place = self._colours.setdefault(pose.fact.actor.id, len(self._colours))
        return f' class="s{place % len(SPEAKERS)}"'

    def _time(self, line: Line) -> str:
        """Give the time in the scene's zone; an audit has it in UTC, in the line's own stamp.

        Where clocks were changed, the first time after it says so: an hour may come twice.
        """
        if self._audit:
            return ""
        at = line.fact.at
        utc = f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
        offset = offset_label(at, self._zone)
        changed = "" if offset == self._offset else f" {offset}"
        self._offset = offset
        return f'<time datetime="{utc}">{at.astimezone(self._zone):%H:%M}{changed}</time>'

    def _words(self, line: Line, sort: str = "words") -> str:
        name = line.speaker
        who = f'<span class="who">{escape(name)}</span>' if name else ""
        said = line.text[len(name) :].replace(f"\n{INDENT}", "\n")
        words = self._struck(line, who + escape(said))
        return f'{self._stamp(line)}<p class="{sort}" dir="auto" id="n{line.fact.seq}">{words}</p>'

    def _under(self, lines: list[Line]) -> Iterator[str]:
        """Write results folded, and what was said out of character between them."""
        folded: list[Line] = []
        for line in lines:
            if line.sort is Sort.OOC:
                yield from self._folded(folded)
                yield self._words(line, "ooc")
                folded = []
            else:
                folded.append(line)
        yield from self._folded(folded)

    def _folded(self, lines: list[Line]) -> Iterator[str]:
        if not lines:
            return
        yield f'<details><summary dir="auto">{escape(_summary(lines))}</summary>\n<ul>'
        for line in lines:
            words = self._struck(line, escape(line.text))
            yield f'<li dir="auto" id="n{line.fact.seq}">{self._stamp(line)}{words}</li>'
        yield "</ul></details>"

    def _stamp(self, line: Line) -> str:
        """In an audit: number, time, who, for whom, and what became of it."""
        if not self._audit:
            return ""
        note = f" ({line.note})" if line.note else ""
        at = f"{line.fact.at:%Y-%m-%d %H:%M:%S} UTC"
        return f'<span class="stamp">#{line.fact.seq} {at} {escape(line.by + note)}</span>'

    @staticmethod
    def _struck(line: Line, words: str) -> str:
        return f"<s>{words}</s>" if line.taken_back else words


def _summary(lines: list[Line]) -> str:
    """Give the outcomes of some results; how many lines they are where nothing came out."""
    brief = [line.brief for line in lines if line.brief and not line.taken_back]
    more = f" And {len(brief) - MOST_BRIEF} more." if len(brief) > MOST_BRIEF else ""
    if brief:
        return " ".join(brief[:MOST_BRIEF]) + more
    return f"{len(lines)} further lines" if len(lines) > 1 else lines[0].text
