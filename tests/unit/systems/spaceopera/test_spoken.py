"""A duel as a screen reader speaks it."""

from __future__ import annotations

import pytest

from mushcombat.domain.screen import Kind
from tests.unit.systems.otherspace.test_spoken_fight import DRAWN
from tests.unit.systems.spaceopera.arena import Arena


@pytest.fixture
def duel(arena: Arena) -> Arena:
    arena.duel("Ada", "Bram", Ada=(0, 0, "east"), Bram=(1, 0, "west"))
    arena.do_all("Rhea> +set bram/shield=4", "Rhea> +set ada/sword=6", "Rhea> +set bram/armour=F")
    for screen in arena.screens.values():
        screen.kind = Kind(reader=True)
    return arena


def test_a_blow_is_one_short_line_a_step(duel: Arena) -> None:
    lines = duel.do_all("Bram> +parry target shield").room
    lines += duel.do_all("Bram> +move 1 east").room
    lines += duel.do_all("Ada> +attack bram=sword, split 20/20").room
    duel.dice(to_hit=[9, 1], armour=[2, 9], stopped=1, wound=9)
    lines += duel.do_all("Rhea> +ok=-1 smoke").room
    lines += duel.do_all("Rhea> +ok").room
    spoken = [line.partition(" Action")[0] for line in lines]
    assert "Combat: Bram parries with the target shield in the off hand." in spoken
    assert "Roll: Ada, to hit, no hit, 9 against 0." in spoken
    assert "Roll: Ada, to hit, a hit, 1 against 19." in spoken
    assert "Result: Bram's target shield is penetrated and destroyed." in spoken
    assert "Result: Bram takes a medium wound: 3 off the HTH factor." in spoken
    assert any(line.startswith("Initiative: Ada, ") for line in spoken)
    assert [line for line in lines if DRAWN.search(line)] == []


def test_the_map_is_words_alone(duel: Arena) -> None:
    assert duel.do_all("Ada> +map").reply == (
        "You: at 0,0, facing east",
        "Bram: 1 square east, facing you",
    )
