"""Who performs which option: the Q method of RFC 1143, as a table, for one direction."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum, auto

from mushcombat.wire.codes import IAC


class State(Enum):
    """The states of RFC 1143; OPPOSITE: we have changed our mind before the answer came."""

    NO = auto()
    YES = auto()
    WANT_NO = auto()
    WANT_NO_OPPOSITE = auto()
    WANT_YES = auto()
    WANT_YES_OPPOSITE = auto()


_SETTLED = (State.NO, State.YES)

# (state, what we want now) -> (new state, what to say: on, off or nothing).
# What is not listed changes nothing.
_ASK: dict[tuple[State, bool], tuple[State, bool | None]] = {
    (State.NO, True): (State.WANT_YES, True),
    (State.YES, False): (State.WANT_NO, False),
    (State.WANT_NO, True): (State.WANT_NO_OPPOSITE, None),
    (State.WANT_NO_OPPOSITE, False): (State.WANT_NO, None),
    (State.WANT_YES, False): (State.WANT_YES_OPPOSITE, None),
    (State.WANT_YES_OPPOSITE, True): (State.WANT_YES, None),
}

# (state, what the peer said) -> the same. NO that hears "on" asks what we agree to first.
_HEAR: dict[tuple[State, bool], tuple[State, bool | None]] = {
    (State.NO, True): (State.YES, True),
    (State.YES, False): (State.NO, False),
    (State.WANT_NO, False): (State.NO, None),
    (State.WANT_NO, True): (State.NO, None),  # the peer's error; RFC 1143 takes it as NO
    (State.WANT_NO_OPPOSITE, False): (State.WANT_YES, True),
    (State.WANT_NO_OPPOSITE, True): (State.YES, None),
    (State.WANT_YES, True): (State.YES, None),
    (State.WANT_YES, False): (State.NO, None),
    (State.WANT_YES_OPPOSITE, True): (State.WANT_NO, False),
    (State.WANT_YES_OPPOSITE, False): (State.NO, None),
}

_NONE: frozenset[int] = frozenset()
"""One for all links: each has six of such sets."""


class Side:
    """The options of one direction: those that we perform, or those that the peer performs.

    What the peer says gets at most one answer of three bytes, and only if it changes a state
    or is the first of its kind that we refuse. So two of these can never keep each other
    busy, and answers never take more bytes than the negotiations that they answer.
    """

    def __init__(
        self, say_on: int, say_off: int, agreed: Collection[int], unacknowledged: Collection[int]
    ) -> None:
        """Speak with the commands `say_on` and `say_off`; agree to the options `agreed`.

        For the options `unacknowledged` our word alone counts: they change with it at once,
        and what the peer says about them has no effect and no answer.
        """
        self._say = {True: say_on, False: say_off}
        self._agreed = frozenset(agreed)
        self._unacknowledged = frozenset(unacknowledged)
        self._states: dict[int, State] = {}
        self._refused: frozenset[int] = _NONE

    def is_on(self, option: int) -> bool:
        """Tell whether the option is in use: agreed by both, and nobody has asked to end it."""
        return self._states.get(option) is State.YES

    def ask(self, option: int, *, on: bool) -> bytes:
        """Want an option on or off; give the bytes to send, none if there is nothing to ask."""
        old = self._states.get(option, State.NO)
        new, say = _ASK.get((old, on), (old, None))
        if option in self._unacknowledged:
            new = State.YES if on else State.NO
            say = None if new is old else on
        self._states[option] = new
        return self._words(option, say=say)

    def hear(self, option: int, *, on: bool) -> tuple[bytes, bool]:
        """Take the peer's word; give the answer to send and whether a new state is settled."""
        if option in self._unacknowledged:
            return b"", False
        old = self._states.get(option, State.NO)
        if old is State.NO and on and option not in self._agreed:
            return self._refuse(option), False
        new, say = _HEAR.get((old, on), (old, None))
        self._states[option] = new
        return self._words(option, say=say), new is not old and new in _SETTLED

    def _refuse(self, option: int) -> bytes:
        if option in self._refused:
            return b""
        self._refused |= {option}
        return self._words(option, say=False)

    def _words(self, option: int, *, say: bool | None) -> bytes:
        return b"" if say is None else bytes((IAC, self._say[say], option))
