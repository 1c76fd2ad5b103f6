from __future__ import annotations

import pytest

from mushcombat.domain.character import Actor
from mushcombat.domain.command import Verb
from mushcombat.domain.events import Audience
from mushcombat.systems.otherspace.events import Rolled
from mushcombat.systems.otherspace.fight_rules import make_rules
from mushcombat.systems.otherspace.rolls import roll_verbs
from mushcombat.systems.otherspace.tables import Tables, load
from mushcombat.systems.otherspace.text import DESCRIBE
from tests.unit.support import (
    ADA,
    BRAM,
    DOCK,
    RHEA,
    Faces,
    MemoryStore,
    refused,
    run,
    scene_of,
    write_context,
)

PLUS_TWO = (3, 3, 2, 2)
MINUS_ONE = (1, 2, 2, 2)
ZERO = (2, 2, 2, 2)
SYSTEM = "otherspace"


@pytest.fixture
def store() -> MemoryStore:
    there = MemoryStore()
    there.set_trait(ADA.id, SYSTEM, "skill", "Pistol", 5)
    return there


def verb(name: str, tables: Tables) -> Verb:
    return next(verb for verb in roll_verbs(tables, make_rules(tables)) if verb.name == name)


def lines(
    typed: str, tables: Tables, store: MemoryStore, *faces: int, actor: Actor = ADA
) -> list[str]:
    name, _, text = typed.partition(" ")
    context = write_context(store, actor, dice=Faces(*faces))
    drafts = run(verb(name, tables), context, text).drafts
    assert all(draft.audience is Audience.ROOM and draft.ledger is None for draft in drafts)
    return [DESCRIBE[type(draft.event)](draft.event, actor.name) for draft in drafts]


def no(typed: str, tables: Tables, store: MemoryStore, actor: Actor = ADA) -> str:
    name, _, text = typed.partition(" ")
    dice = Faces()
    told = refused(verb(name, tables), write_context(store, actor, dice=dice), text)
    assert dice.asked == []
    return told


def test_os_3_a_roll_writes_skill_modifier_and_dice_out(tables: Tables, store: MemoryStore) -> None:
    assert lines("+roll pistol at -1", tables, store, *PLUS_TWO) == [
        "[Roll] Ada: Pistol 5 (Good) - 1 (asked) + 2 (4dF) = 6 (Great)."
    ]


def test_os_3_a_roll_without_a_modifier_shows_the_asked_one_at_zero(
    tables: Tables, store: MemoryStore
) -> None:
    assert lines("+roll pistol", tables, store, *MINUS_ONE) == [
        "[Roll] Ada: Pistol 5 (Good) + 0 (asked) - 1 (4dF) = 4 (Fair)."
    ]


def test_os_1_a_result_off_the_ladder_is_written_from_its_end(
    tables: Tables, store: MemoryStore
) -> None:
    store.set_trait(ADA.id, SYSTEM, "skill", "Pistol", 8)
    (high,) = lines("+roll pistol at 4", tables, store, *PLUS_TWO)
    assert high.endswith("= 14 (Legendary+6).")
    (low,) = lines("+roll sword at -4", tables, store, *MINUS_ONE)
    assert low.endswith("= -3 (Terrible-4).")


def test_os_6_what_was_never_set_rolls_at_fair_or_poor(tables: Tables, store: MemoryStore) -> None:
    (attribute,) = lines("+roll strength", tables, store, *ZERO)
    (skill,) = lines("+roll sword", tables, store, *ZERO)
    assert attribute.startswith("[Roll] Ada: Strength 4 (Fair) + 0 (asked)")
    assert skill.startswith("[Roll] Ada: Sword 2 (Poor) + 0 (asked)")


def test_os_2_four_fudge_dice_are_thrown_for_a_roll(tables: Tables, store: MemoryStore) -> None:
    dice = Faces(*ZERO)
    outcome = run(verb("+roll", tables), write_context(store, dice=dice), "pistol")
    assert dice.asked == [(4, 3, "roll")]
    event = outcome.drafts[0].event
    assert isinstance(event, Rolled)
    assert event.breakdown.throws[0].faces == ZERO


def test_os_2_a_game_may_throw_the_later_die(d10: Tables, store: MemoryStore) -> None:
    assert lines("+roll pistol", d10, store, 2) == [
        "[Roll] Ada: Pistol 5 (Good) + 0 (asked) - 3 (1d10-5) = 2 (Poor)."
    ]


def test_os_7_psi_cannot_be_rolled_by_who_has_none(tables: Tables, store: MemoryStore) -> None:
    assert no("+roll psi", tables, store) == (
        "Ada has no Psi. Staff give it with +set Ada/Psi=<level>."
    )
    store.set_trait(ADA.id, SYSTEM, "attribute", "Psi", 6)
    (told,) = lines("+roll psi", tables, store, *ZERO)
    assert told.endswith("= 6 (Great).")


