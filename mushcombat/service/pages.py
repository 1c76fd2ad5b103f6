"""Pages: to one or several, to the last again; and who takes none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from mushcombat.domain.command import Access, Call, Context, Lane, Outcome, Verb, WriteContext
from mushcombat.domain.events import Audience, Draft, Paged, Who
from mushcombat.domain.names import match, name_key
from mushcombat.domain.settings import PagesLocked
from mushcombat.domain.text import listing
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.service.parsing import maybe_words, one_line
from mushcombat.service.people import spell_time
from mushcombat.service.presence import Presence
from mushcombat.service.world import World

IDLE = timedelta(minutes=5)
"""How long somebody has typed nothing whose pager is told of it."""

LONGEST_AWAY = 60

MOST = 20
"""People that one page can go to."""


@record(frozen=True, slots=True)
class Page:
    """What was typed: to whom, '' for those of the last page, None where no `=` says which."""

    names: str | None
    text: str


def _page(call: Call) -> Page | None:
    """Parse `<names>=<text>`, `=<text>` or `<text>`; None asks who was paged last."""
    if not call.text.strip():
        return None
    left, right = call.sides()
    if right is None:
        return Page(None, left)
    if not right:
        raise call.wrong()
    return Page(left, right)


_NAME = re.compile(r'"([^"]*)"|([^\s,]+)')


def _is_one(typed: str, world: World) -> bool:
    return len(match(typed.strip('"'), ((p.name, p) for p in world.everyone()))) == 1


def _split(typed: str, world: World) -> list[str]:
    """Split names at commas, and where a part is nobody's name, at its blanks."""
    parts = [part.strip() for part in typed.split(",") if part.strip()]
    names: list[str] = []
    for part in parts:
        if _is_one(part, world):
            names.append(part.strip('"'))
        else:
            names += [quoted or bare for quoted, bare in _NAME.findall(part)]
    return names


def _takes(them: Presence, me: Presence) -> bool:
    """Tell whether somebody is to be told what another pages or whispers: staff always."""
    return me.actor.is_staff or me.id == them.id or me.id not in them.settings.ignored


def check_takes(them: Presence, me: Presence, what: str) -> None:
    """Refuse what somebody does not want to hear; it is not told why."""
    if not _takes(them, me):
        raise MushError("quiet", f"{them.name} takes no {what} just now.", "Try again another day.")


def _takes_pages(them: Presence, me: Presence) -> bool:
    locked = them.settings.pages_locked and not me.actor.is_staff and me.id != them.id
    return _takes(them, me) and not locked


def _told_of(them: Presence, now: datetime) -> str:
    """Tell a pager whether they may have to wait, '' when not."""
    if them.away:
        return f"{them.name} is away: {them.away}"
    idle = now - them.active
    return f"{them.name} is idle: {spell_time(idle)}." if idle >= IDLE else ""


def _drafts(me: Who, to: Sequence[Presence], text: str) -> list[Draft]:
    """Draft a page for each; the pager is shown it once."""
    people = tuple(them.name for them in to) if len(to) > 1 else ()
    others = [them for them in to if them.id != me.id] or [*to]
    audiences = [Audience.PRIVATE, *[Audience.SUBJECT] * len(others)]
    return [
        Draft(Paged(them.id, them.name, text, people), audience)
        for them, audience in zip(others, audiences, strict=False)
    ]


def _last(me: Presence, world: World) -> tuple[list[Presence], list[str]]:
    """Give those of the last page who are here, and tell of those who are not."""
    if not me.paged:
        raise MushError("page", "You have paged nobody yet.", "Usage: page <name>=<text>")
    here = [world.online[one.id] for one in me.paged if one.id in world.online]
    gone = [f"{one.name} is not connected." for one in me.paged if one.id not in world.online]
    if not here:
        raise MushError("page", " ".join(gone), "WHO lists who is.")
    return here, gone


def _find(names: Iterable[str], context: Context, world: World) -> list[Presence]:
    found = [world.find(n, world.everyone(), context.actor, "connected") for n in names]
    people = list(dict.fromkeys(found))
    if len(people) > MOST:
        raise MushError("page", f"A page goes to {MOST} people at most.", "+pub reaches more.")
    return people


