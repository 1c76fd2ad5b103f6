from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from mushcombat.domain.character import Actor
from mushcombat.domain.command import Outcome
from mushcombat.domain.eras import EraClosed
from mushcombat.domain.events import (
    Audience,
    Event,
    Fact,
    Moved,
    Paged,
    PrivacySet,
    RefereeNamed,
    RoomDug,
    SceneInvited,
    SceneJoined,
    SceneLeft,
    SceneOpened,
    Spoken,
)
from mushcombat.domain.ports import Place
from mushcombat.domain.scene import Scene
from mushcombat.errors import MushError
from mushcombat.service.recap import MOST_SAID
from mushcombat.service.scene_log import PAGE
from tests.unit.service.table import ROUTER, do
from tests.unit.support import (
    ADA,
    BRAM,
    DOCK,
    GUEST,
    NOW,
    RHEA,
    START,
    MemoryStore,
    run,
    scene_of,
    who,
    write_context,
)

PUBLIC = scene_of(ADA)
PRIVATE = scene_of(ADA, private=True)
CLOSED = scene_of(ADA, open=False)
ATTIC = 5


def no(line: str, actor: Actor = ADA, *scenes: Scene, store: MemoryStore | None = None) -> str:
    with pytest.raises(MushError) as caught:
        do(line, actor, *scenes, store=store)
    return str(caught.value)


def events(outcome: Outcome) -> list[Event]:
    return [draft.event for draft in outcome.drafts]


def hidden_away(scene: Scene) -> MemoryStore:
    """Make a store whose scene sits in a temporary room, with its people in it."""
    store = MemoryStore(replace(scene, room=ATTIC))
    store.rooms[ATTIC] = Place(ATTIC, "Night Watch", "temporary", "", origin=DOCK)
    for character in scene.participants:
        store.move(character, ATTIC)
    return store


def test_opening_shows_a_commitment_and_keeps_the_seed() -> None:
    store = MemoryStore()
    (draft,) = do("+scene/open  A   quiet night", ADA, store=store).drafts
    event = draft.event
    assert isinstance(event, SceneOpened)
    assert (event.title, event.system, event.room) == ("A quiet night", "otherspace", START)
    assert (event.place, event.private, event.referee) == ("The Landing", False, False)
    assert len(bytes.fromhex(event.commitment)) == sha256().digest_size
    assert (draft.ledger, draft.room) == (1, START)
    assert store.scenes[1].participants == {ADA.id}


def test_os_56_staff_who_open_a_scene_referee_it() -> None:
    (draft,) = do("+scene/open T=OtherSpace", RHEA).drafts
    assert isinstance(draft.event, SceneOpened)
    assert draft.event.referee


def test_another_scene_opened_in_the_room_gets_a_temporary_one() -> None:
    store = MemoryStore(PUBLIC)
    dug, moved, opened = events(do("+scene/open T", BRAM, PUBLIC, store=store))
    assert dug == RoomDug(3, "T", temporary=True)
    assert moved == Moved(BRAM.id, "Bram", START, 3)
    assert isinstance(opened, SceneOpened)
    assert opened.room == 3
    assert store.rooms[3].origin == START


def test_the_way_back_from_a_scene_never_leads_into_another_scenes_room() -> None:
    store = hidden_away(PUBLIC)
    store.move(BRAM.id, ATTIC)
    opens = next(verb for verb in ROUTER.verbs if verb.name == "+scene/open")
    run(opens, write_context(store, BRAM), "T")
    (room,) = [room for room in store.rooms.values() if room.name == "T"]
    assert (room.kind, room.origin) == ("temporary", DOCK)


def test_a_scene_needs_a_title_and_a_system_of_the_game() -> None:
    assert no("+scene/open") == "A scene needs a title. Usage: +scene/open <title>[=<system>]"
    assert no("+scene/open T=chess") == (
        'system: "chess" is not one of this game. It has otherspace and spaceopera.'
    )
    assert no("+scene/open " + "x" * 81) == "title: that has 81 characters. 1 to 80 fit."


@pytest.mark.parametrize("line", ["+scene/join 7", "+scene/join", "+scene/join #7"])
def test_joining_a_public_scene_makes_one_take_part(line: str) -> None:
    store = MemoryStore(PUBLIC)
    assert events(do(line, BRAM, store=store)) == [SceneJoined()]
    assert store.scenes[7].participants == {ADA.id, BRAM.id}
    assert do(line, BRAM, store=store).reply == ("You are in scene 7.",)


