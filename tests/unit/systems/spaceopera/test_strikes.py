from __future__ import annotations

from tests.unit.systems.otherspace.arena import Said
from tests.unit.systems.spaceopera.arena import Arena


def strike(arena: Arena, line: str = "+attack bram=sword", ok: str = "+ok") -> Said:
    """Let Ada do something to Bram, who passes, in a phase of its own; gives what came of it."""
    arena.do_all("Bram> +pass", f"Ada> {line}")
    return arena.do_all(f"Rhea> {ok}")


def face_off(arena: Arena, bram: str = "west") -> None:
    arena.duel("Ada", "Bram", Ada=(0, 0, "east"), Bram=(1, 0, bram))


def guarded(arena: Arena, device: str = "target shield") -> None:
    face_off(arena)
    arena.do_all("Rhea> +set bram/shield=4", "Rhea> +set ada/sword=6", f"Bram> +parry {device}")


def results(said: Said) -> list[str]:
    return [line.partition(" #")[0] for line in said.room if line.startswith("[Result]")]


def test_so_9_a_hit_is_at_or_under_the_chance(arena: Arena) -> None:
    face_off(arena)
    arena.dice(to_hit=40, wound=4)
    said = strike(arena)
    assert said.room[0].startswith("[Roll] Ada, to hit: HTH factor 40 = 40: 40 (1d100), a hit.")
    assert results(said) == ["[Result] Bram takes a light wound: no effect."]
    assert arena.level("Bram", "wound", "light") == 1


def test_so_9_over_the_chance_is_a_miss(arena: Arena) -> None:
    face_off(arena)
    arena.dice(to_hit=41)
    assert results(strike(arena)) == ["[Result] Ada misses Bram."]


def test_so_7_a_back_that_stays_turned_gives_40(arena: Arena) -> None:
    face_off(arena, "east")
    assert "+ 40 (from behind) = 80" in strike(arena).room[0]


def test_so_7_a_back_that_is_turning_gives_25_and_then_there_is_no_parry(arena: Arena) -> None:
    face_off(arena, "east")
    arena.do_all("Bram> +parry buckler", "Bram> +turn ada", "Ada> +attack bram=sword")
    said = arena.do_all("Rhea> +ok")
    assert "= 65" in said.room[0]
    assert "+ 25 (turning to face it)" in said.room[0]
    assert arena.do_all("Rhea> +ok").room[0].startswith("[Combat] Bram turns to face Ada.")
    assert arena.seat("Bram").facing == 6


def test_so_7_who_turned_from_the_rear_does_not_parry_in_that_phase(arena: Arena) -> None:
    arena.duel("Bram", "Ada", Ada=(0, 0, "east"), Bram=(1, 0, "east"))
    arena.do_all("Ada> +attack bram=sword", "Bram> +parry buckler")
    shown = arena.do_all("Bram> +turn ada")
    assert "turns to face Ada, and can neither attack nor parry" in shown.room[0]
    arena.do_all("Rhea> +ok")
    assert "buckler" not in arena.do_all("Rhea> +ok").room[0]


def turned_first(arena: Arena) -> None:
    """Let Bram, whose turn comes first, turn to Ada, who stands behind him and strikes then."""
    arena.duel("Bram", "Ada", Ada=(0, 0, "east"), Bram=(1, 0, "east"))
    arena.do_all("Ada> +attack bram=sword", "Bram> +turn ada")
    said = arena.do_all("Rhea> +ok")
    assert said.room[0].startswith("[Combat] Bram turns to face Ada.")


def test_so_7_it_is_the_declaration_that_counts_also_once_the_target_has_turned(
    arena: Arena,
) -> None:
    turned_first(arena)
    assert arena.seat("Bram").facing == 6
    assert "+ 25 (turning to face it) = 65" in arena.do_all("Rhea> +ok").room[0]


