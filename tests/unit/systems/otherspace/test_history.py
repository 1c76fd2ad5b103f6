"""Taking back, letting stand again, and asking why."""

from __future__ import annotations

from typing import Any

import pytest

from mushcombat.systems.otherspace.combat_state import load_seat
from tests.unit.systems.otherspace.arena import Arena


@pytest.fixture
def duel(arena: Arena) -> Arena:
    """Ada's pistol does 44 to Bram: by 4, 35 + 20, less 20%."""
    arena.sheet("Ada", Pistol=6)
    arena.gear("Ada", "pistol")
    arena.fight("Ada", "Bram")
    return arena


SHOT = "Ada> +attack Bram=pistol"


def fighting(arena: Arena) -> dict[str, object]:
    """Give all rows but those of the log and its heads."""
    dump = arena.dump()
    return {name: rows for name, rows in dump.items() if name not in {"scene_log", "scenes"}}


def test_an_undo_puts_back_exactly_what_an_action_changed(duel: Arena) -> None:
    before = fighting(duel)
    number = duel.attack(SHOT).action
    assert (duel.health("Bram"), duel.turn()) == (56, "1 Bram")
    said = duel.do_all(f"Rhea> +undo {number} = it was a decoy")
    assert said.one("Undo") == (
        f"[Undo] Rhea takes back #{number} (it was a decoy): Bram's health 56 -> 100,"
        f" Ada's turn again. #{said.action}"
    )
    after = fighting(duel)
    # Ada's pistol, the fight, Bram: all as it was, but that Bram's health is noted as full.
    assert {name for name in before if before[name] != after[name]} == set()
    assert (duel.health("Bram"), duel.turn()) == (100, "1 Ada")
    assert duel.no("Rhea", f"+undo {number}") == (
        f"#{number} is taken back already. +redo {number}?"
    )


def test_an_undo_without_a_number_takes_back_the_last_action(duel: Arena) -> None:
    duel.do_all("Rhea> +damage Bram=5", "Rhea> +damage Ada=7")
    duel.do_all("Rhea> +undo")
    assert (duel.health("Ada"), duel.health("Bram")) == (100, 95)
    duel.do_all("Rhea> +undo")
    assert (duel.health("Ada"), duel.health("Bram")) == (100, 100)


def test_an_undo_gives_used_up_things_back(duel: Arena) -> None:
    duel.gear("Ada", "grenade", "power blow")
    duel.do_all("Ada> +throw Bram=grenade, card power blow", "Rhea> +ok", "Bram> +defend dex")
    assert duel.items("Ada") == {"pistol": 1}
    said = duel.do_all("Rhea> +undo")
    assert duel.items("Ada") == {"Power Blow": 1, "grenade": 1, "pistol": 1}
    assert "Ada's grenade 0 -> 1" in said.one("Undo")


def test_an_undo_takes_a_quirk_off_again(duel: Arena) -> None:
    duel.do_all("Rhea> +quirk Bram=lightly")
    assert "Bram loses the quirk Lightly Wounded." in duel.do_all("Rhea> +undo").one("Undo")
    assert duel.quirks("Bram") == ()
    assert "Bram gains the quirk Lightly Wounded." in duel.do_all("Rhea> +redo").one("Redo")
    assert duel.quirks("Bram") == ("Lightly Wounded",)


def test_an_undo_tells_of_health_only_where_it_changed(duel: Arena) -> None:
    duel.sheet("Bram", Medicine=6)
    duel.do_all("Bram> +heal Ada")
    said = duel.do_all("Rhea> +undo")
    assert "health" not in said.one("Undo")
    duel.do_all("Bram> +heal Ada")


def test_a_redo_that_would_leave_two_actions_of_one_pending_is_refused(duel: Arena) -> None:
    first = duel.do_all(SHOT).action
    duel.do_all("Rhea> +undo", SHOT)
    told = duel.no("Rhea", f"+redo {first}")
    assert told.startswith("That can't be: somebody would have two actions pending.")


