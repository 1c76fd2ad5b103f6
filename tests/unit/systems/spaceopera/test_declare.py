from __future__ import annotations

from tests.unit.systems.spaceopera.arena import Arena


def face_off(arena: Arena, bram: str = "west") -> None:
    """Bram declares first; they stand before each other, Cass far away."""
    arena.do_all("Rhea> +set cass/HTH=99")
    arena.duel(
        "Ada", "Bram", "Cass", Ada=(0, 0, "east"), Bram=(1, 0, bram), Cass=(9, 9, "south-west")
    )


def test_who_is_not_in_the_fight_declares_nothing(arena: Arena) -> None:
    face_off(arena)
    assert "not in the fight" in arena.no("Olga", "+move 1")


def test_so_4_one_declares_once_a_phase(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Bram> +move 1")
    assert "declared for this phase" in arena.no("Bram", "+attack ada=sword")
    assert "declared for this phase" in arena.no("Bram", "+wield sword")


def test_a_target_is_another_one_of_the_fight(arena: Arena) -> None:
    face_off(arena)
    assert "Nobody of the fight" in arena.no("Bram", "+attack olga=sword")
    assert "That is you" in arena.no("Bram", "+attack bram=sword")
    assert "Usage: +attack" in arena.no("Bram", "+attack =sword")
    assert "none" in arena.no("Bram", "+attack ada=laser")
    assert 'modifier: "fast" is none' in arena.no("Bram", "+attack ada=sword, fast")


def test_so_3_what_is_not_in_reach_or_in_front_is_not_struck(arena: Arena) -> None:
    face_off(arena, "east")
    assert arena.no("Bram", "+attack cass=sword") == ("Cass is out of reach. +move toward Cass")
    assert arena.no("Bram", "+attack ada=sword") == ("Ada is not in front of you (SO-3). +turn Ada")


def test_so_3_several_are_all_in_front(arena: Arena) -> None:
    arena.do_all("Rhea> +set bram/sword=6")
    arena.duel("Ada", "Bram", Ada=(0, 0, "east"), Bram=(1, 0, "south"))
    arena.do_all("Cass> +combat/join", "Rhea> +place cass=1,-1")
    line = "+attack cass, ada=sword, split 20/20"
    while not arena.turn().endswith("Bram"):
        arena.do_all(f"{arena.turn().split()[1]}> +pass")
    assert "Ada is not in front of you" in arena.no("Bram", line)


def test_so_1_a_granted_reach_is_for_long_weapons(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Rhea> +place bram=2,0", "Rhea> +set bram/reach=2")
    assert "out of reach" in arena.no("Bram", "+attack ada=sword")
    assert "[Attack] Bram attacks Ada with pike." in arena.do_all("Bram> +attack ada=pike").room[0]


def test_so_10_a_split_adds_up_and_is_not_into_more_than_may_be(arena: Arena) -> None:
    face_off(arena)
    assert "A chance of 40 makes 1 attack (SO-10). Leave it out." in arena.no(
        "Bram", "+attack ada=sword, split 20/20"
    )
    arena.do_all("Rhea> +set bram/HTH=60")
    assert "makes 2 attacks (SO-10). Split it into 2." in arena.no(
        "Bram", "+attack ada=sword, split 20/20/20"
    )
    assert "The shares come to 50, the chance is 60." in arena.no(
        "Bram", "+attack ada=sword, split 30/20"
    )
    assert "share" in arena.no("Bram", "+attack ada=sword, split 60/0")
    arena.do_all("Rhea> +place cass=2,1", "Rhea> +place ada=2,0", "Rhea> +place bram=1,0,e")
    assert "2 targets share the chance, 60." in arena.no("Bram", "+attack ada, cass=sword")
    arena.do_all("Rhea> +set bram/HTH=90")
    assert "Each target takes a share. Type split 45/45." in arena.no(
        "Bram", "+attack ada, cass=sword, split 30/30/30"
    )


def two_before_bram(arena: Arena, factor: int) -> None:
    """Let Bram, with a factor, have Ada and Cass in front of him."""
    face_off(arena)
    arena.do_all(f"Rhea> +set bram/HTH={factor}", "Rhea> +place cass=2,1")
    arena.do_all("Rhea> +place ada=2,0", "Rhea> +place bram=1,0,e")


def test_so_10_the_shares_that_a_refusal_names_are_taken(arena: Arena) -> None:
    two_before_bram(arena, 81)
    asked = arena.no("Bram", "+attack ada, cass=sword")
    assert asked == ("2 targets share the chance, 81. Add split 41/40, or other shares of it.")
    told = arena.no("Bram", "+attack ada, cass=sword, split 30/20")
    assert told == "The shares come to 50, the chance is 81. They add up to 81: split 41/40."
    arena.do_all("Bram> +attack ada, cass=sword, split 41/40")


def test_so_10_a_chance_for_one_attack_is_for_one_target(arena: Arena) -> None:
    two_before_bram(arena, 40)
    told = "A chance of 40 makes 1 attack (SO-10). Type +attack Ada."
    assert arena.no("Bram", "+attack ada, cass=sword") == told
    assert arena.no("Bram", "+attack ada, cass=sword, split 20/20") == told
    arena.do_all("Rhea> +set bram/HTH=60")
    told = arena.no("Bram", "+attack ada, cass, ada=sword, split 20/20/20")
    assert told == "A chance of 60 makes 2 attacks (SO-10). Name 2 of them."


def test_so_15_both_hands_full_leave_none_for_a_weapon(arena: Arena) -> None:
    face_off(arena)
    said = arena.do_all("Bram> +parry small table")
    assert said.one("Combat").startswith("[Combat] Bram parries with small table, with both hands.")
    assert arena.seat("Bram").device == "small table"
    arena.do_all("Cass> +pass") if arena.turn().endswith("Cass") else None
    while arena.turn().startswith("1"):
        arena.do_all("Rhea> +ok" if arena.turn() == "1 Bram" else "Rhea> +next")
    while not arena.turn().endswith("Bram"):
        arena.do_all("Rhea> +next")
    assert "leaves no hands for the sword" in arena.no("Bram", "+attack ada=sword")
    assert "leaves no hands to strike with" in arena.no("Bram", "+attack ada=unarmed")
    assert "leaves no hands for the sword" in arena.no("Bram", "+wield sword")
    arena.do_all("Bram> +parry nothing", "Bram> +wield pike")
    assert "takes both hands" in arena.no("Bram", "+parry buckler")


def test_so_4_a_parry_with_the_weapon_in_hand_takes_the_attacks_place(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Bram> +wield sword")
    said = arena.do_all("Bram> +parry sword")
    assert said.room[0].startswith("[Combat] Bram parries with sword. #")
    assert arena.seat("Bram").declared == "parry"


def test_what_parries_is_something_that_can(arena: Arena) -> None:
    face_off(arena)
    assert "The flail does not parry" in arena.no("Bram", "+parry flail")
    assert "Usage: +parry" in arena.no("Bram", "+parry")
    said = arena.do_all("Bram> +parry buckler")
    assert said.reply == ("Now declare what you do beside: +attack, +turn, +move or +pass.",)


def test_so_20_there_must_be_something_to_knock_away(arena: Arena) -> None:
    face_off(arena)
    assert "Ada has no weapon in hand" in arena.no("Bram", "+disarm ada=weapon")
    assert "Ada has no device in hand" in arena.no("Bram", "+disarm ada=shield")
    ways = "Name what to knock away: +disarm ada=weapon or +disarm ada=shield."
    assert arena.no("Bram", "+disarm ada=hat") == arena.no("Bram", "+disarm ada") == ways
    assert "Usage: +disarm" in arena.no("Bram", "+disarm")


def test_a_strike_at_a_device_finds_the_one_beside_who_has_any(arena: Arena) -> None:
    face_off(arena)
    assert "Nobody beside you has a device" in arena.no("Bram", "+strike device")
    assert "Ada has no device in hand" in arena.no("Bram", "+strike ada's device")
    assert "Ada has no device in hand" in arena.no("Bram", "+strike ada")
    assert "Usage: +strike" in arena.no("Bram", "+strike")


def test_a_strike_at_a_device_may_name_whose(arena: Arena) -> None:
    arena.duel("Bram", "Ada", Ada=(0, 0, "east"), Bram=(1, 0, "west"))
    arena.do_all("Ada> +parry buckler", "Ada> +pass")
    said = arena.do_all("Bram> +strike device of ada")
    assert said.one("Attack").startswith(
        "[Attack] Bram strikes at what is held by Ada with unarmed, at the buckler."
    )


def test_so_1_one_moves_3_squares_and_engaged_1(arena: Arena) -> None:
    face_off(arena)
    assert "One moves 1 square a phase when engaged (SO-1). +move 1" in arena.no("Bram", "+move 2")
    arena.do_all("Rhea> +place bram=5,0")
    assert "One moves 3 squares a phase when not engaged" in arena.no("Bram", "+move 4")
    assert "direction" in arena.no("Bram", "+move 1 up")
    said = arena.do_all("Bram> +move towards ada")
    assert said.room[0].startswith("[Combat] Bram moves toward Ada up to 3. #")


def test_so_1_one_walks_up_to_somebody_and_faces_them(arena: Arena) -> None:
    arena.duel("Ada", "Bram")
    arena.do_all("Bram> +pass", "Ada> +move toward bram", "Rhea> +ok")
    assert arena.seat("Ada").figure.square == (3, 0)


def test_so_7_one_turns_to_somebody_who_does_not_touch_one_freely(arena: Arena) -> None:
    arena.duel("Ada", "Bram", Bram=(4, 0, "east"))
    said = arena.do_all("Bram> +turn ada")
    assert said.room[0].startswith("[Combat] Bram turns to face Ada. #")
    assert not arena.seat("Bram").exposed


def test_what_was_given_is_all_that_is_at_hand_and_nothing_given_is_anything(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Rhea> +give bram=knife, in the boot")
    assert arena.no("Bram", "+attack ada=sword") == (
        "Bram carries no sword. A referee gives it: +give Bram=sword"
    )
    arena.do_all("Rhea> +take bram=knife", "Bram> +wield sword")
    arena.do_all("Rhea> +give bram=knife", "Bram> +attack ada=unarmed")


def test_a_thing_that_is_given_is_whole_again(arena: Arena) -> None:
    arena.note("Bram", "thing", "sword", 3)
    arena.do_all("Rhea> +give bram=sword")
    assert arena.level("Bram", "thing", "sword") is None


def test_weapons_are_listed(arena: Arena) -> None:
    lines = arena.do_all("Olga> +weapons").reply
    assert "knife: speed 5, injury +0, parries 5" in lines
    assert "unarmed: speed 5, injury -3" in lines
    assert "tower shield: parries 30" in lines
    assert "Usage: +wield" in arena.no("Bram", "+wield")


def test_a_hidden_npc_neither_acts_nor_is_acted_on(arena: Arena) -> None:
    arena.do_all("Rhea> +npc/hidden Thug=warrior", "Rhea> +combat/start", "Ada> +combat/join")
    arena.do_all("Bram> +combat/join", "Rhea> +place thug=1,0,west")
    arena.do_all("Rhea> +place ada=0,0,east", "Rhea> +place bram=0,1,east")
    while not arena.turn().endswith("Thug"):
        arena.do_all("Rhea> +next")
    assert "hidden" in arena.no("Rhea", "Thug: +attack ada=sword")
    shown = arena.do_all("Rhea> +next")
    assert "Thug" not in "".join(shown.seen["Ada"])
    arena.do_all("Rhea> +npc/show thug", "Rhea> +npc/hide thug")
    while not arena.turn().endswith("Ada"):
        arena.do_all("Rhea> +next")
    assert "Nobody of the fight" in arena.no("Ada", "+attack thug=sword")
    assert "Nobody beside you" in arena.no("Ada", "+strike device")
    assert "hidden" in arena.no("Rhea", "+as Ada=+attack thug=sword")
    assert "Thug" not in "".join(arena.do_all("Ada> +map").reply)
