from __future__ import annotations

import re
from pathlib import Path

import pytest

from mushcombat.domain.command import Access, Lane, Verb, session_only
from mushcombat.errors import MushError
from mushcombat.service import help as help_module
from mushcombat.service.help import HelpBook, check_help, help_verbs, read_sections
from mushcombat.service.parsing import maybe_words
from mushcombat.systems.otherspace.tables import load
from mushcombat.systems.system import System
from tests.unit.service.table import BOOK, NAMES, ROUTER, do
from tests.unit.support import ADA, GUEST, RHEA, scene_of
from tests.unit.systems.otherspace.conftest import RULES
from tests.unit.systems.spaceopera.arena import TABLES as SPACEOPERA

OTHERSPACE = load(RULES, "otherspace.toml")
SYSTEM: System = BOOK.systems["otherspace"]
SECTIONS = {
    **read_sections(Path(help_module.__file__).parent / "help"),
    **read_sections(SYSTEM.help_folder),
}
REAL = HelpBook(ROUTER.verbs, SECTIONS)


def row(name: str, access: Access = Access.GUEST, topic: str = "", *aliases: str) -> Verb:
    return Verb(
        name, f"{name} <x>", access, Lane.HERE, maybe_words, session_only, topic, aliases=aliases
    )


TEXTS = {
    "say": "Speak.\n\nExample:\n  say Hi",
    "@dig": "Make a room.\n\nExample:\n  @dig X",
    "dice": "How dice fall.\n\nExample:\n  +roll x",
    "ladder": "Words.",
    "+scan": "Look.\n\nExample:\n  +scan",
    "+scale": "Weigh.\n\nExample:\n  +scale",
}
ROWS = (
    row("say", Access.GUEST, "", "speak"),
    row("@dig", Access.STAFF, "", "@delve"),
    row("+roll", Access.GUEST, "dice"),
    row("+cheat", Access.STAFF, "dice"),
    row("+scan"),
    row("+scale"),
)
SMALL = HelpBook(ROWS, TEXTS)


def no(book: HelpBook, typed: str, access: Access = Access.PLAYER) -> str:
    with pytest.raises(MushError) as caught:
        book.topic(typed, access)
    return str(caught.value)


@pytest.mark.parametrize("verb", ROUTER.verbs, ids=NAMES)
def test_every_command_has_help_with_an_example(verb: Verb) -> None:
    title, *lines = REAL.topic(verb.name, Access.ADMIN)
    assert title == verb.help_topic
    assert f"Usage: {verb.syntax}" in lines
    assert lines[lines.index("Example:") + 1].startswith("  ")


@pytest.mark.parametrize("verb", ROUTER.verbs, ids=NAMES)
def test_every_alias_finds_the_same_help(verb: Verb) -> None:
    for alias in verb.aliases:
        assert REAL.topic(alias, Access.ADMIN) == REAL.topic(verb.name, Access.ADMIN)


def test_every_section_is_about_a_command_or_a_topic_of_its_own() -> None:
    index = " ".join(REAL.index(Access.ADMIN))
    topics = {verb.help_topic for verb in ROUTER.verbs}
    assert [name for name in SECTIONS if name not in topics and name not in index] == []


def test_the_start_is_refused_when_a_command_has_no_help_or_no_example() -> None:
    rows = (row("say"), row("+b"), row("+a"))
    with pytest.raises(RuntimeError) as caught:
        check_help(rows, {"say": "Example:\n  say", "+b": "No example"})
    assert str(caught.value) == "verbs without help and an example: +a, +b"
    with pytest.raises(RuntimeError, match=r"an example: help$"):
        help_verbs(ROWS, TEXTS, "small", {})


def test_sections_are_read_by_their_headings(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# one\nFirst.\n\nExample:\n  x\n# two\nSecond # not one.\n")
    (tmp_path / "b.md").write_text("# three\nThird é.\n", encoding="utf-8")
    (tmp_path / "c.txt").write_text("# four\nNo.\n")
    assert read_sections(tmp_path) == {
        "one": "First.\n\nExample:\n  x",
        "two": "Second # not one.",
        "three": "Third é.",
    }


def test_two_sections_of_one_name_are_refused(tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("# one\nx\n")
    with pytest.raises(RuntimeError, match="two help sections are called one"):
        read_sections(tmp_path)


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("say", "say"),
        ("SAY ", "say"),
        ("speak", "say"),
        ("spe", "say"),
        ("+roll", "dice"),
        ("roll", "dice"),
        ("dice", "dice"),
        ("lad", "ladder"),
        ("scan", "+scan"),
        ("+scal", "+scale"),
    ],
)
def test_help_is_found_by_name_alias_or_beginning(typed: str, title: str) -> None:
    assert SMALL.topic(typed, Access.PLAYER)[0] == title