def test_os_29_no_redo_of_an_attack_while_another_of_that_turn_is_pending(duel: Arena) -> None:
    first = duel.attack(SHOT).action
    duel.do_all("Rhea> +undo")
    second = duel.do_all(SHOT).action
    assert duel.no("Rhea", f"+redo {first}") == (
        f"Ada has begun #{second} in the turn of #{first}: it holds one (OS-29)."
        f" +no {second} first."
    )
    # Once it is allowed, a +no comes too late.
    duel.do_all("Rhea> +ok")
    assert duel.no("Rhea", f"+redo {first}").endswith(f" +undo {second} first.")
    duel.do_all(f"Rhea> +undo {second}", f"Rhea> +redo {first}")
    assert (duel.turn(), duel.health("Bram"), duel.pending()) == ("1 Bram", 56, [])


def test_os_29_no_redo_of_an_attack_that_waits_after_another_of_that_turn(duel: Arena) -> None:
    first = duel.do_all(SHOT).action
    duel.do_all("Rhea> +undo")
    second = duel.attack(SHOT).action
    assert duel.turn() == "1 Bram"
    assert duel.no("Rhea", f"+redo {first}") == (
        f"#{first} no longer fits: Ada's turn is over. Take back first what ended it: +undo."
    )
    duel.do_all(f"Rhea> +undo {second}", f"Rhea> +redo {first}")
    assert [one.action for one in duel.pending()] == [first]


def test_os_29_no_redo_of_an_attack_when_another_of_that_turn_is_resolved(duel: Arena) -> None:
    first = duel.attack(SHOT).action
    duel.do_all("Rhea> +undo")
    second = duel.attack(SHOT).action
    assert duel.no("Rhea", f"+redo {first}").startswith(
        f"#{first} no longer fits: #{second} came since"
    )


def test_os_30_a_free_counterattack_stands_in_the_way_of_no_redo(duel: Arena) -> None:
    duel.gear("Bram", "knife")
    duel.do_all("Bram> +wield knife")
    duel.attack("Ada> +attack Bram=unarmed", attack=-4, defence=4, choice="dex")
    hurt = duel.do_all("Rhea> +damage Cass=5").action
    counter = duel.do_all("Bram> +counter").action
    duel.do_all("Rhea> +undo " + str(hurt), f"Rhea> +redo {hurt}", f"Rhea> +undo {counter}")
    duel.do_all(f"Rhea> +redo {counter}")
    assert [one.action for one in duel.pending()] == [counter]


def test_an_undo_puts_nobody_back_into_the_fight_who_has_left_the_scene(duel: Arena) -> None:
    duel.do_all("Ada> +next")
    left = duel.do_all("Bram> +scene/leave").action
    assert duel.turn() == "2 Ada"
    assert duel.no("Rhea", "+undo") == (
        "Bram would fight, and has left the scene. Bram comes back first: +scene/join 1."
    )
    duel.do_all("Bram> +scene/join", f"Rhea> +undo {left}")
    assert duel.turn() == "1 Bram"
    duel.do_all("Bram> +next")


def test_an_undo_of_the_end_of_a_fight_waits_for_those_who_have_left(duel: Arena) -> None:
    stopped = duel.do_all("Rhea> +combat/stop").action
    duel.do_all("Bram> +scene/leave")
    assert duel.no("Rhea", f"+undo {stopped}").startswith("Bram would fight, and has left")
    duel.do_all("Bram> +scene/join", f"Rhea> +undo {stopped}")
    assert [seat.name for seat in duel.seats()] == ["Ada", "Bram"]


def test_who_had_gone_before_stands_in_the_way_of_no_undo(duel: Arena) -> None:
    duel.do(lambda store: store.leave_scene(duel.scene, bram_of(store), duel.now))
    duel.do_all("Rhea> +damage Ada=5", "Rhea> +undo")
    assert duel.health("Ada") == 100


def bram_of(store: Any) -> int:
    (bram,) = store.find_players("Bram")
    found: int = bram.id
    return found