def test_so_7_in_the_next_phase_who_has_turned_is_faced(arena: Arena) -> None:
    turned_first(arena)
    # Nobody reads on the map that the back is still turned.
    assert "Bram: 1 square east, facing you" in arena.do_all("Ada> +map").reply
    arena.dice(to_hit=100)
    arena.do_all("Rhea> +ok")
    assert "HTH factor 40 = 40" in arena.do_all("Ada> +odds Ada/sword=Bram").reply[0]


def test_so_7_a_back_that_a_long_weapon_reaches_is_engaged_from_the_rear(arena: Arena) -> None:
    arena.duel("Bram", "Ada", Ada=(0, 0, "east"), Bram=(2, 0, "east"))
    arena.do_all("Rhea> +set ada/reach=2")
    arena.do_all("Ada> +attack bram=pike", "Bram> +turn ada")
    assert arena.seat("Bram").exposed
    arena.do_all("Rhea> +ok")
    assert "+ 25 (turning to face it)" in arena.do_all("Rhea> +ok").room[0]


def test_so_8_from_the_side_one_turns_and_attacks(arena: Arena) -> None:
    arena.duel("Ada", "Bram", Ada=(0, 0, "north"), Bram=(1, 0, "west"))
    said = strike(arena)
    assert said.room[0].startswith("[Combat] Ada turns to face Bram.")
    assert "to hit" in said.room[1]
    assert "to face Bram." in strike_again(arena, "+turn bram").room[0]


def strike_again(arena: Arena, line: str) -> Said:
    arena.do_all("Rhea> +place ada=0,0,north")
    first, second = ("Bram", "Ada") if arena.turn().endswith("Bram") else ("Ada", "Bram")
    lines = {"Ada": f"Ada> {line}", "Bram": "Bram> +pass"}
    arena.do_all(lines[first], lines[second])
    return arena.do_all("Rhea> +ok")


def test_so_8_from_the_side_one_parries_with_what_is_held_there(arena: Arena) -> None:
    face_off(arena, "south")  # Ada is at Bram's right, his sword's side
    arena.do_all("Bram> +wield sword", "Bram> +parry sword", "Ada> +attack bram=sword")
    assert "- 10 (sword 10)" in arena.do_all("Rhea> +ok").room[0]


def test_so_3_the_shield_covers_front_and_the_side_of_the_off_hand(arena: Arena) -> None:
    face_off(arena, "north")  # Ada is at Bram's left
    arena.do_all("Bram> +parry buckler")
    assert "- 10 (buckler 10)" in strike(arena).room[0]


def test_so_3_the_other_side_and_the_rear_are_blind_spots(arena: Arena) -> None:
    face_off(arena, "south")
    arena.do_all("Bram> +parry buckler")
    assert "buckler" not in strike(arena).room[0]


def test_so_3_the_left_handed_hold_the_shield_on_the_right(arena: Arena) -> None:
    arena.do_all("Rhea> +set bram/handedness=left")
    face_off(arena, "south")
    arena.do_all("Bram> +parry buckler")
    assert "- 10 (buckler 10)" in strike(arena).room[0]


