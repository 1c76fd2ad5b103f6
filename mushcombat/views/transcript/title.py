"""The heading of a transcript, the same facts in every format."""

from __future__ import annotations

from datetime import datetime, tzinfo

from mushcombat.domain.text import listing
from mushcombat.domain.transcripts import AUDIT, Source, Wanted
from mushcombat.records import record
from mushcombat.views.transcript.words import offset_label, printable, zone_label, zone_of


@record(frozen=True, slots=True)
class Title:
    """What a heading says; what there is not is ''. `facts` are name and value, in order."""

    title: str
    date: str
    place: str
    people: tuple[str, ...]
    referees: tuple[str, ...]
    summary: str
    warning: str
    facts: tuple[tuple[str, str], ...]


def title_of(source: Source, wanted: Wanted) -> Title:
    """Gather the heading; times are those of the scene's zone."""
    scene, heading = source.scene, source.heading
    zone = zone_of(scene.zone)
    began = scene.opened_at.astimezone(zone)
    place = scene.location or heading.place
    people = tuple(printable(name) for name in heading.people)
    referees = tuple(printable(name) for name in heading.referees)
    facts = {
        "Scene": f"{scene.id}, {scene.system}",
        "When": _when(began, scene.closed_at, zone),
        "IC date": scene.ic_date,
        "Place": place,
        "Type": scene.kind,
        "With": listing(list(people)),
        "Referee": listing(list(referees)),
        "Profile": wanted.profile
        + (", with ooc" if wanted.ooc and wanted.profile != AUDIT else ""),
    }
    return Title(
        printable(scene.title),
        f"{began:%Y-%m-%d}",
        printable(place),
        people,
        referees,
        printable(scene.summary),
        printable(scene.warning),
        tuple((name, printable(value)) for name, value in facts.items() if value),
    )


def _when(began: datetime, closed: datetime | None, zone: tzinfo) -> str:
    """Write when a scene was; with both offsets where clocks were changed meanwhile."""
    first = f"{began:%Y-%m-%d %H:%M}"
    if closed is None:
        return f"{first} to now, the scene is open ({zone_label(began, zone)})"
    ended = closed.astimezone(zone)
    last = f"{ended:%H:%M}" if ended.date() == began.date() else f"{ended:%Y-%m-%d %H:%M}"
    before, after = offset_label(began, zone), offset_label(ended, zone)
    if before == after:
        return f"{first} to {last} ({zone_label(began, zone)})"
    return f"{first} {before} to {last} {after} ({zone})"
