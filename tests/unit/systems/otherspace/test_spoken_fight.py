"""A fight as a screen reader speaks it: every line, every answer, in words."""

from __future__ import annotations

import re

import pytest

from mushcombat.domain.screen import Kind
from mushcombat.views.aloud import aloud
from tests.unit.systems.otherspace.arena import Arena

SHOT = "Ada> +attack Bram=pistol, 30 feet, walking"
DRAWN = re.compile(
    r"\[|\]|  |\||->|[-=+*_~]{2,}|[^\w\s]{4,}|(?<=\w) [-+=] (?=[\w(])|\d/\d|^\s|\s$|\n\n",
    re.MULTILINE,
)


@pytest.fixture
def duel(arena: Arena) -> Arena:
    arena.sheet("Ada", Pistol=6)
    arena.gear("Ada", "pistol")
    arena.fight("Ada", "Bram")
    for screen in arena.screens.values():
        screen.kind = Kind(reader=True)
    return arena


def heard(arena: Arena, name: str, line: str) -> str:
    """Give an answer as it is spoken."""
    return aloud("\n".join(arena.do_all(f"{name}> {line}").reply))


def shoot(duel: Arena) -> list[str]:
    """Let Ada hit Bram by 4: 5 against 1; gives what Olga hears from the first to the last."""
    lines = duel.do_all(SHOT).room
    duel.falls(attack=2, defence=-1)
    lines += duel.do_all("Rhea> +ok =-1 steam from the vents").room
    return lines + duel.do_all("Bram> +defend dex").room


def test_an_attack_is_one_short_line_a_step_and_its_result_comes_whole(duel: Arena) -> None:
    lines = shoot(duel)
    number = lines[0].split()[-1].rstrip(".")
    assert lines == [
        f"Attack: Ada attacks Bram with pistol at 30 feet (medium), walking. Action {number}.",
        "Roll: Ada, Pistol, 5, Good.",
        "Roll: Bram, Dexterity, 1, Terrible.",
        f"Result: Ada hits Bram by 4 for 44. Bram is at 56 of 100. Action {number}.",
        "Turn: Bram, round 1.",
    ]


def test_a_brief_screen_hears_the_result_and_whose_turn_comes(duel: Arena) -> None:
    duel.screens["Olga"].kind = Kind(reader=True, brief=True)
    result, turn = shoot(duel)
    assert result.startswith("Result: Ada hits Bram by 4 for 44.")
    assert turn == "Turn: Bram, round 1."


ASKED = [
    "+why",
    "+combat",
    "+odds Ada/pistol=Bram",
    "+sheet",
    "+scene",
    "+scene/list",
    "+scene/recap",
    "+scene/log",
    "+pot",
    "+recall",
    "+health",
    "+weapons",
    "+armor",
    "look",
    "who",
    "+where",
    "+finger Bram",
    "help",
]


@pytest.mark.parametrize("line", ASKED)
def test_every_answer_is_spoken_in_words(duel: Arena, line: str) -> None:
    shoot(duel)
    duel.do_all("Ada> pose aims again.")
    said = heard(duel, "Ada", line)
    assert said
    assert not DRAWN.search(said), said


@pytest.mark.parametrize("line", ["help +attack", "help ladder", "help @set"])
def test_help_is_spoken_without_indents_and_each_paragraph_is_one_line(
    duel: Arena, line: str
) -> None:
    said = heard(duel, "Ada", line)
    assert not re.search(r"^\s|  |\n\n", said, re.MULTILINE)
    duel.screens["Ada"].kind = Kind(brief=True)
    short = duel.do_all(f"Ada> {line}").reply
    assert ("Example:" in short) == ("Example:" in said)


def test_why_says_each_term_and_each_die_in_words(duel: Arena) -> None:
    shoot(duel)
    told = heard(duel, "Olga", "+why")
    assert "Pistol 6 (Great), sheet" in told
    assert "minus 1 medium range, OS-12, 30 feet" in told
    assert "plus 2 dice, plus plus 0 0 (dice " in told


def test_odds_say_the_chances_first_and_the_sum_last(duel: Arena) -> None:
    told = heard(duel, "Ada", "+odds Ada/pistol=Bram").splitlines()
    assert told[0].startswith("Odds: Ada against Bram: Chance to hit ")
    assert told[-1].startswith("Sum: (Pistol 6 (Great)")
    duel.screens["Ada"].kind = Kind()
    assert (
        duel.do_all("Ada> +odds Ada/pistol=Bram").reply[0].startswith("[Odds] Ada against Bram: (")
    )