def test_a_redo_of_a_declaration_after_the_fight_is_refused(duel: Arena) -> None:
    first = duel.do_all(SHOT).action
    duel.do_all("Rhea> +undo", "Rhea> +combat/stop")
    told = duel.no("Rhea", f"+redo {first}")
    assert told.startswith("That can't be: an action would be pending in no fight.")


def test_a_redo_of_a_leave_is_refused_while_they_have_an_action_pending(duel: Arena) -> None:
    left = duel.do_all("Ada> +combat/leave").action
    duel.do_all("Rhea> +undo", SHOT)
    told = duel.no("Rhea", f"+redo {left}")
    assert told.startswith("That can't be: an action would be pending of somebody who is not in")
    duel.do_all("Rhea> +no", f"Rhea> +redo {left}")


def test_an_undo_of_a_join_is_refused_while_it_is_their_turn(duel: Arena) -> None:
    joined = duel.do_all("Cass> +combat/join").action
    duel.falls(reaction=-4)
    rolled = duel.do_all("Cass> +reaction").action
    duel.do_all("Ada> +next", "Bram> +next")
    assert duel.turn() == "1 Cass"
    assert duel.no("Rhea", f"+undo {joined}").partition(":")[0] == (
        f"#{joined} can't be taken back alone"
    )
    assert duel.no("Rhea", f"+undo {rolled}").startswith("That can't be: it would be the turn of")


def test_an_undo_of_a_declaration_takes_it_off_the_tracker(duel: Arena) -> None:
    number = duel.do_all(SHOT).action
    duel.do_all(f"Rhea> +undo {number}")
    assert duel.pending() == []
    duel.do_all(SHOT)


def test_an_undo_is_refused_with_the_actions_that_built_on_it(duel: Arena) -> None:
    first = duel.do_all("Rhea> +damage Bram=10").action
    second = duel.do_all("Rhea> +damage Bram=20").action
    third = duel.do_all("Rhea> +damage Bram=5").action
    assert duel.no("Rhea", f"+undo {first}") == (
        f"#{first} can't be taken back alone: #{second} and #{third} built on it (Bram's health)."
        f" Take those back first, or +undo/force {first}."
    )


def test_os_55_a_standing_defence_is_an_action_of_its_own(duel: Arena) -> None:
    shot = duel.do_all(SHOT, "Rhea> +ok").action
    always = duel.do_all("Bram> +defend/always dexterity").action
    assert duel.turn() == "1 Bram"
    assert always != shot
    taken = duel.do_all(f"Rhea> +undo {shot}").one("Undo")
    assert "defend" not in taken
    assert standing_defence(duel) == "Dexterity"
    assert (duel.turn(), duel.pending()) == ("1 Ada", [])
    # So it answers the next attack, and is taken back by itself.
    duel.do_all(SHOT, "Rhea> +ok")
    assert duel.turn() == "1 Bram"
    said = duel.do_all(f"Rhea> +undo {always}")
    assert "Bram no longer always defends with Dexterity." in said.one("Undo")
    assert (standing_defence(duel), duel.turn()) == ("", "1 Bram")
    assert "Bram always defends with Dexterity." in duel.do_all("Rhea> +redo").one("Redo")


def test_os_55_undo_takes_back_what_was_answered_before_the_standing_choice(duel: Arena) -> None:
    """All that an answer leads to is of the attack, also what the next turn begins with."""
    duel.do_all("Rhea> +npc Thug=thug")
    duel.do_all("Rhea> +order Thug=2")
    shot = duel.do_all(SHOT, "Rhea> +ok").action
    duel.do_all("Bram> +defend/always dexterity")
    assert duel.turn() == "1 Thug"
    assert duel.health("Bram") == 56
    duel.do_all(f"Rhea> +undo {shot}")
    assert (duel.health("Bram"), duel.turn()) == (100, "1 Ada")


def test_os_55_the_same_standing_choice_again_changes_nothing(duel: Arena) -> None:
    duel.do_all("Bram> +defend/always dexterity")
    again = duel.do_all("Bram> +defend/always dexterity").action
    assert duel.no("Rhea", f"+undo {again}").startswith(f"#{again} changed nothing.")