def test_a_beginning_of_several_topics_is_answered_with_them() -> None:
    assert no(SMALL, "sca") == '"sca" could be +scale, +scan.'


@pytest.mark.parametrize("typed", ["zzz", "sa", "+", "x" * 500, "%s"])
def test_help_that_there_is_not_is_refused_with_what_to_type(typed: str) -> None:
    told = no(SMALL, typed)
    assert told.startswith('There is no help on "')
    assert told.endswith('". help lists the topics.')
    assert len(told) < 100


@pytest.mark.parametrize("typed", ["@dig", "dig", "@delve", "+cheat", "cheat"])
def test_a_topic_that_one_may_not_use_is_answered_as_one_that_there_is_not(typed: str) -> None:
    assert no(SMALL, typed) == f'There is no help on "{typed}". help lists the topics.'
    assert SMALL.topic(typed, Access.STAFF)[0] in {"@dig", "dice"}


def test_a_shared_topic_shows_the_usage_of_what_one_may_use_alone() -> None:
    assert SMALL.topic("+roll", Access.PLAYER)[1:3] == ("Usage: +roll <x>", "How dice fall.")
    assert "Usage: +cheat <x>" in SMALL.topic("+roll", Access.STAFF)


def test_help_tells_the_aliases() -> None:
    assert SMALL.topic("say", Access.GUEST)[:3] == ("say", "Usage: say <x>", "Also: speak")
    assert not [line for line in SMALL.topic("+scan", Access.GUEST) if "Also" in line]


def test_the_index_lists_what_one_may_use_and_the_topics() -> None:
    commands, topics, hint = SMALL.index(Access.PLAYER)
    assert commands == "Commands: +roll, say, +scale, +scan."
    assert topics == "Topics: ladder."
    assert hint.startswith("help <topic> tells more")
    assert "@dig" in SMALL.index(Access.STAFF)[0]


@pytest.mark.parametrize("line", ["help", "+help", "HELP"])
def test_help_alone_is_the_index(line: str) -> None:
    assert do(line, ADA).reply == REAL.index(Access.PLAYER)
    assert do(line, RHEA).reply == REAL.index(Access.STAFF)


@pytest.mark.parametrize("line", ["+help +rcalc", "+help rcalcdamage", "help +rcalcdamage"])
def test_help_inside_finds_a_command(line: str) -> None:
    assert do(line, GUEST).reply == REAL.topic("+rcalcdamage", Access.GUEST)


def test_os_56_a_referee_has_the_help_of_what_they_may_use() -> None:
    mine = scene_of(ADA, referees=[ADA])
    assert do("help +set", ADA, mine).reply[0] == "+set"
    # For anyone else there is only the other command of that name.
    assert do("help +set", ADA, scene_of(ADA)).reply[0] == "@set"


def test_os_38_help_tells_what_four_fields_mean() -> None:
    told = " ".join(REAL.topic("+mcalcdamage", Access.PLAYER)).casefold()
    assert "strength" in told
    assert "melee" in told


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        (":", "pose"),
        ('"', "say"),
        ("\\", "@emit"),
        (";", ";"),
        ("+undo/force", "+undo"),
        ("+roll/self", "+roll"),
        ("+taskroll/self", "+roll"),
    ],
)
def test_a_sign_and_a_command_with_its_switch_have_help(typed: str, title: str) -> None:
    assert REAL.topic(typed, Access.STAFF)[0] == title


@pytest.mark.parametrize("typed", ["+parry", "parry", " +PARRY "])
def test_help_on_a_command_of_another_system_says_whose_it_is(typed: str) -> None:
    title, *lines = do(f"help {typed}", ADA).reply
    assert title == "+parry (in scenes by the rules of spaceopera)"
    assert "Example:" in lines


