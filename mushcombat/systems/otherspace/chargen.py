"""What a new character may have: levels to spend, and gifts paid with faults (OS-7a)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from mushcombat.domain.numbers import counted
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.systems.approval import left_over
from mushcombat.systems.otherspace.fighter import needed
from mushcombat.systems.otherspace.tables import Tables


@record(frozen=True, slots=True)
class Left:
    """What is left to spend: levels of attributes and of skills, and gifts."""

    attributes: int
    skills: int
    gifts: int


def whole_budget_left(
    attributes: Mapping[str, int],
    skills: Mapping[str, int],
    gifts: Collection[str],
    faults: Collection[str],
    tables: Tables,
) -> Left:
    """Give what is left of all budgets; less than 0 for a sheet that staff made better."""
    rule = tables.combat.chargen
    return Left(
        attributes=rule.attribute_levels - _attributes_cost(attributes, tables),
        skills=rule.skill_levels - _skills_cost(skills, tables),
        gifts=min(rule.gifts, rule.free_gifts + len(faults)) - len(gifts),
    )


def check_raise(
    attributes: Mapping[str, int],
    skills: Mapping[str, int],
    trait_name: str,
    wished: int,
    tables: Tables,
) -> int:
    """Give what is left of the budget with an attribute or a skill at the wished level.

    MushError for a level over the highest, or more than the budget; and for an attribute
    that nobody has unless it was given.
    """
    _check_most(trait_name, wished, tables)
    rule = tables.combat.chargen
    if trait_name in tables.attributes.names:
        _check_given(attributes, trait_name, tables)
        now = _attributes_cost(attributes, tables)
        then = _attributes_cost({**attributes, trait_name: wished}, tables)
        return _left(rule.attribute_levels, now, then, "attributes")
    now = _skills_cost(skills, tables)
    then = _skills_cost({**skills, trait_name: wished}, tables)
    return _left(rule.skill_levels, now, then, "skills")


def check_gift(gifts: Collection[str], faults: Collection[str], tables: Tables) -> int:
    """Give how many gifts may still be had after one more; MushError for one too many."""
    rule = tables.combat.chargen
    if len(gifts) >= rule.gifts:
        raise MushError("gift", f"A new character has {rule.gifts} gifts at most.")
    left = min(rule.gifts, rule.free_gifts + len(faults)) - len(gifts) - 1
    if left < 0:
        hint = "Take a fault for each gift after the first."
        raise MushError("gift", "That gift is not paid with a fault.", hint)
    return left


def check_fault_dropped(gifts: Collection[str], faults: Collection[str], tables: Tables) -> None:
    """Refuse to drop a fault that pays for a gift."""
    rule = tables.combat.chargen
    if len(gifts) > rule.free_gifts + len(faults) - 1:
        raise MushError("fault", "That fault pays for a gift.", "Drop the gift first.")


def _check_most(trait_name: str, wished: int, tables: Tables) -> None:
    word = tables.combat.chargen.most
    if wished > needed(word, tables):
        shown = tables.ladder.describe(wished)
        raise MushError("level", f"{trait_name} {shown} is over {word}.", f"At most {word}.")


def _check_given(attributes: Mapping[str, int], trait_name: str, tables: Tables) -> None:
    if trait_name in tables.attributes.none_unless_given and trait_name not in attributes:
        raise MushError("trait", f"{trait_name} is nobody's unless it is given.", "Ask staff.")


def _left(budget: int, now: int, then: int, what: str) -> int:
    """Give what is left; whoever is over already may still spend less than now."""
    if then > budget and then >= now:
        text = f"That would take {counted(then, 'level')} of the {budget} for {what}."
        raise MushError("budget", text, left_over(budget - now))
    return budget - then


def _attributes_cost(attributes: Mapping[str, int], tables: Tables) -> int:
    """Count levels over the unset one; each under it gives one back."""
    unset = needed(tables.attributes.unset, tables)
    return sum(level - unset for level in attributes.values())


def _skills_cost(skills: Mapping[str, int], tables: Tables) -> int:
    """Count levels over the unset one; a level under it gives nothing back."""
    unset = needed(tables.skills.unset, tables)
    return sum(max(0, level - unset) for level in skills.values())
