"""Whom a scene has hurt, and on whose wound nobody has ruled since: what comes after it (OS-45)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from mushcombat.domain.command import WriteContext
from mushcombat.domain.events import Fact
from mushcombat.domain.history import History
from mushcombat.domain.scene import Scene
from mushcombat.domain.state import STATE_EVENTS
from mushcombat.systems.otherspace.combat_events import QuirkSet, Struck, Suffered, WoundDropped
from mushcombat.systems.otherspace.roster import NAME
from mushcombat.systems.otherspace.tables import Tables


def hurt_here(context: WriteContext, scene: Scene, tables: Tables) -> list[int]:
    """OS-45: give those of a scene whom it has harmed, and on whom nobody has ruled since.

    In a fight or outside of one, also who has left it: by the order of the fight, then the rest.
    """
    seats = [seat.character for seat in context.store.combatants(scene.id)]
    others = sorted(scene.took_part | scene.npcs.keys())
    people = list(dict.fromkeys([*seats, *others]))
    harms = context.store.harmed(scene.id, NAME, "harm", people)
    if not harms:
        return []
    facts = context.store.kinds(scene.id, [event.kind for event in _TOLD])
    hurt, ruled = _hurt(facts, harms), _ruled(context, scene, facts, tables)
    return [one for one in people if hurt.get(one, 0) > ruled.get(one, 0)]


_TOLD = (Struck, Suffered, QuirkSet, WoundDropped)


def _hurt(facts: Sequence[Fact], harms: Collection[tuple[int, int]]) -> dict[int, int]:
    """Give the last row by which each was harmed; an attack harms later than it begins.

    What was taken back is not among the harms.
    """
    last: dict[int, int] = {}
    for character, action in harms:
        last[character] = max(action, last.get(character, 1))
    known = set(harms)
    for fact in facts:
        event = fact.event
        if isinstance(event, Struck | Suffered) and (event.subject, fact.action or 0) in known:
            last[event.subject] = max(fact.seq or 0, last[event.subject])
    return last


def _ruled(
    context: WriteContext, scene: Scene, facts: Sequence[Fact], tables: Tables
) -> dict[int, int]:
    """Give the last row by which a wound of each was imposed, changed or dropped, and still is."""
    wounds = {quirk.name for quirk in tables.combat.wounds.quirks}
    rulings = [
        (fact, fact.event.subject)
        for fact in facts
        if isinstance(fact.event, QuirkSet | WoundDropped) and fact.event.quirk in wounds
    ]
    if not rulings:
        return {}
    history = History(context.store.kinds(scene.id, [event.kind for event in STATE_EVENTS]))
    stands = [
        (who, fact.seq or 0)
        for fact, who in rulings
        if history.stands(fact.action or 0) is not False
    ]
    return dict(sorted(stands, key=lambda one: one[1]))
