"""What a rule system stores as text: one kind of state, versioned, read strictly."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from pydantic import ConfigDict, TypeAdapter

from mushcombat.domain.ledger import canonical

STRICT = ConfigDict(extra="forbid", strict=True)
"""The `__pydantic_config__` of a state: no field is left out of account, none is converted."""

KEPT = 2048
"""Texts that are kept read: one attack asks for the same seat dozens of times."""

T = TypeVar("T")


class Stored(Generic[T]):
    """States of one kind: to text, and back."""

    def __init__(self, kind: type[T]) -> None:
        self._adapter: TypeAdapter[Any] = TypeAdapter(kind)
        self._kept: dict[str, T] = {}
        self._texts: dict[T, str] = {}

    def load(self, text: str) -> T:
        """Read a state as it was stored; pydantic's ValidationError for another shape."""
        state = self._kept.get(text)
        if state is None:
            state = self._adapter.validate_json(text, strict=True)
            self._keep(text, state)
        return state

    def dump(self, state: T) -> str:
        """Write a state for storing: it is read again at once, and soon written again."""
        text = self._texts.get(state)
        if text is None:
            text = canonical(self._adapter.dump_python(state, mode="json"))
            self._keep(text, state)
        return text

    def _keep(self, text: str, state: T) -> None:
        if len(self._kept) >= KEPT:
            self._kept.clear()
            self._texts.clear()
        self._kept[text] = state
        self._texts[state] = text
