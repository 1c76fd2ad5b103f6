"""Lines that people type in a fight, made from numbers: most of them fit what is going on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from mushcombat.domain.events import Fact
from mushcombat.domain.fight import ON, OVER, Combatant, Fight, Pending
from mushcombat.domain.state import StateChanged
from tests.contract.arena import PLAYERS, Arena, Said

T = TypeVar("T")

REFEREE = "Rhea"
SETUP = (
    "+give Ada=pistol",
    "+set Ada/Pistol=Superb",
    "+give Ada=automatic rifle",
    "+set Ada/Automatic Weapons=Great",
    "+give Ada=grenade",
    "+give Ada=Aimed Shot",
    "+give Bram=sword",
    "+set Bram/Sword=Superb",
    "+give Bram=knife",
    "+give Bram=Riposte",
    "+give Bram=Power Blow",
    "+give Bram=kevlar",
    "+give Cass=polearm",
    "+set Cass/Polearm=Great",
    "+give Cass=railgun",
    "+give Cass=power cell",
    "+give Cass=stun grenade",
    "+set Cass/Psi=Great",
    "+set Cass/Mind Blast=Superb",
    "+npc Thug=thug",
    "+npc Ace=duellist",
)
READY = (
    ("Ada", "+wield pistol"),
    ("Bram", "+wield sword"),
    ("Bram", "+wear kevlar"),
    ("Cass", "+wield polearm"),
    (REFEREE, "+combat/start"),
    ("Ada", "+combat/join"),
    ("Bram", "+combat/join"),
    ("Cass", "+combat/join"),
    ("Ada", "+reaction"),
    ("Bram", "+reaction"),
    ("Cass", "+reaction"),
)

WEAPONS = (
    "",
    "pistol",
    "automatic rifle",
    "sword",
    "sword+knife",
    "knife",
    "polearm",
    "railgun",
    "unarmed",
    "mind blast",
    "claws",
    "rock",
)
GRENADES = ("grenade", "stun grenade")
RANGES = ("close", "short", "30", "900 feet")
CIRCUMSTANCES = ("cover 50", "walking", "running", "blind", "improvised", "closing", "back")
INTENTS = ("stun", "lethal", "lethal", "point blank")
CARDS = tuple(
    f"card {name}" for name in ("aimed shot", "power blow", "feint", "sweep", "suppressing fire")
)
MODIFIERS = (*RANGES, *CIRCUMSTANCES, *INTENTS, *CARDS, "-1 the steam")
ITEMS = ("grenade", "knife", "Feint", "Suppressing Fire", "Desperate Dodge", "power cell", "pistol")
CHOICES = (*["dexterity"] * 5, "athletics", "unarmed", "sword", "polearm", "willpower")
DEFENCE_CARDS = ("", "", "", ", card riposte", ", card desperate dodge")
QUIRKS = ("Lightly Wounded", "Seriously Wounded", "Tough", "Psi Resistant", "Haemophobe")
SETTINGS = (
    "mode=strict",
    "mode=normal",
    "mode=open",
    "rolls=manual",
    "rolls=auto",
    "health=bands",
    "health=numbers",
    "luck=no",
    "luck=yes",
    "gravity=no",
    "atmosphere=no",
    "atmosphere=yes",
)
WAITS = (1, 61, 601, 86_400, 3 * 86_400)


@dataclass(frozen=True)
class Move:
    """A kind of line, and numbers that decide on all that is open in it."""

    kind: str
    numbers: tuple[int, ...]


class Board:
    """What somebody who types the next line has before them."""

    def __init__(self, arena: Arena, move: Move) -> None:
        self._numbers: Iterator[int] = iter(move.numbers)
        scene = arena.scene
        self.fight: Fight | None = arena.read(lambda store: store.fight(scene))
        self.seats: list[Combatant] = arena.read(lambda store: store.combatants(scene))
        self.pending: list[Pending] = arena.read(lambda store: store.pending(scene))
        self.npcs = sorted(arena.world.scenes[scene].npcs.values())
        self.names = [*PLAYERS, *self.npcs]
        self._ids = {seat.character: seat.name for seat in self.seats}
        ids = {arena.id_of(name): name for name in self.names}
        held = {one: arena.read(lambda store, o=one: store.items(o, "otherspace")) for one in ids}
        own = {"", "unarmed", "mind blast"}
        self._items = {ids[one]: own | {i.name for i in items} for one, items in held.items()}
        self._log: Callable[[], list[Fact]] = arena.log

    def number(self, below: int) -> int:
        return next(self._numbers, 0) % below

    def of(self, things: Sequence[T]) -> T:
        return things[self.number(len(things))]

    def some(self, things: Sequence[str]) -> str:
        """Give no, one, two or three of the things, with a comma before each."""
        return "".join(f", {self.of(things)}" for _ in range(max(0, self.number(6) - 2)))

    def someone(self) -> str:
        return self.of(self.names)

    def other(self, than: str) -> str:
        """Name somebody else; now and then, the same."""
        return self.of([name for name in self.names if name != than or not self.number(20)])

    def carried(self, who: str, known: Sequence[str]) -> str:
        """Give one of the known things that they carry; now and then, any."""
        mine = [thing for thing in known if set(thing.split("+")) <= self._items[who]]
        return self.of(mine) if mine and self.number(8) else self.of(known)

    def named(self, character: int | None) -> str:
        """Name a combatant; somebody, if it is none."""
        return self._ids.get(character or 0) or self.someone()

    def acting(self) -> str:
        """Name whose turn it is; now and then, somebody else."""
        return self.named(self.fight.turn if self.fight and self.number(12) else None)

    def by(self, name: str, line: str) -> tuple[str, str]:
        """Let them type it, or the referee for who can't."""
        if name in self.npcs:
            return REFEREE, f"{name}: {line}" if self.number(2) else f"+as {name}={line}"
        return (name, line) if self.number(8) else (REFEREE, f"+as {name}={line}")

    def open_moves(self) -> Sequence[Callable[[Board], Line]]:
        """Give what is to be done by whose turn it is."""
        turn = self.fight.turn if self.fight else None
        seat = next((seat for seat in self.seats if seat.character == turn), None)
        if seat is None or '"no_attack":true' in seat.state:
            return (end_turn,)
        return (attack, attack, own_attack, own_attack, two_targets, maneuver, detonate, end_turn)

    def waiting(self, *stages: str) -> Pending | None:
        found = [one for one in self.pending if one.stage in stages]
        return self.of(found) if found else None

    def action(self) -> int:
        """Give the number of an action that changed something, mostly a late one."""
        rows = [fact for fact in self._log() if isinstance(fact.event, StateChanged)]
        late = rows[-8:] if self.number(4) else rows
        return (self.of(late).action or 1) if late else 1


