"""What has to hold after every line of a fight, and what its log has to prove at the end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from hypothesis import note

from mushcombat.domain.dice import reroll, scene_key
from mushcombat.domain.events import Audience, Fact
from mushcombat.domain.fight import ON, OVER, Combatant, Fight
from mushcombat.domain.ledger import GENESIS, digest, link
from mushcombat.domain.proof import throws_in
from mushcombat.domain.state import WHOLE, Change, Redone, StateChanged, Undone
from tests.contract.arena import NOWHERE, SEED, Arena, Dump
from tests.contract.sums import read_sum, sums_in

DOWN = 10
"""Health at which somebody can act no more (OS-42)."""


def check_sums(facts: Iterable[Fact]) -> None:
    for fact in facts:
        for each in sums_in(fact.event):
            assert read_sum(each.formula()) == each.total, each.formula()
        breakdown = getattr(fact.event, "breakdown", None)
        amount = getattr(fact.event, "amount", None)
        if breakdown is not None and amount is not None:
            assert amount == max(0, breakdown.total), fact


def check_health(dump: Dump) -> None:
    for (thing, key), row in dump.items():
        if thing == "condition":
            harm, stun = row["harm"], row["stun"]
            assert harm >= 0, (key, row)
            assert stun >= 0, (key, row)
            assert 0 <= 100 - harm - stun <= 100, (key, row)
        if thing == "item":
            assert row["count"] >= 0, (key, row)


def check_pending(dump: Dump) -> None:
    """See that nobody has two actions under way, and that nothing waits without a fight."""
    actors = [
        (key[0], row["actor_id"])
        for (thing, key), row in dump.items()
        if thing == "pending" and row["stage"] != "proposed"
    ]
    assert len(actors) == len(set(actors)), actors
    fighting = {key[0] for (thing, key), row in dump.items() if thing == "fight" and _is_on(row)}
    assert {scene for scene, _ in actors} <= fighting


def _is_on(row: Mapping[str, Any]) -> bool:
    return bool(row["phase"] == ON)


def check_turn(
    arena: Arena,
    before: Fight | None,
    moved_by_hand: bool,
    acts: Callable[[Arena, Combatant], bool] | None = None,
) -> Fight | None:
    """See whose turn it is: somebody of the fight; when it has moved, somebody who can act.

    An undo gives the turn back to who had it, whatever has become of them.
    """
    fight: Fight | None = arena.read(lambda store: store.fight(arena.scene))
    if fight is None or fight.phase == OVER:
        return fight
    seats: list[Combatant] = arena.read(lambda store: store.combatants(arena.scene))
    placed = [seat for seat in seats if seat.rank]
    if fight.turn is not None:
        assert fight.turn in {seat.character for seat in placed}, fight
    if fight.phase == ON and fight != before and not moved_by_hand:
        able = {seat.character for seat in placed if (acts or can_act)(arena, seat)}
        assert fight.turn in able or (fight.turn is None and not able), (fight, able)
    places = [seat.place for seat in placed]
    if fight.phase == ON:
        assert len(places) == len(set(places)), places
    return fight


def can_act(arena: Arena, seat: Combatant) -> bool:
    condition = arena.read(lambda store: store.condition(seat.character, "otherspace"))
    healed = 0
    now = int(arena.clock().timestamp())
    if condition.rested_day is not None and not condition.dead:
        healed = min(condition.harm, 10 * (now // 86_400 - condition.rested_day))
    left = 100 - condition.harm + healed - condition.stun
    until = condition.stunned_until
    skip = bool(json.loads(seat.state).get("stun_skip"))
    stunned = until is not None and (skip or until > now)
    return not condition.dead and left > DOWN and not stunned


def check_log(arena: Arena) -> None:
    """Hash the whole log again, and throw all its dice again."""
    head, seq, die = GENESIS, 0, 0
    key = scene_key(SEED)
    last = arena.read(lambda store: store.last_seq(arena.scene))
    for logged in arena.read(lambda store: list(store.exported(arena.scene, last))):
        row, stored = logged.hashed, logged.digest
        seq += 1
        assert row["seq"] == seq
        assert digest(logged.salt, row) == stored
        head = link(head, stored)
        for throw in throws_in(row["payload"]):
            assert row["dice_from"] <= throw.start
            assert die <= throw.start, "these dice were thrown before"
            assert reroll(key, throw) == throw
            die = throw.start + len(throw.faces)
            assert die <= row["dice_to"]
    facts = arena.log()
    assert len(facts) == seq
    assert facts[-1].head == head


def changes_in(facts: Iterable[Fact]) -> list[Change]:
    return [c for f in facts if isinstance(f.event, StateChanged) for c in f.event.changes]


def replayed(changes: Iterable[Change], start: Dump) -> Dump:
    """Apply the changes of a log to rows, with dicts alone; each must begin where it says."""
    rows: dict[tuple[str, tuple[Any, ...]], dict[str, Any]]
    rows = {place: dict(row) for place, row in start.items()}
    for change in changes:
        place = change.thing, tuple(json.loads(change.key))
        if change.thing == "npc":
            rows.setdefault(place, dict(NOWHERE))
        if change.field != WHOLE:
            assert rows[place][change.field] == change.before, change
            rows[place][change.field] = change.after
        elif change.after is None:
            assert rows.pop(place) == json.loads(str(change.before)), change
        else:
            assert rows.get(place) == (json.loads(str(change.before)) if change.before else None)
            rows[place] = json.loads(str(change.after))
    return {place: row for place, row in rows.items() if row != NOWHERE}


def undoable(facts: Sequence[Fact]) -> list[int]:
    """Give the actions that changed something and stand, the last to change something first."""
    standing: dict[int, None] = {}
    for fact in facts:
        event = fact.event
        if fact.audience is Audience.OTHERS:  # the row before it says the same, and more
            continue
        if isinstance(event, Undone):
            standing.pop(event.target)
        elif isinstance(event, Redone):
            standing[event.target] = None
        elif isinstance(event, StateChanged) and fact.action is not None:
            standing.pop(fact.action, None)
            standing[fact.action] = None
    own = {fact.action for fact in facts if isinstance(fact.event, Undone | Redone)}
    return [action for action in reversed(standing) if action not in own]


def differences(one: Dump, other: Dump) -> list[tuple[Any, ...]]:
    """List what differs, so that a failure can be read."""
    places = sorted({*one, *other}, key=str)
    return [(p, one.get(p), other.get(p)) for p in places if one.get(p) != other.get(p)]


def take_back(arena: Arena, referee: str) -> list[int]:
    """Take all back, the last first; gives the actions in that order."""
    gone: list[int] = []
    while left := undoable(arena.log()):
        for action in left:
            said = arena.say(referee, f"+undo {action}=all of it")
            if not said.refusal:
                break
            note(said.refusal)
        else:
            raise AssertionError(f"these hold each other fast: {left}")
        gone.append(action)
    return gone
