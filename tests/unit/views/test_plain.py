from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import pytest

from mushcombat.domain.breakdown import Breakdown, Term
from mushcombat.domain.events import (
    CORE_EVENTS,
    Audience,
    Connected,
    Described,
    DoingSet,
    Event,
    ExitOpened,
    Fact,
    Moved,
    Paged,
    PrivacySet,
    RefereeNamed,
    RoomDug,
    SceneClosed,
    SceneInvited,
    SceneJoined,
    SceneLeft,
    SceneOpened,
    Spoken,
    Style,
    TraitSet,
    Unreadable,
    Whispered,
)
from mushcombat.domain.refereeing import Noted
from mushcombat.domain.scene_events import SCENE_EVENTS
from mushcombat.records import record
from mushcombat.systems.otherspace.events import DamageWorked
from mushcombat.views import plain
from mushcombat.views.plain import PlainView, Side, side_of
from tests.unit.service.table import BOOK
from tests.unit.support import ADA, BRAM, DOCK, NOW, RHEA, START, who
from tests.unit.views import test_plain_scene

VIEW = PlainView(BOOK.systems.values())
ACTOR, SUBJECT, OTHER, ORIGIN = Side.ACTOR, Side.SUBJECT, Side.OTHER, Side.ORIGIN
LEVEL = ("otherspace", "skill", "Pistol")


def fact(event: Event, **changes: Any) -> Fact:
    return replace(Fact(event, who(ADA), NOW, Audience.ROOM, START), **changes)


def shown(event: Event, side: Side = OTHER) -> str:
    return VIEW.render(fact(event, ledger=7, seq=3, action=3, head="ff" * 32), side)


OPENED = SceneOpened("Brawl", "otherspace", START, "Hall", False, True, 1, "ab" * 32)

LINES: list[tuple[Event, dict[Side, str]]] = [
    (Spoken("say", "Hi"), {ACTOR: 'You say, "Hi"', OTHER: 'Ada says, "Hi"'}),
    (Spoken("pose", "waves."), {ACTOR: "Ada waves.", OTHER: "Ada waves."}),
    (Spoken("semipose", "'s hat"), {ACTOR: "Ada's hat", OTHER: "Ada's hat"}),
    (Spoken("emit", "It rains."), {ACTOR: "It rains.", OTHER: "It rains."}),
    (
        Spoken("ooc", "Hi"),
        {ACTOR: '<OOC> Ada says, "Hi"', OTHER: '<OOC> Ada says, "Hi"'},
    ),
    (Spoken("ooc", ":waves."), {OTHER: "<OOC> Ada waves."}),
    (Spoken("ooc", ";'s off."), {OTHER: "<OOC> Ada's off."}),
    (
        Whispered(BRAM.id, "Bram", "psst"),
        {ACTOR: 'You whisper, "psst" to Bram.', SUBJECT: 'Ada whispers, "psst"'},
    ),
    (
        Paged(BRAM.id, "Bram", "x"),
        {ACTOR: "You paged Bram with 'x'", SUBJECT: "Ada pages: x"},
    ),
    (
        Paged(BRAM.id, "Bram", ":waves."),
        {ACTOR: "Long distance to Bram: Ada waves.", SUBJECT: "From afar, Ada waves."},
    ),
    (Paged(BRAM.id, "Bram", ";'s here."), {SUBJECT: "From afar, Ada's here."}),
    (Paged(BRAM.id, "Bram", ""), {SUBJECT: "Ada pages: "}),
    (Connected(True), {OTHER: "Ada has connected."}),
    (Connected(False), {OTHER: "Ada has disconnected."}),
    (
        Moved(ADA.id, "Ada", START, DOCK, "Out"),
        {ORIGIN: "Ada leaves by Out.", OTHER: "Ada arrives."},
    ),
    (Moved(ADA.id, "Ada", START, DOCK), {ORIGIN: "Ada leaves.", OTHER: "Ada arrives."}),
    (RoomDug(5, "Attic"), {OTHER: "Ada dug Attic (#5)."}),
    (ExitOpened(1, 1, ("Up", "u"), 5), {OTHER: "Ada opened Up from #1 to #5."}),
    (Described("room", 1, "Hall", "New."), {OTHER: "Ada described Hall."}),
    (DoingSet("fishing"), {OTHER: "Ada is doing: fishing"}),
    (
        TraitSet(BRAM.id, "Bram", *LEVEL, None, 5),
        {
            ACTOR: "Bram's Pistol is now Good (5); it was unset.",
            SUBJECT: "Ada sets your Pistol to Good (5); it was unset.",
            OTHER: "Bram's Pistol is now Good (5); it was unset.",
        },
    ),
    (
        TraitSet(BRAM.id, "Bram", "chess", "skill", "Openings", 5, None),
        {OTHER: "Bram's Openings is now unset; it was 5."},
    ),
    (
        TraitSet(BRAM.id, "Bram", "otherspace", "chargen", "state", None, 1),
        {OTHER: "Bram's sheet is now submitted; it was open."},
    ),
    (
        TraitSet(BRAM.id, "Bram", "otherspace", "chargen", "state", 1, 2),
        {SUBJECT: "Ada sets your sheet to approved; it was submitted."},
    ),
    (OPENED, {OTHER: f'Scene 7 "Brawl" is open. Dice commitment: {"ab" * 32}.'}),
    (SceneJoined(), {ACTOR: "You join scene 7.", OTHER: "Ada joins scene 7."}),
    (SceneLeft(), {ACTOR: "You leave scene 7.", OTHER: "Ada leaves scene 7."}),
    (
        SceneInvited(BRAM.id, "Bram"),
        {
            ACTOR: "Ada invites Bram to scene 7.",
            SUBJECT: "Ada invites you to scene 7. Type +scene/join 7.",
        },
    ),
    (RefereeNamed(BRAM.id, "Bram"), {SUBJECT: "Bram referees scene 7."}),
    (PrivacySet(True, 5, "Brawl"), {OTHER: "Scene 7 is private now, in Brawl."}),
    (PrivacySet(False, 1, "Hall"), {OTHER: "Scene 7 is public now, in Hall."}),
    (
        SceneClosed(1, "cd" * 32),
        {
            OTHER: f"Scene 7 is closed. Dice seed: {'cd' * 32}. Chain head: {'ff' * 32}."
            " (mushcombat verify checks an exported transcript.)"
        },
    ),
    (Unreadable("future.event", "An old line."), {OTHER: "An old line."}),
    (
        Unreadable("future.event", ""),
        {OTHER: "(a future.event of another version of this program)"},
    ),
]

