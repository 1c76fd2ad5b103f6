"""Lines of channels, of pages to several, and of what somebody chose."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.channels import ChannelDeleted, ChannelMade, ChannelSet, ChannelSpoken
from mushcombat.domain.events import Audience, Event, Fact, Paged
from mushcombat.domain.settings import Ignored, Noticed, PagesLocked, Watched, WatchedAll
from mushcombat.views.plain import PlainView, Side
from tests.unit.service.table import BOOK
from tests.unit.support import ADA, BRAM, NOW, START, who

VIEW = PlainView(BOOK.systems.values())
ACTOR, SUBJECT, OTHER = Side.ACTOR, Side.SUBJECT, Side.OTHER
BOTH = ("Bram", "Old Tom")


def line(event: Event, side: Side) -> str:
    return VIEW.shown(Fact(event, who(ADA), NOW, Audience.CHANNEL, START), side)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("hello", '[Public] Ada says, "hello"'),
        (":waves.", "[Public] Ada waves."),
        (";'s pen clicks.", "[Public] Ada's pen clicks."),
        ("a%rb%tc%bd", '[Public] Ada says, "a\n  b    c d"'),
        ("a%r[Result] Bram takes 9", '[Public] Ada says, "a\n  [Result] Bram takes 9"'),
        (":%r[Public] Bram says", "[Public] Ada \n  [Public] Bram says"),
    ],
)
def test_a_line_on_a_channel_is_the_same_for_all(text: str, shown: str) -> None:
    for side in (ACTOR, OTHER):
        assert line(ChannelSpoken(1, "Public", text), side) == shown


@given(st.text(min_size=1).filter(lambda text: not set(text) & set("\r\n")))
def test_no_text_makes_a_channel_show_a_line_that_is_not_of_its_speaker(text: str) -> None:
    first, *more = line(ChannelSpoken(1, "Public", text), OTHER).split("\n")
    assert first.startswith("[Public] Ada")
    assert all(each.startswith("  ") for each in more)


@pytest.mark.parametrize(
    ("event", "side", "shown"),
    [
        (Paged(BRAM.id, "Bram", "hi", BOTH), ACTOR, "You paged (Bram, Old Tom) with 'hi'"),
        (Paged(BRAM.id, "Bram", "hi", BOTH), SUBJECT, "To (Bram, Old Tom) Ada pages: hi"),
        (
            Paged(BRAM.id, "Bram", ":waves.", BOTH),
            ACTOR,
            "Long distance to (Bram, Old Tom): Ada waves.",
        ),
        (
            Paged(BRAM.id, "Bram", ":waves.", BOTH),
            SUBJECT,
            "From afar, to (Bram, Old Tom): Ada waves.",
        ),
        (Paged(BRAM.id, "Bram", ";'s off.", ()), SUBJECT, "From afar, Ada's off."),
        (Paged(BRAM.id, "Bram", ":waves.", ()), ACTOR, "Long distance to Bram: Ada waves."),
        (Noticed(BRAM.id, True), SUBJECT, "<Watch> Ada has connected."),
        (Noticed(BRAM.id, False), SUBJECT, "<Watch> Ada has disconnected."),
        (
            ChannelMade(3, "Trade", "tr", "player", False),
            OTHER,
            "Ada makes the channel Trade (+tr), for player.",
        ),
        (ChannelDeleted(3, "Trade"), OTHER, "Ada deletes the channel Trade."),
        (ChannelSet(1, "Public", "on"), ACTOR, "You hear Public."),
        (
            ChannelSet(1, "Public", "off"),
            ACTOR,
            "You don't hear Public until +channel/on Public.",
        ),
        (
            ChannelSet(1, "Public", "left"),
            ACTOR,
            "You are not on Public any more. (+channel/join Public)",
        ),
        (
            Ignored(12, "Bram", True),
            ACTOR,
            "You ignore Bram: no pages, whispers or channel lines of theirs.",
        ),
        (Ignored(12, "Bram", False), ACTOR, "You ignore Bram no longer."),
        (Watched(12, "Bram", True), ACTOR, "You are told when Bram comes and goes."),
        (Watched(12, "Bram", False), ACTOR, "You watch Bram no longer."),
        (WatchedAll(True), ACTOR, "You are told when anybody comes and goes."),
        (WatchedAll(False), ACTOR, "You are told of those alone whom you watch."),
        (PagesLocked(True), ACTOR, "You take no pages now but those of staff. (@unlock page)"),
        (PagesLocked(False), ACTOR, "You take pages again."),
    ],
)
def test_each_line_reads_as_it_should(event: Event, side: Side, shown: str) -> None:
    assert line(event, side) == shown


def test_no_page_to_several_begins_like_a_line_of_the_servers() -> None:
    for text in ("[Roll] x%r[Result] y", ":[Roll] x%r[Result] y"):
        for side in (ACTOR, SUBJECT):
            shown = line(Paged(BRAM.id, "Bram", text, BOTH), side)
            assert not re.search(r"^\s?[\[<]", shown, re.MULTILINE)
