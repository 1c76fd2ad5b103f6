"""The page: one file that loads nothing, says what was typed, and folds results away."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.events import Spoken, Style, Who
from mushcombat.domain.fight import OrderMade, TurnBegan
from mushcombat.domain.state import Undone
from mushcombat.domain.transcripts import Heading
from mushcombat.views.transcript import style
from mushcombat.views.transcript.words import printable
from tests.unit.service.table import BOOK
from tests.unit.support import ADA, BRAM, NOW, RHEA, who
from tests.unit.views.transcript.hostile import CONTROLS, STYLES, TEXTS, hostile_log, unsafe
from tests.unit.views.transcript.logs import REFEREES, SCENE, Log
from tests.unit.views.transcript.pages import Element, parsed


def page(log: Log, profile: str = "story", *, ooc: bool = False) -> Element:
    return parsed(log.text("html", profile, ooc=ooc))


def words(of: Element) -> list[str]:
    """Give what was spoken, in order."""
    return [p.text for p in of.all("p") if p.attributes.get("class") in {"words", "ooc"}]


def rendered(log: Log, number: int) -> str:
    """Give what the plain view makes of a row, without its indent of further lines."""
    return printable(BOOK.view.render(log.rows[number - 1].fact)).replace("\n  ", "\n")


def test_a_page_is_html_of_one_language_with_landmarks_and_a_heading() -> None:
    log = Log()
    log.add(Spoken("pose", "waits."))
    text = log.text("html")
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">\n')
    root = parsed(text)
    for tag in ("head", "title", "body", "header", "main", "footer", "h1"):
        assert len(root.all(tag)) == 1, tag
    assert root.all("h1")[0].text == root.all("title")[0].text == "Night Watch"
    names = {meta.attributes.get("name") for meta in root.all("meta")}
    assert "viewport" in names
    assert {meta.attributes.get("charset") for meta in root.all("meta")} == {"utf-8", None}


def test_a_page_loads_nothing_and_runs_nothing() -> None:
    root = page(hostile_log(TEXTS["image"]), "audit")
    tags = {element.tag for element in root.all()}
    assert not tags & {"script", "img", "link", "iframe", "object", "a", "form", "base", "svg"}
    names = {name for element in root.all() for name in element.attributes}
    allowed = {"lang", "charset", "http-equiv", "content", "name", "class", "id", "dir"}
    assert names <= allowed | {"datetime", "role"}
    assert "url(" not in style.CSS
    assert "@import" not in style.CSS


def test_the_policy_allows_the_pages_own_style_alone() -> None:
    root = page(Log())
    (sheet,) = root.all("style")
    shown = base64.b64encode(hashlib.sha256(sheet.text.encode()).digest()).decode()
    metas = {m.attributes.get("http-equiv"): m.attributes.get("content") for m in root.all("meta")}
    policy = str(metas["Content-Security-Policy"])
    assert policy.startswith("default-src 'none'; ")
    assert f"style-src 'sha256-{shown}'" in policy


def _light(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Give the contrast of two colours by WCAG 2, 1 to 21."""
    dark, light = sorted((_light(one), _light(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("pair", [*style.SPEAKERS, style.TEXT, style.QUIET, style.WARNING])
def test_every_colour_can_be_read_on_light_and_on_dark(pair: tuple[str, str]) -> None:
    assert contrast(pair[0], style.LIGHT) >= 5
    assert contrast(pair[1], style.DARK) >= 5
    assert pair[0] in style.CSS
    assert pair[1] in style.CSS.partition("prefers-color-scheme:dark")[2]


@pytest.mark.parametrize("said", STYLES)
@pytest.mark.parametrize("text", [*TEXTS.values(), *CONTROLS.values()])
def test_whatever_is_typed_is_read_as_it_was_typed(text: str, said: Style) -> None:
    log = hostile_log(text, said)
    root = page(log, ooc=True)
    assert words(root) == [rendered(log, 1)]
    shown = printable(text)
    assert root.all("h1")[0].text == root.all("title")[0].text == shown
    assert root.all(css="summary")[0].text == shown
    assert root.all(css="warning")[0].text == f"Warning: {shown}"
    assert [dd.text for dd in root.all("dd")].count(shown) == 3  # date, place, type
    assert unsafe(log.text("html", ooc=True)) == set()


@pytest.mark.parametrize("name", ["<script>", "A\x1bB", "Ada\u202e", '" class="x', "A & B"])
def test_a_hostile_name_is_literal_too(name: str) -> None:
    log = hostile_log("waits.", "pose", name)
    root = page(log)
    assert words(root) == [f"{printable(name)} waits."]
    assert root.all(css="who")[0].text == printable(name)
    assert unsafe(log.text("html")) == set()


TYPED = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], include_characters="<>&\"'`%rtb\x1b\t"),
    min_size=1,
    max_size=60,
)


