"""What sections of the rules file are made of: strict, frozen, each value in its range."""

from __future__ import annotations

import re
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from mushcombat.faults import WrongError

LARGEST = 9999
"""No number of the rules is farther from 0 than this."""

LONGEST_NAME = 24

_NAME = re.compile(r"[A-Za-z]+(?:[ '-][A-Za-z]+)*")


def _name(text: str) -> str:
    if len(text) > LONGEST_NAME or not _NAME.fullmatch(text):
        raise WrongError(("", text, f"a name of words of letters, at most {LONGEST_NAME} long"))
    return text


Name = Annotated[str, Field(strict=True), AfterValidator(_name)]
"""A word or words of letters; apostrophes and hyphens may join them too."""

Number = Annotated[int, Field(strict=True, ge=-LARGEST, le=LARGEST)]
"""A whole number; no true, no 4.0, no "4"."""

Amount = Annotated[int, Field(strict=True, ge=0, le=LARGEST)]
"""A whole number that is not negative."""


class Section(BaseModel):
    """A table of the file: frozen once read, and no key that it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Span(Section):
    """A range of whole numbers, both ends in it."""

    low: Number
    high: Number

    @model_validator(mode="after")
    def has_its_ends_in_order(self) -> Self:
        """Refuse a range with nothing in it."""
        if self.low > self.high:
            raise WrongError(("high", self.high, f"{self.low} (its low) or more"))
        return self

    def holds(self, number: int) -> bool:
        """Tell whether a number is in the range."""
        return self.low <= number <= self.high

    def nearest(self, number: int) -> int:
        """Give the number, or the end of the range that it is beyond."""
        return max(self.low, min(number, self.high))


class Amounts(Span):
    """A range of numbers that are not negative."""

    low: Amount


class Modifiers(Span):
    """A range of modifiers: none (0) is always one."""

    @model_validator(mode="after")
    def allows_none(self) -> Self:
        """Refuse a range in which an even start could not be given."""
        if not self.holds(0):
            raise WrongError(("", {"low": self.low, "high": self.high}, "a range with 0 in it"))
        return self
