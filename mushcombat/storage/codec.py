"""Events to JSON and back, by kind and version, strictly."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import TypeAdapter

from mushcombat.domain.events import Event, Unreadable


class Codec:
    """Knows the shape of every event of the program; a shape it doesn't know is `Unreadable`."""

    def __init__(self, events: Iterable[type[Event]]) -> None:
        self.events = tuple(events)
        self._adapters: dict[tuple[str, int], TypeAdapter[Any]] = {}
        for event in self.events:
            if (event.kind, event.version) in self._adapters:
                raise ValueError(f"two events are called {event.kind} version {event.version}")
            self._adapters[event.kind, event.version] = TypeAdapter(event)

    def dump(self, event: Event) -> dict[str, Any]:
        """Give the fields of an event as JSON values."""
        fields: dict[str, Any] = self._adapters[event.kind, event.version].dump_python(
            event, mode="json"
        )
        return fields

    def load(self, kind: str, version: int, payload: str, plain: str | None) -> Event:
        """Read an event back; of an unknown one, the public text that was stored with it."""
        adapter = self._adapters.get((kind, version))
        if adapter is None:
            return Unreadable(kind, plain or "")
        event: Event = adapter.validate_json(payload, strict=True)
        return event
