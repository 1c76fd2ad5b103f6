"""What a redo may do to turns."""

from __future__ import annotations

from tests.unit.systems.otherspace.arena import Arena


def test_os_29_no_redo_passes_the_turn_on_over_what_was_begun_in_it(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    number = arena.do_all("Rhea> +next").action
    arena.do_all("Rhea> +undo")
    begun = arena.do_all("Ada> +attack Bram=unarmed, close").action
    told = (
        f"Ada has begun #{begun}, and their turn would be over. +ok {begun} or +no {begun} first."
    )
    assert arena.no("Rhea", f"+redo {number}") == told
    arena.do_all(f"Rhea> +no {begun}=again", f"Rhea> +redo {number}")
    assert arena.turn() == "1 Bram"
