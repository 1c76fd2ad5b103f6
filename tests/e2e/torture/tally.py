"""What was played, and what the kills fell into: so that a run shows what it has tried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from mushcombat.domain.events import Audience, Fact

ACTS = {
    "spoken": "poses",
    "otherspace.rolled": "rolls",
    "otherspace.declared": "attacks",
    "otherspace.ruled": "rulings",
    "otherspace.healed": "heals",
    "pose.edited": "edits",
    "pose.withdrawn": "withdrawn poses",
    "undone": "undone",
    "redone": "redone",
    "otherspace.struck": "results",
    "otherspace.quirk": "wounds",
    "fight.turn": "turns",
}
"""What a run has to have done, by the events that say so."""


@dataclass
class Tally:
    """Counts of some scenes. `gone` are the seconds until those of dead servers were seen to go."""

    kills: Counter[str] = field(default_factory=Counter)
    acts: Counter[str] = field(default_factory=Counter)
    in_fights: Counter[str] = field(default_factory=Counter)
    gone: list[float] = field(default_factory=list)
    rows: int = 0
    fights: int = 0
    _fighting: bool = False

    def count(self, facts: Iterable[Fact]) -> None:
        """Count rows of a log, each once."""
        for fact in facts:
            self.rows += 1
            kind = fact.event.kind
            self.fights += kind == "fight.started"
            self._fighting = (self._fighting or kind == "fight.started") and kind != "fight.stopped"
            if kind in ACTS and fact.audience is not Audience.OTHERS:
                self.acts[ACTS[kind]] += 1
                self.in_fights[ACTS[kind]] += self._fighting

    def add(self, other: Tally) -> None:
        """Add another's counts."""
        self.kills += other.kills
        self.acts += other.acts
        self.in_fights += other.in_fights
        self.gone += other.gone
        self.rows += other.rows
        self.fights += other.fights

    def lines(self) -> list[str]:
        """Write it."""
        acts = (
            f"{what} {self.acts[what]} ({self.in_fights[what]} in a fight)"
            for what in ACTS.values()
        )
        lines = [
            "killed: " + ", ".join(f"{what} {n}" for what, n in self.kills.most_common()),
            f"logged: {self.rows} rows, {self.fights} fights: {', '.join(acts)}",
        ]
        if self.gone:
            lines.append(f"seen to go: {len(self.gone)} times, {max(self.gone):.1f} s at most")
        return lines
