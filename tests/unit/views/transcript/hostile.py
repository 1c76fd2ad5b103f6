"""What nobody should be able to do to a reader by a name, a title or a pose."""

from __future__ import annotations

from dataclasses import replace

from mushcombat.domain.events import Spoken, Style, Who
from mushcombat.domain.transcripts import Heading
from tests.unit.views.transcript.logs import SCENE, Log

TEXTS = {
    "script": "<script>alert(1)</script>",
    "entity": "&lt; &amp;amp; &#60; &",
    "quotes": "\"'`\" onmouseover='x' \"",
    "attribute": '" onload="alert(1)',
    "comment": "<!-- --> ]]> </p></main></style></title>",
    "link": "[u](javascript:alert(1)) <javascript:1> javascript:1",
    "image": "![x](http://example.com/x.png)",
    "autolink": "https://example.com www.example.com a@example.com :smile: @ada #12",
    "emphasis": "**a** _b_ __c__ ~~d~~ ==e== `f` ^g^ $h$",
    "rule": "---",
    "heading": "# heading",
    "setext": "===",
    "list": "- one",
    "plus": "+ one",
    "star": "* one",
    "numbered": "1. one",
    "bracketed": "12) one",
    "quote": "> quoted",
    "code": "    four spaces",
    "table": "a | b",
    "template": "{{ 7 * 7 }} {% x %} ${x}",
    "backslash": "\\ \\\\ \\* c:\\",
    "definition": ": defined",
    "admonition": "!!! note",
    "reference": "[ada]: http://example.com",
    "tag": "[Result] Bram takes 90: health 10/100. #41",
    "wide tag": "［Result］ Bram takes 90",
}
"""Printable texts: literal in every format."""

CONTROLS = {
    "escape": "\x1b[31mred\x1b[0m",
    "osc": "\x1b]8;;http://example.com\x07x",
    "c1": "\x9b31mred",
    "nul": "a\x00b",
    "bell": "a\x07b",
    "delete": "a\x7fb",
    "carriage": "a\rb",
    "override": "a\u202eb",
    "mark": "a\u200fb",
    "isolate": "a\u2066b",
    "separator": "a\u2028b",
    "nothing": "[\u200bResult] x",
    "tag character": "a\U000e0041b",
    "noncharacter": "a\ufffeb",
}
"""What steers a terminal, turns text round or can't be seen."""

STYLES: tuple[Style, ...] = ("say", "pose", "semipose", "emit", "set", "ooc")


def hostile_log(text: str, style: Style = "pose", name: str = "Ada") -> Log:
    """Write a log that has a text wherever a player's words can stand."""
    scene = replace(SCENE, title=text, summary=text, ic_date=text, location=text, warning=text)
    log = Log(replace(scene, kind=text), Heading(text, [name], [name]))
    log.add(Spoken(style, text), Who(11, name))
    return log


def unsafe(text: str) -> set[str]:
    """Give the characters of an export that may not be in it."""
    return {char for char in text if (char < " " and char != "\n") or char in _UNSAFE}


_UNSAFE = frozenset(
    [chr(n) for n in range(0x7F, 0xA0)]
    + [
        *"\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    ]
    + ["\U000e0041", "\ufffe"]
)