@given(texts=st.lists(st.tuples(st.sampled_from(STYLES), TYPED), min_size=1, max_size=6))
def test_reading_the_page_gives_back_exactly_the_texts(texts: list[tuple[Style, str]]) -> None:
    log = Log()
    for said, text in texts:
        log.add(Spoken(said, text))
    root = page(log, ooc=True)
    assert words(root) == [rendered(log, n) for n in range(1, len(texts) + 1)]


def test_the_contracts_example_is_escaped_once() -> None:
    log = Log()
    log.add(Spoken("pose", '<script>alert(1)</script> & &lt; "q" **md** [u](javascript:1)'))
    text = log.text("html")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &amp;lt;" in text
    assert "<script" not in text


def test_results_fold_under_the_pose_before_them_with_the_outcome_to_be_read() -> None:
    log = Log()
    log.add(OrderMade(("Ada", "Bram"), ((9,), (7,))))
    log.add(TurnBegan(11, "Ada", 1))
    log.add(Spoken("pose", "aims."))
    log.attack()
    log.add(Spoken("say", "Ow."), who(BRAM))
    story, results = page(log), page(log, "results")
    assert story.all("details") == []
    assert words(story) == words(results) == ["Ada aims.", 'Bram says, "Ow."']
    before, aimed, said = results.all("article")
    assert before.all("summary")[0].text == "2 further lines"
    assert aimed.all("summary")[0].text == "Ada hits Bram by 5: 44. Bram 56/100."
    shown = [li.text for li in aimed.all("li")]
    assert [line.partition(" ")[0] for line in shown] == ["[Attack]", "[Roll]", "[Result]"]
    assert all(line.endswith(" #4") for line in shown)
    assert said.all("details") == []


def test_more_outcomes_than_can_be_read_at_once_are_counted() -> None:
    log = Log()
    for amount in range(5):
        log.attack(amount)
    (block,) = page(log, "results").all("article")
    assert block.all("summary")[0].text.endswith("Bram 98/100. And 2 more.")
    log = Log()
    log.add(TurnBegan(11, "Ada", 1))
    assert page(log, "results").all("summary")[0].text == "[Turn] Round 1: Ada."


def test_ooc_talk_stands_between_results_unfolded() -> None:
    log = Log()
    log.add(Spoken("pose", "aims."))
    log.roll()
    log.add(Spoken("ooc", "brb"))
    log.roll()
    (block,) = page(log, "results", ooc=True).all("article")
    sorts = [part.tag for part in block.inside if isinstance(part, Element)]
    assert sorts == ["time", "p", "details", "p", "details"]
    assert 'Ada says, "brb"' not in page(log, "results").text


def test_a_speaker_keeps_a_colour_of_their_own_and_who_emits_has_none() -> None:
    log = Log()
    for name in ("Ada", "Bram", "Ada"):
        log.add(Spoken("say", "x"), Who(11 if name == "Ada" else 12, name))
    log.add(Spoken("emit", "Ada is watched."))
    classes = [block.attributes.get("class") for block in page(log).all("article")]
    assert classes == ["s0", "s1", "s0", None]
    assert [name.text for name in page(log).all(css="who")] == ["Ada", "Bram", "Ada"]
    for extra in range(20):
        log.add(Spoken("say", "x"), Who(100 + extra, f"Extra {extra}"))
    colours = {str(block.attributes.get("class")) for block in page(log).all("article")}
    assert colours == {f"s{n}" for n in range(len(style.SPEAKERS))} | {"None"}


def test_times_are_in_the_scenes_zone_and_in_utc_for_machines() -> None:
    log = Log(replace(SCENE, zone="Asia/Tokyo", opened_at=NOW, closed_at=NOW + timedelta(days=1)))
    log.add(Spoken("pose", "waits."))
    root = page(log)
    (block,) = root.all("article")
    (at,) = block.all("time")
    assert at.text == "21:30"
    assert at.attributes["datetime"] == "2026-03-01T12:30:46Z"
    assert [h2.text for h2 in root.all("h2")] == ["2026-03-01"]
    facts = dict(zip(*([e.text for e in root.all(t)] for t in ("dt", "dd")), strict=True))
    assert facts["When"] == "2026-03-01 21:30 to 2026-03-02 21:30 (Asia/Tokyo, UTC+09:00)"


