"""Asking a combatant in private: the player; what concerns an NPC, those who referee."""

from __future__ import annotations

from mushcombat.domain.events import Audience, Draft, Who
from mushcombat.domain.fight import Asked, Combatant, Told


def ask(who: Combatant, text: str, for_npc: str, action: int | None = None) -> Draft:
    """Draft a question to a combatant, whoever's line led to it.

    Referees are shown a player's too; of an NPC's they alone are told, as `for_npc` says.
    """
    if not who.player:
        return Draft(Told(for_npc), Audience.REFEREES, who.scene, action)
    asked = Asked(who.character, who.name, text)
    return Draft(asked, Audience.PRIVATE, who.scene, action, Who(who.character, who.name))
