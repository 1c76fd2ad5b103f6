from __future__ import annotations

from tests.unit.systems.spaceopera.arena import Arena


def odds(arena: Arena, line: str) -> tuple[str, ...]:
    reply: tuple[str, ...] = arena.do_all(f"Rhea> +odds {line}").reply
    return reply


def test_so_5_the_seeds_example(arena: Arena) -> None:
    arena.do_all("Rhea> +set Ada/HTH=32", "Rhea> +set Ada/personal=3", "Rhea> +set Ada/load=heavy")
    assert odds(arena, "Ada/knife=Bram/shortsword")[0] == (
        "[Odds] Ada against Bram, knife: HTH factor 32 + 3 (knife faster than shortsword)"
        " + 3 (personal) - 2 (heavy load) = 36"
    )


def test_so_6_and_7_where_they_stand_may_be_said(arena: Arena) -> None:
    arena.do_all("Rhea> +set Bram/HTH=33")
    assert odds(arena, "Bram/sword=Ada/sword, rear")[0].endswith(" = 17")
    assert odds(arena, "Bram/sword=Ada/sword, side")[0].endswith(" = 25")
    assert odds(arena, "Bram/sword=Ada/sword, behind")[0].endswith(" = 73")
    assert odds(arena, "Bram/sword=Ada/sword, turning")[0].endswith(" = 58")


def test_so_14_and_16_a_device_may_be_said_and_its_damage_is_told(arena: Arena) -> None:
    arena.do_all("Rhea> +set Bram/shield=3", "Rhea> +set Ada/sword=6")
    lines = odds(arena, "Ada/sword=Bram/target shield")
    assert lines[0].endswith("- 29 (target shield 20 + 3 x shield 3) = 11")
    assert lines[1] == (
        "[Odds] The target shield, if it turns the blow, is damaged: 5 x 6 - 3 x 3 + 20 = 41"
    )
    assert odds(arena, "Ada/sword=Bram/sword, parry target shield")[:2] == lines[:2]
    assert "own tower shield" in odds(arena, "Ada/sword=Bram/sword, own tower shield")[0]


def test_so_15_with_both_hands_full_there_is_no_attack(arena: Arena) -> None:
    ask = "+odds Ada/{}=Bram/sword, own {}"
    refused = arena.no("Rhea", ask.format("sword", "small table"))
    assert "The small table leaves no hands for the sword." in refused
    refused = arena.no("Rhea", ask.format("unarmed", "small table"))
    assert "The small table leaves no hands to strike with." in refused
    refused = arena.no("Rhea", ask.format("pike", "buckler") + ", disarm weapon")
    assert "The buckler leaves no hands for the pike." in refused


def test_so_20_disarming_may_be_asked_about(arena: Arena) -> None:
    arena.do_all("Rhea> +set Bram/sword=5")
    assert odds(arena, "Ada/sword=Bram/sword, disarm weapon") == (
        "[Odds] Ada against Bram, sword, disarm: HTH factor 40 - 10 (2 x sword 5) = 30",
    )
    assert odds(arena, "Ada/sword=Bram/buckler, disarm shield")[0].endswith("- 10 (buckler) = 30")
    assert "has no device" in arena.no("Rhea", "+odds Ada/sword=Bram/sword, disarm shield")


def test_so_16_a_chair_is_kept_whole_by_shield_expertise_and_a_bottle_by_its_own(
    arena: Arena,
) -> None:
    arena.do_all("Rhea> +set Bram/shield=4", "Rhea> +set Bram/brawling=9")
    arena.do_all("Rhea> +set Bram/bottle=3")
    assert "damaged: 5 x 0 - 3 x 4 + 20 = 8" in odds(arena, "Ada/sword=Bram/chair")[1]
    lines = odds(arena, "Ada/sword=Bram/sword, parry bottle")
    assert lines[0].endswith("- 11 (bottle 5 + 2 x bottle 3) = 29")
    assert "damaged: 5 x 0 - 3 x 3 + 20 = 11" in lines[1]


def test_so_10_25_and_26_what_comes_after_is_told(arena: Arena) -> None:
    arena.do_all("Rhea> +set Ada/HTH=60", "Rhea> +set Bram/armour=F")
    assert odds(arena, "Ada/sword=Bram")[1:] == (
        "  The roll may be split into 2 attacks of 60 together.",
        "  Through armour class F: 60%.",
        "  The wound: light 30%, medium 30%, serious 20%, critical 20%.",
    )


def test_what_is_asked_wrongly_is_refused(arena: Arena) -> None:
    assert "does not parry" in arena.no("Rhea", "+odds Ada/sword=Bram, parry flail")
    assert 'modifier: "fog" is none' in arena.no("Rhea", "+odds Ada/sword=Bram, fog")
    assert "Usage: +odds" in arena.no("Rhea", "+odds Ada=Bram")


def test_in_a_fight_the_board_counts_and_nothing_is_touched(arena: Arena) -> None:
    arena.duel("Ada", "Bram", Ada=(0, 0, "east"), Bram=(1, 0, "east"))
    arena.next_phase()
    before = arena.dump()
    assert "+ 40 (from behind)" in odds(arena, "Ada/sword=Bram")[0]
    assert "(engaged from the rear, 50%)" in odds(arena, "Bram/sword=Ada")[0]
    assert "HTH factor 40 + 3" in odds(arena, "Ada/sword=Cass/axe")[0]
    assert arena.dump() == before


def test_outside_a_scene_the_default_systems_odds_are_asked(arena: Arena) -> None:
    arena.do_all("Rhea> +scene/close")
    assert "weapon" in arena.no("Rhea", "+odds Ada/monofilament knife=Bram")
