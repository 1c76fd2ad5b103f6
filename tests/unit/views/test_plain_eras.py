from __future__ import annotations

import json

import pytest

from mushcombat.domain.eras import ERA_EVENTS, DiceWords, EraClosed, SceneReopened
from mushcombat.domain.events import Audience, Event, Fact
from mushcombat.domain.sharing import SHARING_EVENTS, SharingAnswered, SharingAsked
from tests.unit.service.table import BOOK
from tests.unit.support import ADA, BRAM, NOW, START, who

HEAD = "ff" * 32

LINES: list[tuple[Event, str]] = [
    (DiceWords(1, "[Roll] x"), '[Seed] Ada gives the dice words: "[Roll] x"'),
    (
        SceneReopened("Brawl", "otherspace", 1, "Hall", False, 2, "ab" * 32),
        f'Scene 7 "Brawl" is open again, era 2. Dice commitment: {"ab" * 32}.',
    ),
    (
        EraClosed(2, "cd" * 32, 0),
        f"Scene 7 is closed. Dice seed: {'cd' * 32}. Chain head: {HEAD}."
        " (mushcombat verify checks an exported transcript.)",
    ),
    (
        SharingAsked(),
        "[Share] Ada asks to share the transcript of scene 7. Answer with +scene/share yes, no, or"
        " out: out leaves your lines and your name out.",
    ),
    (SharingAnswered(ADA.id, "Ada", "yes"), "[Share] Ada says yes."),
    (SharingAnswered(ADA.id, "Ada", "no"), "[Share] Ada says no."),
    (SharingAnswered(ADA.id, "Ada", "out"), "[Share] Ada is left out of the transcript."),
    (SharingAnswered(BRAM.id, "Bram", "out"), "[Share] Ada leaves Bram out of the transcript."),
]


@pytest.mark.parametrize(("event", "line"), LINES)
def test_facts_of_eras_and_of_sharing_are_lines(event: Event, line: str) -> None:
    fact = Fact(event, who(ADA), NOW, Audience.ROOM, START, 7, 3, 3, HEAD)
    assert BOOK.view.render(fact) == line


def test_every_one_of_them_is_written_here() -> None:
    assert {type(event) for event, _ in LINES} == {*ERA_EVENTS, *SHARING_EVENTS}


@pytest.mark.parametrize("event", [event for event, _ in LINES])
def test_they_are_read_back_from_a_log_as_they_were(event: Event) -> None:

    payload = json.dumps(BOOK.codec.dump(event))
    assert BOOK.codec.load(event.kind, event.version, payload, None) == event


def test_a_closing_of_an_old_log_is_read_as_what_it_was() -> None:
    old = BOOK.codec.load("scene.closed", 1, '{"era": 1, "seed": "ab"}', None)
    assert not isinstance(old, EraClosed)
    assert old.kind == "scene.closed"