def test_help_on_what_two_systems_have_is_that_of_the_scene() -> None:
    there = scene_of(ADA, system="spaceopera")
    told, outside = do("help +attack", ADA, there).reply, do("help +attack", ADA).reply
    assert told[0] == outside[0] == "+attack"
    assert told != outside


def test_help_on_what_one_may_not_use_in_another_system_is_not_there() -> None:
    there = scene_of(ADA, RHEA, system="spaceopera")
    with pytest.raises(MushError, match=r'There is no help on "\+damage"'):
        do("help +damage", ADA, there)
    assert do("help +damage", RHEA, there).reply[0].startswith("+damage (in scenes")


CONTRACT = """
say pose @emit ooc page whisper look who +where +finger +help +roll +taskroll +test +check +reaction
+rcalcdamage +mcalcdamage +psicalcdamage +calcdamage +rcalcdamage/self +calcdamage/self
+reaction/self +sheet +set +damage +quirk +quirk/remove +npc +give +take +health +scene
+scene/open +scene/join +scene/leave +scene/close +scene/list +scene/recap +scene/log
+scene/referee +scene/private +scene/public +scene/set +typo +combat +combat/start +combat/join
+combat/leave +combat/stop +attack +ok +no +go +defend +defend/always +next +pass +full +disarm
+grapple +throw +detonate +psi +wield +wear +ready +lethal +speed +heal +undo +redo +why +odds
"""


@pytest.mark.parametrize("typed", CONTRACT.split())
def test_every_form_of_a_command_that_the_contract_names_has_help(typed: str) -> None:
    assert "Example:" in REAL.topic(typed, Access.ADMIN)


@pytest.mark.parametrize("typed", ["connect", "create", "Connect"])
def test_the_login_screens_own_commands_are_explained_inside_too(typed: str) -> None:
    title, *lines = REAL.topic(typed, Access.GUEST)
    assert title == typed.casefold()
    assert "Example:" in lines


# what examples and lists say is so


def examples(typed: str, system: str = "otherspace") -> list[str]:
    """Give what a topic's example has one type, as staff in a scene of that system."""
    lines = list(do(f"help {typed}", RHEA, scene_of(RHEA, system=system)).reply)
    return [line.strip() for line in lines[lines.index("Example:") + 1 :]]


def test_the_channels_of_the_example_can_be_made() -> None:
    for line in examples("+channel/create"):
        assert do(line, RHEA).drafts, line


@pytest.mark.parametrize("name", BOOK.systems)
def test_npcs_of_the_examples_can_be_made_in_every_system(name: str) -> None:
    scene = scene_of(RHEA, referees=[RHEA], system=name)
    lines = examples("+npc", name) + examples("+npc/hidden", name) + examples("templates", name)
    for line in lines:
        if line.startswith("+npc") and "<template>" not in line:
            assert do(line, RHEA, scene).drafts, line


TEMPLATES = {
    "otherspace": [template.name for template in OTHERSPACE.combat.templates],
    "spaceopera": [template.name for template in SPACEOPERA.templates],
}


@pytest.mark.parametrize("system", TEMPLATES)
def test_every_template_has_its_line(system: str) -> None:
    lines = do("help templates", RHEA, scene_of(RHEA, system=system)).reply
    listed = [line.strip().partition(":")[0] for line in lines if re.match(r"  \w+: ", line)]
    assert listed == TEMPLATES[system]


def test_os_54_every_card_has_its_line_with_what_it_is_for_and_does() -> None:
    lines = " ".join(REAL.topic("cards", Access.PLAYER))
    for card in OTHERSPACE.combat.cards:
        told = lines.partition(f"  {card.name}, for a ")[2].partition(".  ")[0]
        assert all(use in told for use in card.on), card.name
        numbers = [card.ignores_cover, card.odf, card.defence, card.next_attack, card.counter_at]
        assert all(str(number) in told for number in numbers if number), card.name
    assert examples("cards")[0] == "+attack thug=pistol, cover 50, card aimed shot"


def test_what_a_player_is_told_to_roll_a_player_may() -> None:
    for line in examples("+roll"):
        if not line.startswith("+as ") and " vs " not in line:
            assert do(line, ADA).drafts, line
