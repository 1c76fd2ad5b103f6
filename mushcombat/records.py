"""Records: dataclasses that nobody changes, and that are quick to make.

A line makes some hundred of them. The library keeps frozen ones so at run time, for which each
field of each of them is set by a call: that was a tenth of an attack's time. Here the type checker
alone keeps them so, and it sees no difference between the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as record
else:
    from dataclasses import dataclass

    def record(*, frozen: bool, slots: bool) -> Any:
        """Make a class a record; what is `frozen` can be hashed, as the library's can."""

        def make(cls: type) -> type:
            return dataclass(slots=slots, unsafe_hash=frozen and "__hash__" not in vars(cls))(cls)

        return make


__all__ = ["record"]
