"""Transcripts: a log as text, Markdown or a page that people read, or as lines for `verify`.

`selection` says which rows a profile shows and how they read now, `blocks` puts results under
their poses, and there is a module for each format. Everything is written as the rows come in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mushcombat.domain.transcripts import Source, Wanted
from mushcombat.systems.system import System
from mushcombat.views.brief import BriefView
from mushcombat.views.plain import PlainView
from mushcombat.views.transcript.blocks import Blocks
from mushcombat.views.transcript.html import html_lines
from mushcombat.views.transcript.jsonl import jsonl_lines
from mushcombat.views.transcript.markdown import markdown_lines
from mushcombat.views.transcript.selection import Selection
from mushcombat.views.transcript.text import text_lines

_READABLE = {"text": text_lines, "markdown": markdown_lines, "html": html_lines}


class Transcripts:
    """Writes any transcript."""

    def __init__(self, systems: Iterable[System], plain: PlainView) -> None:
        self._plain = plain
        self._brief = BriefView(systems, plain)

    def lines(self, source: Source, wanted: Wanted) -> Iterator[str]:
        """Write a transcript line by line, without line ends. KeyError for an unknown format."""
        selection = Selection(source, wanted)
        if wanted.format == "jsonl":
            return jsonl_lines(source, wanted, selection)
        blocks = Blocks(source.rows, selection, self._plain.render, self._brief.render)
        return _READABLE[wanted.format](source, wanted, blocks)