Line = tuple[str, str]


def attack(board: Board) -> Line:
    who = board.acting()
    weapon = board.carried(who, WEAPONS)
    return board.by(who, f"+attack {board.other(who)}={weapon}{board.some(MODIFIERS)}")


def own_attack(board: Board) -> Line:
    """Attack with what is in hand, and no more said."""
    who = board.acting()
    return board.by(who, f"+attack {board.other(who)}{board.of(('', '=, lethal', '=, lethal'))}")


def two_targets(board: Board) -> Line:
    who = board.acting()
    targets = f"{board.other(who)}, {board.other(who)}"
    if board.number(2):
        return board.by(who, f"+throw {targets}={board.carried(who, GRENADES)}")
    return board.by(who, f"+attack {targets}=polearm, card sweep")


def maneuver(board: Board) -> Line:
    who = board.acting()
    what = board.of(("+disarm", "+grapple", "+psi"))
    weapon = "=mind blast" if what == "+psi" else "="
    return board.by(who, f"{what} {board.other(who)}{weapon}{board.some(MODIFIERS)}")


def detonate(board: Board) -> Line:
    who = board.acting()
    targets = f"{board.other(who)}, {board.other(who)}"
    return board.by(who, f"+detonate {targets}={board.carried(who, GRENADES)}")


def go_on(board: Board) -> Line:
    """Do what the fight waits for."""
    phase = board.fight.phase if board.fight else OVER
    if phase == OVER and not board.pending:
        return REFEREE, "+combat/start"
    if phase != ON and not board.pending:
        return board.of(PLAYERS), board.of(("+combat/join", "+reaction", "+reaction"))
    if board.waiting("roll"):
        return go(board)
    if board.waiting("ruling", "damage", "proposed"):
        return rule(board)
    if board.waiting("defence"):
        return defend(board)
    return board.of(board.open_moves())(board)


def rule(board: Board) -> Line:
    found = board.waiting("ruling", "damage", "proposed")
    number = f" {found.action}" if found and board.number(3) else ""
    if not board.number(8):
        return REFEREE, f"+no{number}=out of sight"
    ruling = board.of(("", "", "=-2 the smoke", "=+9 a lucky star, +1 the light, of the moon"))
    return REFEREE, f"+ok{number}{ruling}"


def defend(board: Board) -> Line:
    found = board.waiting("defence")
    who = board.named(found.owner if found else None)
    number = f"{found.action} " if found and board.number(2) else ""
    line = f"+defend {number}{board.of(CHOICES)}{board.of(DEFENCE_CARDS)}"
    return board.by(who, line)


