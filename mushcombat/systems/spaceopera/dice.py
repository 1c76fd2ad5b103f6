"""The rolls of this system: each a sum or a chance with its dice, and the fact that tells it."""

from __future__ import annotations

from mushcombat.domain.breakdown import Breakdown, Term
from mushcombat.domain.command import Context
from mushcombat.domain.dice import Throw
from mushcombat.systems.spaceopera.events import InitiativeRolled, Summed, Tested
from mushcombat.systems.spaceopera.fighter import Fighter
from mushcombat.systems.spaceopera.formulas import armour_needs, passes, wound_of
from mushcombat.systems.spaceopera.tables import Tables, Weapon, Wound

PERCENT = 100


def _die(context: Context, sides: int, label: str) -> tuple[Throw, Term]:
    throw = context.dice.throw(1, sides, label)
    face = throw.faces[0]
    return throw, Term(face, f"{face} (1d{sides})", kind="dice")


def roll_chance(  # noqa: PLR0917 -- who, for what, against what, and the words for both ends
    context: Context, who: Fighter, what: str, chance: Breakdown, yes: str, no: str
) -> tuple[Tested, int]:
    """Roll d100 at or under a chance; gives the fact and the roll."""
    throw, _ = _die(context, PERCENT, what)
    roll = throw.faces[0]
    word = yes if roll <= chance.total else no
    shown = chance.then(throws=(throw,))
    return Tested(who.id, who.name, what, shown, roll, PERCENT, word), roll


def roll_initiative(
    context: Context, who: Fighter, basic: Breakdown, tables: Tables, what: str = "initiative"
) -> InitiativeRolled:
    """SO-5: basic initiative and a die; between the tied a die alone."""
    throw, die = _die(context, tables.initiative.die, what)
    return InitiativeRolled(who.id, who.name, basic.then(die, throws=(throw,)))


def through_armour(
    context: Context,
    attacker: Fighter,
    weapon: Weapon,
    target: Fighter,
    tables: Tables,
    *,
    stopped: bool,
) -> tuple[Summed | None, bool]:
    """SO-25: roll to go through armour, a die off where a device was in the way (SO-18).

    No armour always goes through: nothing is rolled then.
    """
    needs = armour_needs(weapon, target.armour, tables)
    if needs is None:
        return None, True
    throw, die = _die(context, tables.armour.die, "armour")
    sum_ = Breakdown((die,), (throw,))
    if stopped:
        second, less = _die(context, tables.armour.stopped, "stopped")
        off = Term(
            -less.value, f"{less.text[:-1]}, stopped by the device)", "-", "SO-18", "", "dice"
        )
        sum_ = sum_.then(off, throws=(second,))
    goes = sum_.total >= needs
    word = f"{needs} needed for class {target.armour}: {'through' if goes else 'held'}"
    return Summed(attacker.id, attacker.name, "armour", sum_, word), goes


def roll_wound(
    context: Context, attacker: Fighter, weapon: Weapon, tables: Tables
) -> tuple[Summed, Wound]:
    """SO-26: roll how bad a wound is: a die and the weapon's injury factor."""
    throw, die = _die(context, tables.wound_roll.die, "wound")
    injury = weapon.injury
    text = f"{abs(injury)} ({weapon.name})"
    more = [Term(injury, text, "-" if injury < 0 else "+", "SO-26")] if injury else []
    sum_ = Breakdown((die, *more), (throw,))
    wound = wound_of(sum_.total, tables)
    return Summed(attacker.id, attacker.name, "wound", sum_, wound.name), wound


def check(
    context: Context, who: Fighter, characteristic: str, asked: Term | None, tables: Tables
) -> tuple[Tested, bool]:
    """SO-27: a characteristic roll; gives the fact, and whether it was made."""
    level = who.level(characteristic, tables)
    first = Term(level, f"{characteristic} {level}", rule="SO-27", kind="level")
    chance = Breakdown((first, *([asked] if asked else [])))
    throw, _ = _die(context, tables.check.die, "check")
    roll = throw.faces[0]
    made = passes(chance.total, roll, tables)
    shown = chance.then(throws=(throw,))
    word = "made" if made else "failed"
    fact = Tested(who.id, who.name, f"CR {characteristic}", shown, roll, tables.check.die, word)
    return fact, made


def fling(context: Context, owner: Fighter, tables: Tables) -> tuple[Summed, int, int]:
    """SO-22: how many metres flies what is lost, never less than 0, and in which direction."""
    throw, die = _die(context, tables.disarm.die, "flight")
    less = tables.disarm.less
    sum_ = Breakdown((die, Term(-less, str(less), "-", "SO-22")), (throw,)).at_least(0, "SO-22")
    where, _ = _die(context, 8, "direction")
    word = "metres" if sum_.total else "metres: at the feet of its owner"
    fact = Summed(owner.id, owner.name, "flight", sum_.then(throws=(where,)), word)
    return fact, sum_.total, where.faces[0] - 1
