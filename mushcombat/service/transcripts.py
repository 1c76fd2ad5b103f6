"""Gathering what a transcript is written from, for the game and for the command line."""

from __future__ import annotations

from mushcombat.domain.ports import Reads
from mushcombat.domain.scene import Scene
from mushcombat.domain.sharing import left_out, those
from mushcombat.domain.transcripts import AMENDING, Amendments, Heading, Source


def source_of(store: Reads, scene: Scene) -> Source:
    """Gather a scene's log, up to the row that is its last one now, and what it is headed by.

    Hidden NPCs and people who are left out are named nowhere; an audit shows their rows all the
    same.
    """
    unknown = left_out(scene)
    last = store.last_seq(scene.id)
    changes = (f for f in store.kinds(scene.id, AMENDING) if (f.seq or 0) <= last)
    names = store.names([*unknown])
    return Source(
        scene,
        heading_of(store, scene, unknown),
        store.exported(scene.id, last),
        Amendments(changes),
        unknown,
        frozenset(names.values()),
    )


def heading_of(store: Reads, scene: Scene, unknown: frozenset[int]) -> Heading:
    """Name place and people: who took part, then the NPCs, and apart from them the referees."""
    place = store.place(scene.room)
    names = store.names([*(scene.took_part - unknown)])
    npcs = [name for one, name in sorted(scene.npcs.items()) if one not in unknown]
    players = those(scene.took_part - scene.referees, names)
    return Heading(
        place.name if place else "nowhere",
        (*players, *npcs),
        those(scene.referees, names),
    )
