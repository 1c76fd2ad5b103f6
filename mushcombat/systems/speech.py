"""What every system says to a screen reader in the same way."""

from __future__ import annotations

from mushcombat.domain.breakdown import Term
from mushcombat.domain.events import Event
from mushcombat.systems.facts import Ruled
from mushcombat.systems.system import Describe

_MINUS, _PLUS = "minus", "plus"


def spoken(tag: str, describe: Describe) -> Describe:
    """Say what is a sentence but for its tag."""

    def speak(event: Event, actor: str) -> str:
        return f"{tag}: {describe(event, actor).removeprefix(f'[{tag}] ')}"

    return speak


def ruled(event: Ruled, actor: str) -> str:
    """Say what the referee said."""
    reason = f". {event.reason}" if event.reason else ""
    if not event.allowed:
        return f"Ruling: {actor} does not allow it{reason}."
    terms = "".join(f", {_term(term)}" for term in event.terms)
    return f"Ruling: {actor} allows it{terms}{reason}."


def _term(term: Term) -> str:
    return f"{_MINUS if term.op == '-' else _PLUS} {term.text}"
