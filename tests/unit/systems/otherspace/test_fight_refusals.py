"""What is refused in a fight: once, clearly, with nothing changed and nobody else told.

`Arena.no` compares all rows of the database before and after, and looks at every screen.
"""

from __future__ import annotations

import pytest

from tests.unit.systems.otherspace.arena import Arena


@pytest.fixture
def duel(arena: Arena) -> Arena:
    """Ada has a pistol and the turn; Bram is next, then Cass."""
    arena.gear("Ada", "pistol")
    arena.fight("Ada", "Bram", "Cass")
    return arena


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Bram> +attack Ada=unarmed", "It is not your turn."),
        ("Ada> +attack Ada=pistol", "That is you."),
        ("Ada> +attack me=pistol", 'Nobody of the fight is called "me".'),
        ("Ada> +attack Olga=pistol", "Olga is not in the fight."),
        ("Ada> +attack Zed=pistol", 'Nobody of the fight is called "Zed".'),
        ("Ada> +attack Bram=rifle", "Ada carries no rifle."),
        ("Ada> +attack Bram=banana", 'weapon: "banana" is none.'),
        ("Ada> +attack Bram=pistol, 1001", "1001 feet is out of range."),
        ("Ada> +attack Bram=unarmed, short", "Hand to hand reaches 5 feet, no farther."),
        ("Ada> +attack Bram=pistol, sideways", 'modifier: "sideways" is none of: close,'),
        ("Ada> +attack Bram=pistol, walking, running", 'modifier: "running" contradicts'),
        ("Ada> +attack Bram=pistol, cover 101", 'cover: "101" is not a whole number'),
        ("Ada> +attack Bram=pistol, -1 luck", "The referee rules modifiers."),
        ("Ada> +attack Bram=pistol, card joker", 'card: "joker" is no action card.'),
        ("Ada> +attack Bram=pistol, back", "Stepping back takes a polearm."),
        ("Ada> +attack Bram=pistol, improvised", "Nothing improvised counts as pistol."),
        ("Ada> +attack Bram=pistol+unarmed+pistol", "Two hands hold two weapons."),
        ("Ada> +attack Bram, Cass=pistol", "This reaches 1 target."),
        ("Ada> +attack =pistol", "Usage: +attack"),
        ("Ada> +attack", "Usage: +attack"),
        ("Ada> +grapple", "Usage: +grapple"),
        ("Ada> +grapple Bram, blindly", 'modifier: "blindly" is none of'),
        ("Ada> +throw Bram=pistol", "The pistol is not made for throwing."),
        ("Ada> +detonate Bram=pistol", "The pistol does not explode."),
        ("Ada> +disarm Bram=pistol, point blank", "Nothing explodes in a disarm attack."),
        ("Olga> +attack Bram=unarmed", "You are not in the fight."),
        ("Ada> +counter", "You have no counterattack (OS-30)."),
        ("Ada> +go", "Nothing is pending."),
        ("Rhea> +ok", "Nothing is pending."),
        ("Rhea> +ok 7", "#7 is not pending."),
        ("Rhea> +ok x", 'number: "x" is not a whole number'),
        ("Rhea> +no", "Nothing is pending."),
        ("Ada> +ok", "Huh?"),
        ("Bram> +defend dexterity", "Nothing is pending."),
        ("Bram> +defend", "Nothing is pending."),
        ("Bram> +defend/always", "Usage: +defend"),
        ("Bram> +defend/always juggling", 'choice: "juggling" is not one here.'),
        ("Bram> +full now", 'Nothing follows this command, but "now" did.'),
        ("Ada> +lethal", "Nothing is pending."),
        ("Ada> +wield banana", 'You carry no "banana".'),
        ("Ada> +wear kevlar", 'You carry no "kevlar".'),
        ("Ada> +ready banana", 'You carry no "banana".'),
        ("Rhea> +order Ada=x", 'place: "x" is not a whole number from 1 to 99.'),
        ("Rhea> +scene/set mood=dark", 'property: "mood" is none.'),
        ("Rhea> +scene/set mode=wild", 'mode: "wild" is not one. Say strict, normal or open.'),
        ("Rhea> +scene/set luck=maybe", 'luck: "maybe" is not one. Say yes or no.'),
        ("Ada> +scene/set mode=open", "The referee sets that, or who opened the scene."),
        ("Rhea> +give Bram=banana", 'item: there is no "banana".'),
        ("Rhea> +take Bram=pistol", "Bram has no pistol."),
        ("Rhea> +give Zed=pistol", 'Nobody called "Zed" is within reach.'),
        ("Rhea> +damage Bram=0", 'damage: "0" is not a whole number from 1 to 100.'),
        ("Rhea> +damage Bram=101", 'damage: "101" is not a whole number from 1 to 100.'),
        ("Rhea> +damage Bram", "Usage: +damage"),
        ("Ada> +damage Bram=5", "Huh?"),
        ("Rhea> +quirk Bram=Brave", 'quirk: "Brave" is not one.'),
        ("Rhea> +quirk Bram", "Usage: +quirk"),
        ("Rhea> +quirk/remove Bram=Lightly", "Bram is not Lightly Wounded."),
        ("Ada> +heal", "Usage: +heal"),
        ("Ada> +heal Bram at 2", "The referee sets the modifier."),
        ("Ada> +heal Zed", 'Nobody called "Zed" is within reach.'),
        ("Rhea> +npc", "Usage: +npc"),
        ("Rhea> +npc Thug=ogre", 'template: "ogre" is none.'),
        ("Rhea> +npc Ada=thug", 'The name "Ada" is taken.'),
        ("Rhea> +npc Thug*13=thug", 'count: "13" is not a whole number from 1 to 12.'),
        ("Ada> +odds Ada=Bram", "Usage: +odds"),
        ("Ada> +odds Ada/banana=Bram", 'weapon: "banana" is none.'),
        ("Ada> +odds Ada/energy=Bram", 'weapon: "energy" could be several.'),
        ("Ada> +odds Ada/pistol=Bram/juggling", 'choice: "juggling" is not one here.'),
        ("Ada> +undo", "The referee takes back what was done."),
        ("Rhea> +undo 9999", "There is no action #9999."),
        ("Rhea> +undo x", 'action: "x" is not a whole number'),
        ("Rhea> +redo", "Nothing is taken back."),
        ("Ada> +why 9999", "There is no action #9999."),
        ("Ada> +why what", 'action: "what" is not a whole number'),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(duel: Arena, line: str, told: str) -> None:
    name, _, typed = line.partition("> ")
    assert duel.no(name, typed).startswith(told)