NIGHTS = {
    datetime(2026, 10, 25, tzinfo=UTC): (
        "2026-10-25 01:50 UTC+02:00 to 05:17 UTC+01:00 (Europe/Berlin)",
        ["02:40", "02:40 UTC+01:00", "03:40"],
    ),
    datetime(2026, 3, 29, tzinfo=UTC): (
        "2026-03-29 00:50 UTC+01:00 to 06:17 UTC+02:00 (Europe/Berlin)",
        ["01:40", "03:40 UTC+02:00", "04:40"],
    ),
}


@pytest.mark.parametrize("night", NIGHTS)
def test_the_night_in_which_clocks_are_changed_names_both_offsets(night: datetime) -> None:
    opened, closed = night - timedelta(minutes=10), night + timedelta(hours=4, minutes=17)
    log = Log(replace(SCENE, zone="Europe/Berlin", opened_at=opened, closed_at=closed))
    for hours in range(3):
        log.add(Spoken("pose", "waits."))
        row, at = log.rows[-1], night + timedelta(hours=hours, minutes=40)
        log.rows[-1] = replace(row, fact=replace(row.fact, at=at))
    root = page(log)
    when, times = NIGHTS[night]
    facts = dict(zip(*([e.text for e in root.all(t)] for t in ("dt", "dd")), strict=True))
    assert facts["When"] == when
    assert [block.all("time")[0].text for block in root.all("article")] == times


def test_a_new_day_has_a_heading() -> None:
    log = Log(replace(SCENE, zone="UTC"))
    for days in (0, 0, 1):
        log.add(Spoken("pose", "waits."))
        row = log.rows[-1]
        log.rows[-1] = replace(row, fact=replace(row.fact, at=NOW + timedelta(days=days)))
    assert [h2.text for h2 in page(log).all("h2")] == ["2026-03-01", "2026-03-02"]


def test_the_heading_has_what_there_is_and_no_more() -> None:
    log = Log(replace(SCENE, opened_at=NOW), Heading("nowhere"))
    root = page(log)
    assert [dt.text for dt in root.all("dt")] == ["Scene", "When", "Place", "Profile"]
    assert root.all(css="warning") == root.all(css="summary") == []
    assert "to now, the scene is open (UTC)" in root.text


def test_an_audit_has_number_time_who_and_what_became_of_it() -> None:
    log = Log()
    log.add(Spoken("pose", "aims."))
    action = log.attack()
    log.add(Undone(action, "15 feet", ()), who(RHEA))
    log.add(Spoken("say", "a secret"), who(RHEA), REFEREES)
    first, second = page(log, "audit").all("article")
    stamp = "#{} 2026-03-01 12:30:{} UTC {}"
    assert first.all(css="stamp")[0].text == stamp.format(1, 46, "Ada")
    taken = " (taken back by #5 (Rhea: 15 feet))"
    assert [li.all(css="stamp")[0].text for li in first.all("li")] == [
        *(stamp.format(n, 45 + n, "Ada") + taken for n in (2, 3, 4)),
        stamp.format(5, 50, "Rhea"),
    ]
    assert [len(li.all("s")) for li in first.all("li")] == [1, 1, 1, 0]
    assert first.all("summary")[0].text == "Rhea takes back #2 (15 feet)."
    assert second.all(css="stamp")[0].text == stamp.format(6, 51, "Rhea") + " (referees)"


def test_the_foot_names_the_head_of_the_chain_that_the_json_lines_end_in() -> None:
    log = Log()
    log.add(Spoken("pose", "waits."))
    log.add(Spoken("ooc", "brb"))
    (foot,) = page(log).all("footer")
    assert re.search(r"^2 rows of the log, chain head ([0-9a-f]{64})\.", foot.text)
    assert log.rows[-1].fact.head in foot.text
    assert f'"head": "{log.rows[-1].fact.head}"' in log.lines("jsonl")[-1]


def test_nobody_but_the_speaker_is_coloured_by_a_name_that_a_text_begins_with() -> None:
    log = Log()
    log.add(Spoken("emit", "Ada falls."), who(BRAM))
    log.add(Spoken("emit", "Ada falls."), who(ADA))
    assert page(log).all(css="who") == []
