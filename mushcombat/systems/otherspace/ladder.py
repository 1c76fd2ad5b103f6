"""The ladder: what each level of skill and each result is called (OS-1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated

from pydantic import AfterValidator, field_validator

from mushcombat.domain.numbers import whole
from mushcombat.faults import WrongAt, WrongError
from mushcombat.systems.shapes import Name, Number, Section

Levels = Annotated[Mapping[Name, Number], AfterValidator(MappingProxyType)]


class Ladder(Section):
    """Words and their numbers, one word a level, without a gap."""

    levels: Levels

    @field_validator("levels")
    @classmethod
    def has_one_word_a_level(cls, levels: Mapping[str, int]) -> Mapping[str, int]:
        """Refuse less than two words, one word twice, a level with two words or none."""
        wrongs = [*_too_few(levels), *_same_words(levels), *_steps(levels)]
        if wrongs:
            raise WrongError(*wrongs)
        return levels

    @cached_property
    def _words(self) -> dict[int, str]:
        return {level: word for word, level in self.levels.items()}

    @property
    def lowest(self) -> int:
        """The number of the lowest word."""
        return min(self._words)

    @property
    def highest(self) -> int:
        """The number of the highest word."""
        return max(self._words)

    @property
    def ends(self) -> str:
        """The lowest and the highest word, for messages: "Terrible to Legendary"."""
        return f"{self.word(self.lowest)} to {self.word(self.highest)}"

    def word(self, level: int) -> str:
        """Name any level; one off the ladder from its end: "Legendary+2", "Terrible-3"."""
        known = self._words.get(level)
        if known is not None:
            return known
        end = max(self.lowest, min(level, self.highest))
        return f"{self._words[end]}{level - end:+}"

    def describe(self, level: int) -> str:
        """Write a level with its word: "6 (Great)"."""
        return f"{level} ({self.word(level)})"

    def level(self, text: str) -> int | None:
        """Read a word in any case, also one off the ladder as `word` writes it; else None."""
        typed = text.casefold()
        for end, word in self._words.items():
            if typed.startswith(word.casefold()):
                level = self._beyond(end, typed[len(word) :])
                if level is not None:
                    return level
        return None

    def _beyond(self, end: int, rest: str) -> int | None:
        """Read what follows a word: nothing, or how far off the ladder's end the level is."""
        if not rest:
            return end
        step = whole(rest)
        if step is None:
            return None
        above = end == self.highest and step > 0 and rest.startswith("+")
        below = end == self.lowest and step < 0
        return end + step if above or below else None


def _too_few(levels: Mapping[str, int]) -> Iterator[WrongAt]:
    if len(levels) < 2:
        yield "", dict(levels), "two words or more"


def _same_words(levels: Mapping[str, int]) -> Iterator[WrongAt]:
    seen: set[str] = set()
    for word in levels:
        if word.casefold() in seen:
            yield word, word, "a word that stands here once, in whatever case"
        seen.add(word.casefold())


def _steps(levels: Mapping[str, int]) -> Iterator[WrongAt]:
    """Compare each level with the one below it."""
    order = sorted(levels.items(), key=lambda item: item[1])
    for (lower, below), (word, level) in pairwise(order):
        if level == below:
            yield word, level, f"a level of its own ({lower} has {below})"
        elif level != below + 1:
            yield word, level, f"{below + 1}, the next after {lower}"