def _named_first(text: str, world: World) -> tuple[list[Presence], str]:
    """Find somebody connected whose whole name a text begins with, and give the rest of it."""
    typed = text.removeprefix('"')
    for them in sorted(world.everyone(), key=lambda them: -len(them.name)):
        name, rest = typed[: len(them.name)], typed[len(them.name) :]
        if name_key(name) == name_key(them.name) and rest[:1] in {"", " ", ",", '"'}:
            return [them], rest.lstrip('", ')
    return [], text


def _without_sign(context: Context, text: str, world: World) -> tuple[list[Presence], str]:
    """Read what was typed without `=`: to whom, nobody for those of the last page, and what.

    `page bram hi` is for Bram when nobody was paged before, or Bram was. Who has paged another
    since means him perhaps, perhaps not: words meant for one must not reach the other.
    """
    last = [one.id for one in world.online[context.actor.id].paged]
    named, rest = _named_first(text, world)
    if named and rest and last in ([], [named[0].id]):
        return named, rest
    if named:
        raise MushError(
            "page",
            f"Is that for {named[0].name}? Then type page {named[0].name}=<text>.",
            "For those you paged last: page =<text>.",
        )
    word, _, rest = text.partition(" ")
    if not last and rest:
        return _find([word.strip('"')], context, world), rest.strip()
    return [], text


def _show_last(me: Presence) -> Outcome:
    if not me.paged:
        return Outcome.tell("You have paged nobody yet: page <name>=<text>")
    return Outcome.tell(f"You last paged {listing([one.name for one in me.paged])}.")


def _send(context: Context, me: Presence, to: Sequence[Presence], text: str) -> Outcome:
    """Page those who take it; tell of those who don't, and of those who may be slow to answer."""
    me.paged = tuple(Who(them.id, them.name) for them in to)
    closed = [f"{p.name} takes no pages just now." for p in to if not _takes_pages(p, me)]
    reached = [p for p in to if _takes_pages(p, me)]
    if not reached:
        raise MushError("page", " ".join(closed), "Try again another day.")
    waits = [_told_of(p, context.now) for p in reached if p.id != me.id]
    locked = me.settings.pages_locked and reached != [me]
    own = ["Your pages are locked: nobody can answer. (@unlock page)"] if locked else []
    told = [*closed, *(line for line in waits if line), *own]
    return Outcome.of(*_drafts(context.who, reached, text), reply=told)


def _lock(*, on: bool) -> Verb:
    name = "@lock" if on else "@unlock"

    def what(call: Call) -> None:
        if call.text.strip().casefold() not in {"page", "pages"}:
            raise MushError("lock", "Only pages can be locked.", f"{name} page")

    def run(context: WriteContext, _: None) -> Outcome:
        context.store.lock_pages(context.actor.id, on=on)
        return Outcome.of(Draft(PagesLocked(on), Audience.PRIVATE))

    return Verb(name, f"{name} page|pages", Access.PLAYER, Lane.WRITE, what, run)


def page_verbs(world: World) -> tuple[Verb, ...]:
    """Give the verbs of this file."""

    def page(context: Context, wanted: Page | None) -> Outcome:
        me = world.online[context.actor.id]
        if wanted is None:
            return _show_last(me)
        gone: list[str] = []
        to, text = _find(_split(wanted.names or "", world), context, world), wanted.text
        if wanted.names is None:
            to, text = _without_sign(context, text, world)
        if not to:
            to, gone = _last(me, world)
        sent = _send(context, me, to, text)
        return replace(sent, reply=(*gone, *sent.reply))

    def away(context: Context, text: str) -> Outcome:
        me = world.online[context.actor.id]
        me.away = one_line(text, "away", LONGEST_AWAY) if text else ""
        if not text:
            return Outcome.tell("You are back.")
        return Outcome.tell(f"You are away: {me.away} (+afk: you are back.)")

    syntax = "page [<name>[, <name> ...]=]<text>"
    return (
        Verb("page", syntax, Access.GUEST, Lane.HERE, _page, page, aliases=("p",)),
        _lock(on=True),
        _lock(on=False),
        Verb(
            "+afk",
            "+afk[ <message>]",
            Access.GUEST,
            Lane.HERE,
            maybe_words,
            away,
            aliases=("@away",),
        ),
    )
