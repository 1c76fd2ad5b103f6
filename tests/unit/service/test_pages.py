"""Pages to one, several and the last again; and who takes none."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from mushcombat.domain.character import Actor, Role
from mushcombat.domain.command import Outcome
from mushcombat.domain.events import Audience, Paged, Whispered
from mushcombat.domain.settings import PagesLocked, Settings
from mushcombat.errors import MushError
from mushcombat.service.world import World
from tests.unit.service.table import executor_of, presence_of, world_of
from tests.unit.support import ADA, BRAM, NOW, RHEA, MemoryStore

TOM = Actor(15, "Old Tom", Role.PLAYER, 105)
BOTH = ("Bram", "Old Tom")


@pytest.fixture
def world() -> World:
    return world_of(people=(ADA, BRAM, RHEA, TOM))


def do(world: World, line: str, actor: Actor = ADA) -> Outcome:
    work = executor_of(world).prepare(world.online[actor.id], line)
    return work.run(MemoryStore())


def no(world: World, line: str, actor: Actor = ADA) -> str:
    with pytest.raises(MushError) as caught:
        do(world, line, actor)
    return str(caught.value)


def paged(outcome: Outcome) -> list[tuple[str, str]]:
    events = [draft.event for draft in outcome.drafts]
    return [(event.to, event.text) for event in events if isinstance(event, Paged)]


@pytest.mark.parametrize(
    "names",
    [
        "bram, old tom",
        'bram "old tom"',
        "bram,old",
        "bram old",
        '"Bram" "Old Tom"',
        "bram, bram, old tom",
    ],
)
def test_a_page_goes_to_several_and_the_pager_sees_it_once(world: World, names: str) -> None:
    first, second = do(world, f"page {names}=hi").drafts
    assert first.event == Paged(BRAM.id, "Bram", "hi", BOTH)
    assert second.event == Paged(TOM.id, "Old Tom", "hi", BOTH)
    assert (first.audience, second.audience) == (Audience.PRIVATE, Audience.SUBJECT)


@pytest.mark.parametrize("names", ["old tom", '"old tom"', "old"])
def test_a_name_with_a_blank_in_it_is_one_name(world: World, names: str) -> None:
    (draft,) = do(world, f"page {names}=hi").drafts
    assert draft.event == Paged(TOM.id, "Old Tom", "hi")


def test_who_pages_oneself_too_is_shown_it_once(world: World) -> None:
    (draft,) = do(world, "page me, bram=hi").drafts
    assert draft.event == Paged(BRAM.id, "Bram", "hi", ("Ada", "Bram"))
    (draft,) = do(world, "page me=hi").drafts
    assert draft.event == Paged(ADA.id, "Ada", "hi")


@pytest.mark.parametrize("line", ["page =again", "page again, you two"])
def test_without_a_name_a_page_goes_to_the_last_again(world: World, line: str) -> None:
    do(world, "page bram, old tom=hi")
    text = line.removeprefix("page ").removeprefix("=")
    assert paged(do(world, line)) == [("Bram", text), ("Old Tom", text)]


def test_a_page_alone_tells_who_was_paged_last(world: World) -> None:
    assert do(world, "page").reply == ("You have paged nobody yet: page <name>=<text>",)
    do(world, "page bram, old tom=hi")
    assert do(world, "page").reply == ("You last paged Bram and Old Tom.",)


@pytest.mark.parametrize("line", ["page =hi", "page hi"])
def test_with_nobody_paged_yet_there_is_no_last(world: World, line: str) -> None:
    assert no(world, line) == "You have paged nobody yet. Usage: page <name>=<text>"


def test_a_name_without_a_sign_is_read_as_hands_type_it(world: World) -> None:
    assert paged(do(world, "page bram hi there")) == [("Bram", "hi there")]
    assert paged(do(world, "page bram still there?")) == [("Bram", "still there?")]


@pytest.mark.parametrize(
    "line",
    [
        "page old tom hi there",
        'page "Old Tom" hi there',
        "page old hi there",
        "page Old Tom, hi there",
    ],
)
def test_a_name_with_a_blank_needs_no_sign_either(world: World, line: str) -> None:
    assert paged(do(world, line)) == [("Old Tom", "hi there")]


def test_the_beginning_of_a_name_is_no_name_once_somebody_was_paged(world: World) -> None:
    do(world, "page bram=hi")
    assert paged(do(world, "page rhe is late")) == [("Bram", "rhe is late")]
    assert paged(do(world, "page bram's hat")) == [("Bram", "bram's hat")]


@pytest.mark.parametrize("line", ["page rhea is late", "page rhea", "page Rhea, is late"])
def test_words_for_one_never_reach_another_unasked(world: World, line: str) -> None:
    do(world, "page bram=hi")
    asked = "Is that for Rhea? Then type page Rhea=<text>."
    assert no(world, line) == f"{asked} For those you paged last: page =<text>."


def test_those_of_the_last_page_who_are_gone_are_told(world: World) -> None:
    do(world, "page bram, old tom=hi")
    world.depart(world.online[BRAM.id])
    outcome = do(world, "page =still there?")
    assert paged(outcome) == [("Old Tom", "still there?")]
    assert outcome.reply == ("Bram is not connected.",)
    world.arrive(presence_of(BRAM))
    do(world, "page bram=hi")
    world.depart(world.online[BRAM.id])
    assert no(world, "page =hi") == "Bram is not connected. WHO lists who is."


def test_who_is_idle_or_away_is_told(world: World) -> None:
    bram = world.online[BRAM.id]
    bram.active = NOW - timedelta(minutes=12)
    assert do(world, "page bram=hi").reply == ("Bram is idle: 12m.",)
    do(world, "+afk making tea", BRAM)
    assert do(world, "page bram=hi").reply == ("Bram is away: making tea",)
    assert do(world, "+afk", BRAM).reply == ("You are back.",)
    bram.active = NOW - timedelta(minutes=4)
    assert do(world, "page bram=hi").reply == ()


def test_who_is_away_is_marked_everywhere(world: World) -> None:
    told = do(world, "@away tea", BRAM).reply
    assert told == ("You are away: tea (+afk: you are back.)",)
    assert "Bram: on for 0s, idle 0s, away (tea)" in do(world, "WHO").reply
    assert do(world, "+where").reply == ("The Landing: Ada, Bram (away), Old Tom and Rhea",)
    assert "Away: tea" in do(world, "+finger bram").reply
    assert no(world, f"+afk {'x' * 61}").startswith("away: that has 61 characters.")


def test_where_tells_who_is_idle(world: World) -> None:
    world.online[BRAM.id].active = NOW - timedelta(seconds=90)
    assert do(world, "+where").reply == ("The Landing: Ada, Bram (1m), Old Tom and Rhea",)


@pytest.mark.parametrize(
    "settings", [Settings(pages_locked=True), Settings(ignored=frozenset({ADA.id}))]
)
def test_who_takes_no_pages_is_not_paged_but_by_staff(world: World, settings: Settings) -> None:
    world.online[BRAM.id].settings = settings
    assert no(world, "page bram=hi") == "Bram takes no pages just now. Try again another day."
    outcome = do(world, "page bram, rhea=hi")
    assert [draft.event for draft in outcome.drafts] == [Paged(RHEA.id, "Rhea", "hi")]
    assert outcome.reply == ("Bram takes no pages just now.",)
    assert paged(do(world, "page bram=hi", RHEA)) == [("Bram", "hi")]


def test_who_locks_pages_may_page_and_is_told_that_nobody_can_answer(world: World) -> None:
    world.online[ADA.id].settings = Settings(pages_locked=True)
    assert "nobody can answer" in do(world, "page bram=hi").reply[0]
    assert do(world, "page me=hi").reply == ()


def test_pages_are_locked_and_unlocked(world: World) -> None:
    assert do(world, "@lock page").drafts[0].event == PagesLocked(True)
    assert do(world, "@unlock pages").drafts[0].event == PagesLocked(False)
    assert no(world, "@lock door") == "Only pages can be locked. @lock page"
    assert no(world, "@unlock") == "Only pages can be locked. @unlock page"


def test_who_ignores_somebody_hears_no_whisper_of_theirs(world: World) -> None:
    world.online[BRAM.id].settings = Settings(ignored=frozenset({ADA.id, RHEA.id}))
    assert no(world, "whisper bram=psst") == (
        "Bram takes no whispers just now. Try again another day."
    )
    (draft,) = do(world, "whisper bram=psst", RHEA).drafts
    assert draft.event == Whispered(BRAM.id, "Bram", "psst")


def test_a_page_without_words_is_told_how(world: World) -> None:
    assert "Usage: page" in no(world, "page bram=")


def test_a_page_goes_to_twenty_at_most() -> None:
    crowd = [replace(BRAM, id=100 + n, name=f"Crew {n:02}") for n in range(21)]
    world = world_of(people=(ADA, *crowd))
    names = ", ".join(one.name for one in crowd)
    assert no(world, f"page {names}=hi").startswith("A page goes to 20 people at most.")
