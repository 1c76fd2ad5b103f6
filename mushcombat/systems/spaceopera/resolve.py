"""From a ruling to a result: what was declared is done, each result applied as it falls (SO-4)."""

from __future__ import annotations

from dataclasses import replace

from mushcombat.domain.breakdown import Breakdown
from mushcombat.domain.command import WriteContext
from mushcombat.domain.events import Draft, Event, Who
from mushcombat.domain.fight import Pending
from mushcombat.domain.scene import Scene
from mushcombat.systems.fallen import drop_begun
from mushcombat.systems.pending import own_pending
from mushcombat.systems.spaceopera.board import NAMES, approach, bearing, path, step
from mushcombat.systems.spaceopera.declaring import aimed_at, exchange_of, split_chance
from mushcombat.systems.spaceopera.devices import harm_device
from mushcombat.systems.spaceopera.dice import (
    check,
    fling,
    roll_chance,
    roll_wound,
    through_armour,
)
from mushcombat.systems.spaceopera.events import DeviceHit, Noted, Struck
from mushcombat.systems.spaceopera.exchange import Exchange, parried, share_of, unparried
from mushcombat.systems.spaceopera.fighter import LOST
from mushcombat.systems.spaceopera.formulas import clamped, disarm_terms
from mushcombat.systems.spaceopera.mine import Desk, pass_turn
from mushcombat.systems.spaceopera.roster import NAME, WOUND, change_seat, set_thing
from mushcombat.systems.spaceopera.stance import Board, Stance, board_of, reaches
from mushcombat.systems.spaceopera.state import Act, load_act
from mushcombat.systems.spaceopera.tables import Thing, Wound


