from __future__ import annotations

from mushcombat.domain.command import ReadContext
from mushcombat.systems.spaceopera.data import DATA, status, vitals
from mushcombat.systems.spaceopera.events import Declared, Struck
from tests.unit.systems.spaceopera.arena import TABLES, Arena


def test_a_declaration_and_a_strike_are_told_in_fields() -> None:
    declared = Declared("attack", ("Bram",), (2,), "sword", "split 30/20")
    assert DATA[Declared](declared, "Ada") == (
        "Action",
        {
            "kind": "attack",
            "actor": "Ada",
            "targets": ["Bram"],
            "weapon": "sword",
            "how": "split 30/20",
        },
    )
    kind, hurt = DATA[Struck](Struck(2, "Bram", "wounded", "", "light", "no effect"), "Ada")
    assert (kind, hurt["actor"], hurt["success"], hurt["state"]) == ("Result", "", True, "light")
    _, missed = DATA[Struck](Struck(2, "Bram", "missed"), "Ada")
    assert (missed["actor"], missed["success"], missed["outcome"]) == ("Ada", False, "")


def test_so_26_wounds_and_hands_are_told_to_their_own(arena: Arena) -> None:
    who = arena.id("Ada")

    def ask(store: object, *, here: bool = True) -> tuple[object, object]:
        actor = arena.people["Ada"].actor
        scene = arena.world.scenes[arena.scene] if here else None
        context = ReadContext(actor, 1, scene, arena.now, None, store=store)  # type: ignore[arg-type]  # nothing is rolled
        me = context.store.character(who)
        assert me is not None
        return vitals(TABLES, context, me), status(TABLES, context, me)

    fit = {"hp": None, "maxhp": None, "stun": None, "penalty": 0, "band": "", "state": ""}
    assert arena.read(lambda store: ask(store, here=False)) == (
        fit,
        {"weapon": "", "armour": "", "quirks": []},
    )
    arena.duel("Ada", "Bram")
    arena.do_all("Rhea> +set ada/medium wounds=2", "Rhea> +set ada/critical wounds=1")
    arena.do_all("Rhea> +set ada/armour=F")
    hurt = {**fit, "penalty": -6, "band": "critical", "state": "critically wounded"}
    held = {"weapon": "unarmed", "armour": "F", "quirks": []}
    assert arena.read(ask) == (hurt, held)
