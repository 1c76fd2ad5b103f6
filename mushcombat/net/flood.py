"""How much of something a connection may send: so much at once, and so much a second after that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Allowance:
    """A bucket of `burst` pieces that fills up again by `rate` a second, by the clock given."""

    rate: float
    burst: float
    clock: Callable[[], float]
    _left: float = field(init=False)
    _at: float = field(init=False)

    def __post_init__(self) -> None:
        self._left, self._at = self.burst, self.clock()

    def take(self, count: float = 1) -> bool:
        """Take so many pieces; tells whether there were as many, and takes none else."""
        now = self.clock()
        self._left = min(self.burst, self._left + (now - self._at) * self.rate)
        self._at = now
        if count > self._left:
            return False
        self._left -= count
        return True
