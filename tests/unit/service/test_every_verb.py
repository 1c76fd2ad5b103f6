from __future__ import annotations

import pytest

from mushcombat.domain.character import Actor, Role
from mushcombat.domain.command import Outcome, Verb
from mushcombat.errors import MushError
from mushcombat.service.executor import Work
from tests.unit.service.table import NAMES, ROUTER, executor_of, world_of
from tests.unit.support import Faces, MemoryStore, scene_of

ADMIN = Actor(13, "Rhea", Role.ADMIN, 103)
SCENE = scene_of(ADMIN, referees=[ADMIN])

BAD = {
    "bare": "",
    "an equals sign alone": "=",
    "two equals signs": "a=b=c",
    "tabs": "\ta\t=\tb\t",
    "tabs alone": "\t\t",
    "5,000 digits": "9" * 5000,
    "5,000 digits on both sides": "9" * 5000 + "=" + "9" * 5000,
    "a fraction of 5,000 digits": "1/" + "9" * 5000,
    "nan": "nan",
    "inf": "inf/inf/inf/inf",
    "1e9": "1e9",
    "Arabic digits": "٣=٤",
    "Arabic fields": "٦/٤/٥٠/٢٠",
    "full-width digits": "５/４/５０/２０",
    "underscores": "1_0/1_0/1_0/1_0",
    "negative": "-1",
    "slashes": "////",
    "semicolons": ";;;=here",
    "at alone": "at",
    "versus": "a vs b vs c at 1 at 2",
    "a hash": "#",
    "5,000 letters": "x" * 5000,
    "a format": "%s {0} {name} %(x)s $x",
    "quotes": "\"'`",
    "right to left": "\u202ex",
    "name and slash": "ada/=5",
    "many commas": "a=,,,,",
}


def told(refusal: MushError) -> str:
    """Check that a refusal is one line that a screen can hold."""
    text = str(refusal)
    assert text.strip()
    assert "\n" not in text
    assert "\r" not in text
    assert len(text) < 700
    return text


WORLDS = {"outside": world_of(people=(ADMIN,)), "in a scene": world_of(SCENE, people=(ADMIN,))}
EXECUTORS = {where: executor_of(world) for where, world in WORLDS.items()}


def prepared(line: str, where: str = "outside") -> Work | str:
    try:
        return EXECUTORS[where].prepare(WORLDS[where].online[ADMIN.id], line)
    except MushError as refusal:
        return told(refusal)


def done(work: Work, where: str) -> Outcome | str:
    scenes = () if where == "outside" else (SCENE,)
    try:
        return work.run(MemoryStore(*scenes, dice=Faces(*[2] * 8)))
    except MushError as refusal:
        return told(refusal)


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
@pytest.mark.parametrize("name", NAMES)
def test_whatever_is_typed_behind_a_command_is_parsed_or_refused_in_a_line(
    name: str, text: str
) -> None:
    answer = prepared(f"{name} {text}")
    assert answer if isinstance(answer, str) else answer.verb.name == name


@pytest.mark.parametrize("name", [name for name in NAMES if name != ";"])
def test_an_unknown_switch_is_refused_by_every_command(name: str) -> None:
    answer = prepared(f"{name}/zzz a=b")
    assert isinstance(answer, str)
    assert 'has no switch "/zzz". ' in answer
    assert "Usage: " in answer or "There are: " in answer


@pytest.mark.parametrize("where", WORLDS)
@pytest.mark.parametrize("name", NAMES)
def test_whatever_was_parsed_is_done_or_refused_in_a_line(name: str, where: str) -> None:
    works = [prepared(f"{name} {text}", where) for text in BAD.values()]
    answers = [done(work, where) for work in works if isinstance(work, Work)]
    for answer in answers:
        assert isinstance(answer, Outcome | str)
    assert len(answers) + sum(isinstance(work, str) for work in works) == len(BAD)


@pytest.mark.parametrize("verb", ROUTER.verbs, ids=NAMES)
def test_every_usage_begins_with_the_commands_name(verb: Verb) -> None:
    assert verb.syntax.casefold().startswith(verb.name)


@pytest.mark.parametrize(
    "verb",
    [v for v in ROUTER.verbs if "<" in v.syntax.partition("[")[0].partition(",")[0]],
    ids=lambda verb: verb.name,
)
def test_a_command_that_needs_something_answers_with_its_usage_when_bare(verb: Verb) -> None:
    answer = prepared(verb.name)
    assert isinstance(answer, str)
    assert answer.endswith((f"Usage: {verb.syntax}", "fit."))


@pytest.mark.parametrize(
    "name", [v.name for v in ROUTER.verbs if "<" not in v.syntax and "|" not in v.syntax]
)
def test_a_command_that_takes_nothing_refuses_something(name: str) -> None:
    answer = prepared(f"{name} something")
    assert isinstance(answer, str)
    assert answer.startswith('Nothing follows this command, but "something" did. Usage: ')
