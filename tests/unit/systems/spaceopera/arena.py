"""A scene of this system on a real database: typed lines in, what each one sees out."""

from __future__ import annotations

from collections.abc import Sequence

from mushcombat.domain.character import Role
from mushcombat.paths import shipped
from mushcombat.systems.spaceopera.state import Seat, load_seat
from mushcombat.systems.spaceopera.tables import Tables, load
from tests.unit.systems.otherspace.arena import PEOPLE, Said
from tests.unit.systems.otherspace.arena import Arena as AnyArena

RULES = (shipped("config") / "rules" / "spaceopera.toml").read_text(encoding="utf-8")
TABLES: Tables = load(RULES, "spaceopera.toml")


class Arena(AnyArena):
    """The same people; dice fall as told, by what they are thrown for."""

    def _die(self, key: bytes, n: int, label: str, sides: int) -> int:
        """Let initiative that is not told be another one each time; the rest is 2."""
        if label in {"initiative", "tie"} and not self._falls[label]:
            return n * 7 % sides + 1
        return super()._die(key, n, label, sides)

    def dice(self, **faces: int | Sequence[int]) -> None:
        """Tell the next faces of a kind; `to_hit` is the label "to hit"."""
        for label, each in faces.items():
            wanted = [each] if isinstance(each, int) else list(each)
            self._falls[label.replace("_", " ")] += wanted

    def seat(self, name: str) -> Seat:
        (found,) = [seat for seat in self.seats() if seat.name == name]
        return load_seat(found.state)

    def duel(self, *names: str, **seats: tuple[int, int, str]) -> None:
        """Start a fight whose order is that of the names, and put figures on squares."""
        self.do_all("Rhea> +combat/start")
        faces = {name: 20 - 5 * place for place, name in enumerate(names)}
        # The first two are rolled for together, in the order of the characters.
        self.dice(initiative=[faces[name] for name in (*sorted(names[:2]), *names[2:])])
        self.do_all(*(f"{name}> +combat/join" for name in names))
        for name, (x, y, facing) in seats.items():
            self.do_all(f"Rhea> +place {name}={x},{y},{facing}")

    def next_phase(self) -> Said:
        """Let all pass who have not declared; gives what is seen when the next phase begins."""
        phase = self.turn().split()[0]
        while True:
            said = self.do_all(f"{self.turn().split()[1]}> +pass")
            if self.turn().split()[0] != phase:
                return said

    def note(self, name: str, group: str, trait: str, level: int) -> None:
        """Put a level on a sheet that nobody types."""
        self.write("trait", (self.id(name), "spaceopera", group, trait), level=level)

    def level(self, name: str, group: str, trait: str) -> int | None:
        who = self.id(name)
        found: int | None = self.read(lambda store: store.sheet(who, "spaceopera")).level(
            group, trait
        )
        return found


def furnish(arena: Arena) -> None:
    """Make the people and the scene that every test begins with."""
    for name in PEOPLE:
        arena.create(name, Role.STAFF if name == "Rhea" else Role.PLAYER)
    arena.do_all("Rhea> +scene/open Cantina=spaceopera")
    for name in PEOPLE[1:]:
        arena.do_all(f"{name}> +scene/join")
    for name in ("Ada", "Bram", "Cass"):
        arena.do_all(f"Rhea> +set {name}/HTH=40")
