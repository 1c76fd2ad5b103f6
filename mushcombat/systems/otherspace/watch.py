"""Rule watch: what a good referee would remember, told to those who referee alone."""

from __future__ import annotations

from collections.abc import Iterator

from mushcombat.domain.command import ReadContext
from mushcombat.domain.fight import Pending
from mushcombat.domain.scene import Scene
from mushcombat.systems.otherspace.attack import attack_terms, notes
from mushcombat.systems.otherspace.combat_state import Act, load_act
from mushcombat.systems.otherspace.defence import better
from mushcombat.systems.otherspace.fighter import Fighter
from mushcombat.systems.otherspace.odds import could_kill, odds, summary
from mushcombat.systems.otherspace.questions import choices_of
from mushcombat.systems.otherspace.roster import fighter_of
from mushcombat.systems.otherspace.spend import written
from mushcombat.systems.otherspace.tables import Tables


def ruling_text(context: ReadContext, scene: Scene, pending: Pending, tables: Tables) -> str:
    """Write what a referee needs for one ruling: the sums, the odds, what to remember."""
    act, number = load_act(pending.state), pending.action
    attacker = fighter_of(context.store, pending.actor, context.now, tables)
    target = fighter_of(context.store, act.target, context.now, tables)
    terms = attack_terms(attacker, act.situation, tables)
    weapon = act.situation.weapon or act.situation.maneuver
    head = f"[Ruling] #{number} {attacker.name} > {target.name}, {weapon}: {written(terms)}."
    options = choices_of(context, scene, act, tables)
    defends = "; ".join(written(choice.terms) for choice in options)
    chances = odds(attacker, act.situation, target, better(options), tables)
    lines = [
        f"{head} {target.name} defends with {defends}.",
        f"  {summary(chances)}",
        *(f"  {line}" for line in remember(attacker, target, act, tables)),
        f"  +ok, +ok {number}=<number> <reason>, or +no {number}=<reason>",
    ]
    return "\n".join(lines)


def remember(attacker: Fighter, target: Fighter, act: Act, tables: Tables) -> Iterator[str]:
    """Name what no number says (OS-14, OS-27, OS-51)."""
    yield from dict.fromkeys(note for hand in act.hands for note in notes(hand, tables))
    if act.situation.lethal:
        yield "Lethal intent is declared: who loses all health dies (OS-49)."
    elif could_kill(attacker, target, act.situation, tables):
        yield "This blow could kill, and no lethal intent is declared: +lethal (OS-51)."
