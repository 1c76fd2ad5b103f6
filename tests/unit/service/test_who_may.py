"""Who may do what: every verb and every role, against one table that is written by hand."""

from __future__ import annotations

import pytest

from mushcombat.domain.character import Actor, Role
from mushcombat.domain.command import Access
from mushcombat.domain.scene import Scene
from mushcombat.errors import MushError
from mushcombat.rulebook import build_routers
from mushcombat.service.executor import access_of
from mushcombat.service.router import HUH, Router
from mushcombat.service.world import World
from tests.unit.service.table import BOOK, executor_of, world_of
from tests.unit.support import ADA, BRAM, GUEST, RHEA, scene_of

LEAST = {
    "guest": """
        say pose ; @emit ooc @set @nospoof page whisper mutter
        who +where look +finger go home quit help
        +scene +scene/join +scene/leave +scene/list +scene/log +scene/recap +scene/share
        +edit +typo +undo/pose +recall +recall/versions +pot +pot/skip +seed
        +sheet +combat +ref +why +roll +reaction +rcalcdamage +mcalcdamage +psicalcdamage
        +calcdamage +health +weapons +armor +speed
        +afk +channel +channel/who +channel/say +channel/join +channel/leave +channel/on
        +channel/off +channel/recall +ooc +ic
        +map +cr
    """,
    "player": """
        @doing @desc @password +scene/open +scene/close +scene/invite +scene/private +scene/public
        +scene/pause +scene/resume +scene/set +scene/reopen +scene/continue +scene/download
        @lock @unlock +ignore +ignore/remove +watch +watch/list +watch/remove +watch/all
        +combat/start +combat/stop +combat/join +combat/leave +next +undo +redo
        +attack +disarm +grapple +throw +detonate +psi +counter +lethal +go +defend +full
        +heal +wield +wear +ready +odds +raise +gift +submit
        +initiative +face +move +turn +parry +strike
    """,
    "referee": """
        @emit/set +set +order +npc +npc/hidden +npc/hide +npc/show +note
        +notes +ref/state +ref/handover +ref/step +roll/hidden +ok +no +damage +quirk +quirk/remove
        +heal/stun +give +take +place
    """,
    "staff": """
        @dig @open @tel +scene/referee +scene/read +approve
        +channel/create +channel/delete
        @boot @ban @ban/remove @ban/list @connections +audit
    """,
    "admin": "@newpassword @shutdown @shutdown/cancel",
}
"""The least role that a verb exists for. Staff referee everywhere; a referee is a player."""

ROLES = tuple(LEAST)
NEEDS = {verb: ROLES.index(role) for role, verbs in LEAST.items() for verb in verbs.split()}
ADMIN = Actor(16, "Zed", Role.ADMIN, 106)
PEOPLE = dict(zip(ROLES, (GUEST, ADA, BRAM, RHEA, ADMIN), strict=True))
SCENE = scene_of(*PEOPLE.values(), referees=[BRAM])
ROUTERS = build_routers(BOOK, World())


@pytest.mark.parametrize("system", ROUTERS)
def test_every_verb_there_is_has_its_place_in_the_table(system: str) -> None:
    own = {verb.name for verb in ROUTERS[system].verbs}
    assert own - set(NEEDS) == set(), "say in LEAST who may use these"
    everywhere = set().union(*({v.name for v in router.verbs} for router in ROUTERS.values()))
    assert set(NEEDS) - everywhere == set(), "these are no verbs any more"


def may(router: Router, verb: str, access: Access) -> bool:
    """Tell whether a line that is the verb's own name finds it."""
    try:
        found = router.exact(verb, access)
    except MushError:
        return False  # the command is there, without that switch
    return found is not None and found.verb.name == verb


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("system", ROUTERS)
def test_a_verb_exists_for_its_role_and_those_above_alone(system: str, role: str) -> None:
    router, rank = ROUTERS[system], ROLES.index(role)
    access = access_of(PEOPLE[role], SCENE)
    found = {verb.name for verb in router.verbs if may(router, verb.name, access)}
    assert found == {verb.name for verb in router.verbs if NEEDS[verb.name] <= rank}


@pytest.mark.parametrize("scene", [SCENE, None], ids=["in a scene", "outside"])
@pytest.mark.parametrize("role", ROLES)
def test_what_is_not_for_a_role_is_answered_as_if_it_did_not_exist(
    role: str, scene: Scene | None
) -> None:
    world = world_of(*([scene] if scene else []), people=tuple(PEOPLE.values()))
    executor = executor_of(world)
    rank = ROLES.index(role)
    if role == "referee" and scene is None:
        rank -= 1  # nobody is a referee but in the scene
    heads = {verb.partition("/")[0] for verb, needs in NEEDS.items() if needs <= rank}
    for verb, needs in NEEDS.items():
        if needs <= rank:
            continue
        with pytest.raises(MushError) as refusal:
            executor.prepare(world.online[PEOPLE[role].id], f"{verb} x=y")
        known = verb.partition("/")[0] in heads
        assert refusal.value.code == ("switch" if known else "unknown"), verb
        assert known or str(refusal.value) == HUH
        assert verb not in str(refusal.value).partition("There are:")[2].split(", "), verb


def test_guests_never_referee_even_when_they_are_named() -> None:
    named = scene_of(ADA, GUEST, referees=[GUEST])
    assert access_of(GUEST, named) is Access.GUEST
    assert access_of(ADA, scene_of(ADA, referees=[ADA])) is Access.REFEREE
    assert access_of(ADA, scene_of(ADA, BRAM, referees=[BRAM])) is Access.PLAYER
