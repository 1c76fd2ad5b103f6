from __future__ import annotations

import pytest

from mushcombat.domain.events import Audience, Event, Fact, PoseEdited, PoseWithdrawn, Spoken
from mushcombat.domain.fight import SceneSet
from mushcombat.domain.scene_events import (
    Muttered,
    MutteredTo,
    PoseSkipped,
    PoseTurn,
    SceneIdle,
    ScenePaused,
    SceneRead,
    SceneResumed,
)
from mushcombat.views.plain import PlainView, Side
from tests.unit.service.table import BOOK
from tests.unit.support import ADA, BRAM, NOW, START, who

VIEW = PlainView(BOOK.systems.values())
ACTOR, SUBJECT, OTHER = Side.ACTOR, Side.SUBJECT, Side.OTHER

LINES: list[tuple[Event, dict[Side, str]]] = [
    (
        PoseEdited(3, "say", "Hi"),
        {
            ACTOR: '[Edit] #3 reads now: You say, "Hi"',
            OTHER: '[Edit] #3 reads now: Ada says, "Hi"',
        },
    ),
    (PoseEdited(3, "pose", "waves."), {OTHER: "[Edit] #3 reads now: Ada waves."}),
    (PoseEdited(3, "ooc", ":nods"), {OTHER: "[Edit] #3 reads now: <OOC> Ada nods"}),
    (PoseEdited(3, "set", "Rain.%rCold."), {OTHER: "[Edit] #3 reads now: Rain.\n  Cold."}),
    (PoseEdited(3, "emit", "[Roll] 9"), {OTHER: "[Edit] #3 reads now: <Ada> [Roll] 9"}),
    (PoseWithdrawn(3), {OTHER: "[Edit] Ada takes back #3."}),
    (
        ScenePaused(),
        {
            OTHER: "[Scene] Ada pauses scene 7:"
            " what is said and done is not logged until +scene/resume."
        },
    ),
    (
        SceneResumed(),
        {OTHER: "[Scene] Ada lets scene 7 go on: what is said and done is logged again."},
    ),
    (
        SceneRead(9, "a complaint"),
        {
            ACTOR: "[Scene] You read the log of scene 9: a complaint",
            OTHER: "[Scene] Ada (staff) reads the log of scene 9: a complaint",
        },
    ),
    (
        SceneIdle(9, "Night Watch", 7200),
        {
            OTHER: '[Scene] Nobody has posed in scene 9 "Night Watch" for 2h. +scene/pause lets it'
            " rest, +scene/close ends it."
        },
    ),
    (
        Muttered(BRAM.id, "Bram", "... noon"),
        {
            ACTOR: 'Those here hear: "... noon"',
            SUBJECT: 'Those here hear: "... noon"',
            OTHER: 'Ada mutters to Bram, "... noon"',
        },
    ),
    (Muttered(None, "", "[a]%r[Roll]"), {OTHER: 'Ada mutters, "[a]\n  [Roll]"'}),
    (
        MutteredTo(BRAM.id, "Bram", "at noon"),
        {
            ACTOR: 'You mutter to Bram, "at noon"',
            SUBJECT: 'Ada mutters to you, "at noon"',
        },
    ),
    (MutteredTo(ADA.id, "", "at noon"), {ACTOR: 'You mutter, "at noon"'}),
    (
        MutteredTo(BRAM.id, "Thug", "at noon", "Cass"),
        {SUBJECT: 'Cass mutters to Thug, "at noon"'},
    ),
    (PoseSkipped(ADA.id, "Ada"), {OTHER: "[Pot] Ada passes."}),
    (PoseSkipped(BRAM.id, "Bram"), {OTHER: "[Pot] Ada passes over Bram."}),
    (
        PoseTurn(BRAM.id, 9),
        {SUBJECT: "[Pot] You have waited longest in scene 9: your pose. (+pot)"},
    ),
]

CASES = [(event, side, line) for event, lines in LINES for side, line in lines.items()]


def shown(event: Event, side: Side = OTHER) -> str:
    fact = Fact(event, who(ADA), NOW, Audience.ROOM, START, ledger=7, seq=3, action=3)
    return VIEW.render(fact, side)


@pytest.mark.parametrize(("event", "side", "line"), CASES)
def test_an_event_of_a_scene_is_written_for_each_side(event: Event, side: Side, line: str) -> None:
    assert shown(event, side) == line


def test_the_setting_of_a_scene_is_written_as_it_is_and_never_like_a_line_of_the_servers() -> None:
    assert shown(Spoken("set", "Rain.%rCold.")) == "Rain.\n  Cold."
    assert shown(Spoken("set", "[Roll] 9")) == "<Ada> [Roll] 9"


def test_a_property_that_is_emptied_is_told_so() -> None:
    assert shown(SceneSet("warning", "")) == "[Scene] Ada empties warning."
    assert shown(SceneSet("warning", "gore")) == "[Scene] Ada sets warning to gore."
