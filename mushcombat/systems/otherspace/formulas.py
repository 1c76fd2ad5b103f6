"""The formulas: whole numbers and the tables in, a sum written out comes back.

Levels are those of the ladder (OS-1); damage is in points of health. Each docstring names
its rule; what the rule lets a referee change is in the tables.
"""

from __future__ import annotations

from collections.abc import Sequence

from mushcombat.domain.breakdown import Breakdown, Term, modifier
from mushcombat.domain.dice import Throw
from mushcombat.systems.otherspace.tables import Tables


def check(
    name: str,
    level: int,
    asked: int | None,
    throw: Throw,
    tables: Tables,
    *,
    extra: Sequence[Term] = (),
) -> Breakdown:
    """OS-3: a roll is skill or attribute, modifiers and dice; in levels.

    `name` and `level` are the trait's; `extra` are further terms, left out where 0; `asked` is
    what was asked for, shown also at 0, None where nobody could ask. ValueError if the throw
    is not of the table's dice.
    """
    first = Term(level, f"{name} {tables.ladder.describe(level)}", rule="OS-3", kind="level")
    return _rolled((first,), asked, throw, tables, extra)


def reaction(
    dexterity: int,
    perception: int,
    asked: int | None,
    throw: Throw,
    tables: Tables,
    *,
    bonus: Term | None = None,
    extra: Sequence[Term] = (),
) -> Breakdown:
    """OS-8: Dexterity and Perception (levels), modifiers and dice; a plain number.

    `bonus` is the first round's (OS-9); `extra` as for `check`. ValueError if the throw is
    not of the table's dice.
    """
    levels = (
        Term(dexterity, f"Dexterity {dexterity}", rule="OS-8", kind="level"),
        Term(perception, f"Perception {perception}", rule="OS-8", kind="level"),
    )
    bonuses = () if bonus is None else (bonus,)
    return _rolled(levels, asked, throw, tables, (*bonuses, *extra))


def first_round_bonus(weapon_class: str, tables: Tables, *, latecomer: bool = False) -> Term | None:
    """OS-9: what a class of weapon adds to the reaction that makes the order; None if nothing.

    For one who joins a fight later only the table's `latecomers` count.
    """
    value = tables.reaction.first_round.get(weapon_class, 0)
    if latecomer and weapon_class not in tables.reaction.latecomers:
        value = 0
    return modifier(value, f"{weapon_class}, first round", "OS-9") if value else None


def margin(attack: int, defence: int) -> int:
    """OS-5: levels by which an attack beats a defence; negative if it is beaten."""
    return attack - defence


def beats(attack: int, defence: int, tables: Tables) -> bool:
    """OS-5, OS-37: whether the attack does anything; a tie goes as the table says."""
    won = margin(attack, defence)
    return won > 0 or (won == 0 and tables.opposed.tie == "attacker")


def ranged_damage(attack: int, defence: int, odf: int, ddf: int, tables: Tables) -> Breakdown:
    """OS-34: ODF + 5 x margin - DDF, not under 0; points before Constitution, for one shot."""
    rule = "OS-34"
    by_margin = _by_margin(attack, defence, tables.damage.per_margin, rule)
    return _damage(tables, rule, _odf(odf, rule), by_margin, _ddf(ddf, rule))


def melee_damage(
    attack: int, defence: int, odf: int, ddf: int, tables: Tables, *, strength: int | None
) -> Breakdown:
    """OS-33: ODF + 5 x Strength + 5 x margin - DDF, not under 0; points before Constitution.

    `strength` None takes the ODF as including Strength (OS-38).
    """
    rule = "OS-33"
    terms = [_odf(odf, rule)]
    if strength is not None:
        per = tables.damage.per_strength
        terms.append(Term(per * strength, f"{per} x Strength {strength}", rule=rule))
    terms.append(_by_margin(attack, defence, tables.damage.per_margin, rule))
    return _damage(tables, rule, *terms, _ddf(ddf, rule))


def psionic_damage(
    attack: int, defence: int, psi: int, intelligence: int, tables: Tables
) -> Breakdown:
    """OS-35: 10 x Psi + 10 x margin - 10 x Intelligence, not under 0; points before Constitution.

    Psi is the attacker's level, Intelligence the defender's.
    """
    rule, per = "OS-35", tables.damage.psionic
    against = f"{per} x Intelligence {intelligence}"
    return _damage(
        tables,
        rule,
        Term(per * psi, f"{per} x Psi {psi}", rule=rule),
        _by_margin(attack, defence, per, rule),
        Term(-per * intelligence, against, "-", rule=rule),
    )


def after_constitution(damage: int, constitution: int, tables: Tables) -> Breakdown:
    """OS-36: what is left of damage (points, 0 or more) after the target's Constitution (level).

    Percent mode: damage x (100 - 5 x Constitution) / 100, fractions dropped once, at the end.
    Flat mode: damage - 5 x Constitution, not under 0.
    """
    whole = Breakdown((Term(damage, str(damage), kind="damage"),))
    return whole.then(constitution_term(damage, constitution, tables)).at_least(0, "OS-36")


def constitution_term(damage: int, constitution: int, tables: Tables, words: str = "") -> Term:
    """OS-36: the term that Constitution adds to a sum whose total is `damage`, 0 or more.

    `words` say more of it than the level.
    """
    rule = tables.constitution
    counted = rule.counted.nearest(constitution)
    taken = rule.per_level * counted
    if rule.mode == "percent":
        value, share = damage * (100 - taken) // 100 - damage, f"{taken}%"
    else:
        value, share = -taken, f"{rule.per_level} x {counted}"
    words = words or f"Constitution {constitution}"
    return Term(value, f"{words} ({share})", "less", "OS-36")


def psi_resistance(tables: Tables) -> Term:
    """OS-40: what the gift adds to Willpower against psionics; in levels."""
    return modifier(tables.psionics.resistant, "Psi Resistant", "OS-40")


def _rolled(
    levels: tuple[Term, ...],
    asked: int | None,
    throw: Throw,
    tables: Tables,
    extra: Sequence[Term],
) -> Breakdown:
    """Put a roll together: levels, what else counts, what was asked, dice."""
    others = tuple(term for term in extra if term.value)
    wish = () if asked is None else (modifier(asked, "asked", "OS-3", kind="asked"),)
    dice = modifier(tables.dice.value(throw), tables.dice.kind, "OS-2", kind="dice")
    return Breakdown((*levels, *others, *wish, dice), (throw,))


def _by_margin(attack: int, defence: int, per: int, rule: str) -> Term:
    value = per * margin(attack, defence)
    return Term(value, f"{per} x ({attack} - {defence})", rule=rule)


def _odf(odf: int, rule: str) -> Term:
    return Term(odf, f"ODF {odf}", rule=rule)


def _ddf(ddf: int, rule: str) -> Term:
    return Term(-ddf, f"DDF {ddf}", "-", rule=rule)


def _damage(tables: Tables, rule: str, *terms: Term) -> Breakdown:
    return Breakdown(terms).at_least(tables.damage.least, rule)
