from __future__ import annotations

import pytest

from mushcombat.domain.fight import SceneSet
from mushcombat.service import zones
from mushcombat.service.zones import clock_time, in_zone, read_zone
from tests.unit.service.play import SCENE, Play
from tests.unit.support import ADA, BRAM, NOW, RHEA, scene_of


@pytest.mark.parametrize(
    ("line", "field", "stored", "shown"),
    [
        ("title=  A   Storm", "title", "A Storm", "A Storm"),
        ("summary=They meet; all = well.", "summary", "They meet; all = well.", None),
        ("date=2412-03-02", "ic_date", "2412-03-02", None),
        ("icdate=2412", "ic_date", "2412", None),
        ("Location=Dock 7", "location", "Dock 7", None),
        ("warning=gore", "warning", "gore", None),
        ("warning=", "warning", "", None),
        ("type=social", "kind", "social", None),
        ("zone=europe/BERLIN", "zone", "Europe/Berlin", None),
        ("zone=utc", "zone", "UTC", None),
        ("order=3-PER", "pose_order", "3-per", None),
        ("pacing=slow", "pacing", "slow", None),
        ("mode=open", "mode", "open", None),
        ("gravity=NO", "gravity", False, "no"),
        ("atmosphere=yes", "atmosphere", True, "yes"),
    ],
)
def test_a_property_is_set_and_told(
    line: str, field: str, stored: object, shown: str | None
) -> None:
    play = Play()
    event = play.do(ADA, f"+scene/set {line}")
    assert isinstance(event, SceneSet)
    assert event.value == (stored if shown is None else shown)
    assert play.store.rows["scene", (SCENE,)] == {field: stored}
    assert play.facts[0].ledger == SCENE


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("title=", "title: that has 0 characters. 1 to 80 fit."),
        ("title=" + "x" * 81, "title: that has 81 characters."),
        ("type=" + "x" * 25, "type: that has 25 characters. 1 to 24 fit."),
        ("summary=" + "x" * 1001, "summary: that has 1001 characters."),
        ("zone=mars", 'zone: "mars" is not one. Name a city: Europe/Berlin, or UTC.'),
        ("zone=../../etc/passwd", 'zone: "../../etc/passwd" is not one.'),
        ("zone=", 'zone: "" is not one.'),
        ("order=random", 'order: "random" is not one. Say free, order or 3-per.'),
        ("pacing=dead", 'pacing: "dead" is not one. Say live, relaxed or slow.'),
        ("health=", 'health: "" is not one.'),
        ("luck=maybe", 'luck: "maybe" is not one. Say yes or no.'),
        ("colour=red", 'property: "colour" is none. There are atmosphere, date, '),
        ("title", "There are atmosphere, date, gravity, "),
        ("=x", "There are atmosphere, date, gravity, "),
    ],
)
def test_a_property_that_is_none_is_refused_with_what_there_is(line: str, said: str) -> None:
    assert Play().no(ADA, f"+scene/set {line}").startswith(said)


def test_the_referee_sets_them_or_who_opened_the_scene() -> None:
    play = Play(scene_of(ADA, BRAM, RHEA, referees=[RHEA]))
    assert play.no(BRAM, "+scene/set title=T").startswith("The referee sets that, or who opened")
    assert play.do(RHEA, "+scene/set title=T") == SceneSet("title", "T")
    assert play.do(ADA, "+scene/set title=U") == SceneSet("title", "U")


def test_a_scene_shows_what_was_set_and_leaves_out_what_was_not() -> None:
    play = Play()
    play.become(
        summary="They meet.",
        location="Dock 7",
        ic_date="2412",
        kind="social",
        warning="gore",
        pose_order="order",
        pacing="slow",
        zone="Europe/Berlin",
    )
    assert play.type(ADA, "+scene")[1:10] == (
        "Summary: They meet.",
        "Place: The Landing",
        "Location: Dock 7",
        "Date: 2412",
        "Type: social",
        "Warning: gore",
        "Pose order: order",
        "Pacing: slow",
        "Zone: Europe/Berlin",
    )


def test_a_zone_is_found_in_any_letters_and_no_file_is_one() -> None:
    assert read_zone("asia/tokyo") == "Asia/Tokyo"
    assert not zones._NO_PLACE & set(zones._zones().values())


def test_a_zone_that_this_machine_does_not_know_is_shown_in_utc() -> None:
    assert in_zone(NOW, "Mars/Olympus") == NOW
    assert in_zone(NOW, "../x") == NOW


def test_a_time_of_another_day_has_its_date() -> None:
    assert clock_time(NOW, NOW, "UTC") == "12:30"
    assert clock_time(NOW, NOW.replace(day=2), "UTC") == "2026-03-01 12:30"
    late = NOW.replace(hour=23)
    assert clock_time(late, NOW.replace(day=2), "Asia/Tokyo") == "08:30"
