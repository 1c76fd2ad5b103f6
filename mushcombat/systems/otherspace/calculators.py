"""The four calculators of the source's command list (OS-38, OS-39): fields in, a sum out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from mushcombat.domain.breakdown import Breakdown
from mushcombat.domain.command import Access, Call, Context, Lane, Outcome, Verb
from mushcombat.domain.numbers import parse_whole
from mushcombat.systems.otherspace.events import DamageWorked, Sort
from mushcombat.systems.otherspace.fields import parse_level, parse_roll
from mushcombat.systems.otherspace.formulas import (
    after_constitution,
    beats,
    melee_damage,
    psionic_damage,
    ranged_damage,
)
from mushcombat.systems.otherspace.tables import Tables


def _split(call: Call, fewest: int, most: int) -> list[str]:
    fields = call.text.split("/")
    if not fewest <= len(fields) <= most:
        raise call.wrong()
    return fields


def _rolls(fields: list[str], tables: Tables) -> tuple[int, int]:
    attack = parse_roll(fields[0], "attack roll", tables)
    return attack, parse_roll(fields[1], "defence roll", tables)


def _armed(fields: list[str], tables: Tables) -> tuple[int, int]:
    """Read ODF and DDF, in points."""
    odf, ddf = tables.fields.odf, tables.fields.ddf
    force = parse_whole(fields[2], "ODF", odf.low, odf.high)
    return force, parse_whole(fields[3], "DDF", ddf.low, ddf.high)


def _worked(
    sort: Sort, breakdown: Breakdown, rolls: tuple[int, int], tables: Tables, note: str = ""
) -> DamageWorked:
    """Add what OS-37 says of an attack that does not beat the defence."""
    if not beats(*rolls, tables):
        missed = f"An attack of {rolls[0]} against {rolls[1]} is normally a miss."
        note = f"{note} {missed}".strip()
    return DamageWorked(sort, breakdown, note)


def ranged(tables: Tables, call: Call) -> DamageWorked:
    """Work out `<attack>/<defence>/<ODF>/<DDF>` (OS-34)."""
    fields = _split(call, 4, 4)
    rolls = _rolls(fields, tables)
    odf, ddf = _armed(fields, tables)
    return _worked("ranged", ranged_damage(*rolls, odf, ddf, tables), rolls, tables)


def melee(tables: Tables, call: Call) -> DamageWorked:
    """Work out `<attack>/<defence>/<ODF>/<DDF>[/<strength>]` (OS-33, OS-38)."""
    fields = _split(call, 4, 5)
    rolls = _rolls(fields, tables)
    odf, ddf = _armed(fields, tables)
    strength, note = None, "The ODF is taken as including Strength."
    if len(fields) == 5:
        strength = parse_level(fields[4], "strength", tables.fields.strength, tables)
        note = ""
    breakdown = melee_damage(*rolls, odf, ddf, tables, strength=strength)
    return _worked("melee", breakdown, rolls, tables, note)


def psionic(tables: Tables, call: Call) -> DamageWorked:
    """Work out `<attack>/<defence>/<psi>/<intelligence>` (OS-35)."""
    fields = _split(call, 4, 4)
    rolls = _rolls(fields, tables)
    psi = parse_level(fields[2], "psi", tables.fields.psi, tables)
    mind = parse_level(fields[3], "intelligence", tables.fields.intelligence, tables)
    return _worked("psionic", psionic_damage(*rolls, psi, mind, tables), rolls, tables)


def constitution(tables: Tables, call: Call) -> DamageWorked:
    """Work out `<damage>/<constitution>` (OS-36)."""
    fields = _split(call, 2, 2)
    span = tables.fields.damage
    damage = parse_whole(fields[0], "damage", span.low, span.high)
    body = parse_level(fields[1], "constitution", tables.fields.constitution, tables)
    return DamageWorked("constitution", after_constitution(damage, body, tables))


def _tell(context: Context, event: DamageWorked) -> Outcome:
    return Outcome((context.show(event),))


def calculator_verbs(tables: Tables) -> tuple[Verb, ...]:
    """Give the verbs of this file."""

    def verb(name: str, fields: str, parse: Callable[[Tables, Call], DamageWorked]) -> Verb:
        return Verb(
            name,
            f"{name}[/self] {fields}",
            Access.GUEST,
            Lane.HERE,
            partial(parse, tables),
            _tell,
            flags=frozenset({"self"}),
            shown=True,
        )

    return (
        verb("+rcalcdamage", "<attack>/<defence>/<ODF>/<DDF>", ranged),
        verb("+mcalcdamage", "<attack>/<defence>/<ODF>/<DDF>[/<strength>]", melee),
        verb("+psicalcdamage", "<attack>/<defence>/<psi>/<intelligence>", psionic),
        verb("+calcdamage", "<damage>/<constitution>", constitution),
    )
