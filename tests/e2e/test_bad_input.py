"""Every command that `help` lists, called in every wrong way that hands and clients think of."""

from __future__ import annotations

import re

import pytest

from tests.e2e.harness import Client, Server, open_scene, sync

ARGUMENTS = {
    "nothing": "",
    "an unknown switch": "/zzzz",
    "an equals sign": " =",
    "two equals signs": " a=b=c",
    "tabs": " \t\t",
    "digits": " " + "5" * 5000,
    "nan": " nan",
    "a float": " 1e9",
    "arabic digits": " \u0663\u0664",
}

TAKES_NOTHING = {"nothing", "tabs"}
TAKES_A_TITLE = {"nan", "a float", "arabic digits"}
GOOD = {
    "quit": TAKES_NOTHING,
    "@password": TAKES_NOTHING,
    "home": TAKES_NOTHING,
    "+ic": TAKES_NOTHING,
    "+ooc": TAKES_NOTHING,
    "+combat/start": TAKES_NOTHING,
    "+reaction": TAKES_NOTHING,
    "+scene/leave": TAKES_NOTHING,
    "+scene/close": TAKES_NOTHING,
    "+scene/private": TAKES_NOTHING,
    "+scene/public": TAKES_NOTHING,
    "+scene/pause": TAKES_NOTHING,
    "+scene/resume": TAKES_NOTHING,
    "+pot/skip": TAKES_NOTHING,
    "mutter": TAKES_A_TITLE | {"digits", "two equals signs"},
    "+undo/pose": TAKES_NOTHING,
    "@emit/set": TAKES_A_TITLE | {"digits", "an equals sign", "two equals signs"},
    "+scene/open": TAKES_A_TITLE,
    "+scene/share": TAKES_NOTHING | {"an equals sign"},
    "+seed": TAKES_A_TITLE | {"an equals sign", "two equals signs"},
    "+npc": TAKES_A_TITLE,
    "+npc/hidden": TAKES_A_TITLE,
    "@dig": TAKES_A_TITLE | {"two equals signs"},
}
"""Where such a call is a good one, and does what it says: not for this test."""


def verbs(client: Client) -> list[str]:
    """Give the names of all commands, as `help` lists them."""
    listed = re.search(r"^Commands: (.*)\.$", client.ask("help"), re.MULTILINE)
    assert listed is not None
    return listed[1].split(", ")


def state(client: Client) -> list[str]:
    """Give sheets, and the scene but for the length of its log."""
    shown = client.ask("+sheet", "+sheet ada", "+scene", "look")
    return [line for line in shown.splitlines() if not line.startswith("Lines: ")]


def is_speech(line: str, name: str) -> bool:
    """Tell whether a line is what somebody said, posed or emitted of the arguments."""
    words = "|".join(re.escape(text.strip()) for text in ARGUMENTS.values() if text.strip())
    text = rf" ?(?:{words})"
    return bool(re.fullmatch(rf'(?:<OOC> )?{name}(?: says, "{text}"|{text})|{text}', line))


@pytest.mark.parametrize("name", ["Ada", "Rhea"])
def test_every_command_answers_bad_input_and_changes_nothing(server: Server, name: str) -> None:
    me, bram, cass = server.logins(name, "Bram", "Cass")
    open_scene(cass, "Patience", me, bram)
    before = state(me)
    sync(bram)
    bram.sync()
    listed = verbs(me)
    assert {"say", "+roll", "+rcalcdamage", "+scene/open", "@password"} <= set(listed)
    assert ("@dig" in listed) == (name == "Rhea")
    for verb in listed:
        for kind, text in ARGUMENTS.items():
            if kind in GOOD.get(verb, ()):
                continue
            answer = me.ask(verb + text)
            assert answer.strip(), f"{verb}{text[:20]!r} was not answered"
            assert "went wrong on our side" not in answer, f"{verb}{text[:20]!r}: {answer}"
            heard = bram.sync().splitlines()
            assert all(is_speech(line, name) for line in heard), f"{verb}{text[:20]!r}: {heard}"
    assert state(me) == before
    server.check_log()


FIELDS = [
    "+rcalcdamage {}/4/50/20",
    "+rcalcdamage 6/4/{}/20",
    "+mcalcdamage 6/4/50/{}",
    "+mcalcdamage 6/4/50/20/{}",
    "+psicalcdamage 6/4/{}/4",
    "+calcdamage {}/4",
    "+roll strength at {}",
    "+reaction at {}",
    "+scene/join {}",
    "+scene/log {}",
    "+scene/info {}",
    "+edit {}=a/b",
    "+undo/pose {}",
    "+recall/versions {}",
]
NUMBERS = [
    "fifty",
    "1e9",
    "nan",
    "\u0663",
    "5" * 5000,
    "--5",
    "1_0",
    "0x10",
    "1.5",
    "99999",
    "-99999",
]


def test_every_bad_number_is_refused_to_the_typist_alone(server: Server) -> None:
    ada, bram = server.logins("Ada", "Bram")
    open_scene(ada, "Numbers", bram)
    sync(ada, bram)
    before = state(ada)
    for field in FIELDS:
        for number in NUMBERS:
            answer = ada.ask(field.format(number))
            assert answer.count("\n") == 1, answer
            assert not answer.startswith("["), answer
            assert len(answer) < 400
    assert bram.sync() == ""
    assert state(ada) == before
    assert "Lines: 2\n" in ada.ask("+scene")
