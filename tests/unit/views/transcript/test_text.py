"""Plain text: wrapped, safe to print, and no line of a player's like one of the server's."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from mushcombat.domain.events import PoseEdited, PoseWithdrawn, Spoken, Style, Who
from mushcombat.domain.fight import Asked
from mushcombat.domain.state import Undone
from mushcombat.domain.text import expand, looks_like_ours
from mushcombat.domain.transcripts import Heading
from mushcombat.views.transcript.text import wrapped
from mushcombat.views.transcript.words import printable
from tests.unit.support import BRAM, RHEA, who
from tests.unit.views.transcript.hostile import CONTROLS, STYLES, TEXTS, hostile_log, unsafe
from tests.unit.views.transcript.logs import REFEREES, SCENE, Log

WORDS = st.text(
    st.characters(exclude_categories=["Cs"], include_characters=" []<>#%rtb\u3000漢"),
    min_size=1,
    max_size=120,
)


def body(log: Log, profile: str = "story", **more: object) -> list[str]:
    """Give the lines below the heading."""
    lines = log.lines("text", profile, **more)
    return lines[lines.index("", 2) + 1 :]


def test_a_pose_is_a_paragraph_and_its_results_stand_under_it_indented() -> None:
    log = Log()
    log.roll()
    log.add(Spoken("pose", "aims.%rAnd waits."))
    log.attack()
    log.add(Spoken("say", "Ow."), who(BRAM))
    assert body(log) == ["Ada aims.", "    And waits.", "", 'Bram says, "Ow."']
    roll, gap, aims, waits, attack, again, result, *rest = body(log, "results", width=0)
    assert re.fullmatch(r"  \[Roll\] Ada: Strength 4 \(Fair\) .* #1", roll)
    assert [gap, aims, waits] == ["", "Ada aims.", "    And waits."]
    assert attack == "  [Attack] Ada attacks Bram with pistol. #3"
    assert again.startswith("  [Roll] Ada: ")
    assert result.startswith("  [Result] Bram takes 44: health 56/100. Ada hits by 5: ")
    assert rest == ["", 'Bram says, "Ow."']


def test_the_heading_says_what_the_scene_was() -> None:
    told = {"summary": "A trap.%rSprung.", "ic_date": "2650", "warning": "fights", "kind": "combat"}
    log = Log(replace(SCENE, **told))  # type: ignore[arg-type]  # all of them are texts
    heading = log.lines("text", "results", ooc=True)
    assert heading == [
        "Night Watch",
        "===========",
        "Scene: 7, otherspace",
        "When: 2026-03-01 12:30 to now, the scene is open (UTC)",
        "IC date: 2650",
        "Place: The Landing",
        "Type: combat",
        "With: Ada and Bram",
        "Referee: Rhea",
        "Profile: results, with ooc",
        "Warning: fights",
        "Summary: A trap.%rSprung.",
    ]
    bare = Log(SCENE, Heading("nowhere")).lines("text")
    assert [line.partition(":")[0] for line in bare[2:]] == ["Scene", "When", "Place", "Profile"]


def test_an_audit_is_everything_numbered_and_timed_with_what_became_of_it() -> None:
    log = Log()
    log.open()
    log.add(Spoken("pose", "waits.%rAnd waits."))
    action = log.attack()
    log.add(Undone(action, "15 feet", ()), who(RHEA))
    log.add(Spoken("say", "a secret note"), who(RHEA), REFEREES)
    log.close()
    lines = body(log, "audit", width=0)
    assert "#2 2026-03-01 12:30:47 UTC Ada: Ada waits." in lines
    assert lines[lines.index("#2 2026-03-01 12:30:47 UTC Ada: Ada waits.") + 1] == "    And waits."
    noted = "#3 2026-03-01 12:30:48 UTC Ada (taken back by #6 (Rhea: 15 feet)): [Attack] "
    assert any(line.startswith(noted) for line in lines)
    assert '#7 2026-03-01 12:30:52 UTC Rhea (referees): Rhea says, "a secret note"' in lines
    numbers = [line.partition(" ")[0] for line in lines if line.startswith("#")]
    assert numbers == [f"#{n}" for n in range(1, 9)]


SERVERS = re.compile(r" {2}(?! )")
"""How a line of the server's begins."""


