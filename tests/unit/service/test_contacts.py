"""Whom one ignores and watches, and going out of character."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from mushcombat.domain.character import Actor
from mushcombat.domain.command import Outcome
from mushcombat.domain.events import Audience, Moved, Spoken
from mushcombat.domain.ports import Place
from mushcombat.domain.settings import Ignored, Noticed, Settings, Watched, WatchedAll
from mushcombat.errors import MushError
from mushcombat.service.contacts import watch_news
from tests.unit.service.table import executor_of, presence_of, world_of
from tests.unit.support import ADA, BRAM, DOCK, GUEST, RHEA, START, MemoryStore, scene_of

LOUNGE = 9


@pytest.fixture
def store() -> MemoryStore:
    made = MemoryStore()
    made.rooms[LOUNGE] = Place(LOUNGE, "OOC Lounge", "ooc", "")
    return made


def do(store: MemoryStore, line: str, actor: Actor = ADA) -> Outcome:
    world = world_of(*store.scenes.values(), people=(ADA, BRAM, RHEA, GUEST))
    return executor_of(world).prepare(world.online[actor.id], line).run(store)


def no(store: MemoryStore, line: str, actor: Actor = ADA) -> str:
    with pytest.raises(MushError) as caught:
        do(store, line, actor)
    return str(caught.value)


def test_who_is_ignored_is_listed_until_they_are_not(store: MemoryStore) -> None:
    (draft,) = do(store, "+ignore bram").drafts
    assert (draft.event, draft.audience) == (Ignored(BRAM.id, "Bram", True), Audience.PRIVATE)
    assert do(store, "+ignore").reply == ("You ignore Bram.",)
    (draft,) = do(store, "+ignore/remove bram").drafts
    assert draft.event == Ignored(BRAM.id, "Bram", False)
    assert do(store, "+ignore").reply == ("You ignore nobody.",)


def test_nobody_ignores_staff_or_oneself(store: MemoryStore) -> None:
    assert no(store, "+ignore rhea").startswith("Rhea is staff, whom everybody hears.")
    assert no(store, "+ignore me") == "That is yourself. +ignore <another player>"
    assert no(store, "+ignore zed").startswith('There is no player called "zed".')
    assert do(store, "+ignore/remove rhea").drafts


def test_who_is_watched_is_listed_until_they_are_not(store: MemoryStore) -> None:
    (draft,) = do(store, "+watch bram").drafts
    assert (draft.event, draft.audience) == (Watched(BRAM.id, "Bram", True), Audience.PRIVATE)
    do(store, "+watch/add rhea")
    assert do(store, "+watch").reply == ("You watch Bram and Rhea.",)
    do(store, "+watch/remove bram")
    assert do(store, "+watch/list").reply == ("You watch Rhea.",)
    do(store, "+watch/remove rhea")
    assert do(store, "+watch/list").reply == ("You watch nobody.",)


def test_everybody_can_be_watched(store: MemoryStore) -> None:
    assert do(store, "+watch/all on").drafts[0].event == WatchedAll(True)
    assert do(store, "+watch").reply == ("You watch everybody: +watch/all off ends that.",)
    assert do(store, "+watch/all OFF").drafts[0].event == WatchedAll(False)
    assert no(store, "+watch/all maybe").startswith('"maybe" is neither on nor off. Usage:')
    assert no(store, "+watch/all") == "Usage: +watch/all on|off"


@pytest.mark.parametrize(
    "settings", [Settings(watched=frozenset({BRAM.id})), Settings(watches_all=True)]
)
def test_those_who_watch_are_told_unless_they_stand_there(settings: Settings) -> None:
    world = world_of(people=(ADA, BRAM, RHEA))
    for who in (ADA, BRAM, RHEA):
        world.online[who.id].settings = settings
    bram = world.online[BRAM.id]
    assert watch_news(world, bram, here=True) == []
    bram.room = DOCK
    news = watch_news(world, bram, here=False)
    assert [draft.event for draft in news] == [Noticed(ADA.id, False), Noticed(RHEA.id, False)]
    assert {draft.audience for draft in news} == {Audience.SUBJECT}


def test_who_watches_another_is_told_nothing() -> None:
    world = world_of(people=(ADA,))
    world.online[ADA.id].settings = Settings(watched=frozenset({RHEA.id}))
    assert watch_news(world, presence_of(BRAM, DOCK), here=True) == []


# out of character and back


def test_one_goes_to_the_lounge_and_back_to_where_one_was(store: MemoryStore) -> None:
    store.move(ADA.id, DOCK)
    outcome = do(store, "+ooc")
    assert outcome.drafts[0].event == Moved(ADA.id, "Ada", DOCK, LOUNGE)
    assert outcome.reply == ("You are out of character: +ic takes you back.",)
    assert do(store, "+ooc").reply == ("You are out of character here: +ic takes you back.",)
    outcome = do(store, "ic")
    assert outcome.drafts[0].event == Moved(ADA.id, "Ada", LOUNGE, DOCK)
    assert outcome.reply == ()
    assert no(store, "+ic") == "You are in character already. +ooc goes to the lounge."


def test_who_walked_to_the_lounge_goes_back_to_the_start(store: MemoryStore) -> None:
    store.move(ADA.id, LOUNGE)
    outcome = do(store, "+ic")
    assert outcome.drafts[0].event == Moved(ADA.id, "Ada", LOUNGE, START)
    assert outcome.reply == ()


def gone(store: MemoryStore) -> None:
    store.retire_room(DOCK)


def others(store: MemoryStore) -> None:
    store.rooms[DOCK] = replace(store.rooms[DOCK], kind="temporary")
    store.scenes[7] = scene_of(BRAM, private=True, room=DOCK)


@pytest.mark.parametrize("become", [gone, others])
def test_a_room_that_is_no_more_or_not_for_one_is_not_gone_back_to(
    store: MemoryStore, become: Callable[[MemoryStore], None]
) -> None:
    store.move(ADA.id, DOCK)
    do(store, "+ooc")
    become(store)
    outcome = do(store, "+ic")
    assert outcome.drafts[0].event == Moved(ADA.id, "Ada", LOUNGE, START)
    assert outcome.reply == ("Where you were is no more: you are where everyone begins.",)


@pytest.mark.parametrize("line", ["ooc hi", "+ooc hi"])
def test_with_words_nobody_goes_anywhere(store: MemoryStore, line: str) -> None:
    store.scenes[7] = scene_of(ADA)
    (draft,) = do(store, line).drafts
    assert (draft.event, draft.ledger) == (Spoken("ooc", "hi"), 7)


def test_ooc_alone_asks_for_words(store: MemoryStore) -> None:
    assert no(store, "ooc") == "Usage: ooc <text>; +ooc alone goes to the lounge"


def test_nobody_leaves_in_the_middle_of_a_fight(store: MemoryStore) -> None:
    store.scenes[7] = scene_of(ADA, BRAM)
    store.write("fight", (7,), "the fight", phase="acting", round=1, turn=None)
    store.write("combatant", (7, ADA.id), "Ada")
    hint = "+combat/leave first, or talk with ooc <text>."
    assert no(store, "+ooc") == f"You are in the middle of a fight. {hint}"
    assert do(store, "+ooc", BRAM).drafts
    store.write("fight", (7,), "the fight", phase="over")
    assert do(store, "+ooc").drafts


def test_a_referee_takes_no_npc_out_of_character(store: MemoryStore) -> None:
    store.scenes[7] = scene_of(RHEA, referees=[RHEA], npcs={99: "Guard"})
    told = no(store, "+as guard=+ooc", RHEA)
    assert told == "Guard is always in character. Move yourself."


def test_without_a_lounge_there_is_nowhere_to_go(store: MemoryStore) -> None:
    del store.rooms[LOUNGE]
    assert no(store, "+ooc") == "There is no room for that. Talk with ooc <text>."