CASES = [(event, side, line) for event, lines in LINES for side, line in lines.items()]


@pytest.mark.parametrize(("event", "side", "line"), CASES)
def test_an_event_is_written_for_each_side(event: Event, side: Side, line: str) -> None:
    assert shown(event, side) == line


def test_every_event_of_the_core_is_written_here() -> None:
    written = {type(event) for event, _ in [*LINES, *test_plain_scene.LINES]}
    assert written == {*CORE_EVENTS, *SCENE_EVENTS, Unreadable}


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("event", [event for event, _ in LINES])
def test_an_event_can_be_seen_from_any_side(event: Event, side: Side) -> None:
    assert shown(event, side).strip()


def test_what_is_stored_beside_a_row_is_what_anybody_sees() -> None:
    said = fact(Spoken("say", "Hi"))
    assert VIEW.public_text(said) == 'Ada says, "Hi"'


STYLES: list[Style] = ["say", "pose", "semipose", "emit", "ooc", "set"]


@pytest.mark.parametrize("style", STYLES)
def test_substitutions_work_in_what_is_said_and_new_lines_are_indented(style: Style) -> None:
    told = shown(Spoken(style, "a%b[b]%r[Roll] Ada: 9"))
    assert "a [b]\n  [Roll] Ada: 9" in told


def test_a_players_emit_cannot_pass_for_a_line_of_the_servers() -> None:
    assert shown(Spoken("emit", "[Roll] Ada: 9")) == "<Ada> [Roll] Ada: 9"
    assert shown(Spoken("emit", "<OOC> Bram says")) == "<Ada> <OOC> Bram says"
    assert shown(Spoken("emit", "There is no scene 7.")) == "<Ada> There is no scene 7."
    assert shown(Spoken("set", '%bBram says, %b"x"')) == '<Ada>  Bram says,  "x"'
    assert shown(Spoken("emit", "Bram's ship docks.")) == "Bram's ship docks."


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('m says, "x"', '<Ada> Adam says, "x"'),
        ('-Marie says, "x"', '<Ada> Ada-Marie says, "x"'),
        ("\u200dm pages: x", "<Ada> Ada\u200dm pages: x"),
        ("'s hat falls.", "Ada's hat falls."),
        ("ptly, she runs.", "Adaptly, she runs."),
        (' says, "x"', 'Ada says, "x"'),
        ("", "Ada"),
    ],
)
def test_a_pose_right_behind_a_name_makes_no_line_of_somebody_elses(text: str, line: str) -> None:
    assert shown(Spoken("semipose", text)) == line
    assert shown(Spoken("ooc", f";{text}")) == f"<OOC> {line}"


def test_substitutions_do_not_work_in_a_note() -> None:
    assert VIEW.shown(fact(Noted("x%ry"), seq=3)) == "[Note] Ada: x%ry #3"


@pytest.mark.parametrize(
    ("character", "room", "side"),
    [
        (ADA.id, START, ACTOR),
        (BRAM.id, START, SUBJECT),
        (RHEA.id, START, OTHER),
        (None, None, OTHER),
    ],
)
def test_a_side_is_that_of_who_looks(character: int | None, room: int | None, side: Side) -> None:
    assert side_of(fact(Paged(BRAM.id, "Bram", "x")), character, room) is side


@pytest.mark.parametrize(("room", "side"), [(START, ORIGIN), (DOCK, OTHER), (None, OTHER)])
@pytest.mark.parametrize("character", [ADA.id, RHEA.id, None])
def test_a_move_is_seen_from_where_one_stands(
    character: int | None, room: int | None, side: Side
) -> None:
    assert side_of(fact(Moved(ADA.id, "Ada", START, DOCK)), character, room) is side


WORKED = DamageWorked("constitution", Breakdown((Term(40, "40"), Term(-8, "x", "less"))), "Note.")


def test_a_systems_line_ends_with_the_number_of_its_action_in_a_scene() -> None:
    assert VIEW.render(fact(WORKED)) == "[Damage] Ada: 40 less x = 32. Note."
    assert VIEW.render(fact(WORKED, ledger=7, seq=42, action=41)) == (
        "[Damage] Ada: 40 less x = 32. Note. #41"
    )


@record(frozen=True, slots=True)
class Unseen(Event):
    kind: ClassVar[str] = "unseen"


def test_the_start_is_refused_when_a_systems_event_has_no_view() -> None:
    system = BOOK.systems["otherspace"]
    with pytest.raises(RuntimeError, match=r"^events without a view: Unseen$"):
        PlainView([replace(system, events=(*system.events, Unseen))])


def test_the_start_is_refused_when_an_event_of_the_core_has_no_view(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = {event: line for event, line in plain._LINES.items() if event is not Spoken}
    monkeypatch.setattr(plain, "_LINES", few)
    with pytest.raises(RuntimeError, match=r"^events without a view: Spoken$"):
        PlainView([])