def always(board: Board) -> Line:
    return board.by(board.someone(), f"+defend/always {board.of(CHOICES)}")


def go(board: Board) -> Line:
    found = board.waiting("roll")
    return board.by(board.named(found.actor if found else None), "+go")


def end_turn(board: Board) -> Line:
    return board.by(board.acting(), board.of(("+next", "+full")))


def counter(board: Board) -> Line:
    able = [seat.name for seat in board.seats if '"counter":null' not in seat.state]
    who = board.of(able) if able else board.someone()
    return board.by(who, f"+counter{board.of(('', ' sword', ' unarmed'))}")


def lethal(board: Board) -> Line:
    return board.of(((REFEREE, "+lethal"), board.by(board.acting(), "+lethal")))


def gear(board: Board) -> Line:
    line = board.of(
        ("+wield nothing", "+wield sword", "+wear kevlar", "+wear nothing", "+ready railgun")
    )
    return board.by(board.acting(), line)


def harm(board: Board) -> Line:
    stun = board.of(("", "", " stun"))
    return REFEREE, f"+damage {board.someone()}={board.of((1, 15, 30, 60, 100))}{stun}"


def wound(board: Board) -> Line:
    remove = board.of(("", "", "/remove"))
    return REFEREE, f"+quirk{remove} {board.someone()}={board.of(QUIRKS)}"


def heal(board: Board) -> Line:
    return board.of(((REFEREE, f"+heal {board.someone()} at 5"), board.by("Ada", "+heal Cass")))


def give(board: Board) -> Line:
    what = board.of(("+give", "+give", "+take"))
    return REFEREE, f"{what} {board.someone()}={board.of(ITEMS)}"


def come_and_go(board: Board) -> Line:
    what = board.of(("+combat/leave", "+combat/join", "+combat/join", "+reaction", "+reaction"))
    who = board.of(board.names)
    if who in board.npcs and what != "+reaction":
        return REFEREE, f"{what} {who}"
    return (who, what) if who in PLAYERS else (REFEREE, f"{who}: {what}")


def the_fight(board: Board) -> Line:
    lines = ("+combat/start", "+combat/stop", "+npc Rat=beast", "+npc Eye=psion")
    return REFEREE, board.of((*lines, f"+order {board.someone()}={1 + board.number(4)}"))


def setting(board: Board) -> Line:
    return REFEREE, f"+scene/set {board.of(SETTINGS)}"


def undo(board: Board) -> Line:
    which = board.of(("+undo", "+undo", f"+undo {board.action()}"))
    return board.of((REFEREE, REFEREE, "Ada")), f"{which}=a slip"


def force(board: Board) -> Line:
    """Take something back whatever was built on it: what that leaves is no action's doing."""
    return REFEREE, f"+undo/force {board.action()}"


def redo(board: Board) -> Line:
    return REFEREE, board.of(("+redo", f"+redo {board.action()}"))


def talk(board: Board) -> Line:
    lines = (":takes cover.", "+combat", "+health", "+sheet", f"+why {board.action()}", "+speed")
    return board.of(PLAYERS), board.of(lines)


LINES: Mapping[str, Callable[[Board], Line]] = {
    function.__name__: function
    for function in (
        attack,
        own_attack,
        two_targets,
        maneuver,
        detonate,
        rule,
        defend,
        always,
        go_on,
        go,
        end_turn,
        counter,
        lethal,
        gear,
        harm,
        wound,
        heal,
        give,
        come_and_go,
        the_fight,
        setting,
        undo,
        force,
        redo,
        talk,
    )
}
KINDS = (*LINES, *["go_on"] * len(LINES), *["go_on"] * len(LINES), "wait", "away")


def play(arena: Arena, move: Move) -> tuple[str, Said]:
    """Make a move; gives what was typed, and what came of it."""
    board = Board(arena, move)
    if move.kind == "wait":
        seconds = board.of(WAITS)
        return f"{seconds} s later", arena.wait(seconds)
    if move.kind == "away":
        return _away(arena, board.of(PLAYERS))
    name, line = LINES[move.kind](board)
    if not arena.is_here(name):
        name, line = REFEREE, f"+as {name}={line}"
    said = arena.say(name, line)
    return f"{name}> {line}  {said.refusal}", said


def _away(arena: Arena, name: str) -> tuple[str, Said]:
    """Let a player's link break, or come back."""
    if arena.is_here(name):
        arena.disconnect(name)
        return f"{name} is away", Said()
    arena.connect(name)
    return f"{name} is back", Said()
