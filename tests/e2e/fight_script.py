"""One fight of three players, a referee and two NPCs over five rounds, whatever the dice say.

`fight` gives steps: who types what, and what everybody must see of it. It is told what was heard,
and decides by it: whose turn it is, whether a defender is asked, who can act no more. `Table` plays
a step over telnet, and puts everybody back in their seats after the server was killed.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field

from tests.e2e.harness import PATIENCE, Client, Server, open_scene

PLAYERS = ("Rhea", "Ada", "Bram", "Cass")
FIGHTERS = ("Ada", "Bram", "Cass")
ROUNDS = 5
HARD = 14

TURN = r"^\[Turn\] Round (\d+): (?:(\w+)\.|no one can act\.)"
RESULT = r"^\[Result\] "
PUBLIC = re.compile(r"^\[(?:Attack|Roll|Result|Undo|Redo|Reaction|Turn|Order)\] .*$", re.MULTILINE)
"""What happens for everyone to see."""

_ARRIVALS = re.compile(r"^\w+ has connected\.\n", re.MULTILINE)
_MARKS = re.compile(r"^There is no help on \"zz.*\n", re.MULTILINE)


@dataclass(frozen=True)
class Step:
    """Lines that one of them types, and what must be seen of it, in this order.

    `all` are patterns for everyone, `also` more for some; `label` names what was just done.
    """

    who: str
    lines: tuple[str, ...]
    all: tuple[str, ...] = ()
    also: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    label: str = ""


Heard = Mapping[str, str]
"""What each of them was shown while a step was played."""

Script = Generator[Step, Heard, None]


@dataclass
class State:
    """What the script knows of the fight, from what Rhea is shown."""

    scene: int = 0
    round: int = 0
    turn: str = ""
    seats: str = ""
    turns: int = 0
    grenades: int = 2
    undone: bool = False

    def note(self, heard: Heard) -> None:
        """Take over whose turn it is."""
        for found in re.finditer(TURN, heard["Rhea"], re.MULTILINE):
            self.round, self.turn = int(found[1]), found[2] or ""
            self.turns += 1

    def can(self, name: str) -> bool:
        """Tell whether somebody is still on their feet."""
        line = re.search(rf"^{name}: .*$", self.seats, re.MULTILINE)
        return line is not None and not re.search(r"unconscious|stunned|dead", line[0])

    def health(self, name: str) -> int:
        """Give what the tracker says that somebody has left."""
        found = re.search(rf"^{name}: health (\d+)/100", self.seats, re.MULTILINE)
        return int(found[1]) if found else 0

    def gives_up(self, name: str) -> bool:
        """Tell whether somebody has given up the attack of this turn (OS-27)."""
        return bool(re.search(rf"^{name}: .*next attack given up", self.seats, re.MULTILINE))


def enemy_of(name: str, state: State) -> str:
    """Choose a target: one still standing, in turns."""
    foes = ("Thug", "Guard") if name in FIGHTERS else ("Cass", "Bram", "Ada")
    standing = [foe for foe in foes if state.can(foe)] or list(foes)
    return standing[state.turns % len(standing)]


# the parts of the fight


def setting_up(state: State) -> Script:
    """Open the scene, hand out sheets and arms; everyone joins."""
    heard = yield Step(
        "Rhea",
        ("+scene/open Dockside Ambush=otherspace",),
        (r"^Scene \d+ \"Dockside Ambush\" is open\. Dice commitment: [0-9a-f]{64}\.",),
    )
    found = re.search(r"^Scene (\d+) ", heard["Rhea"], re.MULTILINE)
    state.scene = int(found[1]) if found else 0
    for name in FIGHTERS:
        yield Step(name, (f"+scene/join {state.scene}",), (rf"^(?:You join|{name} joins) scene",))
    sheets = [("Ada", "Pistol", "Great"), ("Bram", "Sword", "Great"), ("Cass", "Knife", "Good")]
    lines = [f"+set {name}/{skill}={level}" for name, skill, level in sheets]
    # So hard that some stand to the end.
    lines += [f"+set {name}/Constitution={HARD}" for name in FIGHTERS]
    yield Step("Rhea", tuple(lines), also={"Cass": (r"^Rhea sets your Constitution to",)})
    gear = ("Ada=pistol", "Bram=sword", "Cass=knife", "Cass=grenade", "Cass=grenade")
    given = {name: (rf"^{name} is given: \w+",) for name in FIGHTERS}
    yield Step("Rhea", tuple(f"+give {one}" for one in gear), also=given, label="given")
    for name, weapon in (("Ada", "pistol"), ("Bram", "sword"), ("Cass", "knife")):
        yield Step(name, (f"+wield {weapon}",), (rf"^{name} has {weapon} in hand\.",))


def starting(state: State) -> Script:
    """Bring the NPCs in, start, join and roll; players but Cass defend by themselves."""
    seen: tuple[str, ...]
    for name, template in (("Thug", "thug"), ("Guard", "guard")):
        seen = (rf"^{name} \(NPC, template {template}: .*\) is in the scene\.",)
        yield Step("Rhea", (f"+npc {name}={template}", f"+set {name}/Constitution={HARD}"), seen)
    rolled = (r"^\[Combat\] Rhea starts a fight\.", r"^\[Reaction\] \w+: .* = -?\d+\.")
    yield Step("Rhea", ("+combat/start",), rolled, label="started")
    for name in FIGHTERS:
        yield Step(name, ("+combat/join",), (rf"^\[Combat\] {name} joins the fight\.",))
    for name in ("Ada", "Bram"):
        seen = (rf"^\[Combat\] {name} defends with Dexterity from now on\.",)
        yield Step(name, ("+defend/always dexterity",), seen)
    for name in FIGHTERS:
        seen = (rf"^\[Reaction\] {name}: Dexterity .* = -?\d+\.",)
        if name == FIGHTERS[-1]:
            seen += (r"^\[Order\] (?:\w+ -?\d+(?: \(reroll .*?\))?(?:, )?){5}$", TURN)
        state.note((yield Step(name, ("+reaction",), seen, label="rolled")))


def player_turn(state: State) -> Script:
    """A player declares, the referee types one line, and everyone sees what came of it."""
    name, target = state.turn, enemy_of(state.turn, state)
    line, targets = f"+attack {target}=", 1
    if name == "Cass" and state.grenades and state.can("Thug") and state.can("Guard"):
        state.grenades -= 1
        line, target, targets = "+throw Thug, Guard=grenade, short", "Thug and Guard", 2
    elif name == "Ada":
        line += "pistol, 30 feet, walking"
    else:
        line += "sword, close" if name == "Bram" else "knife, close"
    number = r" #(\d+)$"
    declared = rf"^\[Attack\] {name} (?:attacks|throws at) {target} with .*\.{number}"
    also = {name: (r"Rhea has been asked\.",), "Rhea": (rf"^\[Ruling\] #\d+ {name} > ",)}
    heard = yield Step(name, (line,), (declared,), also, label="declared")
    found = re.search(declared, heard["Rhea"], re.MULTILINE)
    action = found[1] if found else "0"
    ruling = "+ok =-1 steam from the vents" if state.turns % 2 else "+ok"
    seen = (rf"^\[Roll\] {name}: .* #{action}", *((rf"{RESULT}.* #{action}",) * targets), TURN)
    before = state.turn, state.round
    state.note((yield Step("Rhea", (ruling,), seen, label="ruled")))
    if name == "Ada" and state.round >= 3 and not state.undone:
        state.undone = True
        undone = (rf"^\[Undo\] Rhea takes back #{action} \(wrong range\): .*Ada's turn again\.",)
        yield Step("Rhea", (f"+undo {action}=wrong range",), undone, label="undone")
        state.turn, state.round = before
        redone = (rf"^\[Redo\] Rhea lets #{action} stand again",)
        yield Step("Rhea", (f"+redo {action}",), redone, label="redone")
        yield Step("Rhea", (f"+undo {action}=after all",), (r"^\[Undo\] Rhea takes back",))


def npc_turn(state: State) -> Script:
    """The referee acts for an NPC with one line; who has not said how they defend is asked."""
    name, target = state.turn, enemy_of(state.turn, state)
    weapon = "knife" if name == "Thug" else "pistol, 30 feet"
    asked = target == "Cass" and state.can("Cass")
    declared = rf"^\[Attack\] {name} attacks {target} with {weapon.partition(',')[0]}"
    rolls = (declared, rf"^\[Roll\] {name}: ")
    line = f"{name}: +attack {target}={weapon}"
    seen: tuple[str, ...]
    if not asked:
        seen = (*rolls, rf"^\[Roll\] {target}: ", RESULT, TURN)
        state.note((yield Step("Rhea", (line,), seen, label="npc")))
        return
    question = {"Cass": (r"^\[Defend\] #\d+: Dexterity .* Type \+defend \d+ Dexterity or",)}
    yield Step("Rhea", (line,), rolls, question, label="asked")
    seen = (r"^\[Roll\] Cass: Dexterity ", RESULT, TURN)
    state.note((yield Step("Cass", ("+defend dexterity",), seen, label="answered")))


def rounds(state: State) -> Script:
    """Go on, by whose turn it is, until the rounds are over or nobody can act."""
    while state.turn and state.round <= ROUNDS:
        if state.gives_up(state.turn):
            state.note((yield Step("Rhea", ("+next",), (TURN,), label="passed")))
        elif state.turn in FIGHTERS:
            yield from player_turn(state)
        else:
            yield from npc_turn(state)


def ending(state: State) -> Script:
    """Stop; somebody has a wound to rule on; close."""
    victim = next((name for name in ("Guard", "Thug", *FIGHTERS) if state.can(name)), "")
    points = state.health(victim) - 50
    if victim and points > 0:
        line = f"+damage {victim}={points} the fall"
        fell = (rf"^\[Result\] {victim} takes {points} \(the fall\): health 50/100\.",)
        yield Step("Rhea", (line,), fell, label="damaged")
    over = (r"^\[Combat\] The fight is over\.",)
    proposed = {"Rhea": (rf"^\[Wounds\] Proposed: {victim}",)}
    yield Step("Rhea", ("+combat/stop",), over, proposed, label="proposed")
    wounds = (r"^\[Wounds\] \w+: \w+ Wounded, by Rhea \(after the fight\)\.",)
    yield Step("Rhea", ("+ok",), wounds, label="imposed")
    closed = (rf"^Scene {state.scene} is closed\. Dice seed: [0-9a-f]{{64}}\. Chain head: ",)
    yield Step("Rhea", ("+scene/close",), closed, label="closed")


def fight(state: State) -> Script:
    """Give the whole fight."""
    for part in (setting_up, starting, rounds, ending):
        yield from part(state)


# playing it


def wait_shown(client: Client, line: str) -> None:
    """Wait until a line was ever shown on a connection."""
    end = time.monotonic() + PATIENCE
    while line not in client.seen.splitlines():
        assert time.monotonic() < end, f"{client.name} is not told {line!r}: {client.seen!r}"
        client.pump(0.05)
    client.sync()


class Table:
    """The four at their clients; `shown` is what each saw happen, over all their connections."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.state = State()
        self.clients: dict[str, Client] = {}
        self.shown: dict[str, list[str]] = {name: [] for name in PLAYERS}
        self.typed: list[Step] = []

    def sit_down(self) -> None:
        """Log everyone in."""
        for name in PLAYERS:
            self.clients[name] = self.server.login(name)
        for client in self.clients.values():
            client.sync()

    def play(self, step: Step) -> dict[str, str]:
        """Type a step's lines; all must be shown what it says. Gives what each was shown."""
        start = {name: len(client.seen) for name, client in self.clients.items()}
        self.clients[step.who].send(*step.lines)
        for client in self.clients.values():
            for pattern in step.all:
                client.expect(pattern)
        self.settle(self.clients[step.who])
        heard = {n: _MARKS.sub("", c.seen[start[n] :]) for n, c in self.clients.items()}
        for name, patterns in step.also.items():
            for pattern in patterns:
                assert re.search(pattern, heard[name], re.MULTILINE), (pattern, name, heard[name])
        for name, text in heard.items():
            self.shown[name] += PUBLIC.findall(text)
        self.typed.append(step)
        self.state.seats = self.look("Rhea")["Rhea"]
        return heard

    def settle(self, first: Client) -> None:
        """Wait until all that one typed is done, and shown to everybody."""
        for client in (first, *(c for c in self.clients.values() if c is not first)):
            client.sync()

    def look(self, *names: str) -> dict[str, str]:
        """Ask the trackers of some, or of all, who have read all they were sent.

        Whom others see connect is no part of it: with several servers they hear it when all do.
        """
        answers = {}
        for name in names or PLAYERS:
            self.clients[name].send("+combat")
            answers[name] = _ARRIVALS.sub("", self.clients[name].sync())
        return answers

    def kill(self) -> None:
        """Kill the server, start it, log everyone in: each is told where the fight stands."""
        before = self.look()
        self.server.restart()
        self.sit_down()
        for name, board in before.items():
            where = board.splitlines()[0]
            if where.startswith("[Combat] "):
                wait_shown(self.clients[name], where)
        assert self.look() == before

    def run(self, after: Callable[[Step], None]) -> None:
        """Play the whole fight; `after` is called behind each step."""
        self.sit_down()
        script = fight(self.state)
        step = next(script)
        while True:
            heard = self.play(step)
            after(step)
            try:
                step = script.send(heard)
            except StopIteration:
                return


