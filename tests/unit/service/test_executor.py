from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

import pytest

from mushcombat.domain.character import Actor, Role
from mushcombat.domain.command import Access, Context, Lane, Outcome, Verb
from mushcombat.domain.events import Audience
from mushcombat.domain.scene import Scene
from mushcombat.errors import MushError
from mushcombat.service.executor import Executor, Work, access_of
from mushcombat.service.parsing import nothing
from mushcombat.service.router import HUH, Router
from mushcombat.systems.otherspace.events import Rolled
from tests.unit.service.table import ROUTER, do, executor_of, presence_of, world_of
from tests.unit.support import (
    ADA,
    BRAM,
    DOCK,
    GUEST,
    NOW,
    RHEA,
    START,
    Faces,
    MemoryStore,
    scene_of,
)

SCENE = scene_of(ADA, RHEA)


def work(line: str, actor: Actor = ADA, *scenes: Scene, room: int = START) -> Work:
    return executor_of(world_of(*scenes)).prepare(presence_of(actor, room), line)


def no(line: str, actor: Actor = ADA, *scenes: Scene, room: int = START) -> str:
    with pytest.raises(MushError) as caught:
        work(line, actor, *scenes, room=room)
    return str(caught.value)


@pytest.mark.parametrize("line", ["look", "frobnicate"])
def test_who_types_is_active_even_where_it_is_not_understood(line: str) -> None:
    ada = presence_of(ADA)
    ada.active = NOW - timedelta(hours=1)
    with suppress(MushError):
        executor_of(world_of()).prepare(ada, line)
    assert ada.active == NOW


CALCULATORS = [
    "+rcalcdamage 6/4/50/20",
    "+mcalcdamage 6/4/50/20",
    "+psicalcdamage 6/4/6/4",
    "+calcdamage 40/4",
]
SPEECH = ["say hi", '"hi', ":waves", ";'s hat", "\\It rains.", "ooc hi"]


@pytest.mark.parametrize("line", [*CALCULATORS, *SPEECH])
def test_what_only_speaks_runs_here_outside_a_scene(line: str) -> None:
    prepared = work(line)
    assert (prepared.lane, prepared.appends, prepared.room) == (Lane.HERE, False, START)
    (draft,) = prepared.run(None).drafts
    assert (draft.ledger, draft.audience) == (None, Audience.ROOM)


@pytest.mark.parametrize("line", [*CALCULATORS, *SPEECH])
def test_in_a_scene_it_is_an_appending_write(line: str) -> None:
    prepared = work(line, ADA, SCENE)
    assert (prepared.lane, prepared.appends) == (Lane.WRITE, True)
    (draft,) = prepared.run(MemoryStore(SCENE)).drafts
    assert (draft.ledger, draft.audience) == (SCENE.id, Audience.ROOM)


@pytest.mark.parametrize("line", ["+roll pistol", "+reaction"])
def test_a_roll_reads_outside_a_scene_and_writes_in_one(line: str) -> None:
    assert (work(line).lane, work(line).appends) == (Lane.READ, False)
    inside = work(line, ADA, SCENE)
    assert (inside.lane, inside.appends) == (Lane.WRITE, False)


def test_who_stands_by_but_does_not_take_part_is_not_logged() -> None:
    prepared = work("say hi", BRAM, SCENE)
    assert prepared.lane is Lane.HERE
    assert prepared.run(None).drafts[0].ledger is None


def test_who_takes_part_but_stands_elsewhere_is_not_logged() -> None:
    assert work("say hi", ADA, SCENE, room=DOCK).lane is Lane.HERE


@pytest.mark.parametrize("line", ["who", "look", "+where", "page bram=hi", "whisper bram=hi"])
def test_what_nobody_needs_kept_never_goes_to_the_writer(line: str) -> None:
    assert work(line, ADA, SCENE).lane is Lane.HERE


@pytest.mark.parametrize(
    ("line", "lane"),
    [
        ("+sheet", Lane.READ),
        ("+finger bram", Lane.READ),
        ("+scene/list", Lane.READ),
        ("+scene/open T", Lane.WRITE),
        ("home", Lane.WRITE),
        ("@password a=b", Lane.SESSION),
        ("quit", Lane.SESSION),
    ],
)
def test_every_command_runs_in_its_lane(line: str, lane: Lane) -> None:
    prepared = work(line, ADA, SCENE)
    assert (prepared.lane, prepared.appends) == (lane, False)


