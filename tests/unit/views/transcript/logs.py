"""A scene's log for the tests of transcripts, chained as the documents say."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from mushcombat.domain.breakdown import Breakdown, Term
from mushcombat.domain.dice import SceneDice, commitment, scene_key
from mushcombat.domain.eras import EraClosed
from mushcombat.domain.events import Audience, Event, Fact, SceneOpened, Who
from mushcombat.domain.ledger import GENESIS, Row, digest, link, timestamp
from mushcombat.domain.scene import Scene
from mushcombat.domain.transcripts import AMENDING, Amendments, Heading, LoggedRow, Source, Wanted
from mushcombat.systems.otherspace.combat_events import Declared, Struck
from mushcombat.systems.otherspace.events import Rolled
from tests.unit.service.table import BOOK
from tests.unit.support import ADA, BRAM, NOW, RHEA, START, scene_of, who

SEED = b"\x22" * 32
SCENE = scene_of(ADA, BRAM, referees=[RHEA])
HEADING = Heading("The Landing", ["Ada", "Bram"], ["Rhea"])
ROOM, PRIVATE, REFEREES = Audience.ROOM, Audience.PRIVATE, Audience.REFEREES
LURKER = Who(99, "Lurker")


class Log:
    """A log that is written row by row, a second after each other."""

    def __init__(self, scene: Scene = SCENE, heading: Heading = HEADING) -> None:
        self.scene = scene
        self.heading = heading
        self.rows: list[LoggedRow] = []
        self.unknown: dict[int, str] = {}
        self._head, self._next = GENESIS, 0
        self._dice = SceneDice(scene_key(SEED), 0)

    def add(
        self,
        event: Event,
        actor: Who | None = None,
        audience: Audience = ROOM,
        action: int | None = None,
    ) -> int:
        """Append a fact; gives its number."""
        seq, by = len(self.rows) + 1, actor or who(ADA)
        at = NOW + timedelta(seconds=seq)
        row = Row(
            self.scene.id,
            seq,
            timestamp(at),
            by.id,
            by.name,
            event.kind,
            event.version,
            BOOK.codec.dump(event) if event.kind != "unreadable" else {},
            audience.value,
            action or seq,
            1,
            self._next,
            self._dice.counter,
        ).as_json()
        self._next = self._dice.counter
        salt = f"{seq:04x}" * 8
        self._head = link(self._head, digest(salt, row))
        fact = Fact(event, by, at, audience, START, self.scene.id, seq, action or seq, self._head)
        self.rows.append(LoggedRow(fact, row, salt, digest(salt, row)))
        return seq

    def open(self) -> None:
        """Append the opening row."""
        title, shown = self.scene.title, commitment(SEED)
        self.add(SceneOpened(title, "otherspace", 1, "Hall", False, False, 1, shown))

    def close(self) -> None:
        """Append the closing row."""
        self.add(EraClosed(1, SEED.hex(), 0))

    def roll(self, audience: Audience = ROOM, action: int | None = None) -> int:
        """Append a roll; gives its number."""
        throw = self._dice.throw(4, 3, "roll")
        total = sum(throw.faces) - 8
        terms = (Term(4, "Strength 4 (Fair)"), Term(total, f"{total} (4dF)"))
        event = Rolled(ADA.id, "Ada", "Strength", "Fair", Breakdown(terms, (throw,)))
        return self.add(event, audience=audience, action=action)

    def attack(self, amount: int = 44, *, numbers: bool = True) -> int:
        """Append an attack of Ada on Bram that hits by 5; gives its action."""
        action = self.add(Declared("attack", ("Bram",), "pistol", ""))
        self.roll(action=action)
        hit = Struck(
            BRAM.id,
            "Bram",
            *(7, 2, True, "harm", amount, 100 - amount, "hurt", "", numbers, None),
        )
        self.add(hit, action=action)
        return action

    def source(self) -> Source:
        """Give what a transcript of the log is written from."""
        facts = (row.fact for row in self.rows if row.fact.event.kind in AMENDING)
        return Source(
            self.scene,
            self.heading,
            iter(self.rows),
            Amendments(facts),
            frozenset(self.unknown),
            frozenset(self.unknown.values()),
        )

    def lines(self, format_: str, profile: str = "story", **more: Any) -> list[str]:
        """Write a transcript, in its lines."""
        wanted = Wanted(format_, profile, **more)
        return "\n".join(BOOK.transcripts.lines(self.source(), wanted)).split("\n")

    def text(self, format_: str, profile: str = "story", **more: Any) -> str:
        """Write a transcript."""
        return "\n".join(self.lines(format_, profile, **more))

    def __iter__(self) -> Iterator[LoggedRow]:
        return iter(self.rows)