def test_joining_from_afar_leads_to_its_room() -> None:
    store = MemoryStore(PUBLIC)
    store.move(BRAM.id, DOCK)
    assert events(do("+scene/join 7", BRAM, store=store)) == [
        Moved(BRAM.id, "Bram", DOCK, START),
        SceneJoined(),
    ]


@pytest.mark.parametrize(
    "line", ["+scene/join 7", "+scene/log 7", "+scene/recap 7", "+scene/log 7=1"]
)
@pytest.mark.parametrize("actor", [BRAM, RHEA, GUEST])
def test_somebody_elses_private_scene_is_answered_like_none(line: str, actor: Actor) -> None:
    assert no(line, actor, store=MemoryStore(PRIVATE)) == "There is no scene 7."
    assert no(line, actor, store=MemoryStore()) == "There is no scene 7."


def test_somebody_elses_private_scene_is_in_no_list_and_joined_by_no_place() -> None:
    store = MemoryStore(PRIVATE)
    assert do("+scene/list", BRAM, store=store).reply == (
        "No scene is open. Open one with +scene/open <title>.",
    )
    assert no("+scene/join", BRAM, store=store).startswith("No scene is open here.")
    assert do("+scene/list", ADA, store=store).reply == (
        'Scene 7 "Night Watch": private, open, 1 in it, no pose yet.',
    )


def test_who_was_invited_may_join_a_private_scene() -> None:
    store = MemoryStore(PRIVATE)
    (draft,) = do("+scene/invite bram", ADA, PRIVATE, store=store).drafts
    assert draft.event == SceneInvited(BRAM.id, "Bram")
    assert (draft.audience, draft.ledger) == (Audience.PRIVATE, 7)
    assert SceneJoined() in events(do("+scene/join 7", BRAM, store=store))
    assert do("+scene/invite bram", ADA, PRIVATE, store=store).reply == ("Bram is in the scene.",)


def test_guests_join_when_they_are_asked() -> None:
    store = MemoryStore(PUBLIC)
    assert no("+scene/join 7", GUEST, store=store).startswith("Guests join a scene when")
    store.invite(7, GUEST.id)
    assert events(do("+scene/join 7", GUEST, store=store)) == [SceneJoined()]


def test_a_closed_scene_is_not_joined_but_read() -> None:
    store = MemoryStore(CLOSED)
    assert no("+scene/join 7", BRAM, store=store) == ("Scene 7 is closed. +scene/log 7 shows it.")
    assert do("+scene/log 7", BRAM, store=store).reply[0].startswith('Scene 7 "Night Watch"')


@pytest.mark.parametrize(
    "line", ["+scene", "+scene/leave", "+scene/close", "+scene/private", "+scene/log"]
)
def test_who_is_in_no_scene_is_told_how_to_be(line: str) -> None:
    assert no(line, BRAM, PUBLIC) == (
        "You are in no scene here. Join one with +scene/join, or open one with +scene/open <title>."
    )


def test_leaving_a_temporary_room_leads_back() -> None:
    scene = scene_of(ADA, BRAM)
    assert events(do("+scene/leave", BRAM, scene)) == [SceneLeft()]
    store = hidden_away(scene)
    moved = events(do("+scene/leave", BRAM, scene, store=store))
    assert moved == [SceneLeft(), Moved(BRAM.id, "Bram", ATTIC, DOCK)]


def test_closing_shows_the_seed_and_empties_a_temporary_room() -> None:
    scene = scene_of(ADA, BRAM)
    store = hidden_away(scene)
    closed, *moves = events(do("+scene/close", ADA, scene, store=store))
    assert closed == EraClosed(1, bytes(range(32)).hex(), 0)
    assert moves == [Moved(a.id, a.name, ATTIC, DOCK) for a in (ADA, BRAM)]
    assert store.rooms[ATTIC].kind == "gone"
    assert events(do("+scene/close", ADA, PUBLIC)) == [closed]


@pytest.mark.parametrize("line", ["+scene/close", "+scene/private", "+scene/public"])
def test_only_who_runs_a_scene_closes_it_or_hides_it(line: str) -> None:
    scene = scene_of(ADA, BRAM, RHEA)
    assert no(line, BRAM, scene).startswith("Who opened the scene ")
    assert do(line, RHEA, scene).drafts
    assert do(line, BRAM, scene_of(ADA, BRAM, referees=[BRAM])).drafts


