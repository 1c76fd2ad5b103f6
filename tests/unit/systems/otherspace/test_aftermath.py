"""Wounds after the scene: whose, and who is not asked about again (OS-45)."""

from __future__ import annotations

import pytest

from tests.unit.systems.otherspace.arena import Arena


def wounds(arena: Arena) -> dict[str, str]:
    """Give what is proposed, for whom."""
    people = {arena.id(name): name for name in ("Ada", "Bram", "Cass", "Olga")}
    return {people[one.actor]: one.state for one in arena.pending() if one.stage == "proposed"}


def test_os_45_who_left_the_fight_is_wounded_all_the_same(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Bram=65, x", "Bram> +combat/leave", "Rhea> +combat/stop")
    assert wounds(arena) == {"Bram": "Moderately Wounded"}


def test_os_45_who_left_the_scene_is_wounded_all_the_same(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Bram=65, x", "Bram> +scene/leave", "Rhea> +combat/stop")
    (wound,) = arena.pending()
    arena.do_all(f"Rhea> +ok {wound.action}", "Bram> +scene/join")
    assert arena.quirks("Bram") == ("Moderately Wounded",)


def test_os_45_who_was_hurt_beside_the_fight_is_wounded_and_npcs_are(arena: Arena) -> None:
    arena.do_all("Rhea> +damage Olga=45, a falling crate")
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +npc Thug=thug")
    thug = arena.id("Thug")
    arena.do_all("Rhea> +damage Thug=65", "Rhea> +combat/leave Thug", "Rhea> +combat/stop")
    found = {(one.actor, one.state) for one in arena.pending()}
    assert found == {(arena.id("Olga"), "Lightly Wounded"), (thug, "Moderately Wounded")}


def test_os_45_closing_the_scene_wounds_who_was_hurt_in_no_fight(arena: Arena) -> None:
    arena.do_all("Rhea> +damage Ada=45", "Rhea> +damage Bram=30", "Rhea> +damage Cass=40 stun")
    said = arena.do_all("Rhea> +scene/close")
    assert "[Wounds] Ada: Lightly Wounded, by Rhea (the scene closed)." in str(said.room)
    assert [arena.quirks(name) for name in ("Ada", "Bram", "Cass")] == [
        ("Lightly Wounded",),
        (),
        (),
    ]


def test_os_45_harm_of_an_earlier_scene_is_none_of_this_ones(arena: Arena) -> None:
    arena.do_all("Rhea> +scene/close", "Rhea> +damage Bram=65", "Rhea> +scene/open Next")
    arena.do_all("Ada> +scene/join", "Bram> +scene/join")
    arena.scene = 2
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +combat/stop")
    assert arena.pending() == []
    arena.do_all("Rhea> +damage Bram=1", "Rhea> +scene/close")
    assert arena.quirks("Bram") == ("Moderately Wounded",)


@pytest.mark.parametrize(
    ("ruling", "quirks"),
    [
        ("+ok {}", ("Moderately Wounded",)),
        ("+no {}=a scratch", ()),
        ("+quirk Bram=lightly, changed", ("Lightly Wounded",)),
    ],
)
def test_os_45_who_was_ruled_on_and_not_hurt_since_is_wounded_no_more(
    arena: Arena, ruling: str, quirks: tuple[str, ...]
) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Bram=65", "Rhea> +combat/stop")
    arena.do_all(f"Rhea> {ruling.format(arena.pending()[0].action)}")
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +combat/stop")
    assert arena.pending() == []
    arena.do_all("Rhea> +scene/close")
    assert arena.quirks("Bram") == quirks


def test_os_45_who_is_hurt_after_the_ruling_is_wounded_anew(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Bram=45", "Rhea> +combat/stop", "Rhea> +no")
    arena.do_all("Rhea> +damage Bram=20", "Rhea> +scene/close")
    assert arena.quirks("Bram") == ("Moderately Wounded",)


def test_os_45_an_attack_that_lands_after_the_ruling_hurts_after_it(arena: Arena) -> None:
    arena.sheet("Ada", Unarmed=8, Strength=8)
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Bram=30", "Ada> +attack Bram=unarmed", "Rhea> +ok")
    arena.do_all("Rhea> +quirk Bram=lightly", "Bram> +defend dex", "Rhea> +combat/stop")
    # By 6: 40 + 30 = 70, less 20%: 56, and 30 before.
    assert wounds(arena) == {"Bram": "Heavily Wounded"}


def test_os_45_harm_and_rulings_that_are_taken_back_count_no_more(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    hurt = arena.do_all("Rhea> +damage Ada=65").action
    arena.do_all("Rhea> +damage Bram=65", f"Rhea> +undo {hurt}", "Rhea> +combat/stop")
    assert wounds(arena) == {"Bram": "Moderately Wounded"}
    (wound,) = arena.pending()
    arena.do_all("Rhea> +no", f"Rhea> +undo {wound.action}")
    assert wounds(arena) == {"Bram": "Moderately Wounded"}
    arena.do_all("Rhea> +scene/close")
    assert arena.quirks("Bram") == ("Moderately Wounded",)


def test_os_45_a_proposal_outlasts_the_next_fight_unless_it_is_worse_by_then(
    arena: Arena,
) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Ada=45", "Rhea> +damage Bram=45", "Rhea> +combat/stop")
    before = {one.actor: one.action for one in arena.pending()}
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Bram=20", "Rhea> +combat/stop")
    assert wounds(arena) == {"Ada": "Lightly Wounded", "Bram": "Moderately Wounded"}
    after = {one.actor: one.action for one in arena.pending()}
    ada, bram = arena.id("Ada"), arena.id("Bram")
    assert after[ada] == before[ada]
    assert after[bram] != before[bram]


def test_os_45_two_wounds_that_were_ruled_on_together_are_taken_back_together(
    arena: Arena,
) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Ada=45", "Rhea> +damage Bram=45", "Rhea> +combat/stop")
    arena.do_all("Rhea> +ok", "Rhea> +undo")
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +combat/stop")
    assert wounds(arena) == {"Ada": "Lightly Wounded", "Bram": "Lightly Wounded"}


def test_os_45_what_is_proposed_and_healed_by_then_is_not_imposed(arena: Arena) -> None:
    arena.sheet("Cass", Medicine=8)
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Bram=45", "Rhea> +combat/stop", "Cass> +heal Bram")
    said = arena.do_all("Rhea> +scene/close")
    assert "Bram: Lightly Wounded" in str(said.seen["Rhea"])
    assert "Wounded" not in str(said.room)
    assert (arena.quirks("Bram"), arena.pending()) == ((), [])


def test_os_45_a_proposal_does_not_make_a_worse_wound_lighter(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Bram=45", "Rhea> +combat/stop", "Rhea> +damage Bram=60")
    assert arena.quirks("Bram") == ("Critically Wounded",)
    arena.do_all("Rhea> +ok")
    assert "Critically Wounded" in arena.quirks("Bram")


def test_os_45_what_is_healed_by_the_next_fight_is_proposed_no_more(arena: Arena) -> None:
    arena.sheet("Cass", Medicine=8)
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Bram=45", "Rhea> +combat/stop", "Cass> +heal Bram")
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +combat/stop")
    assert arena.pending() == []


def test_os_45_who_is_hurt_more_before_the_ruling_has_the_wound_of_then(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Bram=45", "Rhea> +combat/stop")
    assert wounds(arena) == {"Bram": "Lightly Wounded"}
    arena.do_all("Rhea> +damage Bram=46")
    assert "Bram, Seriously Wounded (health 9" in str(arena.do_all("Rhea> +combat").reply)
    arena.do_all("Rhea> +ok", "Rhea> +scene/close")
    assert arena.quirks("Bram") == ("Seriously Wounded",)
