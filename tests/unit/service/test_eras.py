"""+seed and +scene/reopen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mushcombat.domain.character import Actor
from mushcombat.domain.command import Outcome
from mushcombat.domain.dice import commitment
from mushcombat.domain.eras import DiceWords, Era, SceneLoaded, SceneReopened
from mushcombat.domain.events import Audience, Event, Fact, Moved, RoomDug
from mushcombat.domain.fight import Asked
from mushcombat.domain.scene import Scene
from mushcombat.errors import MushError
from mushcombat.service.eras import era_verbs
from tests.unit.service.table import do
from tests.unit.support import (
    ADA,
    BRAM,
    DOCK,
    GUEST,
    NOW,
    RHEA,
    START,
    MemoryStore,
    refused,
    run,
    scene_of,
    who,
    write_context,
)

SEED = bytes(range(40, 72))
REOPEN = {verb.name: verb for verb in era_verbs(lambda count: SEED[:count])}["+scene/reopen"]
OPEN = scene_of(ADA, BRAM)
CLOSED = scene_of(ADA, BRAM, open=False, closed_at=NOW)


def no(line: str, actor: Actor = ADA, *scenes: Scene, store: MemoryStore | None = None) -> str:
    with pytest.raises(MushError) as caught:
        do(line, actor, *scenes, store=store)
    return str(caught.value)


def events(outcome: Outcome) -> list[Event]:
    return [draft.event for draft in outcome.drafts]


# words


def test_words_are_logged_for_everyone_and_go_into_the_key() -> None:
    store = MemoryStore(OPEN)
    outcome = do("+seed the red   door", BRAM, OPEN, store=store)
    assert events(outcome) == [DiceWords(1, "the red door")]
    assert outcome.drafts[0].audience is Audience.ROOM
    assert outcome.drafts[0].ledger == OPEN.id
    assert store.era(OPEN.id) == Era(1, ("the red door",))


def test_words_are_refused_after_the_first_die() -> None:
    store = MemoryStore(OPEN)
    store.thrown.add(OPEN.id)
    assert no("+seed late", ADA, OPEN, store=store) == (
        "A die has been thrown: the dice of this scene depend on no more words. Words count before"
        " the first die, or once the scene was closed and reopened."
    )
    assert store.era(OPEN.id).words == ()


def given(seq: int, event: Event, actor: Actor = ADA) -> Fact:
    return Fact(event, who(actor), NOW, Audience.ROOM, START, OPEN.id, seq, seq)


def test_everyone_gives_words_once_an_era() -> None:
    store = MemoryStore(OPEN)
    log = store.logs[OPEN.id] = [given(1, DiceWords(1, "x")), given(2, DiceWords(1, "y"), BRAM)]
    told = "You have given your words. Others may give theirs."
    assert no("+seed more", ADA, OPEN, store=store) == told
    assert no("+seed more", BRAM, OPEN, store=store) == told
    log.append(given(3, SceneReopened("T", "otherspace", 1, "Hall", False, 2, "ab")))
    assert events(do("+seed more", ADA, OPEN, store=store)) == [DiceWords(1, "more")]
    log.append(given(4, DiceWords(2, "more")))
    assert no("+seed more", ADA, OPEN, store=store) == told


def test_guests_in_a_scene_give_words_and_outsiders_do_not() -> None:
    scene = scene_of(ADA, GUEST)
    assert events(do("+seed x", GUEST, scene)) == [DiceWords(1, "x")]
    assert no("+seed x", BRAM, OPEN and scene).startswith("You are in no scene here.")


@pytest.mark.parametrize("text", ["", "   ", "\t"])
def test_no_words_are_refused_with_the_usage(text: str) -> None:
    assert no(f"+seed {text}", ADA, OPEN) == "Usage: +seed <words>"


def test_words_have_a_length() -> None:
    assert no("+seed " + "x" * 201, ADA, OPEN) == "words: that has 201 characters. 1 to 200 fit."


# reopening


def test_a_scene_goes_on_where_it_sat_with_a_commitment_of_its_own() -> None:
    store = MemoryStore(CLOSED)
    outcome = run(REOPEN, write_context(store, ADA), "7")
    loaded, opened = events(outcome)
    assert opened == SceneReopened(
        "Night Watch", "otherspace", START, "The Landing", False, 2, commitment(SEED)
    )
    assert loaded == SceneLoaded(store.scenes[7])
    assert store.scenes[7].open
    draft = outcome.drafts[1]
    assert (draft.audience, draft.ledger, draft.room) == (Audience.ROOM, 7, START)
    assert outcome.drafts[0].ledger is None


def test_who_reopens_is_brought_there_and_takes_part() -> None:
    scene = replace(CLOSED, participants=frozenset({BRAM.id}))
    store = MemoryStore(scene)
    store.move(ADA.id, DOCK)
    moved, *_ = events(run(REOPEN, write_context(store, ADA)))
    assert moved == Moved(ADA.id, "Ada", DOCK, START)
    assert store.scenes[7].participants == {ADA.id, BRAM.id}


@pytest.mark.parametrize("why", ["private", "gone", "taken", "temporary", "unknown"])
def test_a_scene_whose_place_can_not_have_it_gets_a_temporary_room(why: str) -> None:
    scene = replace(CLOSED, private=why == "private", room=99 if why == "unknown" else DOCK)
    other = scene_of(BRAM, id=8, room=DOCK)
    store = MemoryStore(scene, *([other] if why == "taken" else []))
    if why in {"gone", "temporary"}:
        store.rooms[DOCK] = replace(store.rooms[DOCK], kind=why)
    dug, moved, loaded, opened = events(run(REOPEN, write_context(store, ADA), "7"))
    room = max(store.rooms)
    assert dug == RoomDug(room, "Night Watch", temporary=True)
    assert moved == Moved(ADA.id, "Ada", START, room)
    assert isinstance(loaded, SceneLoaded)
    assert isinstance(opened, SceneReopened)
    assert (opened.room, opened.private) == (room, why == "private")
    assert store.rooms[room].origin == START


def test_the_others_who_are_connected_are_told_and_nobody_else() -> None:
    scene = scene_of(ADA, BRAM, RHEA, GUEST, open=False, participants=frozenset({11, 12, 13}))
    store = MemoryStore(scene)
    context = replace(write_context(store, ADA), present=frozenset({11, 12, 14}))
    (asked,) = [d for d in run(REOPEN, context).drafts if isinstance(d.event, Asked)]
    text = '[Scene] Ada reopens scene 7 "Night Watch". +scene/join 7 brings you there.'
    assert asked.event == Asked(BRAM.id, "Bram", text)
    assert (asked.audience, asked.ledger, asked.actor) == (Audience.PRIVATE, None, who(BRAM))


def test_only_who_could_close_it_and_was_in_it_reopens_a_scene() -> None:
    told = "Who opened the scene reopens it, or a referee. Ask them."
    for actor in (BRAM, RHEA):  # Rhea is staff, and was not in it
        assert refused(REOPEN, write_context(MemoryStore(CLOSED), actor), "7") == told
    for scene in (
        replace(CLOSED, referees=frozenset({BRAM.id})),
        replace(CLOSED, owner=BRAM.id),
    ):
        assert run(REOPEN, write_context(MemoryStore(scene), BRAM), "7").drafts


def test_a_private_scene_of_others_and_none_at_all_answer_alike() -> None:
    private = replace(CLOSED, private=True)
    for store, number in ((MemoryStore(private), 7), (MemoryStore(), 7), (MemoryStore(), 999)):
        told = refused(REOPEN, write_context(store, RHEA), str(number))
        assert told == f"There is no scene {number}."


def test_an_open_scene_is_not_reopened() -> None:
    told = refused(REOPEN, write_context(MemoryStore(OPEN), ADA), "#7")
    assert told == "Scene 7 is open. +scene/join 7 brings you there."


def test_without_a_number_it_is_the_last_one_that_closed() -> None:
    told = refused(REOPEN, write_context(MemoryStore(OPEN), ADA))
    assert told == "No scene of yours is closed. +scene/open <title> opens one."
    store = MemoryStore(CLOSED, replace(CLOSED, id=8, took_part=frozenset({BRAM.id})))
    assert isinstance(events(run(REOPEN, write_context(store, ADA)))[-1], SceneReopened)
    assert (store.scenes[7].open, store.scenes[8].open) == (True, False)


def test_a_reopened_scene_can_be_restarted_by_that_name_too() -> None:
    assert REOPEN.aliases == ("+scene/restart",)
    assert events(do("+scene/restart", ADA, store=MemoryStore(CLOSED)))
