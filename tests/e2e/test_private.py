"""A private scene answers those who have no part in it like one that does not exist."""

from __future__ import annotations

import re

import pytest

from tests.e2e.harness import Client, Server, open_scene, sync
from tests.e2e.test_bad_input import verbs

SHAPES = (
    "{verb} {n}",
    "{verb} #{n}",
    "{verb} {n}=",
    "{verb} {n}=9",
    "{verb} {n}=x",
    "{verb} {n}/9=x",
    "{verb} {n}=x/y",
    "{verb} all={n}",
    "{verb}/log {n}",
)
"""How a number can be given to any command."""

NOT_ASKED = {"quit", "@password", "+scene/open", "@dig", "+scene/read"}
"""They do what they say with a number; +scene/read is for staff, and on the record."""


def private_scene(owner: Client, title: str, *others: Client) -> tuple[int, int]:
    """Open a scene and hide it; gives its number and that of its room."""
    number = open_scene(owner, title, *others)
    owner.send("+scene/private")
    owner.expect(rf"^Scene {number} is private now")
    room = int(re.search(r"\(#(\d+)\)$", owner.ask("look"), re.MULTILINE)[1])  # type: ignore[index]
    owner.ask("pose waters the plant.")
    return number, room


def answers(client: Client, verb: str, number: int) -> str:
    """Give what all shapes of a command answer, with the number taken out."""
    told = client.ask(*(shape.format(verb=verb, n=number) for shape in SHAPES))
    timeless = re.sub(r"\d{4}-\d\d-\d\d|\d\d:\d\d", "T", told)  # it may be 17 o'clock
    return re.sub(rf"\b{number}\b", "N", timeless)


@pytest.mark.parametrize("name", ["Cass", "Rhea"])
def test_every_command_answers_a_number_of_a_private_scene_like_one_of_none(
    server: Server, name: str
) -> None:
    ada, bram = server.logins("Ada", "Bram")
    for _ in range(16):  # so that the number is one that no answer holds otherwise
        ada.ask("+scene/open Once", "+scene/close")
    number, _ = private_scene(ada, "Quiet Talk", bram)
    (me,) = server.logins(name)
    none = number + 1
    for verb in verbs(me):
        if verb not in NOT_ASKED:
            assert answers(me, verb, number) == answers(me, verb, none), verb
    assert me.ask(f"+scene/log {number}") == f"There is no scene {number}.\n"
    assert "Quiet" not in me.seen
    assert "plant" not in me.seen
    sync(ada, bram)
    assert not re.search(rf"{name} (?!leaves|arrives)", ada.seen)


@pytest.mark.parametrize("name", ["Cass", "Rhea"])
def test_a_private_scene_is_in_no_list_at_no_place_and_behind_no_name(
    server: Server, name: str
) -> None:
    ada, bram, me = server.logins("Ada", "Bram", name)
    lists = (
        "+scene/list",
        "+scene/list all",
        "+scene/join",
        "+scene",
        "+combat",
        "+recall",
        "+pot",
    )
    before = me.ask(*lists)
    number, _ = private_scene(ada, "Quiet Talk", bram)
    assert me.ask(*lists) == before
    told = me.ask("look", "who", "+where", "+finger ada", "+sheet", "+scene/invite ada")
    assert "Quiet" not in told
    assert not re.search(rf"\b{number}\b", re.sub(r"\d+[smhd]|\(#\d+\)", "", told))
    assert me.ask("page ada=hi", "whisper ada=hi", "mutter ada=hi").splitlines() == [
        "You paged Ada with 'hi'",
        'Nobody called "ada" is here. WHO lists names.',
        'Nobody called "ada" is here. WHO lists names.',
    ]


def test_nobody_learns_who_is_with_whom_in_private(server: Server) -> None:
    ada, bram, cass = server.logins("Ada", "Bram", "Cass")
    private_scene(ada, "Quiet Talk", bram)
    together = cass.ask("+where")
    bram.send("+scene/leave")
    sync(ada, bram, cass)
    private_scene(bram, "Another Talk")
    assert cass.ask("+where") == together


def test_the_room_of_a_private_scene_is_no_room_to_staff(server: Server) -> None:
    (ada,) = server.logins("Ada")
    _, room = private_scene(ada, "Quiet Talk")
    cass, rhea = server.logins("Cass", "Rhea")
    none = room + 4_000
    for shape in ("@tel #{}", "@tel cass=#{}", "@open Way=#{}", "@open Way;w=#{}"):
        found, missing = rhea.ask(shape.format(room)), rhea.ask(shape.format(none))
        assert re.sub(rf"#{room}\b", "#N", found) == re.sub(rf"#{none}\b", "#N", missing)
    assert cass.ask("look").count("Way") == 0
    assert "Quiet" not in rhea.seen


def test_a_way_into_what_became_a_private_scenes_room_leads_nowhere_as_into_one_that_is_gone(
    server: Server,
) -> None:
    ada, bram, cass, rhea = server.logins("Ada", "Bram", "Cass", "Rhea")
    open_scene(cass, "Crowd")
    number = open_scene(ada, "Quiet Talk", bram)
    room = re.search(r"\(#(\d+)\)$", ada.ask("look"), re.MULTILINE)[1]  # type: ignore[index]
    rhea.ask(f"@open Way=#{room}")
    assert "Quiet Talk" in rhea.ask("way")
    assert "The Landing" in rhea.ask("home")
    rhea.ask("way")
    ada.send("+scene/private")
    ada.expect(rf"^Scene {number} is private now")
    sync(ada, rhea)
    assert "The Landing" in rhea.ask("look")
    nowhere = "That way leads nowhere now. look lists the exits.\n"
    assert rhea.ask("way") == cass.ask("way") == nowhere
    ada.ask("+scene/close")
    assert rhea.ask("way") == nowhere


def test_staff_read_a_private_scene_and_its_people_know(server: Server) -> None:
    ada, bram, cass, rhea = server.logins("Ada", "Bram", "Cass", "Rhea")
    number, _ = private_scene(ada, "Quiet Talk", bram)
    assert rhea.ask(f"+scene/log {number}") == f"There is no scene {number}.\n"
    assert "Ada waters the plant." in rhea.ask(f"+scene/read {number}=a complaint")
    told = rf"^\[Scene\] Rhea \(staff\) reads the log of scene {number}: a complaint$"
    ada.expect(told)
    bram.expect(told)
    cass.reject("complaint")
    listed = r"^Read by staff: Rhea, \d{4}-\d\d-\d\d \d\d:\d\d UTC, a complaint$"
    assert re.search(listed, ada.ask("+scene"), re.MULTILINE)
    assert re.search(listed, bram.ask(f"+scene/info {number}"), re.MULTILINE)
    assert 'has no switch "/read"' in cass.ask(f"+scene/read {number}=nosy")
    server.restart()
    (ada,) = server.logins("Ada")
    assert re.search(listed, ada.ask("+scene"), re.MULTILINE)
