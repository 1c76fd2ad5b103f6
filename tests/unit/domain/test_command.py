from __future__ import annotations

import pytest

from mushcombat.domain.character import Actor
from mushcombat.domain.command import (
    Access,
    Context,
    Job,
    Lane,
    Outcome,
    Verb,
    session_only,
)
from mushcombat.domain.events import Audience, Connected, Draft, Who
from mushcombat.domain.scene import Scene
from mushcombat.errors import MushError
from tests.unit.support import ADA, BRAM, GUEST, NOW, RHEA, Faces, call, scene_of


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("", ("", None)),
        ("a", ("a", None)),
        (" a b ", ("a b", None)),
        ("=", ("", "")),
        ("a=", ("a", "")),
        ("=b", ("", "b")),
        (" a = b ", ("a", "b")),
        ("a=b=c", ("a", "b=c")),
        ("a==", ("a", "=")),
    ],
)
def test_a_call_is_split_at_its_first_equals_sign(text: str, sides: tuple[str, str | None]) -> None:
    assert call(text).sides() == sides


def test_a_wrong_call_is_refused_with_its_usage() -> None:
    assert str(call("x", usage="+x <y>").wrong()) == "Usage: +x <y>"
    told = call("x", usage="+x <y>").wrong("That is no y.")
    assert str(told) == "That is no y. Usage: +x <y>"
    assert (told.code, told.hint) == ("usage", "Usage: +x <y>")


def context(actor: Actor, scene: Scene | None = None) -> Context:
    return Context(actor, 1, scene, NOW, Faces())


@pytest.mark.parametrize(
    ("actor", "scene", "referees"),
    [
        (ADA, None, False),
        (ADA, scene_of(ADA), False),
        (ADA, scene_of(ADA, referees=[ADA]), True),
        (ADA, scene_of(ADA, BRAM, referees=[BRAM]), False),
        (RHEA, None, True),
        (RHEA, scene_of(ADA), True),
        (GUEST, None, False),
    ],
)
def test_os_56_staff_and_the_scenes_referees_referee(
    actor: Actor, scene: Scene | None, referees: bool
) -> None:
    assert context(actor, scene).referees is referees


def test_who_acts_is_named_as_they_are_called_now() -> None:
    assert context(ADA).who == Who(ADA.id, "Ada")


def test_what_is_shown_outside_a_scene_is_logged_nowhere() -> None:
    event = Connected(here=True)
    assert context(ADA).show(event) == Draft(event, Audience.ROOM, None)


def test_what_is_shown_in_a_scene_is_logged_by_it() -> None:
    event = Connected(here=True)
    shown = context(ADA, scene_of(ADA)).show(event, follows=True)
    assert shown == Draft(event, Audience.ROOM, 7, follows=True)


def test_an_outcome_tells_the_actor_or_drafts_facts_or_both() -> None:
    draft = Draft(Connected(here=True))
    assert Outcome() == Outcome((), ())
    assert Outcome.tell("a", "b") == Outcome((), ("a", "b"))
    assert Outcome.of(draft) == Outcome((draft,), ())
    assert Outcome.of(draft, reply=["a"]) == Outcome((draft,), ("a",))


def verb(topic: str = "") -> Verb:
    return Verb("+x", "+x", Access.GUEST, Lane.HERE, lambda call: call, session_only, topic)


def test_a_verbs_help_has_its_own_name_unless_it_shares_one() -> None:
    assert verb().help_topic == "+x"
    assert verb("dice").help_topic == "dice"


def test_a_verb_of_the_connection_does_nothing_elsewhere() -> None:
    with pytest.raises(MushError) as caught:
        session_only(context(ADA), None)
    assert str(caught.value) == ("That works only from a connection. Log in and type it there.")


def test_a_job_may_change_characters_unless_it_says_that_it_only_appends() -> None:
    job = Job("1", Who(1, "Ada"), None, lambda store: Outcome(), lambda result: None)
    assert not job.appends