def test_a_weapon_that_could_be_several_is_asked_about(duel: Arena) -> None:
    duel.gear("Ada", "stun pistol", "stun grenade")
    assert duel.no("Ada", "+attack Bram=stun") == (
        'weapon: "stun" could be stun pistol, stun grenade. Type more of it.'
    )
    told = duel.no("Rhea", "+give Bram=energy")
    assert told.startswith('item: "energy" could be energy pistol, energy rifle,')


def test_names_that_could_be_several_are_asked_about(duel: Arena) -> None:
    duel.falls(reaction=[-1, -2])
    duel.do_all("Rhea> +npc Guard*2")
    assert duel.no("Ada", "+attack Guard=pistol").startswith("More than one of the fight is called")
    assert duel.no("Rhea", "+damage Guard=5") == (
        '"Guard" could be Guard 1, Guard 2. Type more of the name.'
    )
    assert duel.no("Rhea", "+combat/leave Guard") == (
        '"Guard" could be Guard 1, Guard 2. Type more of the name.'
    )


def test_a_second_action_waits_for_the_first(duel: Arena) -> None:
    duel.do_all("Ada> +attack Bram=pistol")
    assert duel.no("Ada", "+attack Cass=pistol") == "You have an action pending. +combat shows it."


def test_the_second_of_two_rulings_is_told_that_it_waits_for_something_else(duel: Arena) -> None:
    number = duel.do_all("Ada> +attack Bram=pistol").action
    duel.do_all("Rhea> +ok")
    assert duel.no("Rhea", "+ok") == "Nothing is pending. +combat shows what is."
    assert duel.no("Rhea", f"+ok {number}") == (
        f"#{number} waits for something else now. +combat shows it."
    )
    duel.do_all("Bram> +defend dex")
    assert duel.no("Rhea", f"+ok {number}") == f"#{number} is not pending. +combat shows what is."
    assert duel.no("Bram", "+defend dex").startswith("Nothing is pending.")


def test_of_several_pending_actions_one_is_named(duel: Arena) -> None:
    duel.attack("Ada> +attack Bram=unarmed", attack=-4, defence=4)
    one = duel.do_all("Bram> +attack Cass=unarmed").action
    duel.do_all("Rhea> +order Cass=1")
    told = duel.no("Bram", "+counter")
    assert told.startswith("You have an action pending.")
    assert f"#{one} (Bram) waits for the referee's ruling." in duel.do_all("Ada> +combat").reply[0]


def test_with_two_pending_plain_ok_lists_them(duel: Arena) -> None:
    # Ada's attack is parried so well that Bram may strike back while Cass acts.
    duel.do_all("Rhea> +order Cass=2")
    duel.attack("Ada> +attack Bram=unarmed", attack=-4, defence=4)
    first = duel.do_all("Cass> +attack Ada=unarmed").action
    second = duel.do_all("Bram> +counter").action
    assert duel.no("Rhea", "+ok") == (f"#{first} and #{second} are pending. Name one: +ok <number>")
    duel.do_all(f"Rhea> +ok #{second}")


@pytest.mark.parametrize(
    ("ruling", "told"),
    [
        ("-1", 'ruling: "-1" has no reason. Type -1 <reason>.'),
        ("+1", 'ruling: "+1" has no reason. Type +1 <reason>.'),
        ("steam", 'ruling: "steam" is not a whole number from -99 to 99.'),
        ("-100 the moon", 'ruling: "-100" is not a whole number from -99 to 99.'),
        ("1e9 x", 'ruling: "1e9" is not a whole number from -99 to 99.'),
    ],
)
def test_os_3_a_ruling_takes_a_number_and_a_reason(duel: Arena, ruling: str, told: str) -> None:
    duel.do_all("Ada> +attack Bram=pistol")
    assert duel.no("Rhea", f"+ok ={ruling}").startswith(told)


def test_a_choice_that_is_not_allowed_names_those_that_are(duel: Arena) -> None:
    duel.do_all("Ada> +attack Bram=pistol", "Rhea> +ok")
    assert duel.no("Bram", "+defend unarmed") == (
        'choice: "unarmed" is not one here. Choose Dexterity or Athletics.'
    )
    assert duel.no("Bram", "+defend dex, card joker").startswith('card: "joker" is no action card.')
    assert duel.no("Cass", "+defend dex") == ("You are not asked to defend. +combat shows who is.")


def test_the_target_leaves_between_declaration_and_roll(duel: Arena) -> None:
    duel.do_all("Ada> +attack Bram=pistol", "Bram> +combat/leave")
    said = duel.do_all("Rhea> +ok")
    assert said.one("Combat").startswith("[Combat] Bram is out of reach: the attack finds nobody.")
    assert (duel.pending(), duel.turn()) == ([], "1 Cass")