def test_os_56_staff_name_a_referee_who_takes_part() -> None:
    scene = scene_of(ADA, RHEA, GUEST)
    assert events(do("+scene/referee ada", RHEA, scene)) == [RefereeNamed(ADA.id, "Ada")]
    assert no("+scene/referee bram", RHEA, scene).startswith("Bram is not in the scene.")
    assert no("+scene/referee guest", RHEA, scene).startswith("Guests never referee.")
    assert "/referee" in no("+scene/referee ada", ADA, scene)


def test_making_a_scene_private_moves_its_people_and_nobody_else() -> None:
    scene = scene_of(ADA, BRAM)
    store = MemoryStore(scene)
    drafts = do("+scene/private", ADA, scene, store=store).drafts
    assert [draft.event for draft in drafts] == [
        RoomDug(3, "Night Watch", temporary=True),
        Moved(ADA.id, "Ada", START, 3),
        Moved(BRAM.id, "Bram", START, 3),
        PrivacySet(True, 3, "Night Watch"),
    ]
    assert drafts[-1].room == 3
    assert store.characters[RHEA.id].room == START


def test_a_scene_in_a_temporary_room_stays_there_when_it_is_hidden_or_shown() -> None:
    store = hidden_away(PUBLIC)
    assert events(do("+scene/private", ADA, PUBLIC, store=store)) == [
        PrivacySet(True, ATTIC, "Night Watch")
    ]
    assert events(do("+scene/public", ADA, PUBLIC, store=store)) == [
        PrivacySet(False, ATTIC, "Night Watch")
    ]


def test_a_scene_tells_about_itself() -> None:
    scene = scene_of(ADA, BRAM, referees=[BRAM])
    assert do("+scene", ADA, scene).reply == (
        'Scene 7 "Night Watch": public, open, otherspace.',
        "Place: The Landing",
        "Since: 2026-03-01 12:30 UTC",
        "In it: Ada and Bram",
        "Referees: Bram",
        "Lines: 0",
    )


def logged(count: int, *extra: Fact) -> MemoryStore:
    store = MemoryStore(scene_of(ADA, BRAM, referees=[BRAM]))
    facts = [
        Fact(Spoken("pose", f"line {n}.%rMore."), who(ADA), NOW, Audience.ROOM, START, 7, n, n)
        for n in range(1, count + 1)
    ]
    store.logs[7] = [*facts, *extra]
    return store


def test_a_log_is_shown_page_by_page_the_last_one_first() -> None:
    store = logged(PAGE + 1)
    head, line = do("+scene/log 7", RHEA, store=store).reply
    assert head == (
        'Scene 7 "Night Watch", times in UTC, page 2 of 2 (+scene/log 7=1 for the one before):'
    )
    assert line == "#51 12:30:45 Ada line 51.\n  More."
    first = do("+scene/log 7=1", RHEA, store=store).reply
    assert first[0] == 'Scene 7 "Night Watch", times in UTC, page 1 of 2:'
    assert len(first) == PAGE + 1
    assert do("+scene/log 7=99", RHEA, store=store).reply == (head, line)


def test_an_empty_log_has_one_page() -> None:
    assert do("+scene/log 7", RHEA, store=logged(0)).reply == (
        'Scene 7 "Night Watch", times in UTC, page 1 of 1:',
    )


def test_a_recap_is_the_scene_and_its_last_lines_in_a_line_each() -> None:
    lines = do("+recap 7", RHEA, store=logged(20)).reply
    assert lines[0] == 'Scene 7 "Night Watch": public, open, otherspace.'
    assert lines[1] == "At: The Landing. Times are in UTC."
    assert lines[2] == "In it: Ada and Bram. Referees: Bram."
    assert lines[-1] == "#20 12:30:45 Ada line 20.   More."
    assert len(lines) == 3 + MOST_SAID
    assert not any("\n" in line for line in lines)


@pytest.mark.parametrize(("actor", "sees"), [(ADA, True), (BRAM, True), (RHEA, False)])
def test_a_private_line_of_a_log_is_for_the_two_and_the_referees(actor: Actor, sees: bool) -> None:
    page = Paged(GUEST.id, "Guest 1", "psst")
    store = logged(1, Fact(page, who(ADA), NOW, Audience.PRIVATE, START, 7, 2, 2))
    told = "".join(do("+scene/log 7", actor, store=store).reply)
    assert ("psst" in told) is sees
