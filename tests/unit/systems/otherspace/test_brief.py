"""Outcomes in few words, and what leads to one in none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mushcombat.domain.events import Audience, Event, Fact
from mushcombat.domain.fight import FightStarted, FightStopped, OrderMade, TurnBegan
from mushcombat.systems.otherspace.combat_events import (
    Declared,
    Healed,
    Helpless,
    Ruled,
    Struck,
    Suffered,
    WoundProposed,
)
from mushcombat.systems.otherspace.events import ContestDecided
from mushcombat.views.brief import BriefView
from tests.unit.service.table import BOOK
from tests.unit.support import ADA, NOW, START, who
from tests.unit.views.transcript.logs import Log

BRIEF = BriefView(BOOK.systems.values(), BOOK.view)


def told(event: Event, *, action: int = 5) -> str:
    return BRIEF.render(Fact(event, who(ADA), NOW, Audience.ROOM, START, 7, 5, action))


HIT = Struck(12, "Thug", 7, 2, True, "harm", 44, 56, "hurt", "", True, None)
HARMED = Suffered(12, "Thug", "stun", 10, 56, "hurt", "", True, "a fall")
HEALED = Healed(12, "Thug", True, 10, 66, "", "hurt")


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (HIT, "Ada hits Thug by 5: 44. Thug 56/100."),
        (replace(HIT, harm="stun"), "Ada hits Thug by 5: 44 stun. Thug 56/100."),
        (replace(HIT, blast=True), "Ada hits Thug: 44. Thug 56/100."),
        (
            replace(HIT, outcome="unconscious"),
            "Ada hits Thug by 5: 44. Thug 56/100. Thug is unconscious.",
        ),
        (replace(HIT, numbers=False), "Ada hits Thug, who is hurt."),
        (replace(HIT, hit=False), "Ada misses Thug."),
        (HARMED, "Thug takes 10 stun (a fall). 56/100."),
        (
            replace(HARMED, harm="harm", reason="", outcome="dead"),
            "Thug takes 10. 56/100. Thug is dead.",
        ),
        (replace(HARMED, numbers=False), "Thug is hurt (a fall)."),
        (HEALED, "Ada treats Thug: + 10. Thug 66/100."),
        (replace(HEALED, success=False), "Ada can't help Thug this time."),
        (replace(HEALED, numbers=False), "Ada treats Thug, who is hurt."),
        (ContestDecided(12, "Thug", 2, True), "Ada beats Thug by 2."),
    ],
)
def test_an_outcome_is_told_in_a_few_words(event: Event, text: str) -> None:
    assert told(event) == text


@pytest.mark.parametrize(
    "event",
    [
        FightStarted(),
        FightStopped(),
        OrderMade(("Ada",), ((9,),)),
        TurnBegan(11, "Ada", 1),
        Declared("attack", ("Thug",), "pistol", ""),
        Ruled(True, (), ""),
        Helpless(12, "Thug", "asleep", 0, "Abysmal"),
        WoundProposed(12, "Thug", "Lightly Wounded", 56, ""),
    ],
)
def test_what_only_leads_to_an_outcome_is_not_told(event: Event) -> None:
    assert told(event) == ""


def test_a_roll_is_an_outcome_of_its_own_but_a_step_in_another_action() -> None:
    log = Log()
    log.roll()
    roll = log.rows[0].fact
    assert BRIEF.render(roll).startswith("Ada: Strength 4 (Fair) ")
    assert not BRIEF.render(roll).endswith("#1")
    assert BRIEF.render(replace(roll, action=9)) == ""
