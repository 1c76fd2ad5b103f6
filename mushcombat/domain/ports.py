"""What verbs may ask of storage: reading, and writing inside the writer's transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Protocol

from mushcombat.domain.bans import BanReads, BanWrites
from mushcombat.domain.channels import ChannelReads, ChannelWrites
from mushcombat.domain.character import Character, Condition, Item, Role, Sheet
from mushcombat.domain.dice import Dice
from mushcombat.domain.eras import Era
from mushcombat.domain.events import Fact
from mushcombat.domain.fight_reads import FightReads, StateWrites
from mushcombat.domain.preference_ports import PreferenceReads, PreferenceWrites
from mushcombat.domain.scene import Scene
from mushcombat.domain.settings import SettingReads, SettingWrites
from mushcombat.domain.sharing import Answer
from mushcombat.domain.state import Row, Value
from mushcombat.domain.transcripts import LoggedRow
from mushcombat.records import record


@record(frozen=True, slots=True)
class Way:
    """An exit: its name first, then its aliases."""

    id: int
    names: tuple[str, ...]
    destination: int


@record(frozen=True, slots=True)
class Place:
    """A room as stored; `kind` is start, ooc, room, temporary or gone."""

    id: int
    name: str
    kind: str
    description: str
    origin: int | None = None
    ways: tuple[Way, ...] = ()


@record(frozen=True, slots=True)
class Login:
    """An account and its character, as a login needs them."""

    account: int
    name: str
    role: Role
    password_hash: str
    disabled: bool
    one_time: bool
    spent: bool
    character: int
    last_login_at: datetime | None = None


@record(frozen=True, slots=True)
class Opening:
    """What a new scene needs; the seed is 32 random bytes."""

    title: str
    system: str
    room: int
    owner: int
    referee: bool
    private: bool
    seed: bytes


class Reads(FightReads, BanReads, ChannelReads, SettingReads, PreferenceReads, Protocol):
    """Reading: the reader pool and the writer both can."""

    def character(self, character: int) -> Character | None:
        """Give a character by id."""
        ...

    def find_players(self, name: str) -> list[Character]:
        """Find players by name: exactly, else by an unambiguous beginning."""
        ...

    def sheet(self, character: int, system: str) -> Sheet:
        """Give a character's sheet in one system."""
        ...

    def scene(self, number: int) -> Scene | None:
        """Give a scene by number."""
        ...

    def open_scenes(self) -> list[Scene]:
        """Give all scenes that are open."""
        ...

    def scenes_with(self, character: int) -> list[Scene]:
        """Give the open scenes that a player, or an NPC, is in."""
        ...

    def all_scenes(self) -> list[Scene]:
        """Give every scene there was, by number."""
        ...

    def places(self) -> list[Place]:
        """Give all rooms with their exits."""
        ...

    def place(self, room: int) -> Place | None:
        """Give one room."""
        ...

    def names(self, characters: Sequence[int]) -> dict[int, str]:
        """Give the names of characters, by id."""
        ...

    def in_scene(
        self, scene: int, name: str, unknown: frozenset[int] = frozenset()
    ) -> list[Character]:
        """Find participants and NPCs of a scene by name: exactly, else by a beginning.

        Those who are `unknown` to who asks are not there.
        """
        ...

    def hidden(self, scene: int) -> frozenset[int]:
        """Give the NPCs of a scene that only its referees know of."""
        ...

    def seen(self, scene: int, character: int) -> int:
        """Give the last row of a scene's log that somebody was shown, 0 for none."""
        ...

    def condition(self, character: int, system: str) -> Condition:
        """Give how a character is in one system."""
        ...

    def failed_treatment(self, character: int, system: str, healer: int) -> int | None:
        """Give the day of a healer's last treatment of a character that failed, or None."""
        ...

    def items(self, character: int, system: str) -> Sequence[Item]:
        """Give what a character carries, by name; what is used up is not listed."""
        ...

    def with_trait(self, system: str, group: str, trait: str, level: int) -> list[Character]:
        """Give the characters that have a trait at a level, by name."""
        ...

    def action(self, scene: int, action: int) -> list[Fact]:
        """Give all rows of one action."""
        ...

    def held(self, thing: str, key: str) -> Row | None:
        """Give what there is of a thing that can be undone, its key as a change has it."""
        ...

    def kinds(self, scene: int, kinds: Sequence[str], since: int = 0) -> list[Fact]:
        """Give the rows of a log that are of certain kinds, behind row `since`, in order.

        Each fact once: not what others than the referees see in place of a fuller row.
        """
        ...

    def actions(self, scene: int, actions: Sequence[int]) -> list[Fact]:
        """Give all rows of some actions, in the log's order."""
        ...

    def tail(
        self,
        scene: int,
        kinds: Sequence[str],
        count: int,
        *,
        actors: Sequence[int] | None = None,
        before: int | None = None,
        since: int = 0,
    ) -> list[Fact]:
        """Give the last rows of certain kinds, at most `count`, in the log's order.

        `actors`: those that they wrote alone. Only rows behind `since` and before `before`.
        """
        ...

    def scenes_known_to(self, character: int, count: int, skip: int = 0) -> tuple[list[Scene], int]:
        """Give scenes that a character may know of, newest first, and how many there are."""
        ...

    def last_seq(self, ledger: int) -> int:
        """Give the number of the last row of a log, 0 when it is empty."""
        ...

    def log(self, ledger: int, first: int, last: int) -> list[Fact]:
        """Give the rows of a log from `first` to `last`, in order."""
        ...

    def acts(self, actors: Sequence[int], count: int) -> list[Fact]:
        """Give the last rows of the game's ledger that some wrote, in its order, but changes."""
        ...

    def last_closed(self, character: int) -> Scene | None:
        """Give the scene that closed last of those that somebody took part in."""
        ...

    def exported(self, scene: int, last: int) -> Iterator[LoggedRow]:
        """Give the rows of a log up to number `last`, as they were hashed, one by one."""
        ...

    def login(self, name: str) -> Login | None:
        """Find an account by its name, in any case."""
        ...

    def logins(self) -> list[Login]:
        """Give all accounts, by name."""
        ...