def test_in_a_scene_the_dice_are_the_scenes() -> None:
    store = MemoryStore(SCENE, dice=Faces(3, 3, 3, 3))
    (draft,) = do("+roll strength", ADA, SCENE, store=store).drafts
    assert isinstance(draft.event, Rolled)
    assert draft.event.breakdown.throws[0].faces == (3, 3, 3, 3)
    assert store.faces.asked == [(4, 3, "roll")]


def test_outside_a_scene_the_dice_are_the_free_ones() -> None:
    store = MemoryStore()
    (draft,) = do("+roll strength", store=store).drafts
    assert isinstance(draft.event, Rolled)
    assert draft.event.breakdown.throws[0].faces == (2, 2, 2, 2)
    assert store.faces.asked == []


def test_what_the_scene_does_not_show_takes_no_die_of_it() -> None:
    def throw(context: Context, _: None) -> Outcome:
        return Outcome.tell(str(context.dice.throw(1, 3, "x").faces))

    secret = Verb("+peek", "+peek", Access.GUEST, Lane.WRITE, nothing, throw)
    routers = {"otherspace": Router([secret])}
    executor = Executor(world_of(SCENE), routers, "otherspace", lambda: NOW, lambda n: 0)
    store = MemoryStore(SCENE)
    assert executor.prepare(presence_of(ADA), "+peek").run(store).reply == ("(1,)",)
    assert store.faces.asked == []


@pytest.mark.parametrize(
    ("line", "lane"),
    [("+rcalcdamage/self 6/4/50/20", Lane.HERE), ("+roll/self strength", Lane.READ)],
)
def test_self_answers_the_typist_alone_and_logs_nothing(line: str, lane: Lane) -> None:
    store = MemoryStore(SCENE)
    prepared = work(line, ADA, SCENE)
    assert (prepared.lane, prepared.appends) == (lane, False)
    (draft,) = prepared.run(store).drafts
    assert (draft.ledger, draft.audience) == (None, Audience.ACTOR)


def test_self_takes_no_die_of_the_scene() -> None:
    store = MemoryStore(SCENE)
    do("+roll/self strength", ADA, SCENE, store=store)
    assert store.faces.asked == []


@pytest.mark.parametrize(
    ("actor", "scene", "access"),
    [
        (GUEST, None, Access.GUEST),
        (ADA, None, Access.PLAYER),
        (RHEA, None, Access.STAFF),
        (Actor(9, "Root", Role.ADMIN, 9), None, Access.ADMIN),
        (ADA, scene_of(ADA), Access.PLAYER),
        (ADA, scene_of(ADA, referees=[ADA]), Access.REFEREE),
        (RHEA, scene_of(RHEA, referees=[RHEA]), Access.STAFF),
        (GUEST, scene_of(GUEST, referees=[GUEST]), Access.GUEST),
    ],
)
def test_os_56_a_referee_may_more_in_their_scene_and_a_guest_never(
    actor: Actor, scene: Scene | None, access: Access
) -> None:
    assert access_of(actor, scene) is access


def test_os_56_a_referees_command_does_not_exist_for_players() -> None:
    assert no("+set bram/pistol=5") == HUH
    assert no("+set bram/pistol=5", ADA, scene_of(ADA)) == HUH


def test_os_56_a_referee_has_it_in_their_scene_alone() -> None:
    mine = scene_of(ADA, referees=[ADA])
    assert work("+set bram/pistol=5", ADA, mine).lane is Lane.WRITE
    assert no("+set bram/pistol=5", ADA, mine, room=DOCK) == HUH
    assert work("+set bram/pistol=5", RHEA).lane is Lane.WRITE


@pytest.mark.parametrize("line", ["@dig X", "dig X", "@tel here", "@open a=b", "zzz", "+", "/"])
def test_what_one_may_not_use_is_answered_like_nonsense(line: str) -> None:
    assert no(line) == HUH == 'Huh?  (Type "help" for help.)'


@pytest.mark.parametrize("line", ["@desc me=x", "@doing x", "@password a=b", "+scene/open T"])
def test_guests_have_fewer_commands_than_players(line: str) -> None:
    assert work(line, ADA)
    assert no(line, GUEST)


@pytest.mark.parametrize("line", ["out", "OUT", "o", " Out "])
def test_an_exits_name_or_alias_walks_through_it(line: str) -> None:
    prepared = work(line)
    assert prepared.verb.name == "go"
    assert prepared.arguments == line.strip()


