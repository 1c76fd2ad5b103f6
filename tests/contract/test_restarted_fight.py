"""A fight in which the server dies between any two lines goes on as if it had not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.contract.arena import Arena, Dump, opened, restarted
from tests.contract.fresh import Fresh, databases
from tests.contract.invariants import check_log, differences

Step = tuple[str, str]

WAIT = "wait"
"""Stands for a name: the line is a number of seconds."""

GEAR: Sequence[Step] = tuple(
    ("Rhea", line)
    for line in (
        "+give Ada=pistol",
        "+set Ada/Pistol=Superb",
        "+set Ada/Perception=20",  # so that the first turn is hers, whatever is rolled
        "+give Bram=sword",
        "+give Bram=knife",
        "+set Bram/Sword=Superb",
        "+give Cass=stun pistol",
        "+give Cass=grenade",
        "+set Cass/Pistol=Legendary",
        "+npc Thug=thug",
    )
)
JOINING: Sequence[Step] = (
    ("Bram", "+wield sword"),
    ("Rhea", "+combat/start"),
    ("Ada", "+combat/join"),
    ("Bram", "+combat/join"),
    ("Cass", "+combat/join"),
    ("Ada", "+reaction"),
    ("Bram", "+reaction"),
    ("Cass", "+reaction"),
    ("Rhea", "+order Ada=1"),
    ("Rhea", "+order Bram=2"),
    ("Rhea", "+order Cass=3"),
    ("Rhea", "+order Thug=4"),
    ("Rhea", "+next"),
    ("Rhea", "+next"),
    ("Rhea", "+next"),
    ("Rhea", "+next"),
)
RULED: Sequence[Step] = (
    ("Rhea", "+combat"),
    ("Ada", "+attack Bram=pistol, short"),
    ("Rhea", "+ok=-1 the steam"),
    ("Bram", "+defend athletics"),
    ("Rhea", "+combat"),
    ("Bram", "+attack Ada=sword"),
    ("Bram", "+next"),
    ("Rhea", "+scene/set mode=strict"),
    ("Rhea", "+scene/set rolls=manual"),
    ("Cass", "+attack Thug=stun pistol, close"),
    ("Rhea", "+ok=+9 a clear view"),
    ("Cass", "+go"),
    ("Rhea", "+ok"),
    ("Rhea", "+combat"),
)
CLOCKED: Sequence[Step] = (
    ("Rhea", "+damage Thug=40 stun"),
    ("Rhea", "+scene/set mode=normal"),
    ("Rhea", "+scene/set rolls=auto"),
    ("Ada", "+attack Cass=pistol, lethal"),
    ("Rhea", "+ok"),
    (WAIT, "59"),
    (WAIT, "2"),
    ("Rhea", "+combat"),
    ("Rhea", "+undo"),
    ("Rhea", "+redo"),
    ("Rhea", "+scene/set health=bands"),
    ("Bram", "+health Ada"),
    ("Bram", "+grapple Ada"),
    ("Rhea", "+ok=+9 from behind"),
    ("Ada", "+defend dexterity"),
    (WAIT, "600"),
    ("Rhea", "+combat"),
    (WAIT, "90000"),
    ("Cass", "+detonate Bram, Thug=grenade"),
    ("Rhea", "+ok"),
    ("Rhea", "+damage Thug=50 a falling beam"),
    ("Rhea", "+combat/stop"),
    ("Rhea", "+ok"),
    ("Rhea", "+heal Bram at 5"),
    ("Ada", "+sheet"),
    ("Rhea", "+scene/close"),
)
SCRIPT = (*GEAR, *JOINING, *RULED, *CLOCKED)
REFUSED: Sequence[str] = ("+attack Ada=sword",)
"""The one line of the script that does not fit: Athletics has cost Bram the attack."""

HEAD = re.compile("Chain head: [0-9a-f]{64}")
"""It is another one each time: every row has a salt."""


@dataclass(frozen=True)
class After:
    """How it stands after a line: what was told, what is stored, what the server believes."""

    line: str
    told: tuple[str, ...]
    seen: Mapping[str, str]
    dump: Dump
    scenes: tuple[Any, ...]


def after(arena: Arena, step: Step) -> After:
    name, line = step
    said = arena.wait(int(line)) if name == WAIT else arena.say(name, line)
    assert bool(said.refusal) == (line in REFUSED), (line, said.refusal)
    scenes = tuple(
        (scene.id, scene.room, scene.participants, scene.referees, dict(scene.npcs))
        for scene in arena.world.scenes.values()
    )
    seen = {name: HEAD.sub("Chain head: ...", text) for name, text in said.seen.items()}
    return After(line, (*said.reply, said.refusal), seen, arena.dump(), scenes)


@pytest.fixture
def fresh(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> Fresh:
    return databases(backend, request, tmp_path)


def test_a_server_that_dies_after_each_line_shows_and_stores_the_same(fresh: Fresh) -> None:
    with fresh() as url, opened(url) as arena:
        steady = [after(arena, step) for step in SCRIPT]
        check_log(arena)
        kinds = {fact.event.kind for fact in arena.log()}
    assert {"otherspace.struck", "undone", "redone", "otherspace.noted", "scene.closed"} <= kinds
    with fresh() as url, opened(url) as dying:
        arena = dying
        for step, expected in zip(SCRIPT, steady, strict=True):
            found = after(arena, step)
            assert found.line == expected.line
            assert differences(found.dump, expected.dump) == [], step
            assert (found.told, found.seen, found.scenes) == (
                expected.told,
                expected.seen,
                expected.scenes,
            ), step
            if expected.scenes:
                arena = restarted(arena)
        arena.close()


def test_what_waits_is_the_same_after_a_restart(prepared_url: str) -> None:
    with opened(prepared_url) as arena:
        for step in (*GEAR, *JOINING, *RULED[:3]):
            after(arena, step)
        before = arena.say("Rhea", "+combat")
        again = restarted(arena)
        assert "waits for +defend of Bram" in before.reply[0]
        assert again.say("Rhea", "+combat").reply == before.reply
        assert again.wait(61).facts != ()
        assert "Nothing pending" in again.say("Rhea", "+combat").reply[0]
        again.close()