@pytest.mark.parametrize("modifier", ["-4", "4", "+4", "0"])
def test_os_3_a_player_may_ask_for_up_to_four(
    tables: Tables, store: MemoryStore, modifier: str
) -> None:
    (told,) = lines(f"+roll pistol at {modifier}", tables, store, *ZERO)
    assert told.endswith(f"= {5 + int(modifier)} ({tables.ladder.word(5 + int(modifier))}).")


@pytest.mark.parametrize("modifier", ["5", "-5", "99", "x", "1e9", "nan", "٣", "9" * 5000, "2.0"])
def test_os_3_a_player_may_not_ask_for_more(
    tables: Tables, store: MemoryStore, modifier: str
) -> None:
    told = no(f"+roll pistol at {modifier}", tables, store)
    assert told.endswith("is not a whole number from -4 to 4.")
    assert told.startswith('modifier: "')


def test_os_3_a_players_own_reason_is_not_taken(tables: Tables, store: MemoryStore) -> None:
    assert no("+roll pistol at 2 because", tables, store) == (
        'modifier: "2 because" is not a whole number from -4 to 4.'
    )


def test_os_3_a_referees_reason_is_a_term_of_its_own(tables: Tables, store: MemoryStore) -> None:
    (told,) = lines("+roll sword at -7 loose rigging", tables, store, *PLUS_TWO, actor=RHEA)
    assert told == (
        "[Roll] Rhea: Sword 2 (Poor) - 7 (loose rigging) + 0 (asked) + 2 (4dF) = -3 (Terrible-4)."
    )


def test_os_3_a_referees_reason_is_no_throw_and_no_result(
    tables: Tables, store: MemoryStore
) -> None:
    typed = "+roll sword at 3 x) = 99 (Legendary). #5 ("
    (told,) = lines(typed, tables, store, *ZERO, actor=RHEA)
    assert told == (
        "[Roll] Rhea: Sword 2 (Poor) + 3 (x 99 Legendary. #5) + 0 (asked) + 0 (4dF) = 5 (Good)."
    )
    assert no("+roll sword at 3 4dF", tables, store, RHEA).startswith('reason: "4dF" is what ')


def test_os_3_a_referees_term_tells_who_ruled_it(tables: Tables, store: MemoryStore) -> None:
    context = write_context(store, RHEA, dice=Faces(*ZERO))
    event = run(verb("+roll", tables), context, "sword at -7 fog").drafts[0].event
    assert isinstance(event, Rolled)
    term = event.breakdown.terms[1]
    assert (term.value, term.rule, term.by) == (-7, "OS-3", "Rhea")


def test_os_3_a_referee_may_ask_for_little_without_a_reason(
    tables: Tables, store: MemoryStore
) -> None:
    (told,) = lines("+roll sword at 4", tables, store, *ZERO, actor=RHEA)
    assert told == "[Roll] Rhea: Sword 2 (Poor) + 4 (asked) + 0 (4dF) = 6 (Great)."


def test_os_3_a_referee_needs_a_reason_for_much(tables: Tables, store: MemoryStore) -> None:
    assert no("+roll sword at -7", tables, store, RHEA) == (
        "modifier: one that large needs a reason. Type it behind the number: at -7 <reason>."
    )


@pytest.mark.parametrize("modifier", ["100 x", "-100 x", "x y"])
def test_os_3_a_referee_too_has_a_range(tables: Tables, store: MemoryStore, modifier: str) -> None:
    told = no(f"+roll sword at {modifier}", tables, store, RHEA)
    assert told.endswith("is not a whole number from -99 to 99.")


def test_os_56_the_scenes_referee_may_ask_for_any_modifier(
    tables: Tables, store: MemoryStore
) -> None:
    scene = scene_of(ADA, referees=[ADA])
    context = write_context(store, ADA, scene, Faces(*ZERO))
    (draft,) = run(verb("+roll", tables), context, "pistol at 9 high ground").drafts
    assert draft.ledger == scene.id
    assert DESCRIBE[Rolled](draft.event, "Ada") == (
        "[Roll] Ada: Pistol 5 (Good) + 9 (high ground) + 0 (asked) + 0 (4dF) = 14 (Legendary+6)."
    )


def test_os_8_reaction_is_dexterity_and_perception(tables: Tables, store: MemoryStore) -> None:
    assert lines("+reaction", tables, store, *MINUS_ONE) == [
        "[Reaction] Ada: Dexterity 4 + Perception 4 + 0 (asked) - 1 (4dF) = 7."
    ]


def test_os_8_reaction_can_be_rolled_at_a_modifier(tables: Tables, store: MemoryStore) -> None:
    store.set_trait(ADA.id, SYSTEM, "attribute", "Dexterity", 6)
    assert lines("+reaction at -2", tables, store, *PLUS_TWO) == [
        "[Reaction] Ada: Dexterity 6 + Perception 4 - 2 (asked) + 2 (4dF) = 10."
    ]


def test_os_8_a_referee_may_roll_reaction_with_a_reason(tables: Tables, store: MemoryStore) -> None:
    assert lines("+reaction at 5 ambush", tables, store, *ZERO, actor=RHEA) == [
        "[Reaction] Rhea: Dexterity 4 + Perception 4 + 5 (ambush) + 0 (asked) + 0 (4dF) = 13."
    ]