def test_so_10_shares_are_rolled_one_by_one_and_parried_each(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Rhea> +set ada/HTH=60", "Bram> +pass")
    arena.do_all("Ada> +attack bram=sword, split 40/20")
    arena.dice(to_hit=[40, 21])
    said = arena.do_all("Rhea> +ok")
    assert "- 20 (the other shares) = 40: 40 (1d100), a hit" in said.room[0]
    assert "- 40 (the other shares) = 20: 21 (1d100), no hit" in said.room[3]


def test_so_10_a_roll_is_split_on_two_targets(arena: Arena) -> None:
    arena.do_all("Rhea> +set ada/sword=6")
    arena.duel("Ada", "Bram", "Cass", Ada=(0, 0, "east"), Bram=(1, 0, "west"), Cass=(1, 1, "south"))
    arena.do_all("Bram> +pass", "Cass> +pass")
    said = arena.do_all("Ada> +attack bram, cass=sword, split 30/10")
    assert said.one("Attack").startswith("[Attack] Ada attacks Bram and Cass with sword, split")
    said = arena.do_all("Rhea> +ok")
    assert [line.split()[1] for line in results(said)] == ["Bram", "Cass"]


def test_so_10_what_a_chance_has_lost_the_last_share_loses(arena: Arena) -> None:
    arena.do_all("Rhea> +set ada/sword=6")
    arena.duel("Bram", "Ada", Ada=(0, 0, "east"), Bram=(1, 0, "west"))
    arena.do_all("Ada> +attack bram=sword, split 20/20", "Bram> +pass")
    arena.do_all("Rhea> +set ada/HTH=30")
    said = arena.do_all("Rhea> +ok")
    assert "= 20: " in said.room[0]
    assert "- 20 (the other shares) = 10: " in said.room[3]


def test_so_15_a_tower_shield_costs_its_user(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Bram> +pass", "Rhea> +set ada/shield=4", "Ada> +parry tower shield")
    arena.do_all("Ada> +attack bram=sword")
    assert "- 26 (own tower shield) = 14" in arena.do_all("Rhea> +ok").room[0]


def test_so_16_only_what_the_parry_turned_can_harm_the_device(arena: Arena) -> None:
    guarded(arena)
    arena.dice(to_hit=41)
    assert results(strike(arena)) == ["[Result] Ada misses Bram."]


def test_so_16_the_device_may_come_off_unharmed(arena: Arena) -> None:
    guarded(arena)
    arena._falls["damage to the target shield"] = [39]
    arena.dice(to_hit=9)
    said = strike(arena)
    assert results(said) == ["[Result] Bram parries Ada with target shield."]
    assert "5 x 6 - 3 x 4 + 20 = 38: 39 (1d100), unharmed" in said.room[2]


def test_so_17_and_19_a_shield_is_penetrated_and_may_hold(arena: Arena) -> None:
    guarded(arena)
    arena.dice(to_hit=9)
    arena._falls["destruction of the target shield"] = [51]
    said = strike(arena)
    assert "[Result] Bram's target shield is penetrated." in results(said)
    assert arena.seat("Bram").device == "target shield"
    assert arena.level("Bram", "thing", "target shield") is None


def test_so_19_a_shield_that_is_damaged_may_be_destroyed_without_going_through(
    arena: Arena,
) -> None:
    guarded(arena)
    arena.dice(to_hit=9)
    arena._falls["through the target shield"] = [51]
    said = strike(arena)
    assert results(said)[-1] == "[Result] Bram's target shield is destroyed."
    assert arena.seat("Bram").device == ""
    assert arena.level("Bram", "thing", "target shield") == 2


def test_so_19_a_shield_may_be_dented_alone(arena: Arena) -> None:
    guarded(arena)
    arena.dice(to_hit=9)
    arena._falls["through the target shield"] = [51]
    arena._falls["destruction of the target shield"] = [51]
    assert results(strike(arena))[-1] == "[Result] Bram's target shield is dented, and holds."


def test_so_18_armour_is_rolled_with_a_die_off_behind_a_device(arena: Arena) -> None:
    guarded(arena)
    arena.do_all("Rhea> +set bram/armour=F")
    arena.dice(to_hit=9, armour=9, stopped=5)
    said = strike(arena)
    line = next(line for line in said.room if "armour:" in line)
    assert "9 (1d10) - 5 (1d6, stopped by the device) = 4, 5 needed for class F: held" in line
    assert results(said)[-1] == "[Result] Ada hits Bram, whose armour holds."


def test_so_25_armour_is_gone_through_at_its_number(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Rhea> +set bram/armour=F")
    arena.dice(to_hit=1, armour=5, wound=9)
    said = strike(arena)
    assert "5 (1d10) = 5, 5 needed for class F: through" in said.room[1]
    assert results(said) == ["[Result] Bram takes a medium wound: 3 off the HTH factor."]


def test_so_17_a_weapon_that_parries_breaks_when_it_is_penetrated(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Bram> +wield sword", "Bram> +parry sword", "Ada> +attack bram=sword")
    arena.dice(to_hit=31)
    said = arena.do_all("Rhea> +ok")
    assert "[Result] Bram's sword breaks." in results(said)
    assert arena.seat("Bram").weapon == "unarmed"
    assert arena.level("Bram", "thing", "sword") == 2


def test_so_19_a_damaged_weapon_is_ruined_when_it_is_damaged_again(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Bram> +parry dagger", "Bram> +pass", "Ada> +attack bram=sword")
    arena.dice(to_hit=36)
    arena._falls["through the dagger"] = [51, 51]
    said = arena.do_all("Rhea> +ok")
    assert results(said)[-1] == "[Result] Bram's dagger is damaged: half its protection."
    arena.dice(to_hit=38)
    first = arena.turn().split()[1]
    lines = ["Bram> +pass", "Ada> +attack bram=sword"]
    arena.do_all(*(lines if first == "Bram" else lines[::-1]))
    said = arena.do_all("Rhea> +ok")
    assert "damaged, 50%" in said.room[0]
    assert results(said)[-1] == "[Result] Bram's dagger is ruined."
    assert arena.seat("Bram").device == ""


def test_so_17_a_ruling_on_tech_level_is_shown_where_it_counts(arena: Arena) -> None:
    guarded(arena)
    arena.dice(to_hit=9)
    said = strike(arena, ok="+ok=+30 tech level, -1 smoke")
    through = next(line for line in said.room if "through the target shield" in line)
    assert "50 (penetration) + 30 (tech level) = 80" in through
    assert "- 1 (smoke)" in said.room[0]
    assert "tech" not in said.room[0]


def test_so_20_and_22_a_weapon_is_knocked_away_and_flies(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Rhea> +set bram/sword=5", "Bram> +wield sword", "Rhea> +set ada/HTH=34")
    arena.dice(disarm=30, flight=5, direction=1)
    said = strike(arena, "+disarm bram=weapon")
    assert "- 10 (2 x sword 5) = 30: 30 (1d100), a hit" in said.room[0]
    assert "5 (1d6) - 3 = 2, metres" in said.room[1]
    assert results(said) == ["[Result] Bram's sword flies 2 m north, to 1,2."]
    assert (arena.seat("Bram").weapon, arena.level("Bram", "thing", "sword")) == ("unarmed", 3)
    assert "Bram's sword is lost or ruined" in arena.no("Bram", "+wield sword")


def test_so_22_never_less_than_0_metres(arena: Arena) -> None:
    guarded(arena, "buckler")
    arena.dice(disarm=1, flight=2)
    said = strike(arena, "+disarm bram=shield")
    assert "2 (1d6) - 3 = -1, not under 0 = 0, metres: at the feet of its owner" in said.room[1]
    assert results(said) == ["[Result] Bram's buckler drops at their feet."]
    assert arena.seat("Bram").device == ""


def test_so_20_a_disarm_may_miss_and_is_not_parried(arena: Arena) -> None:
    guarded(arena)
    arena.dice(disarm=17)
    said = strike(arena, "+disarm bram=shield")
    assert "- 4 (1 x shield 4) - 20 (target shield) = 16: 17" in said.room[0]
    assert results(said) == ["[Result] Ada misses Bram."]


def test_so_21_strength_may_hold_on_and_the_grip_costs_a_phase(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Bram> +wield sword")
    arena.dice(disarm=1, check=10)
    said = strike(arena, "+disarm bram=weapon", "+ok=hold")
    assert "[Roll] Bram, CR Strength: Strength 10 = 10: 10 (1d20), made." in said.room[1]
    assert results(said) == ["[Result] Bram's sword is held, and of no use in the next phase."]
    if arena.turn() == "2 Ada":
        arena.do_all("Ada> +pass")
    assert "better grip on the sword" in arena.no("Bram", "+attack ada=sword")
    assert "better grip on the sword" in arena.no("Bram", "+parry sword")


def test_so_21_a_shield_that_was_held_parries_nothing_in_the_next_phase(arena: Arena) -> None:
    guarded(arena, "buckler")
    arena.dice(disarm=1, check=10)
    strike(arena, "+disarm bram=shield", "+ok=hold")
    assert "buckler" not in arena.do_all("Rhea> +odds ada/sword=bram/sword").reply[0]


def test_so_21_strength_may_fail(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Bram> +wield sword")
    arena.dice(disarm=1, check=20, flight=6, direction=3)
    said = strike(arena, "+disarm bram=weapon", "+ok=hold")
    assert results(said) == ["[Result] Bram's sword flies 3 m east, to 4,0."]


def test_a_strike_at_a_device_harms_it_and_is_not_parried(arena: Arena) -> None:
    guarded(arena)
    arena.do_all("Bram> +pass", "Ada> +wield sword", "Ada> +strike device")
    arena._falls["at the device"] = [16]
    said = arena.do_all("Rhea> +ok")
    assert "- 4 (1 x shield 4) - 20 (target shield) = 16: 16 (1d100), a hit" in said.room[0]
    assert "[Result] Bram's target shield is penetrated and destroyed." in results(said)


def test_so_26_wounds_are_by_d20_and_the_weapon(arena: Arena) -> None:
    face_off(arena)
    arena.dice(to_hit=1, wound=9)
    said = strike(arena, "+attack bram=unarmed")
    assert "9 (1d20) - 3 (unarmed) = 6, light" in said.room[1]
    arena.do_all("Rhea> +set bram/light wounds=0")
    arena.dice(wound=14)
    assert "no multiple attacks" in strike_once_more(arena)


def strike_once_more(arena: Arena) -> str:
    lines = ["Bram> +pass", "Ada> +attack bram=knife"]
    arena.do_all(*(lines if arena.turn().endswith("Bram") else lines[::-1]))
    return results(arena.do_all("Rhea> +ok"))[0]


def test_who_stepped_away_is_out_of_reach(arena: Arena) -> None:
    arena.duel("Bram", "Ada", Ada=(0, 0, "east"), Bram=(1, 0, "west"))
    arena.do_all("Ada> +attack bram=sword", "Bram> +move 1 east")
    arena.do_all("Rhea> +ok")
    assert arena.do_all("Rhea> +ok").room[0].startswith("[Combat] Bram is out of reach.")


def test_who_stepped_away_is_not_disarmed_either(arena: Arena) -> None:
    arena.duel("Bram", "Ada", Ada=(0, 0, "east"), Bram=(1, 0, "west"))
    arena.do_all("Bram> +wield sword", "Ada> +disarm bram=weapon", "Bram> +move 1 east")
    arena.do_all("Rhea> +ok")
    assert arena.do_all("Rhea> +ok").room[0].startswith("[Combat] Bram is out of reach.")


def test_who_left_is_out_of_reach_and_the_ruling_says_nothing_of_them(arena: Arena) -> None:
    arena.duel("Ada", "Bram", "Cass", Ada=(0, 0, "east"), Bram=(1, 0, "west"), Cass=(5, 5, "n"))
    arena.do_all("Bram> +pass", "Cass> +pass")
    arena.do_all("Ada> +attack bram=sword", "Bram> +combat/leave")
    assert len(arena.do_all("Rhea> +combat").reply) == 6
    assert arena.do_all("Rhea> +ok").room[0].startswith("[Combat] Bram is out of reach.")


def test_there_may_be_nothing_left_to_disarm(arena: Arena) -> None:
    arena.do_all("Rhea> +set ada/sword=6")
    arena.duel("Ada", "Cass", "Bram", Ada=(0, 0, "east"), Bram=(1, 0, "w"), Cass=(1, 1, "s"))
    arena.do_all("Bram> +wield sword")
    while not any(p.actor == arena.id("Ada") for p in arena.pending()):
        name = arena.turn().split()[1]
        arena.do_all(f"{name}> +disarm bram=weapon" if name != "Bram" else "Bram> +pass")
    arena.dice(disarm=[1])
    arena.do_all("Rhea> +ok")
    said = arena.do_all("Rhea> +ok")
    assert said.room[0].startswith("[Combat] Bram has nothing in that hand any more.")
