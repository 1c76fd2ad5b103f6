"""What several test files need: people, a time, dice that fall as told, a store in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from mushcombat.domain.bans import Ban
from mushcombat.domain.character import Actor, Character, Role
from mushcombat.domain.command import (
    Call,
    Committed,
    Context,
    Job,
    Outcome,
    ReadContext,
    Refused,
    Result,
    Verb,
    WriteContext,
)
from mushcombat.domain.dice import Throw
from mushcombat.domain.eras import Era
from mushcombat.domain.events import GAME_LEDGER, Draft, Fact, Who
from mushcombat.domain.names import match
from mushcombat.domain.ports import Login, Opening, Place, Way
from mushcombat.domain.scene import Scene
from mushcombat.domain.state import StateChanged
from mushcombat.errors import MushError
from tests.unit.channels import MemoryChannels
from tests.unit.eras import MemoryEras
from tests.unit.things import MemoryThings

NOW = datetime(2026, 3, 1, 12, 30, 45, 678, tzinfo=UTC)
START, DOCK = 1, 2

ADA = Actor(11, "Ada", Role.PLAYER, 101)
BRAM = Actor(12, "Bram", Role.PLAYER, 102)
RHEA = Actor(13, "Rhea", Role.STAFF, 103)
GUEST = Actor(14, "Guest 1", Role.GUEST, 104)
EVERYONE = (ADA, BRAM, RHEA, GUEST)


def who(actor: Actor) -> Who:
    return Who(actor.id, actor.name)


def scene_of(*people: Actor, referees: Iterable[Actor] = (), **changes: Any) -> Scene:
    ids = frozenset(person.id for person in people)
    scene = Scene(
        7,
        "Night Watch",
        "otherspace",
        START,
        people[0].id if people else 0,
        private=False,
        open=True,
        opened_at=NOW,
        participants=ids,
        referees=frozenset(one.id for one in referees),
        took_part=ids,
    )
    return replace(scene, **changes)


class Faces:
    """Dice that fall as told, in order; `asked` tells what was thrown."""

    def __init__(self, *faces: int) -> None:
        self._faces = list(faces)
        self.asked: list[tuple[int, int, str]] = []

    def throw(self, count: int, sides: int, label: str) -> Throw:
        self.asked.append((count, sides, label))
        fallen, self._faces = self._faces[:count], self._faces[count:]
        return Throw(0, label, sides, tuple(fallen))


class MemoryStore(MemoryEras, MemoryChannels, MemoryThings):
    """A store without a database: as much of one as verbs can tell."""

    def __init__(self, *scenes: Scene, dice: Faces | None = None) -> None:
        super().__init__()
        self.characters = {
            a.id: Character(a.id, a.name, START, role=a.role, account=a.account) for a in EVERYONE
        }
        self.scenes = {scene.id: scene for scene in scenes}
        self.rooms = {
            START: Place(START, "The Landing", "start", "A hall."),
            DOCK: Place(DOCK, "Dock 7", "room", ""),
        }
        self.logs: dict[int, list[Fact]] = {}
        self.eras: dict[int, Era] = {}
        self.thrown: set[int] = set()
        self.cursors: dict[tuple[int, int], int] = {}
        self.accounts = {
            a.name: Login(a.account, a.name, a.role, "hash", False, False, False, a.id)
            for a in EVERYONE
        }
        self.faces = dice or Faces()
        self.banned: dict[str, Ban] = {}
        self.wishes: dict[int, dict[str, str]] = {}

    def character(self, character: int) -> Character | None:
        return self.characters.get(character)

    def find_players(self, name: str) -> list[Character]:
        return match(name, ((them.name, them) for them in self.characters.values()))

    def scene(self, number: int) -> Scene | None:
        return self.scenes.get(number)

    def open_scenes(self) -> list[Scene]:
        return [scene for scene in self.scenes.values() if scene.open]

    def scenes_with(self, character: int) -> list[Scene]:
        return [s for s in self.open_scenes() if character in s.participants | s.npcs.keys()]

    def all_scenes(self) -> list[Scene]:
        return list(self.scenes.values())

    def scenes_known_to(self, character: int, count: int, skip: int = 0) -> tuple[list[Scene], int]:
        known = [scene for scene in self.scenes.values() if scene.visible_to(character)][::-1]
        return known[skip : skip + count], len(known)

    def places(self) -> list[Place]:
        return list(self.rooms.values())

    def place(self, room: int) -> Place | None:
        return self.rooms.get(room)

    def names(self, characters: Sequence[int]) -> dict[int, str]:
        return {i: self.characters[i].name for i in characters if i in self.characters}

    def last_seq(self, ledger: int) -> int:
        return len(self.logs.get(ledger, []))

    def log(self, ledger: int, first: int, last: int) -> list[Fact]:
        return self.logs.get(ledger, [])[max(0, first - 1) : last]

    def acts(self, actors: Sequence[int], count: int) -> list[Fact]:
        rows = self.logs.get(GAME_LEDGER, [])
        theirs = [fact for fact in rows if fact.actor.id in actors]
        return [fact for fact in theirs if not isinstance(fact.event, StateChanged)][-count:]

    def preferences(self, account: int) -> dict[str, str]:
        return dict(self.wishes.get(account, {}))

    def set_preference(self, account: int, name: str, value: str | None) -> None:
        mine = self.wishes.setdefault(account, {})
        if value is None:
            mine.pop(name, None)
        else:
            mine[name] = value

    def login(self, name: str) -> Login | None:
        return next((a for n, a in self.accounts.items() if n.casefold() == name.casefold()), None)

    def logins(self) -> list[Login]:
        return sorted(self.accounts.values(), key=lambda login: login.name)

    # writing

    def dice(self, scene: int) -> Faces:
        assert scene in self.scenes
        self.thrown.add(scene)
        return self.faces

    def move(self, character: int, room: int) -> None:
        self.characters[character] = replace(self.characters[character], room=room)

    def occupants(self, room: int) -> list[Character]:
        return [them for them in self.characters.values() if them.room == room]

    def dig(self, name: str, *, kind: str = "room", origin: int | None = None) -> int:
        room = max(self.rooms) + 1
        self.rooms[room] = Place(room, name, kind, "", origin)
        return room

    def retire_room(self, room: int) -> None:
        self.rooms[room] = replace(self.rooms[room], kind="gone")

    def open_exit(self, room: int, names: Sequence[str], destination: int) -> int:
        place = self.rooms[room]
        way = Way(len(place.ways) + 1, tuple(names), destination)
        self.rooms[room] = replace(place, ways=(*place.ways, way))
        return way.id

    def describe_room(self, room: int, text: str) -> None:
        self.rooms[room] = replace(self.rooms[room], description=text)

    def describe_character(self, character: int, text: str) -> None:
        self.characters[character] = replace(self.characters[character], description=text)

    def set_doing(self, character: int, text: str) -> None:
        self.characters[character] = replace(self.characters[character], doing=text)

    def open_scene(self, opening: Opening, now: datetime) -> Scene:
        mine = frozenset({opening.owner})
        scene = Scene(
            max(self.scenes, default=0) + 1,
            opening.title,
            opening.system,
            opening.room,
            opening.owner,
            private=opening.private,
            open=True,
            opened_at=now,
            participants=mine,
            referees=mine if opening.referee else frozenset(),
            took_part=mine,
        )
        self.scenes[scene.id] = scene
        return scene

    def _change(self, scene: int, **changes: Any) -> None:
        self.scenes[scene] = replace(self.scenes[scene], **changes)

    def close_scene(self, scene: int, now: datetime) -> bytes:
        self._change(scene, open=False, closed_at=now)
        return bytes(range(32))

    def join_scene(self, scene: int, character: int, now: datetime) -> None:
        self.scenes[scene] = self.scenes[scene].joined_by(character)

    def leave_scene(self, scene: int, character: int, now: datetime) -> None:
        self.scenes[scene] = self.scenes[scene].left_by(character)

    def invite(self, scene: int, character: int) -> None:
        self._change(scene, invited=self.scenes[scene].invited | {character})

    def name_referee(self, scene: int, character: int) -> None:
        self._change(scene, referees=self.scenes[scene].referees | {character})

    def drop_referee(self, scene: int, character: int) -> None:
        self._change(scene, referees=self.scenes[scene].referees - {character})

    def seen(self, scene: int, character: int) -> int:
        return self.cursors.get((scene, character), 0)

    def saw(self, rows: Sequence[tuple[int, int, int]]) -> None:
        for scene, character, seq in rows:
            self.cursors[scene, character] = max(seq, self.seen(scene, character))

    def set_privacy(self, scene: int, *, private: bool, room: int) -> None:
        self.scenes[scene] = self.scenes[scene].moved(room, private=private)

    def set_paused(self, scene: int, *, paused: bool) -> None:
        self._change(scene, paused=paused)

    def create_account(
        self,
        name: str,
        password_hash: str,
        role: Role,
        now: datetime,
        *,
        one_time: bool = False,
    ) -> Login:
        if self.login(name):
            raise MushError("name", "That name is taken.", "Pick another.")
        number = max(self.characters) + 1
        self.characters[number] = Character(number, name, START, role=role, account=number + 90)
        login = Login(number + 90, name, role, password_hash, False, one_time, False, number)
        self.accounts[name] = login
        return login

    def next_guest(self) -> int:
        return 1 + sum(login.role is Role.GUEST for login in self.accounts.values())

    def _account(self, account: int, **changes: Any) -> None:
        name = next(n for n, login in self.accounts.items() if login.account == account)
        self.accounts[name] = replace(self.accounts[name], **changes)

    def set_password(self, account: int, password_hash: str, *, one_time: bool = False) -> None:
        self._account(account, password_hash=password_hash, one_time=one_time, spent=False)

    def bans(self) -> list[Ban]:
        return sorted(self.banned.values(), key=lambda ban: ban.target)

    def ban(self, ban: Ban) -> None:
        self.banned[ban.target] = ban

    def lift_ban(self, target: str) -> bool:
        return self.banned.pop(target, None) is not None

    def set_role(self, account: int, role: Role) -> None:
        self._account(account, role=role)

    def set_disabled(self, account: int, *, disabled: bool) -> None:
        self._account(account, disabled=disabled)

    def rename(self, account: int, name: str) -> None:
        old = next(one for one in self.accounts.values() if one.account == account)
        del self.accounts[old.name]
        self.accounts[name] = replace(old, name=name)

    def logged_in(self, account: int, now: datetime) -> None:
        login = next(one for one in self.accounts.values() if one.account == account)
        self._account(account, last_login_at=now, spent=login.one_time)


def write_context(
    store: MemoryStore,
    actor: Actor = ADA,
    scene: Scene | None = None,
    dice: Faces | None = None,
) -> WriteContext:
    room = store.characters[actor.id].room
    return WriteContext(actor, room, scene, NOW, dice or store.faces, store=store)


def call(text: str, *switches: str, usage: str = "+x <y>") -> Call:
    return Call(frozenset(switches), text, usage)


def run(verb: Verb, context: Context | ReadContext, text: str = "") -> Outcome:
    """Parse and run a verb as the executor would."""
    return verb.run(context, verb.parse(call(text, usage=verb.syntax)))


def refused(verb: Verb, context: Context, text: str = "") -> str:
    """Give the words with which a verb refuses."""
    try:
        run(verb, context, text)
    except MushError as refusal:
        return str(refusal)
    raise AssertionError(f"{verb.name} {text} was not refused")


def fact_of(draft: Draft, actor: Actor, seq: int | None = None, **changes: Any) -> Fact:
    """Make of a draft what the writer would."""
    fact = Fact(draft.event, draft.actor or who(actor), NOW, draft.audience, draft.room or START)
    numbered = replace(fact, ledger=draft.ledger, seq=seq, action=draft.action or seq)
    return replace(numbered, **changes)


def perform(store: MemoryStore, job: Job) -> Result:
    """Do a job at once, as the writer would."""
    try:
        outcome = job.run(store)
    except MushError as refusal:
        return Refused(str(refusal))
    facts: list[Fact] = []
    for draft in outcome.drafts:
        seq = None
        if draft.ledger is not None:
            log = store.logs.setdefault(draft.ledger, [])
            seq = len(log) + 1
        action = facts[-1].action if draft.follows and facts else draft.action or seq
        fact = Fact(
            draft.event,
            draft.actor or job.actor,
            NOW,
            draft.audience,
            draft.room or job.room,
            draft.ledger,
            seq,
            action,
        )
        if draft.ledger is not None:
            log.append(fact)
        facts.append(fact)
    return Committed(tuple(facts), outcome.reply)
