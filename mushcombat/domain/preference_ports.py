"""What may be asked of storage about preferences; a part of `ports`."""

from __future__ import annotations

from typing import Protocol


class PreferenceReads(Protocol):
    """Reading what players set for themselves."""

    def preferences(self, account: int) -> dict[str, str]:
        """Give what a login has set, by name, as `domain.preferences` stores it."""
        ...


class PreferenceWrites(Protocol):
    """Writing it."""

    def set_preference(self, account: int, name: str, value: str | None) -> None:
        """Set a preference of a login; None leaves it to the client again."""
        ...