def test_os_8_nothing_but_a_modifier_follows_reaction(tables: Tables, store: MemoryStore) -> None:
    assert no("+reaction pistol", tables, store) == (
        'Nothing but "at <modifier>" follows, not "pistol". Usage: +reaction[/self][ at <modifier>]'
    )
    assert no("+reaction at", tables, store).startswith('modifier: ""')


@pytest.mark.parametrize(
    ("mine", "theirs", "told"),
    [
        (PLUS_TWO, ZERO, "[Contest] Ada beats Bram by 2."),
        (ZERO, ZERO, "[Contest] Ada and Bram are even: Bram holds."),
        (MINUS_ONE, PLUS_TWO, "[Contest] Bram holds against Ada by 3."),
    ],
)
def test_os_5_a_contest_goes_by_the_margin_and_a_tie_is_the_defenders(
    tables: Tables,
    store: MemoryStore,
    mine: tuple[int, ...],
    theirs: tuple[int, ...],
    told: str,
) -> None:
    first, second, decided = lines("+roll strength vs bram", tables, store, *mine, *theirs)
    assert first.startswith("[Roll] Ada: Strength 4 (Fair) + 0 (asked) ")
    assert second.startswith("[Roll] Bram: Strength 4 (Fair) ")
    assert "(asked)" not in second
    assert decided == told


def test_os_5_a_game_may_give_ties_to_who_acts(rules: str, store: MemoryStore) -> None:
    bold = load(rules.replace('tie = "defender"', 'tie = "attacker"'), "x")
    assert lines("+roll strength vs bram", bold, store, *ZERO, *ZERO)[2] == (
        "[Contest] Ada beats Bram by 0."
    )


def test_os_7_a_contest_takes_a_modifier_for_who_asked(tables: Tables, store: MemoryStore) -> None:
    first, second, decided = lines("+roll strength VS. Bram at -1", tables, store, *ZERO, *ZERO)
    assert first == "[Roll] Ada: Strength 4 (Fair) - 1 (asked) + 0 (4dF) = 3 (Mediocre)."
    assert second == "[Roll] Bram: Strength 4 (Fair) + 0 (4dF) = 4 (Fair)."
    assert decided == "[Contest] Bram holds against Ada by 1."


def test_every_line_of_a_contest_is_of_one_action(tables: Tables, store: MemoryStore) -> None:
    scene = scene_of(ADA, BRAM)
    store.scenes[scene.id] = scene
    context = write_context(store, ADA, scene, Faces(*ZERO, *ZERO))
    drafts = run(verb("+roll", tables), context, "strength vs bram").drafts
    assert [(draft.ledger, draft.follows) for draft in drafts] == [
        (7, False),
        (7, True),
        (7, True),
    ]


@pytest.mark.parametrize("name", ["cass", "ada", "me2", "x" * 300])
def test_os_7_a_contest_needs_somebody_else(tables: Tables, store: MemoryStore, name: str) -> None:
    told = no(f"+roll strength vs {name}", tables, store)
    assert told.startswith('Nobody else called "')
    assert told.endswith('" is here. Try look.')


def test_os_7_a_contest_needs_somebody_in_the_same_room(tables: Tables, store: MemoryStore) -> None:
    store.move(BRAM.id, DOCK)
    assert no("+roll strength vs bram", tables, store) == (
        'Nobody else called "bram" is here. Try look.'
    )


def test_os_7_in_a_scene_a_contest_needs_somebody_who_takes_part(
    tables: Tables, store: MemoryStore
) -> None:
    scene = scene_of(ADA)
    store.scenes[scene.id] = scene
    context = write_context(store, ADA, scene)
    assert refused(verb("+roll", tables), context, "strength vs bram") == (
        'Nobody else called "bram" is in the scene here. Try look.'
    )


def test_os_7_a_contest_of_psi_needs_psi_on_both_sides(tables: Tables, store: MemoryStore) -> None:
    store.set_trait(ADA.id, SYSTEM, "attribute", "Psi", 6)
    context = write_context(store, dice=Faces(*ZERO, *ZERO))
    assert refused(verb("+roll", tables), context, "psi vs bram").startswith("Bram has no Psi.")


@pytest.mark.parametrize("text", ["", "at 2", "   ", " vs bram"])
def test_a_roll_of_nothing_is_refused(tables: Tables, store: MemoryStore, text: str) -> None:
    told = no(f"+roll {text}", tables, store)
    assert told.startswith(("Usage: +roll", "trait: "))


def test_an_unknown_trait_is_refused_with_all_there_are(tables: Tables, store: MemoryStore) -> None:
    assert no("+roll juggling", tables, store).startswith(
        'trait: "juggling" is no attribute or skill. Attributes: Dexterity, Strength,'
    )


def test_the_names_of_the_contract_call_a_roll(tables: Tables) -> None:
    assert verb("+roll", tables).aliases == ("+taskroll", "+test", "+check")
