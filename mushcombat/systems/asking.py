"""Asking somebody in a fight, whoever's line led to it."""

from __future__ import annotations

from mushcombat.domain.events import Audience, Draft, Who
from mushcombat.domain.fight import Asked, Combatant, Told


def ask(
    who: Combatant,
    text: str,
    for_npc: str,
    action: int | None = None,
    about: int | None = None,
) -> Draft:
    """Draft a question to a combatant, whoever's line led to it; `about` whom it names, if any.

    Referees are shown a player's too; of an NPC's they alone are told, as `for_npc` says.
    """
    if not who.player:
        return Draft(Told(for_npc), Audience.REFEREES, who.scene, action)
    asked = Asked(who.character, who.name, text, about)
    return Draft(asked, Audience.PRIVATE, who.scene, action, Who(who.character, who.name))