def check_players_lines(log: Log, *, ooc: bool = True) -> list[str]:
    """Fail on a line that could be the server's: none in this log is."""
    text = log.text("text", "results", ooc=ooc)
    assert unsafe(text) == set()
    lines = body(log, "results", ooc=ooc)
    for line in lines:
        assert not SERVERS.match(line), line
        own = line.startswith("<") and line.partition("> ")[0] in {"<OOC", "<Ada"}
        assert own or line.startswith("    ") or not looks_like_ours(line), line
    return lines


@pytest.mark.parametrize("said", STYLES)
@pytest.mark.parametrize("text", [*TEXTS.values(), *CONTROLS.values()])
def test_whatever_is_typed_stands_there_and_looks_like_nothing_else(text: str, said: Style) -> None:
    for more in (text, f"  {text}", f"x%r{text}", f"x%r%b%b{text}", f"\u2800\u3000{text}"):
        lines = check_players_lines(hostile_log(more, said))
        told = "".join("".join(line.split()) for line in lines)
        assert "".join(printable(text).split()).strip(":") in told  # an ooc : poses


@given(text=WORDS, said=st.sampled_from(STYLES), width=st.sampled_from([0, 20, 30, 78]))
def test_no_line_of_a_player_can_pass_for_one_of_the_servers(
    text: str, said: Style, width: int
) -> None:
    log = Log()
    log.add(Spoken(said, text))
    shown = log.lines("text", "results", ooc=True, width=width)
    lines = shown[next(n for n, line in enumerate(shown) if line.startswith("Profile")) + 2 :]
    assert lines
    for line in lines:
        assert not SERVERS.match(line), line


@given(text=WORDS, width=st.integers(20, 90))
def test_wrapping_keeps_every_word_within_the_width(text: str, width: int) -> None:
    line = printable(expand(text)).replace("\n", " ")
    lines = list(wrapped(line, width, "    "))
    assert all(wcswidth(each) <= max(width, 24) for each in lines)
    joined = "".join("".join(each.split()) for each in lines)
    assert joined == "".join(line.split())
    assert all(each.startswith("    ") for each in lines[1:])


def test_a_result_goes_on_behind_its_tag() -> None:
    log = Log()
    log.add(Spoken("pose", "aims."))
    log.attack()
    lines = body(log, "results", width=40)
    assert all(wcswidth(line) <= 40 for line in lines)
    at = next(n for n, line in enumerate(lines) if line.startswith("  [Result] "))
    assert lines[at + 1].startswith(" " * len("  [Result] "))


def test_a_width_of_nought_does_not_wrap_and_a_narrow_one_leaves_room_for_words() -> None:
    log = Log()
    log.add(Spoken("pose", "says much: " + "word " * 100))
    assert len(body(log, width=0)) == 1
    assert max(len(line) for line in body(log, width=1)) == 24


@pytest.mark.parametrize("name", ["A\x1bB", "Ada\u202e"])
def test_a_hostile_name_steers_nothing(name: str) -> None:
    log = Log(SCENE, Heading("x", [name], [name]))
    log.add(Spoken("say", "x"), Who(11, name))
    for profile in ("story", "audit"):
        assert unsafe(log.text("text", profile)) == set()
        assert printable(name) in log.text("text", profile)


def test_a_title_like_a_line_of_the_servers_is_marked() -> None:
    log = Log(replace(SCENE, title="[Result] Bram takes 90"))
    assert log.lines("text")[0] == "<title> [Result] Bram takes 90"


def test_an_audit_says_which_rows_edited_or_withdrew_a_pose_and_who() -> None:
    log = Log()
    log.add(Spoken("pose", "lifts the crat."))
    log.add(PoseEdited(1, "pose", "lifts the crate."))
    log.add(PoseWithdrawn(1))
    first, _, second, _, third = body(log, "audit", width=0)
    assert first.endswith(" Ada (edited by #2 (Ada), withdrawn by #3 (Ada)): Ada lifts the crat.")
    assert second.endswith(" Ada: [Edit] #1 reads now: Ada lifts the crate.")
    assert third.startswith("#3 ")


def test_a_result_of_several_lines_stays_under_its_pose() -> None:
    log = Log()
    log.add(Asked(BRAM.id, "Bram", "[Combat] One.\nTwo."), who(BRAM))
    assert body(log, "results") == ["  (Bram is asked.) [Combat] One.", "    Two."]