def test_an_exit_wins_over_an_abbreviation_and_not_over_a_whole_name() -> None:
    assert work("pos").verb.name == "go"
    assert work("pos hello").verb.name == "pose"
    assert work("pose hello").verb.name == "pose"


def test_an_exit_of_another_room_is_none() -> None:
    assert work("pos x", room=DOCK).verb.name == "pose"
    assert no("out", room=DOCK) == HUH


def test_a_bad_field_is_refused_with_its_usage_behind() -> None:
    assert no("+rcalcdamage 6/4/fifty/20") == (
        'ODF: "fifty" is not a whole number from 0 to 999.'
        " Usage: +rcalcdamage[/self] <attack>/<defence>/<ODF>/<DDF>"
    )


@pytest.mark.parametrize(
    ("actor", "line", "told"),
    [
        (ADA, "+roll pistol at 5", 'modifier: "5" is not a whole number from -'),
        (ADA, "+reaction at 5", 'modifier: "5" is not a whole number from -'),
        (RHEA, "+set ada/pistol=21", 'Pistol: "21" is neither'),
    ],
)
def test_a_bad_field_that_shows_while_running_has_its_usage_behind_too(
    actor: Actor, line: str, told: str
) -> None:
    with pytest.raises(MushError) as refused:
        do(line, actor, scene_of(RHEA, ADA))
    assert str(refused.value).startswith(told)
    assert f". Usage: {line.split(maxsplit=1)[0]}" in str(refused.value)


def test_what_is_refused_while_running_keeps_the_hint_of_its_own() -> None:
    with pytest.raises(MushError, match=r"needs a reason\. Type it behind the number: at 5 <reas"):
        do("+roll pistol at 5", RHEA, scene_of(RHEA))


@pytest.mark.parametrize("line", ["+as", "+AS ", "+as bram", "+as=x", "+as bram=", "+as =x"])
def test_os_56_to_stand_in_for_nobody_or_with_nothing_is_answered_with_the_usage(
    line: str,
) -> None:
    mine = scene_of(ADA, BRAM, referees=[ADA])
    assert no(line, ADA, mine) == "Usage: +as <name>=<command>"
    assert no(line, BRAM, mine) == HUH


def test_a_usage_is_not_told_twice() -> None:
    assert no("+rcalcdamage").count("Usage: ") == 1
    assert no("page bram=").count("Usage: ") == 1


def test_a_refusal_that_says_what_to_type_is_left_as_it_is() -> None:
    assert no("+roll tele") == 'trait: "tele" could be Telepathy, Telekinesis. Type more of it.'


def of_two_systems(default: str, *scenes: Scene) -> Executor:
    """Make an executor of two systems, `few` of which has no +roll."""
    few = Router([verb for verb in ROUTER.verbs if verb.name not in {"+roll", "+set"}])
    routers = {"otherspace": ROUTER, "few": few}
    return Executor(world_of(*scenes), routers, default, lambda: NOW, lambda n: 0)


def test_in_a_scene_the_commands_are_those_of_its_system() -> None:
    executor = of_two_systems("otherspace", scene_of(ADA, system="few"))
    for line in ("+roll pistol", "+ROLL/self pistol", "+taskroll pistol", "+roll/nonsense"):
        with pytest.raises(MushError) as refused:
            executor.prepare(presence_of(ADA), line)
        assert str(refused.value) == (
            f"{line.split()[0]} is for scenes by the rules of otherspace."
            f" This scene plays by few. help {line.split()[0]} tells more."
        )
    assert executor.prepare(presence_of(BRAM), "+roll pistol").verb.name == "+roll"


def test_outside_scenes_a_command_of_another_system_is_told_to_be_one() -> None:
    executor = of_two_systems("few")
    with pytest.raises(MushError, match=r"otherspace\. Outside scenes one plays by few\. help"):
        executor.prepare(presence_of(ADA), "+roll pistol")


def test_what_one_may_not_use_in_another_system_either_does_not_exist() -> None:
    executor = of_two_systems("few")
    with pytest.raises(MushError, match=r"^Huh"):
        executor.prepare(presence_of(ADA), "+set ada/pistol=6")
    with pytest.raises(MushError, match="is for scenes by the rules of otherspace"):
        executor.prepare(presence_of(RHEA), "+set ada/pistol=6")
