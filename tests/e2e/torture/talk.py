"""What people type: moves of a fight that fit where it stands, and talk between."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.contract.moves import LINES, READY, REFEREE, SETUP, Board, Move
from tests.e2e.torture.seer import Seer

FIGHTERS = ("Ada", "Bram", "Cass")
TALKERS = ("Dora", "Ezra", "Finn", "Gwen", "Hugo", "Ines")
PEOPLE = (REFEREE, *FIGHTERS, *TALKERS)
"""Ten of them: a referee, three who fight, six who stand round and talk."""

_LEFT_OUT = {"wait", "away", "talk"}
MOVES = [*(kind for kind in LINES if kind not in _LEFT_OUT), *["go_on"] * len(LINES), *["heal"] * 3]

Line = tuple[str, str]


def opening() -> Iterator[Line]:
    """Give the lines that begin a scene with a fight in it; the first opens it."""
    yield REFEREE, "+scene/open Dockside Ambush=otherspace"
    for name in (*FIGHTERS, *TALKERS):
        yield name, "+scene/join 1"
    for line in SETUP:
        yield REFEREE, line
    yield from READY


class Talk:
    """Makes lines by a random number generator; each word said is said once."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._count = 0

    def next(self, seer: Seer) -> Line:
        """Give who types the next line, and the line."""
        if self._chance.random() < 0.5:
            return self._chatter(seer)
        numbers = tuple(self._chance.randrange(1000) for _ in range(10))
        move = Move(self._chance.choice(MOVES), numbers)
        return LINES[move.kind](Board(seer, move))

    def pose(self) -> str:
        """Give a pose."""
        return f":nods, {self._word()}."

    def _word(self) -> str:
        self._count += 1
        return f"w{self._chance.randrange(16**6):06x}n{self._count}"

    def _chatter(self, seer: Seer) -> Line:
        who, other = self._chance.sample(TALKERS, 2)
        word = self._word()
        pose = self._chance.randint(1, max(1, seer.last))
        lines = (
            f":nods, {word}.",
            f'"I say {word}',
            f"@emit The lights say {word}.",
            f"ooc out of it, {word}",
            f";'s foot says {word}.",
            f"+roll Dexterity {self._chance.choice(('', 'at 4', 'vs 3'))}",
            f"+typo {self._chance.choice('aeion')}={word}",
            f"+undo/pose {self._chance.choice(('', str(pose)))}",
            f"whisper {other}=psst, {word}",
            f"page {other}=hello, {word}",
            f"+note for referees, {word}",
            "look",
            "WHO",
            f"nonsense {word}",
            f":speaks at length. {word} {'x' * self._chance.randrange(1500)}",
        )
        return who, self._chance.choice(lines)
