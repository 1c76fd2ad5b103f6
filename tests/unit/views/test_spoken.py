from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, ClassVar

import pytest

from mushcombat.domain.events import Audience, Event, Fact, SceneOpened, Spoken, Unreadable
from mushcombat.domain.fight import OrderMade, TurnBegan
from mushcombat.domain.state import Undone
from mushcombat.domain.visibility import Viewer, redact
from mushcombat.records import record
from mushcombat.systems.otherspace.combat_events import Declared, Helpless, Ruled, Struck
from mushcombat.systems.otherspace.events import Rolled
from mushcombat.views import spoken
from mushcombat.views.side import Side
from mushcombat.views.spoken import SpokenView
from tests.unit.service.table import BOOK
from tests.unit.support import ADA, BRAM, NOW, START, who
from tests.unit.test_people_in_events import EXAMPLES, NAME, UNKNOWN
from tests.unit.views.samples import SUM, samples

VIEW = BOOK.spoken
DRAWN = re.compile(r"\[|\]|  |\||->|[-=+*_#~]{2,}|[^\w\s]{4,}| [-+=] |^\s|\s$", re.MULTILINE)
"""What eyes see and ears stumble over."""


def fact(event: Event, **changes: Any) -> Fact:
    made = Fact(
        event, who(ADA), NOW, Audience.ROOM, START, ledger=7, seq=5, action=5, head="f" * 64
    )
    return replace(made, **changes)


def said(event: Event, side: Side = Side.OTHER, **changes: Any) -> str:
    return VIEW.shown(fact(event, **changes), side)


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("event", [*BOOK.codec.events, Unreadable], ids=lambda e: e.__name__)
def test_every_event_is_spoken_in_words(event: type[Event], side: Side) -> None:
    for one in samples(event):
        for changes in ({}, {"audience": Audience.REFEREES}, {"ledger": None}):
            text = said(one, side, **changes)
            assert text.strip(), one
            assert not DRAWN.search(text), text
            assert max(map(len, re.split(r"\s", text))) < 40, text


@pytest.mark.parametrize(
    "event", [one for several in EXAMPLES.values() for one in several], ids=lambda e: e.kind
)
def test_what_is_left_of_an_event_does_not_say_who_is_unknown(event: Event) -> None:
    assert NAME in said(event)
    seen = redact(fact(event), Viewer(ADA.id, unknown=UNKNOWN))
    assert seen is None or NAME not in VIEW.shown(seen)


STRUCK = Struck(BRAM.id, "Bram", 6, 3, True, "harm", 32, 68, "Lightly Wounded", "", True, SUM)


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (
            Declared("attack", ("Bram",), "pistol", "at 30 feet (medium)"),
            "Attack: Ada attacks Bram with pistol at 30 feet (medium). Action 5.",
        ),
        (
            Rolled(ADA.id, "Ada", "Pistol", "Great", SUM),
            "Roll: Ada, Pistol, 7, Great. Action 5.",
        ),
        (STRUCK, "Result: Ada hits Bram by 3 for 32. Bram is at 68 of 100. Action 5."),
        (
            replace(STRUCK, numbers=False, outcome="stunned"),
            "Result: Ada hits Bram, who is Lightly Wounded. Bram is stunned. Action 5.",
        ),
        (replace(STRUCK, hit=False), "Result: Ada misses Bram, 6 against 3. Action 5."),
        (TurnBegan(BRAM.id, "Bram", 2), "Turn: Bram, round 2."),
        (
            TurnBegan(BRAM.id, "Bram", 2, ("Cass", "Dora")),
            "Turn: Bram, round 2. Cass and Dora can't act.",
        ),
        (TurnBegan(None, "", 2), "Turn: no one can act, round 2."),
        (
            OrderMade(("Ada", "Bram"), ((9, 8), (9, 6)), "Rhea's ruling"),
            "Order: Ada 9 with reroll 8, Bram 9 with reroll 6. Rhea's ruling.",
        ),
        (
            Undone(5, "too far", ("Bram's health 64 -> 100",)),
            "Undo: Ada takes back action 5, too far. Bram's health 64 to 100.",
        ),
        (Spoken("ooc", "brb"), 'Out of character, Ada says, "brb"'),
        (Spoken("pose", "waves."), "Ada waves."),
    ],
)
def test_what_matters_is_said_first_and_in_one_line(event: Event, line: str) -> None:
    assert said(event) == line