class Resolution:
    """One action whose time has come, within one job."""

    def __init__(self, desk: Desk, context: WriteContext, scene: Scene, pending: Pending) -> None:
        self._desk = desk
        self._tables = desk.tables
        self._context = context
        self._scene = scene
        self._pending = pending
        self._act: Act = load_act(pending.state)
        self._drafts: list[Draft] = []
        self._whole: Breakdown | None = None

    def run(self) -> list[Draft]:
        """Do what was declared, and pass the turn on."""
        self._face()
        match self._act.kind:
            case "attack":
                self._whole = split_chance(
                    self._pending.actor, self._act, self._board(), self._tables
                )
                for place in range(len(self._act.targets)):
                    self._strike(place)
            case "disarm" | "device":
                self._at_device()
            case "move":
                self._move()
        key = (self._scene.id, self._pending.action)
        self._context.store.remove("pending", key, "what is pending")
        return self._drafts + pass_turn(self._desk, self._context, self._pending.action)

    # what all need

    def _board(self) -> Board:
        return board_of(self._context, self._scene.id, self._tables)

    def _everyone(self) -> dict[int, Stance]:
        return self._board().everyone

    def _me(self) -> Stance:
        return self._everyone()[self._pending.actor]

    def _show(self, event: Event, who: Stance | None = None) -> None:
        me = who or self._me()
        actor = Who(me.id, me.name)
        draft = Draft(event, ledger=self._scene.id, action=self._pending.action, actor=actor)
        self._drafts.append(draft)

    def _note(self, who: Stance, text: str) -> None:
        self._show(Noted(who.id, who.name, text), who)

    def _target(self, place: int) -> Stance | None:
        """Give a target that is still within reach, in front; None, and say so, for no other."""
        everyone, one = self._everyone(), self._act.targets[place]
        target = everyone.get(one)
        weapon = self._tables.weapon(self._act.weapon)
        if target is not None and reaches(self._me(), target, weapon):
            return target
        name = self._context.store.names([one])[one]
        away = Noted(one, name, "is out of reach")
        self._show(away)
        return None

    def _face(self) -> None:
        """SO-7, SO-8: turn to whom one declared to turn to."""
        me = self._me()
        target = self._everyone().get(me.seat.turn_to or 0)
        if target is not None:
            facing = bearing(me.square, target.square)
            change_seat(self._context, me.combatant, facing=facing)
            self._note(me, f"turns to face {target.name}")

    # the blow

    def _exchange(self, target: Stance) -> Exchange:
        board = self._board()
        me = board.everyone[self._pending.actor]
        return exchange_of(me, target, self._act.weapon, board, self._tables)

    def _strike(self, place: int) -> None:
        """SO-9 to SO-11: roll to hit; a miss that only the parry made may harm the device."""
        target = self._target(place)
        if target is None:
            return
        exchange = self._exchange(target)
        full = self._chance(exchange, place)
        chance = parried(exchange, full)
        event, roll = roll_chance(
            self._context, exchange.attacker, "to hit", chance, "a hit", "no hit"
        )
        self._show(event)
        if roll <= chance.total:
            self._wound(target, exchange, stopped=False)
        elif exchange.guard and roll <= clamped(full).total:
            thing = exchange.guard[0]
            self._show(Struck(target.id, target.name, "parried", thing.name))
            self._harm(target, exchange, thing)
        else:
            self._show(Struck(target.id, target.name, "missed"))

    def _chance(self, exchange: Exchange, place: int) -> Breakdown:
        """Give the chance without the parry, or the share of it as it was before any strike."""
        act, whole = self._act, self._whole
        share = share_of(whole, act.shares, place) if whole else None
        return unparried(exchange, self._tables, *act.rulings, share=share)

    def _harm(self, target: Stance, exchange: Exchange, thing: Thing) -> None:
        """SO-16 to SO-19: what the parry did to the device; the blow may go through."""
        events, through = harm_device(self._context, exchange, thing, self._act.tech, self._tables)
        for event in events:
            self._show(event)
        fate = next((e.fate for e in events if isinstance(e, DeviceHit)), "")
        if fate in {"breaks", "is ruined", "is penetrated and destroyed", "is destroyed"}:
            self._empty_hand(target, thing)
            self._drop_with(target, thing)
        if through:
            self._wound(target, exchange, stopped=True)

    def _empty_hand(self, target: Stance, thing: Thing) -> None:
        """Take what is gone out of the hand it was in."""
        now = self._everyone()[target.id].seat
        weapon = "unarmed" if now.weapon == thing.name else now.weapon
        device = "" if now.device == thing.name else now.device
        parry = "" if now.parry == thing.name else now.parry
        change_seat(self._context, target.combatant, weapon=weapon, device=device, parry=parry)

    def _drop_with(self, target: Stance, thing: Thing) -> None:
        """SO-4: drop what was declared with what is gone now: each result counts as it falls."""
        for pending in own_pending(self._context, self._scene, target.id):
            if load_act(pending.state).weapon == thing.name:
                key = (self._scene.id, pending.action)
                self._context.store.remove("pending", key, "what is pending")
                why = f"has no {thing.name} any more: #{pending.action} is dropped"
                self._note(target, why)

    def _wound(self, target: Stance, exchange: Exchange, *, stopped: bool) -> None:
        """SO-25, SO-26: through the armour, and how bad it is."""
        rolled, goes = through_armour(
            self._context,
            exchange.attacker,
            exchange.weapon,
            target.fighter,
            self._tables,
            stopped=stopped,
        )
        if rolled is not None:
            self._show(rolled)
        if not goes:
            self._show(Struck(target.id, target.name, "stopped"))
            return
        event, wound = roll_wound(self._context, exchange.attacker, exchange.weapon, self._tables)
        self._show(event)
        self._take(target, wound)

    def _take(self, target: Stance, wound: Wound) -> None:
        """Note a wound; who is out of the fight by it drops what they had declared."""
        sheet = self._context.store.sheet(target.id, NAME)
        count = (sheet.level(WOUND, wound.name) or 0) + 1
        self._context.store.set_trait(target.id, NAME, WOUND, wound.name, count)
        effect = effect_of(wound)
        struck = Struck(target.id, target.name, "wounded", "", wound.name, effect, wound.out)
        self._show(struck)
        dropped = drop_begun(self._context, self._desk.rules, Noted, target.combatant)
        self._drafts += [replace(draft, action=self._pending.action) for draft in dropped]

    # disarming, and strikes at devices

    def _at_device(self) -> None:
        """SO-20: at what somebody holds; there is no parry against it."""
        target = self._target(0)
        if target is None:
            return
        thing = aimed_at(target, self._act.at, self._tables)
        if thing is None:
            self._note(target, "has nothing in that hand any more")
            return
        exchange = self._exchange(target)
        terms = disarm_terms(exchange.target, thing, self._act.at, self._tables)
        chance = clamped(unparried(exchange, self._tables, *terms, *self._act.rulings))
        what = "disarm" if self._act.kind == "disarm" else "at the device"
        event, roll = roll_chance(self._context, exchange.attacker, what, chance, "a hit", "no hit")
        self._show(event)
        if roll > chance.total:
            self._show(Struck(target.id, target.name, "missed"))
        elif self._act.kind == "device":
            self._harm(target, exchange, thing)
        else:
            self._disarm(target, thing)

    def _disarm(self, target: Stance, thing: Thing) -> None:
        """SO-21, SO-22: held on to by strength where the referee allows it, else it flies."""
        if self._act.hold:
            event, made = check(self._context, target.fighter, "Strength", None, self._tables)
            self._show(event, target)
            if made:
                until = self._board().round + 1
                change_seat(self._context, target.combatant, grip=thing.name, grip_until=until)
                held = "is held, and of no use in the next phase"
                self._show(DeviceHit(target.id, target.name, thing.name, held))
                return
        flight, metres, direction = fling(self._context, target.fighter, self._tables)
        self._show(flight, target)
        x, y = step(target.square, direction, metres)
        far = (
            f"flies {metres} m {NAMES[direction]}, to {x},{y}" if metres else "drops at their feet"
        )
        set_thing(self._context, target.id, thing.name, LOST)
        self._empty_hand(target, thing)
        self._show(DeviceHit(target.id, target.name, thing.name, far))
        self._drop_with(target, thing)

    # walking

    def _move(self) -> None:
        """SO-1: walk as far as the way is free, and face where one goes."""
        me, everyone, act = self._me(), self._everyone(), self._act
        taken = {other.square for other in everyone.values()}
        target = everyone.get(act.targets[0]) if act.targets else None
        if target is not None:
            square = approach(me.square, target.square, act.squares, taken)
            facing = bearing(square, target.square)
        else:
            facing = me.seat.facing if act.direction is None else act.direction
            square = path(me.square, facing, act.squares, taken)
        change_seat(self._context, me.combatant, x=square[0], y=square[1], facing=facing)
        self._note(me, f"is at {square[0]},{square[1]} now, facing {NAMES[facing]}")


def effect_of(wound: Wound) -> str:
    """Write what a wound does (SO-26)."""
    words = [
        f"{-wound.factor} off the HTH factor" if wound.factor else "",
        "no multiple attacks" if wound.no_split else "",
        "out of the fight" if wound.out else "",
    ]
    return ", ".join(word for word in words if word) or "no effect"
