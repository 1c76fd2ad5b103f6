"""What became of the actions of a log: which ones stand, who built on whom, and what rows hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from mushcombat.domain.events import Event, Fact
from mushcombat.domain.state import Change, Redone, Row, Shift, StateChanged, Undone
from mushcombat.domain.trail import Doing, Trail, Write, amount
from mushcombat.domain.whose import is_coming, whose
from mushcombat.records import record

Place = tuple[str, str]
"""A row: the thing that it is of, and its key as changes write it."""


@record(frozen=True, slots=True)
class Ground:
    """What stands in the way of an undo or a redo, in the order of the log, and in which changes.

    `came` are actions that built on it, `gone` those that it stood on; `outside`: something
    that this log does not know of.
    """

    came: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()
    outside: bool = False
    changes: tuple[Change, ...] = ()


class History:
    """Every action of one log that changed something; made of all its rows of STATE_EVENTS."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._trails: dict[Place, Trail] = defaultdict(Trail)
        self._doings: dict[int, Doing] = {}
        self._turns: dict[Doing, list[tuple[int, bool]]] = {}  # from which row on it stands or not
        self._ends: dict[Doing, int] = {}
        self._by_hand: set[int] = set()
        self._shifts: dict[int, dict[Place, Shift]] = defaultdict(dict)
        for fact in facts:
            self._take(fact.event, fact.seq or 0, fact.action or 0)

    def _take(self, event: Event, seq: int, action: int) -> None:
        if isinstance(event, Undone | Redone):
            self._by_hand.add(action)
            self._turns[self._doings[event.target]].append((seq, isinstance(event, Redone)))
        elif isinstance(event, StateChanged):
            doing = None if action in self._by_hand else self._present(action, seq)
            for change in event.changes:
                self._note(seq, doing, change)

    def _present(self, action: int, seq: int) -> Doing:
        """Give the doing of an action that goes on."""
        doing = self._doings.get(action)
        if doing is None or not self._stands(doing):
            doing = self._doings[action] = Doing(action, doing.again + 1 if doing else 0)
            self._turns[doing] = [(seq, True)]
        self._ends[doing] = seq
        return doing

    def _note(self, seq: int, doing: Doing | None, change: Change) -> None:
        place = change.thing, change.key
        trail, shifts = self._trails[place], self._shifts[seq]
        before = trail.note(seq, doing, change)
        if place in shifts:
            before = shifts[place].before
        shifts[place] = Shift(change.thing, change.key, change.about, before, trail.last)

    def _stands(self, doing: Doing, at: int | None = None) -> bool:
        """Tell whether a doing stands, now or right after a row of the log."""
        turns = [stood for seq, stood in self._turns[doing] if at is None or seq <= at]
        return bool(turns) and turns[-1]

    # what there is

    def stands(self, action: int) -> bool | None:
        """Tell whether an action stands; None for one that changed nothing."""
        doing = self._doings.get(action)
        return None if doing is None else self._stands(doing)

    def by_hand(self, action: int) -> bool:
        """Tell whether an action took back another, or let it stand again."""
        return action in self._by_hand

    def standing(self) -> list[int]:
        """Give the actions that stand, in the order of their last changes."""
        ends = {self._ends[one]: one.action for one in self._doings.values() if self._stands(one)}
        return [ends[seq] for seq in sorted(ends)]

    def taken_back(self) -> list[int]:
        """Give the actions that are taken back, the last one last."""
        gone = [one for one in self._doings.values() if not self._stands(one)]
        return [one.action for one in sorted(gone, key=lambda one: self._turns[one][-1][0])]

    def shifts(self, seq: int) -> list[Shift]:
        """Give what a row of changes did to each row of state, as far as the log tells."""
        return [
            replace(
                shift,
                before=self._filled(place, shift.before),
                after=self._filled(place, shift.after),
            )
            for place, shift in self._shifts.get(seq, {}).items()
        ]

    def _filled(self, place: Place, row: Row | None) -> Row | None:
        """Add the fields that were first changed later."""
        base = self._trails[place].base
        return row if row is None or base is None else {**base, **row}

    # taking back

    def places(self, action: int) -> dict[Place, Change]:
        """Give the rows that an action changed, in that order, with its last change in each."""
        doing = self._doings[action]
        return {
            place: write.change
            for place, trail in self._trails.items()
            for write in trail.writes
            if write.doing == doing
        }

    def meet(self, place: Place, row: Row | None, about: Change) -> None:
        """Take in a row as it is now: it may have been changed outside the log."""
        end = 1 + max(self._shifts, default=0)
        self._trails[place].meet(end, row, about)

    def rows(
        self, places: Iterable[Place], action: int, *, stands: bool
    ) -> Mapping[Place, Row | None]:
        """Give what rows hold if one action stands or not, and all others are as they are."""
        doing = self._doings[action]

        def counts(one: Doing) -> bool:
            return stands if one == doing else self._stands(one)

        return {place: self._trails[place].folded(counts) for place in places}

    def matters(self, action: int) -> bool:
        """Tell whether anything would be otherwise without a standing action."""
        places = self.places(action)
        with_it = self.rows(places, action, stands=True)
        return with_it != self.rows(places, action, stands=False)

    def cut_off(self, action: int, shifts: Iterable[Shift]) -> bool:
        """Tell whether an undo took less out of an amount than the action had added.

        `shifts` are what the undo did.
        """
        doing = self._doings[action]
        return any(
            amount(shift.before, field) - amount(shift.after, field) != added
            for shift in shifts
            for field, added in self._trails[shift.thing, shift.key].amounts(doing).items()
        )

    def built_on(self, action: int) -> Ground:
        """Give what changed the same fields after an action did, if it ended later and stands.

        Also whatever was done later with an NPC that came by the action.

        Of two that changed a field by turns one ended first: so there is always one that can go.
        """
        doing = self._doings[action]
        end = self._ends[doing]
        came = [
            write
            for trail in self._trails.values()
            for write, after in trail.others(doing)
            if after and self._end(write) > end and self._counts(write)
        ]
        came += [w for w in self._of_newcomers(doing) if self._end(w) > end and self._counts(w)]
        return self._ground(came, [])

    def _of_newcomers(self, doing: Doing) -> list[Write]:
        """Give what others did with those NPCs that came by a doing."""
        came = {whose(change) for change in self.comings(doing.action)}
        others = (write for write in self._writes() if write.doing != doing) if came else ()
        return [write for write in others if whose(write.change) in came]

    def comings(self, action: int) -> list[Change]:
        """Give those changes of an action by which NPCs came into the scene."""
        doing = self._doings[action]
        mine = (write.change for write in self._writes() if write.doing == doing)
        return [change for change in mine if is_coming(change)]

    def _comings_to(self, doing: Doing) -> list[Write]:
        """Give by what those came whom a doing is about."""
        about = {whose(write.change) for write in self._writes() if write.doing == doing}
        others = (write for write in self._writes() if write.doing != doing)
        return [w for w in others if is_coming(w.change) and whose(w.change) in about]

    def _writes(self) -> Iterator[Write]:
        return (write for trail in self._trails.values() for write in trail.writes)

    def stood_on(self, action: int) -> Ground:
        """Give what is not as it was when an action was taken back, in the fields it changed."""
        doing = self._doings[action]
        end, since = self._ends[doing], self._turns[doing][-1][0]
        writes = [write for trail in self._trails.values() for write, _ in trail.others(doing)]
        writes += self._comings_to(doing)
        came = [w for w in writes if self._counts(w) and not self._counts(w, since)]
        gone = [w for w in writes if self._counts(w, since) and not self._counts(w)]
        return self._ground(came, [write for write in gone if self._end(write) < end])

    def _end(self, write: Write) -> int:
        return self._ends[write.doing] if write.doing else write.seq

    def _counts(self, write: Write, at: int | None = None) -> bool:
        """Tell whether a change holds, now or right after a row of the log."""
        if at is not None and write.seq > at:
            return False
        return write.doing is None or self._stands(write.doing, at)

    def _ground(self, came: list[Write], gone: list[Write]) -> Ground:
        return Ground(
            self._actions(came),
            self._actions(gone),
            any(write.doing is None for write in came),
            tuple(write.change for write in (*came, *gone)),
        )

    def _actions(self, writes: Iterable[Write]) -> tuple[int, ...]:
        """Name whose changes they are, in the order in which they ended."""
        ends = {self._ends[write.doing]: write.doing.action for write in writes if write.doing}
        return tuple(ends[seq] for seq in sorted(ends))