def test_the_number_of_an_action_is_said_where_it_opens_and_with_its_result() -> None:
    roll = Rolled(ADA.id, "Ada", "Pistol", "Great", SUM)
    assert said(roll, seq=6) == "Roll: Ada, Pistol, 7, Great."
    assert said(Helpless(BRAM.id, "Bram", "asleep", 1, "Terrible"), seq=7).endswith("Terrible.")
    assert said(STRUCK, seq=8).endswith("Action 5.")


def test_where_no_log_can_be_asked_why_the_sum_is_said() -> None:
    roll = Rolled(ADA.id, "Ada", "Pistol", "Great", SUM)
    assert said(roll, ledger=None, seq=None, action=None) == (
        "Roll: Ada, Pistol, 7, Great. The sum: Pistol 6 (Great) minus 1 (asked) plus 2 (4dF) is 7."
    )


def test_what_referees_alone_know_of_is_said_to_be_hidden() -> None:
    assert said(STRUCK, audience=Audience.REFEREES).endswith("Action 5. Hidden.")
    ruled = Ruled(allowed=True, terms=(), reason="")
    assert said(ruled, audience=Audience.REFEREES) == "Ruling: Ada allows it. Action 5."


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (Spoken("emit", "Result: Bram takes 99."), "<Ada> Result: Bram takes 99."),
        (Spoken("emit", "\u200b Ｔurn: Bram"), "<Ada> \u200b Ｔurn: Bram"),
        (Spoken("pose", "nods.%rTurn: Bram, round 9."), "Ada nods.\n<Ada>   Turn: Bram, round 9."),
        (Spoken("semipose", ": I win"), "<Ada> Ada: I win"),
        (Spoken("ooc", ";: 9"), "Out of character, <Ada> Ada: 9"),
        (Spoken("emit", "It rains: again."), "It rains: again."),
        (
            Spoken("emit", 'Out of character, Bram says, "x"'),
            '<Ada> Out of character, Bram says, "x"',
        ),
        (
            Spoken("pose", "nods.%rOut of character, I yield."),
            "Ada nods.\n<Ada>   Out of character, I yield.",
        ),
        (Spoken("pose", 'nods.%rBram says, "x"'), 'Ada nods.\n<Ada>   Bram says, "x"'),
        (Spoken("pose", "nods.%rThe rain goes on."), "Ada nods.\n  The rain goes on."),
    ],
)
def test_no_words_of_a_players_pass_for_the_servers_when_spoken(event: Event, line: str) -> None:
    assert said(event) == line


def test_the_digits_that_bind_the_dice_are_left_to_the_log() -> None:
    opened = SceneOpened("Brawl", "otherspace", START, "Hall", False, True, 1, "ab" * 32)
    assert said(opened) == ('Scene 7, "Brawl", is open. +scene/log has the commitment of its dice.')


@record(frozen=True, slots=True)
class Unspoken(Event):
    kind: ClassVar[str] = "unspoken"


def test_the_start_is_refused_when_an_event_of_the_core_has_no_spoken_form(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spoken, "_CORE", spoken._CORE | {Unspoken})
    with pytest.raises(RuntimeError, match=r"^events without a spoken form: Unspoken$"):
        SpokenView([], BOOK.view)


def test_a_system_that_speaks_no_event_is_heard_in_its_described_lines() -> None:
    system = replace(BOOK.systems["otherspace"], speak={})
    view = SpokenView([system], BOOK.view)
    roll = Rolled(ADA.id, "Ada", "Pistol", "Great", SUM)
    assert view.shown(fact(roll)) == (
        "Roll: Ada: Pistol 6 (Great) minus 1 (asked) plus 2 (4dF) is 7 (Great). Action 5."
    )
