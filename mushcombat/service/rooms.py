"""Moving about, and the staff who build: exits, home, @dig, @open, @tel."""

from __future__ import annotations

from mushcombat.domain.character import Actor, Character
from mushcombat.domain.command import Access, Call, Lane, Outcome, ReadContext, Verb, WriteContext
from mushcombat.domain.events import GAME_LEDGER, Audience, Draft, ExitOpened, Moved, RoomDug
from mushcombat.domain.names import match
from mushcombat.domain.ports import Place
from mushcombat.domain.staff_events import Teleported
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.service.parsing import nothing, one_line, two_sides, words
from mushcombat.service.people import find_player

LONGEST_ROOM = 60
LONGEST_EXIT = 40


def move_draft(
    context: WriteContext, them: Character | Actor, origin: int, room: int, *, way: str = ""
) -> Draft:
    """Put somebody in a room, and draft the fact; nobody needs it logged."""
    context.store.move(them.id, room)
    return Draft(Moved(them.id, them.name, origin, room, way))


def _go_to(context: WriteContext, room: int, way: str = "") -> Outcome:
    """Walk the actor to a room, from where the store says they are now."""
    me = context.store.character(context.actor.id)
    if me is None or me.room == room:
        return Outcome.tell("You are there.")
    return Outcome.of(move_draft(context, me, me.room, room, way=way))


def _exit_names(typed: str) -> tuple[str, ...]:
    """Read `Name;alias;alias`."""
    names = tuple(one_line(name, "exit", LONGEST_EXIT) for name in typed.split(";"))
    if sum(len(name) + 1 for name in names) > 200:
        raise MushError("exit", "The exit has too many names.", "Name;alias, in 200 characters.")
    return names


def _dug(call: Call) -> tuple[str, str | None, str | None]:
    """Parse `<room>[=<exit there>[,<exit back>]]`."""
    name, exits = call.sides()
    if not name:
        raise call.wrong()
    there, _, back = (exits or "").partition(",")
    return one_line(name, "room", LONGEST_ROOM), there.strip() or None, back.strip() or None


def _dig(context: WriteContext, arguments: tuple[str, str | None, str | None]) -> Outcome:
    name, there, back = arguments
    room = context.store.dig(name)
    drafts = [Draft(RoomDug(room, name), Audience.REFEREES, GAME_LEDGER)]
    if there:
        drafts.append(_opened(context, context.room, there, room))
    if back:
        drafts.append(_opened(context, room, back, context.room))
    return Outcome.of(*drafts, reply=(f"{name} is dug, as #{room}.",))


def _opened(context: WriteContext, room: int, typed: str, destination: int) -> Draft:
    names = _exit_names(typed)
    number = context.store.open_exit(room, names, destination)
    event = ExitOpened(number, room, names, destination)
    return Draft(event, Audience.REFEREES, GAME_LEDGER)


def find_place(context: WriteContext, typed: str) -> Place:
    """Find a room by `here`, `#number`, its name or the beginning of it."""
    places = context.store.places()
    if typed.casefold() == "here":
        typed = f"#{context.room}"
    if typed.startswith("#"):
        found = [place for place in places if f"#{place.id}" == typed]
        found = [place for place in found if may_enter(context, place)]
    else:
        # A temporary room is called what its scene is, which may be nobody's business.
        named = [place for place in places if place.kind != "temporary"]
        found = match(typed, ((place.name, place) for place in named))
    if len(found) == 1:
        return found[0]
    problem = "There is no room" if not found else "There is more than one room"
    raise MushError("room", f'{problem} "{clip(typed)}".', "Use its #number, or `here`.")


def may_enter(context: ReadContext, place: Place) -> bool:
    """Tell whether a room exists for the actor: that of others' private scene does not."""
    if place.kind != "temporary":
        return True
    return all(
        scene.room != place.id or scene.visible_to(context.actor.id)
        for scene in context.store.open_scenes()
    )


def _go(context: WriteContext, name: str) -> Outcome:
    wanted = name.strip().casefold()
    place = context.store.place(context.room)
    for way in place.ways if place else ():
        if wanted in (alias.casefold() for alias in way.names):
            there = context.store.place(way.destination)
            if there is None or there.kind == "gone" or not may_enter(context, there):
                raise MushError("exit", "That way leads nowhere now.", "look lists the exits.")
            return _go_to(context, way.destination, way.names[0])
    raise MushError("exit", f'There is no exit "{clip(name)}" here.', "look lists the exits.")


def _home(context: WriteContext, _: None) -> Outcome:
    return _go_to(context, start_room(context))


def start_room(context: WriteContext) -> int:
    """Give the room where everyone begins."""
    return next(place.id for place in context.store.places() if place.kind == "start")


def _open(context: WriteContext, arguments: tuple[str, str]) -> Outcome:
    names, typed = arguments
    place = find_place(context, typed)
    draft = _opened(context, context.room, names, place.id)
    return Outcome.of(draft, reply=(f"An exit leads to {place.name} now.",))


def _teleported(call: Call) -> tuple[str, str]:
    """Parse `[<player>=]<room>`; '' for the actor."""
    who, place = call.sides()
    if not who or place == "":
        raise call.wrong()
    return ("", who) if place is None else (who, place)


def _teleport(context: WriteContext, arguments: tuple[str, str]) -> Outcome:
    who, typed = arguments
    place = find_place(context, typed)
    if not who:
        return _go_to(context, place.id)
    them = find_player(context, who)
    if them.room == place.id:
        return Outcome.tell(f"{them.name} is there.")
    draft = move_draft(context, them, them.room, place.id)
    noted = Teleported(them.id, them.name, place.id, place.name)
    audit = Draft(noted, Audience.REFEREES, GAME_LEDGER)
    return Outcome.of(draft, audit, reply=(f"{them.name} is moved to {place.name}.",))


ROOM_VERBS = (
    Verb("go", "go <exit>, or the exit's name", Access.GUEST, Lane.WRITE, words, _go),
    Verb("home", "home", Access.GUEST, Lane.WRITE, nothing, _home),
    Verb("@dig", "@dig <room>[=<exit>[,<exit back>]]", Access.STAFF, Lane.WRITE, _dug, _dig),
    Verb("@open", "@open <exit>=<room>", Access.STAFF, Lane.WRITE, two_sides, _open),
    Verb(
        "@tel",
        "@tel [<player>=]<room>",
        Access.STAFF,
        Lane.WRITE,
        _teleported,
        _teleport,
        aliases=("@teleport",),
    ),
)