def standing_defence(arena: Arena, name: str = "Bram") -> str:
    (seat,) = [seat for seat in arena.seats() if seat.name == name]
    return load_seat(seat.state).always


def test_a_forced_undo_takes_back_the_difference_and_says_so(duel: Arena) -> None:
    first = duel.do_all("Rhea> +damage Bram=10").action
    second = duel.do_all("Rhea> +damage Bram=20").action
    said = duel.do_all(f"Rhea> +undo/force {first}=misheard")
    assert said.one("Undo") == (
        f"[Undo] Rhea takes back #{first} (misheard), by force: Bram's health 70 -> 80,"
        f" by the difference alone: #{second} still counts. #{said.action}"
    )
    assert duel.health("Bram") == 80


def test_a_forced_undo_is_clamped(duel: Arena) -> None:
    first = duel.do_all("Rhea> +damage Bram=40").action
    duel.wait(days=3)
    # 30 healed by themselves: of the 40 to give back only 15 are harm now.
    duel.do_all("Rhea> +damage Bram=5")
    said = duel.do_all(f"Rhea> +undo/force {first}")
    assert duel.condition("Bram").harm == 0
    assert "by the difference alone, as far as it goes: " in said.one("Undo")


def test_only_the_referee_takes_back(duel: Arena) -> None:
    number = duel.do_all(SHOT).action
    for line in ("+undo", f"+undo {number}", f"+redo {number}"):
        assert duel.no("Ada", line) == "The referee takes back what was done. Ask them."


def test_in_mode_open_one_takes_back_the_own_last_action_alone(duel: Arena) -> None:
    duel.do_all("Rhea> +scene/set mode=open")
    own = duel.do_all("Ada> +attack Bram=pistol", "Bram> +defend dex").action
    assert duel.no("Olga", "+undo") == (
        "There is nothing of yours to take back. +scene/log shows what was done."
    )
    assert duel.no("Bram", "+undo").endswith("first, or ask the referee.")
    assert duel.no("Bram", f"+undo {own}") == "The referee takes back what was done. Ask them."
    duel.do_all("Ada> +undo")
    assert duel.health("Bram") == 100
    assert duel.no("Ada", f"+redo {own}") == "The referee takes back what was done. Ask them."
    assert duel.no("Ada", f"+undo {own}") == f"#{own} is taken back already. +redo {own}?"


def test_in_mode_open_one_takes_it_back_also_when_others_have_acted_since(duel: Arena) -> None:
    duel.do_all("Rhea> +scene/set mode=open")
    first = duel.do_all("Ada> +wield pistol").action
    own = duel.do_all("Ada> +wield nothing").action
    duel.do_all(*(f"Rhea> +set Bram/Pistol={level % 9}" for level in range(120)))
    assert duel.no("Ada", f"+undo {first}") == (
        f"You take back your own last action alone. Type +undo {own}."
    )
    assert duel.do_all("Ada> +undo").one("Undo").startswith(f"[Undo] Ada takes back #{own}: ")
    duel.do_all(f"Ada> +undo {first}")


def test_in_mode_open_what_others_built_on_stays_for_a_referee_to_take_back(duel: Arena) -> None:
    duel.do_all("Rhea> +scene/set mode=open")
    own = duel.do_all("Ada> +attack Bram=pistol", "Bram> +defend dex").action
    later = duel.do_all("Bram> +next").action
    for line in ("+undo", f"+undo {own}", f"+undo/force {own}"):
        assert duel.no("Ada", line) == (
            f"#{own} can't be taken back alone: #{later} built on it"
            " (the turn and Bram's part in it). Take those back first, or ask the referee."
        )
    duel.do_all(f"Rhea> +undo/force {own}")


