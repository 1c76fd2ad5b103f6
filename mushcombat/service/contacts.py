"""Other players: whom one ignores, and whose coming and going one is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mushcombat.domain.character import Role
from mushcombat.domain.command import Access, Call, Lane, Outcome, Verb, WriteContext
from mushcombat.domain.events import Audience, Draft
from mushcombat.domain.settings import Contact, Ignored, Noticed, Watched, WatchedAll
from mushcombat.domain.text import clip, listing
from mushcombat.errors import MushError
from mushcombat.service.parsing import maybe_words, nothing, words
from mushcombat.service.people import find_player
from mushcombat.service.presence import Presence
from mushcombat.service.world import World


def watch_news(world: World, them: Presence, *, here: bool) -> list[Draft]:
    """Draft the news that somebody came or went, for those elsewhere who watch them."""
    return [
        Draft(Noticed(one.id, here), Audience.SUBJECT)
        for one in world.online.values()
        if one.settings.watches_all or them.id in one.settings.watched
        if one is not them and one.room != them.room
    ]


def _names(context: WriteContext, people: Iterable[int]) -> str:
    return listing(sorted(context.store.names([*people]).values()))


def _show_ignored(context: WriteContext) -> Outcome:
    names = _names(context, context.store.settings(context.actor.id).ignored)
    return Outcome.tell(f"You ignore {names or 'nobody'}.")


def _show_watched(context: WriteContext, _: None = None) -> Outcome:
    mine = context.store.settings(context.actor.id)
    if mine.watches_all:
        return Outcome.tell("You watch everybody: +watch/all off ends that.")
    return Outcome.tell(f"You watch {_names(context, mine.watched) or 'nobody'}.")


def _mark(context: WriteContext, typed: str, kind: Contact, *, on: bool) -> Outcome:
    """Mark a player, connected or not, or take the mark off."""
    them = find_player(context, typed)
    if them.id == context.actor.id:
        raise MushError(kind, "That is yourself.", f"+{kind} <another player>")
    if kind == "ignore" and on and them.role >= Role.STAFF:
        told = f"{them.name} is staff, whom everybody hears."
        raise MushError(kind, told, "Tell another of the staff: page <name>=<text>")
    context.store.set_contact(context.actor.id, kind, them.id, on=on)
    event = Ignored if kind == "ignore" else Watched
    return Outcome.of(Draft(event(them.id, them.name, on), Audience.PRIVATE))


def _ignore(context: WriteContext, typed: str) -> Outcome:
    return _mark(context, typed, "ignore", on=True) if typed else _show_ignored(context)


def _watch(context: WriteContext, typed: str) -> Outcome:
    return _mark(context, typed, "watch", on=True) if typed else _show_watched(context)


def _unmark(kind: Contact) -> Callable[[WriteContext, str], Outcome]:
    return lambda context, typed: _mark(context, typed, kind, on=False)


def _on_or_off(call: Call) -> bool:
    wanted = {"on": True, "off": False}.get(call.text.casefold())
    if wanted is None:
        raise call.wrong(f'"{clip(call.text)}" is neither on nor off.' if call.text else "")
    return wanted


def _watch_all(context: WriteContext, on: bool) -> Outcome:  # noqa: FBT001 -- a verb's argument
    context.store.watch_all(context.actor.id, on=on)
    return Outcome.of(Draft(WatchedAll(on), Audience.PRIVATE))


_PLAYER, _WRITE = Access.PLAYER, Lane.WRITE

CONTACT_VERBS = (
    Verb("+ignore", "+ignore[ <player>]", _PLAYER, _WRITE, maybe_words, _ignore),
    Verb(
        "+ignore/remove",
        "+ignore/remove <player>",
        _PLAYER,
        _WRITE,
        words,
        _unmark("ignore"),
        topic="+ignore",
    ),
    Verb(
        "+watch",
        "+watch[ <player>], or +watch/add <player>",
        _PLAYER,
        _WRITE,
        maybe_words,
        _watch,
        aliases=("+watch/add",),
    ),
    Verb("+watch/list", "+watch/list", _PLAYER, _WRITE, nothing, _show_watched, topic="+watch"),
    Verb(
        "+watch/remove",
        "+watch/remove <player>",
        _PLAYER,
        _WRITE,
        words,
        _unmark("watch"),
        topic="+watch",
    ),
    Verb("+watch/all", "+watch/all on|off", _PLAYER, _WRITE, _on_or_off, _watch_all),
)
