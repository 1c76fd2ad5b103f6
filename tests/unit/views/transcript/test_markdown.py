"""Markdown: what people typed is literal, whatever renders it.

No renderer is among what we install, so the rules of escaping are tested: every sign that means
something stands behind a backslash, or where it means nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.events import Spoken, Style, Who
from mushcombat.domain.state import Undone
from mushcombat.domain.transcripts import Heading
from mushcombat.views.transcript.markdown import literal
from mushcombat.views.transcript.words import printable
from tests.unit.support import BRAM, NOW, RHEA, who
from tests.unit.views.transcript.hostile import CONTROLS, STYLES, TEXTS, hostile_log, unsafe
from tests.unit.views.transcript.logs import REFEREES, SCENE, Log

ALWAYS = set("\\`*_{}[]<>&~|$^@")
BEGINNING = re.compile(r"[#+\-=!:%]|\d+[.)]|\s")


def unescaped(line: str) -> str:
    """Read a line of literal text as a renderer does: backslashes and hard spaces go."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", line.replace("&nbsp;", " "))


def bare(line: str) -> str:
    """Give the signs of a line that no backslash takes the meaning of."""
    return re.sub(r"\\[!-/:-@\[-`{-~]", "", line.replace("&nbsp;", ""))


def check_literal(line: str) -> None:
    assert not ALWAYS & set(bare(line)), line
    assert not re.search(r":\S", bare(line)), line
    assert "www." not in bare(line).casefold()
    assert "==" not in bare(line)
    assert not BEGINNING.match(line), line
    assert not line.endswith(" ")


@pytest.mark.parametrize("text", [*TEXTS.values(), *map(printable, CONTROLS.values())])
def test_every_sign_of_a_text_loses_its_meaning(text: str) -> None:
    for more in (text, f"1. {text}", f"    {text}", f"- {text}", f"x {text} y"):
        check_literal(literal(more))
        assert unescaped(literal(more)) == more.rstrip(" ")


@given(st.text(st.characters(min_codepoint=32, exclude_categories=["Cs", "Cc"]), max_size=60))
def test_any_line_reads_as_it_was_typed(text: str) -> None:
    written = literal(text)
    assert unescaped(written) == (text.rstrip(" ") if text.strip(" ") else text)
    if text.strip(" "):
        check_literal(written)


def paragraphs(log: Log, profile: str = "story", *, ooc: bool = False) -> list[list[str]]:
    """Give the paragraphs below the heading's first one, in lines."""
    return [p.split("\n") for p in log.text("markdown", profile, ooc=ooc).split("\n\n")][1:]


@pytest.mark.parametrize("said", STYLES)
@pytest.mark.parametrize("text", [*TEXTS.values(), *CONTROLS.values()])
def test_whatever_is_typed_is_literal(text: str, said: Style) -> None:
    log = hostile_log(f"{text}%r{text}", said)
    assert unsafe(log.text("markdown", ooc=True)) == set()
    first, second = paragraphs(log, ooc=True)[-1]
    assert first.endswith("\\")
    for line in (first[:-1], second):
        check_literal(line)
        assert printable(text).strip(" :") in unescaped(line)  # an ooc : poses


@pytest.mark.parametrize("text", TEXTS.values())
def test_the_heading_is_literal_too(text: str) -> None:
    log = hostile_log(text, name="<b>")
    first, facts, summary, _pose = log.text("markdown").split("\n\n")
    shown = text.strip(" ")
    assert unescaped(first).count(shown) == 2  # title, place
    assert "referee \\<b\\>" in first
    assert [unescaped(line).count(shown) for line in facts.split("\n")] == [1, 1, 1]
    check_literal(summary)


def test_the_heading_is_one_line_with_date_place_people_and_referee() -> None:
    log = Log(replace(SCENE, title="Dockside Ambush"), Heading("Dock 7", ["Ada", "Thug"], ["Rhea"]))
    assert log.lines("markdown") == [
        "**Dockside Ambush** (2026-03-01, Dock 7; Ada, Thug; referee Rhea)"
    ]
    assert Log(SCENE, Heading("nowhere")).lines("markdown") == [
        "**Night Watch** (2026-03-01, nowhere)"
    ]


def test_results_are_quoted_in_few_words_under_their_pose() -> None:
    log = Log()
    log.add(Spoken("pose", "fires."))
    log.attack()
    log.add(Spoken("say", "Ow.%rOw!"), who(BRAM))
    assert paragraphs(log) == [["Ada fires."], ['Bram says, "Ow.\\', 'Ow!"']]
    assert paragraphs(log, "results") == [
        ["Ada fires."],
        ["> *Ada hits Bram by 5: 44. Bram 56/100.* [#2]"],
        ['Bram says, "Ow.\\', 'Ow!"'],
    ]


def test_several_results_are_paragraphs_of_one_quotation() -> None:
    log = Log()
    for amount in (1, 2):
        log.attack(amount)
    log.add(Spoken("ooc", "brb"))
    log.attack(3)
    assert paragraphs(log, "results", ooc=True) == [
        [
            "> *Ada hits Bram by 5: 1. Bram 99/100.* [#1]",
            ">",
            "> *Ada hits Bram by 5: 2. Bram 98/100.* [#4]",
        ],
        ['\\<OOC\\> Ada says, "brb"'],
        ["> *Ada hits Bram by 5: 3. Bram 97/100.* [#8]"],
    ]


def test_an_audit_has_every_row_with_number_time_and_what_became_of_it() -> None:
    log = Log(replace(SCENE, closed_at=NOW))
    log.add(Spoken("pose", "fires.%rTwice."))
    action = log.attack()
    log.add(Undone(action, "a*b", ()), who(RHEA))
    log.add(Spoken("say", "a secret"), who(RHEA), REFEREES)
    facts, pose, quoted, secret = paragraphs(log, "audit")
    assert "*Profile:* audit" in facts
    assert pose == ["**\\#1** 2026-03-01 12:30:46 UTC Ada: Ada fires.\\", "Twice."]
    assert quoted[0] == (
        "> **\\#2** 2026-03-01 12:30:47 UTC Ada (taken back by #5 (Rhea: a\\*b)): "
        "*\\[Attack\\] Ada attacks Bram with pistol. #2*"
    )
    assert quoted[-1].startswith("> **\\#5** 2026-03-01 12:30:50 UTC Rhea: *\\[Undo\\] Rhea takes")
    assert secret == ['**\\#6** 2026-03-01 12:30:51 UTC Rhea (referees): Rhea says, "a secret"']


def test_a_hostile_name_is_literal() -> None:
    log = Log(SCENE, Heading("x"))
    log.add(Spoken("pose", "waits."), Who(11, "- *A*"))
    assert paragraphs(log) == [["\\- \\*A\\* waits."]]