def test_what_a_hidden_npc_built_on_an_action_is_not_named_to_a_player(duel: Arena) -> None:
    duel.falls(reaction=[2, 1])
    duel.do_all("Rhea> +scene/set mode=open", "Rhea> +npc/hidden Lurker*2")
    duel.do_all("Rhea> +order Lurker 1=2", "Rhea> +order Lurker 2=3", "Rhea> +order Bram=4")
    own = duel.do_all("Ada> +attack Bram=pistol", "Bram> +defend dex").action
    hidden = duel.do_all("Rhea> +next").action
    assert duel.no("Ada", "+undo") == (
        f"#{own} can't be taken back alone: something later built on it (the turn)."
        " Take those back first, or ask the referee."
    )
    assert f": #{hidden} built on it (the turn)." in duel.no("Rhea", f"+undo {own}")


def test_a_redo_lets_it_stand_again_with_the_dice_it_had(duel: Arena) -> None:
    number = duel.attack(SHOT, attack=1).action
    health = duel.health("Bram")
    duel.do_all(f"Rhea> +undo {number}")
    said = duel.do_all(f"Rhea> +redo {number}=it counts after all")
    assert said.one("Redo").startswith(
        f"[Redo] Rhea lets #{number} stand again (it counts after all): Bram's health 100 ->"
    )
    assert (duel.health("Bram"), duel.turn()) == (health, "1 Bram")
    assert duel.no("Rhea", f"+redo {number}") == f"#{number} is not taken back. +undo takes back."
    assert duel.no("Rhea", "+redo").startswith("Nothing is taken back.")


def test_a_redo_that_no_longer_fits_is_refused(duel: Arena) -> None:
    first = duel.do_all("Rhea> +damage Bram=10").action
    later = duel.do_all("Rhea> +undo", "Rhea> +damage Bram=5").action
    assert duel.no("Rhea", "+redo") == (
        f"#{first} no longer fits: #{later} came since (Bram's health). Take that back first."
    )


def test_a_redo_of_what_stood_on_something_waits_for_that(duel: Arena) -> None:
    first = duel.do_all("Rhea> +damage Bram=10").action
    second = duel.do_all("Rhea> +damage Bram=5").action
    duel.do_all("Rhea> +undo", "Rhea> +undo")
    assert duel.no("Rhea", f"+redo {second}") == (
        f"#{second} no longer fits: it stood on #{first}, taken back since. +redo {first} first."
    )
    duel.do_all("Rhea> +redo", f"Rhea> +redo {second}")
    assert duel.health("Bram") == 85


def test_an_undo_is_no_action_to_take_back(duel: Arena) -> None:
    first = duel.do_all("Rhea> +damage Bram=10").action
    undo = duel.do_all("Rhea> +undo").action
    assert duel.no("Rhea", f"+undo {undo}").endswith(f"Type +redo {first}.")
    redo = duel.do_all("Rhea> +redo").action
    assert duel.no("Rhea", f"+undo {redo}").endswith(f"Type +undo {first}.")


def test_what_changed_nothing_cannot_be_taken_back(duel: Arena) -> None:
    number = duel.do_all("Ada> +roll pistol").action
    assert duel.no("Rhea", f"+undo {number}") == (
        f"#{number} changed nothing. +why {number} shows it."
    )


def test_undo_after_the_end_of_the_fight_brings_it_back(duel: Arena) -> None:
    duel.do_all("Rhea> +damage Bram=50")
    number = duel.do_all("Rhea> +combat/stop").facts[-1].action
    (wound,) = duel.pending()
    taken = duel.do_all("Rhea> +ok").action
    duel.do_all(f"Rhea> +undo {taken}")
    assert (duel.quirks("Bram"), duel.tracker().phase) == ((), "over")
    assert [p.action for p in duel.pending()] == [wound.action]
    duel.do_all(f"Rhea> +undo {number}")
    assert (duel.tracker().phase, duel.turn(), duel.pending()) == ("on", "1 Ada", [])


def test_nothing_to_take_back_is_told(arena: Arena) -> None:
    arena.do_all("Ada> +roll pistol")
    assert arena.no("Rhea", "+undo").startswith("There is nothing to take back.")
