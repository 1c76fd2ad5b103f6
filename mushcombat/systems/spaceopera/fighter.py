"""A fighter: what of a sheet counts in close combat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from mushcombat.records import record
from mushcombat.systems.spaceopera.tables import Tables, Thing, Weapon

DAMAGED, RUINED, LOST = 1, 2, 3
"""What may be wrong with a thing (SO-19, SO-22): it is half as good, gone, or on the ground."""


@record(frozen=True, slots=True)
class Fighter:
    """A sheet, put together: levels by name, `factor` None where it is worked out (SO-23).

    `armour` "" is none. `wounds` counts them by name, `things` says what is wrong with what.
    """

    id: int
    name: str
    characteristics: Mapping[str, int] = field(default_factory=dict)
    expertise: Mapping[str, int] = field(default_factory=dict)
    factor: int | None = None
    personal: int = 0
    load: str = "none"
    training: str = "other"
    left_handed: bool = False
    armour: str = ""
    reach: int = 1
    wounds: Mapping[str, int] = field(default_factory=dict)
    things: Mapping[str, int] = field(default_factory=dict)

    def level(self, characteristic: str, tables: Tables) -> int:
        """Give a characteristic, the unset level for one that was never set."""
        return self.characteristics.get(characteristic, tables.characteristics.unset)

    def skill(self, name: str) -> int:
        """Give an expertise, 0 for none."""
        return self.expertise.get(name, 0)

    def usable(self, thing: str) -> bool:
        """Tell whether a thing is neither ruined nor lost."""
        return self.things.get(thing, 0) < RUINED

    def parry_skill(self, thing: Thing) -> int:
        """Give the expertise that a parrying device is used with (SO-12 to SO-15)."""
        by = thing.parry.by if thing.parry else "own"
        return self.skill(thing.name if by == "own" else by)

    def hold(self, thing: Thing) -> tuple[str, int]:
        """Give the expertise that keeps a device whole and in hand, by name (SO-16, SO-20).

        That is shield, also with what is no shield; a weapon's is its own (SO-28).
        """
        name = thing.name if isinstance(thing, Weapon) else "shield"
        return name, self.skill(name)

    def out(self, tables: Tables) -> bool:
        """Tell whether a wound has put them out of the fight (SO-26)."""
        return any(count and tables.wound(name).out for name, count in self.wounds.items())

    def can_split(self, tables: Tables) -> bool:
        """Tell whether no wound keeps them from several attacks (SO-26)."""
        return not any(count and tables.wound(name).no_split for name, count in self.wounds.items())