class Writes(
    Reads, BanWrites, ChannelWrites, SettingWrites, PreferenceWrites, StateWrites, Protocol
):
    """Writing, inside the writer's transaction; a refused verb leaves nothing of it behind."""

    def dice(self, scene: int) -> Dice:
        """Give the dice of an open scene's present era."""
        ...

    def set_trait(
        self, character: int, system: str, group: str, trait: str, level: int | None
    ) -> None:
        """Set a level on a sheet; None takes it off."""
        ...

    def write(self, thing: str, key: tuple[int | str, ...], about: str, **fields: Value) -> None:
        """Set fields of a thing that can be undone; the action's row of changes notes it."""
        ...

    def remove(self, thing: str, key: tuple[int | str, ...], about: str) -> None:
        """Take a thing away that can be undone."""
        ...

    def next_seq(self, scene: int) -> int:
        """Give the number that the next row of a log will have: that of an action begun now."""
        ...

    def add_npc(
        self, scene: int, name: str, room: int, now: datetime, *, hidden: bool = False
    ) -> Character:
        """Bring an NPC into a scene; MushError when the name is taken there or a player's."""
        ...

    def add_wound(
        self,
        character: int,
        system: str,
        *,
        scene: int | None,
        action: int,
        kind: str,
        amount: int,
        at: int,
    ) -> None:
        """Note a harm that was done, for the record; it can be undone."""
        ...

    def move(self, character: int, room: int) -> None:
        """Put a character in a room."""
        ...

    def occupants(self, room: int) -> list[Character]:
        """Give everyone in a room, connected or not."""
        ...

    def dig(self, name: str, *, kind: str = "room", origin: int | None = None) -> int:
        """Make a room; gives its id."""
        ...

    def retire_room(self, room: int) -> None:
        """Mark a temporary room as gone."""
        ...

    def open_exit(self, room: int, names: Sequence[str], destination: int) -> int:
        """Make an exit; gives its id."""
        ...

    def describe_room(self, room: int, text: str) -> None:
        """Set a room's description."""
        ...

    def describe_character(self, character: int, text: str) -> None:
        """Set a character's description."""
        ...

    def set_doing(self, character: int, text: str) -> None:
        """Set what a player says they are doing."""
        ...

    def open_scene(self, opening: Opening, now: datetime) -> Scene:
        """Begin a scene, with its owner in it."""
        ...

    def close_scene(self, scene: int, now: datetime) -> bytes:
        """End a scene; gives the seed of its present era."""
        ...

    def join_scene(self, scene: int, character: int, now: datetime) -> None:
        """Make a character a participant."""
        ...

    def leave_scene(self, scene: int, character: int, now: datetime) -> None:
        """End a character's part in a scene."""
        ...

    def invite(self, scene: int, character: int) -> None:
        """Let a character join, and know of, a scene."""
        ...

    def name_referee(self, scene: int, character: int) -> None:
        """Make a participant referee of the scene."""
        ...

    def drop_referee(self, scene: int, character: int) -> None:
        """Let somebody be referee of the scene no longer."""
        ...

    def saw(self, rows: Sequence[tuple[int, int, int]]) -> None:
        """Note scene, character and the last row of the log that they were shown.

        It only ever grows; nobody needs it logged.
        """
        ...

    def set_privacy(self, scene: int, *, private: bool, room: int) -> None:
        """Make a scene private or public, and say where it sits."""
        ...

    def set_paused(self, scene: int, *, paused: bool) -> None:
        """Let a scene rest, or go on."""
        ...

    def era(self, scene: int) -> Era:
        """Give the present era of a scene, the last one of a closed one."""
        ...

    def dice_thrown(self, scene: int) -> bool:
        """Tell whether a die of the present era was thrown."""
        ...

    def give_words(self, scene: int, words: str) -> None:
        """Put words into the key of the era's dice. MushError once one of those was thrown."""
        ...

    def reopen_scene(self, scene: int, room: int, seed: bytes) -> None:
        """Open a closed scene again, in a room: a new era begins."""
        ...

    def ask_sharing(self, scene: int) -> None:
        """Note that the participants were asked."""
        ...

    def answer_sharing(self, scene: int, character: int, answer: Answer) -> None:
        """Note the answer of somebody who took part."""
        ...

    def create_account(
        self,
        name: str,
        password_hash: str,
        role: Role,
        now: datetime,
        *,
        one_time: bool = False,
    ) -> Login:
        """Make a login and its character; MushError when the name is taken."""
        ...

    def next_guest(self) -> int:
        """Give the next guest a number that no guest had."""
        ...

    def set_password(self, account: int, password_hash: str, *, one_time: bool = False) -> None:
        """Set a password: an ordinary one, or one that lets in one time."""
        ...

    def set_role(self, account: int, role: Role) -> None:
        """Set what a login may do."""
        ...

    def set_disabled(self, account: int, *, disabled: bool) -> None:
        """Lock a login out, or let it in again."""
        ...

    def rename(self, account: int, name: str) -> None:
        """Give a login and its character another name; MushError when it is taken."""
        ...

    def logged_in(self, account: int, now: datetime) -> None:
        """Note a login; a one-time password is spent by it."""
        ...