@dataclass
class Duel:
    """Ada with a pistol, who hits; Bram with a knife, who has the second turn; Rhea rules.

    Their levels are so far apart that all dice can do is count a blow as 13 to 25 of health: Ada
    has 20 - 4 at least, Bram 1 + 4 at most, 85% of all damage is kept off him. A ruling down to
    -10 leaves her a hit, too. She is first: 13 at least against 7 at most.
    """

    rhea: Client
    ada: Client
    bram: Client
    scene: int

    @property
    def all(self) -> tuple[Client, Client, Client]:
        return self.rhea, self.ada, self.bram

    def shoot(self, how: str = "", ruling: str = "+ok") -> tuple[int, int]:
        """Let Ada shoot, and Rhea rule; gives the action's number and Bram's health."""
        self.ada.send(f"+attack Bram=pistol, close{how}")
        self.rhea.expect(r"^\[Ruling\] #\d+ Ada > Bram, pistol")
        self.rhea.send(ruling)
        found = [
            one.expect(r"^\[Result\] Bram takes .*health (\d+)/100.*#(\d+)$") for one in self.all
        ]
        settle(*self.all)
        return int(found[0][2]), int(found[0][1])


def settle(*clients: Client) -> None:
    """Wait until what was typed is done and shown to all of these."""
    for client in clients * 2:
        client.sync()


def start_duel(server: Server, *settings: str) -> Duel:
    """Start a fight of two: it is Ada's turn, and Bram defends with Dexterity unasked."""
    rhea, ada, bram = server.logins("Rhea", "Ada", "Bram")
    scene = open_scene(rhea, "Duel", ada, bram)
    sheets = ("Ada/Dexterity=8", "Ada/Pistol=20", "Bram/Dexterity=1", "Bram/Constitution=17")
    rhea.ask(*(f"+set {one}" for one in sheets), "+give Ada=pistol", "+give Bram=knife", *settings)
    rhea.ask("+combat/start")
    ada.ask("+wield pistol", "+combat/join", "+reaction at 4")
    bram.ask("+wield knife", "+combat/join", "+defend/always dexterity", "+reaction at -4")
    settle(rhea, ada, bram)
    assert "[Turn] Round 1: Ada." in rhea.seen
    return Duel(rhea, ada, bram, scene)
