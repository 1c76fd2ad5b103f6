from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.command import Outcome
from mushcombat.domain.events import Audience, Who
from mushcombat.domain.scene_events import Muttered, MutteredTo
from mushcombat.errors import MushError
from mushcombat.service.mutter import mutter_verbs, what_is_heard
from tests.unit.service.play import Play
from tests.unit.service.table import do, world_of
from tests.unit.support import (
    ADA,
    BRAM,
    NOW,
    RHEA,
    START,
    Faces,
    MemoryStore,
    run,
    scene_of,
    write_context,
)

THUG = 40
LOST, KEPT = 1, 2
SCENE = scene_of(ADA, BRAM, RHEA, referees=[RHEA], npcs={THUG: "Thug"})


def muttered(text: str, *faces: int, scene: object = SCENE, actor: object = ADA) -> Outcome:
    """Mutter in the scene, with free dice that fall as told and scene's dice that may not."""
    store = MemoryStore(SCENE, dice=Faces())
    (verb,) = mutter_verbs(world_of(SCENE), Faces(*faces))
    context = write_context(store, actor, scene)  # type: ignore[arg-type]
    present = frozenset({ADA.id, BRAM.id, RHEA.id})
    outcome = run(verb, replace(context, present=present), text)
    assert store.faces.asked == []
    return outcome


def test_the_person_hears_all_and_the_room_the_words_that_are_kept() -> None:
    whole, heard = muttered("bram = meet me%rat noon", KEPT, LOST, LOST, KEPT).drafts
    assert whole.event == MutteredTo(BRAM.id, "Bram", "meet me%rat noon")
    assert (whole.audience, whole.ledger) == (Audience.PRIVATE, None)
    assert heard.event == Muttered(BRAM.id, "Bram", "meet ... noon")
    assert (heard.audience, heard.ledger) == (Audience.ROOM, SCENE.id)


def test_a_mutter_to_nobody_is_whole_to_who_mutters_alone() -> None:
    whole, heard = muttered("this ends badly", LOST, KEPT, LOST).drafts
    assert whole.event == MutteredTo(ADA.id, "", "this ends badly")
    assert heard.event == Muttered(None, "", "... ends ...")


def test_a_mutter_that_begins_with_somebodys_name_is_asked_about() -> None:
    with pytest.raises(MushError, match=r"^Is that for Bram\? Then type mutter Bram=<text>\."):
        muttered("bram is late again")
    assert muttered("=bram is late", LOST, LOST, KEPT).drafts[1].event == Muttered(
        None, "", "... late"
    )
    assert muttered("Bramble is late", LOST, LOST, KEPT).drafts


def test_the_room_never_hears_all_of_it_however_the_dice_fall() -> None:
    (_, heard) = muttered("bram=at midnight", KEPT, KEPT).drafts
    assert heard.event == Muttered(BRAM.id, "Bram", "at ...")
    (_, heard) = muttered("bram=run", KEPT).drafts
    assert heard.event == Muttered(BRAM.id, "Bram", "...")


FALLEN = st.tuples(st.sampled_from(["a", "bb", "ccc"]), st.sampled_from([LOST, KEPT]))


@given(st.lists(FALLEN, min_size=1))
def test_what_is_heard_is_the_kept_words_or_all_but_one(fallen: list[tuple[str, int]]) -> None:
    words, faces = [word for word, _ in fallen], [face for _, face in fallen]
    heard = what_is_heard(" ".join(words), Faces(*faces)).split()
    shown = [word for word in heard if word != "..."]
    assert "..." in heard
    if LOST in faces:
        assert shown == [word for word, face in fallen if face == KEPT]
    else:
        lost = words.index(max(words, key=len))
        assert shown == words[:lost] + words[lost + 1 :]


def test_what_is_muttered_to_an_npc_is_heard_by_the_scenes_referees() -> None:
    mine, referees, heard = muttered("thug=run", LOST).drafts
    assert mine.event == MutteredTo(THUG, "Thug", "run")
    assert referees.event == MutteredTo(RHEA.id, "Thug", "run", "Ada")
    assert referees.actor == Who(THUG, "Thug")
    assert heard.event == Muttered(THUG, "Thug", "...")
    assert len(muttered("thug=run", LOST, actor=RHEA).drafts) == 2


def test_a_hidden_npc_is_nobody_to_players() -> None:
    hidden = replace(SCENE, hidden=frozenset({THUG}))
    with pytest.raises(MushError, match=r'^Nobody called "thug" is here\.'):
        muttered("thug=run", LOST, scene=hidden)
    assert muttered("thug=run", LOST, scene=hidden, actor=RHEA).drafts


@pytest.mark.parametrize("text", ["", "=", "bram=", "bram=%r%b", "%t"])
def test_a_mutter_of_nothing_is_answered_with_the_usage(text: str) -> None:
    with pytest.raises(MushError, match=r"^Usage: mutter "):
        muttered(text)


def test_who_is_not_here_or_could_be_two_is_refused() -> None:
    with pytest.raises(MushError, match=r'^Nobody called "guest" is here\.'):
        muttered("guest=run", LOST)
    two = replace(SCENE, npcs={THUG: "Brick"})
    with pytest.raises(MushError, match=r'^"br" could be Bram, Brick\.'):
        muttered("br=run", LOST, scene=two)


def test_outside_a_scene_nothing_is_logged() -> None:
    drafts = do("mutter me=run", ADA).drafts
    assert [draft.ledger for draft in drafts] == [None, None]
    assert isinstance(drafts[1].event, Muttered)
    assert drafts[1].event.to == "Ada"


@pytest.mark.parametrize("line", ["pose creeps.", "say Hm.", "@emit Hm.", "ooc hm", "mutter me=x"])
def test_in_a_paused_scene_a_hidden_npc_is_silent(line: str) -> None:
    play = Play(replace(SCENE, paused=True, hidden=frozenset({THUG})))
    for typed in (f"Thug: {line}", f"+as Thug={line}"):
        with pytest.raises(MushError) as refused:
            play.type(RHEA, typed)
        told = "Thug is hidden, and the scene is paused. +scene/resume first."
        assert str(refused.value) == told
    assert play.facts == []
    shown = Play(replace(SCENE, paused=True))
    shown.type(RHEA, "Thug: pose creeps.")
    assert [fact.ledger for fact in shown.facts] == [None]


def test_in_a_paused_scene_a_mutter_is_talk_in_a_room() -> None:
    play = Play(replace(SCENE, paused=True))
    play.type(ADA, "mutter bram=run")
    assert [fact.ledger for fact in play.facts] == [None, None]
    assert play.facts[1].room == START
    assert play.facts[1].at == NOW
