"""Declaring an action: +attack, +disarm, +grapple, +throw, +psi, and the free +counter.

All that the server knows is worked out and shown before the referee rules (OS-55).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from mushcombat.domain.character import Character
from mushcombat.domain.command import Access, Call, Lane, Outcome, Verb, WriteContext
from mushcombat.domain.events import Audience, Draft
from mushcombat.domain.fight import ON, RULING, Combatant, Pending, Told
from mushcombat.domain.numbers import counted
from mushcombat.domain.text import clip, listing
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.systems import tracker
from mushcombat.systems.otherspace.arms import UNARMED, card_held, find_weapon, holds_polearm
from mushcombat.systems.otherspace.attack import attack_terms, check_possible
from mushcombat.systems.otherspace.combat_events import Declared
from mushcombat.systems.otherspace.combat_state import Act, Seat, dump, load_act
from mushcombat.systems.otherspace.fighter import Fighter
from mushcombat.systems.otherspace.resolve import Desk, Resolution
from mushcombat.systems.otherspace.roster import NAME, fighter_of, seat_of, why_helpless
from mushcombat.systems.otherspace.situation import (
    Maneuver,
    Situation,
    band_of,
    card_of,
    is_melee,
    read_modifiers,
)
from mushcombat.systems.otherspace.spend import situation_now, snipes
from mushcombat.systems.otherspace.watch import ruling_text
from mushcombat.systems.pending import own_pending, write_pending
from mushcombat.systems.people import check_shown
from mushcombat.systems.rulings import read_rulings, split_rulings
from mushcombat.systems.terms import written


@record(frozen=True, slots=True)
class Declaration:
    """Arguments of +attack and its kin, as typed."""

    targets: tuple[str, ...]
    weapons: tuple[str, ...]
    modifiers: tuple[str, ...]
    rulings: tuple[str, ...]


def parse_declaration(call: Call) -> Declaration:
    """Parse `<target>[, <target>][=<weapon>[+<second>][, <modifier>, ...]]`."""
    left, right = call.sides()
    targets = tuple(name.strip() for name in left.split(",") if name.strip())
    if not targets:
        raise call.wrong()
    weapon, *items = (item.strip() for item in (right or "").split(","))
    rulings, modifiers = split_rulings(items)
    hands = tuple(part.strip() for part in weapon.split("+")) if weapon else ("",)
    return Declaration(targets, hands, tuple(modifiers), tuple(rulings))


def parse_grapple(call: Call) -> Declaration:
    """Parse `<target>[, <modifier>, ...]`, or the same with `=` as for a weapon (OS-53)."""
    left, right = call.sides()
    target, *items = (item.strip() for item in (*left.split(","), *(right or "").split(",")))
    if not target:
        raise call.wrong()
    rulings, modifiers = split_rulings([i for i in items if i.casefold() != UNARMED])
    return Declaration((target,), ("",), tuple(modifiers), tuple(rulings))


class Declaring:
    """One declaration, within one job."""

    def __init__(self, desk: Desk, context: WriteContext, *, free: bool = False) -> None:
        self._desk = desk
        self._tables = desk.tables
        self._context = context
        self._free = free
        self._scene = tracker.scene_of(context)
        self._fight = tracker.fight_of(context, ON)
        self._combatant, self._seat = self._my_seat()
        self._me = self._fighter(context.actor.id)

    def _fighter(self, character: int) -> Fighter:
        return fighter_of(self._context.store, character, self._context.now, self._tables)

    def _my_seat(self) -> tuple[Combatant, Seat]:
        found = seat_of(self._context, self._scene.id, self._context.actor.id)
        if found is None:
            raise MushError("fight", "You are not in the fight.", "Join it with +combat/join.")
        why = why_helpless(self._context.store, found[0], self._context.now, self._tables)
        if why:
            raise MushError("fight", f"{found[0].name} can't act: {why}.", "+combat shows it.")
        return found

    def check_turn(self) -> None:
        """Refuse out of turn, or while something of one's own is pending."""
        if own_pending(self._context, self._scene, self._me.id):
            raise MushError("turn", "You have an action pending.", "+combat shows it.")
        if self._free:
            return
        if self._fight.turn != self._me.id:
            raise MushError("turn", "It is not your turn.", "+combat shows whose it is.")
        if self._seat.no_attack:
            text = "Athletics or full defence cost you this attack (OS-27)."
            raise MushError("turn", text, "Pose, then +next.")

    def targets(self, typed: Sequence[str]) -> list[Character]:
        """Find the targets: others in the fight, each once (OS-18, OS-54)."""
        found = [self._target(name) for name in typed]
        for them in found:
            if found.count(them) > 1:
                raise MushError("target", f"{them.name} is named twice.", "Name each one once.")
        return found

    def _target(self, name: str) -> Character:
        found = self._context.find_here(name)
        if len(found) != 1:
            problem = "Nobody" if not found else "More than one"
            raise MushError(
                "target", f'{problem} of the fight is called "{clip(name)}".', "+combat lists it."
            )
        if found[0].id == self._me.id:
            raise MushError("target", "That is you.", "Name somebody else.")
        if seat_of(self._context, self._scene.id, found[0].id) is None:
            raise MushError("target", f"{found[0].name} is not in the fight.", "+combat lists it.")
        return found[0]

    def situations(self, maneuver: Maneuver, declared: Declaration) -> tuple[Situation, ...]:
        """Work out each hand's situation, and refuse what can't be."""
        base = read_modifiers(declared.modifiers, self._tables, Situation(maneuver=maneuver))
        hands = self._hands(base, declared.weapons)
        for hand in hands:
            check_possible(self._me, hand, self._tables)
        return hands

    def _hands(self, base: Situation, weapons: Sequence[str]) -> tuple[Situation, ...]:
        if len(weapons) > 2:
            raise MushError("weapon", "Two hands hold two weapons.", "<first>+<second>")
        made = [self._hand(base, typed) for typed in weapons]
        if len(made) == 1:
            return (made[0],)
        self._check_pair(*made)
        return replace(made[0], hand="first"), replace(made[1], hand="second")

    def _check_pair(self, first: Situation, second: Situation) -> None:
        """OS-31: two of a kind are two that are carried; two fists everyone has."""
        items = self._context.store.items(self._me.id, NAME)
        single = {item.name for item in items if item.count == 1}
        if first.weapon == second.weapon and first.weapon in single and not first.improvised:
            text = f"{self._me.name} carries no second {first.weapon}."
            raise MushError("weapon", text, "Name the weapon once.")

    def _hand(self, base: Situation, typed: str) -> Situation:
        weapon = ""
        if base.maneuver != "grapple":
            found = find_weapon(
                self._context.store, self._me, typed, self._tables, improvised=base.improvised
            )
            weapon = found.name
        held = bool(base.card) and card_held(self._context.store, self._me, base.card)
        hand = replace(base, weapon=weapon, card_held=held)
        return situation_now(hand, self._scene, self._seat, self._fight.round)

    def closing(
        self, hands: tuple[Situation, ...], targets: Sequence[int]
    ) -> tuple[Situation, ...]:
        """OS-21: the first melee attack on who holds a polearm closes in.

        That counts for all one's attacks of the round: a free counterattack, and one's own turn.
        """
        melee = any(is_melee(hand, self._tables) for hand in hands)
        closes = melee and any(self._closes_in_on(target) for target in targets)
        if not closes and self._seat.closed_in != self._fight.round:
            return hands
        return tuple(replace(hand, closing=True) for hand in hands)

    def _closes_in_on(self, target: int) -> bool:
        them, found = self._fighter(target), seat_of(self._context, self._scene.id, target)
        outside = found is not None and self._me.id not in found[1].closed
        return outside and holds_polearm(them, self._tables)

    def _check_targets(self, hands: tuple[Situation, ...], targets: Sequence[Character]) -> None:
        """Refuse more targets than the attack reaches, and to disarm an empty hand (OS-52)."""
        card = card_of(hands[0], self._tables)
        most = card.targets if card else 1
        if hands[0].maneuver in {"throw", "detonate"}:
            return
        if len(targets) > most:
            fewer = "Name one." if most == 1 else f"Name {most} at most."
            raise MushError("target", f"This reaches {counted(most, 'target')}.", fewer)
        if hands[0].maneuver == "disarm" and not self._fighter(targets[0].id).wielded:
            text = f"{targets[0].name} has nothing in hand to lose."
            raise MushError("target", text, "Try +grapple or +attack.")

    def _check_round(self, hands: tuple[Situation, ...]) -> None:
        """Refuse what this round was given for already: OS-16 a railgun, OS-29 a sniper's shot."""
        seat, round_ = self._seat, self._fight.round
        if seat.warm_from == round_ + 1 and not self._free:
            text = "Activating the railgun takes this turn's attack (OS-16)."
            raise MushError("turn", text, "Pose, then +next.")
        if seat.sniped == round_ and any(snipes(hand, self._tables) for hand in hands):
            raise MushError(
                "turn", "A sniper rifle fires once a round (OS-29).", "Try another weapon."
            )

    def _check_shown(self, maneuver: Maneuver, targets: Sequence[Character]) -> None:
        """Refuse what would be half shown; but a blast catches whom the referee says it does."""
        check_shown(self._context, self._me.id, self._me.name)
        if maneuver not in {"throw", "detonate"}:
            for target in targets:
                check_shown(self._context, target.id, target.name)

    def declare(self, maneuver: Maneuver, declared: Declaration) -> list[Draft]:
        """Make the action pending, or go on with it at once where nobody has to rule."""
        self.check_turn()
        targets = self.targets(declared.targets)
        ids = tuple(target.id for target in targets)
        hands = self.closing(self.situations(maneuver, declared), ids)
        self._check_targets(hands, targets)
        self._check_shown(maneuver, targets)
        self._check_round(hands)
        if declared.rulings and self._context.by is None:
            raise MushError(
                "modifier", "The referee rules modifiers.", "Leave out + and - numbers."
            )
        rulings = read_rulings(self._context, declared.rulings, "OS-3")
        act = Act(hands=hands, targets=ids, rulings=rulings, free=self._free)
        event = Declared(
            hands[0].maneuver,
            tuple(target.name for target in targets),
            " and ".join(hand.weapon for hand in hands if hand.weapon),
            how(hands[0], self._desk),
            ids,
        )
        drafts = [self._context.show(event)]
        return drafts + self._pend(act)

    def _pend(self, act: Act) -> list[Draft]:
        number = self._context.store.next_seq(self._scene.id)
        pending = Pending(
            self._scene.id,
            number,
            act.hands[0].maneuver,
            self._me.id,
            RULING,
            None,
            None,
            dump(act),
        )
        write_pending(self._context, pending)
        resolution = Resolution(self._desk, self._context, self._scene, pending)
        if self._scene.mode == "open" or self._context.by is not None:
            return resolution.begin()
        text = ruling_text(self._context, pending, self._tables)
        return [Draft(Told(text), Audience.REFEREES, self._scene.id, number)]

    def waiting(self) -> tuple[str, ...]:
        """Tell the actor what it comes to, and who is asked, if it waits for a ruling."""
        mine = own_pending(self._context, self._scene, self._me.id)
        if not mine or mine[0].stage != RULING:
            return ()
        pending = mine[0]
        terms = attack_terms(self._me, load_act(pending.state).situation, self._tables)
        names = self._context.store.names(sorted(self._scene.referees))
        asked = listing(sorted(names.values())) or "Any staff"
        has = "have" if len(names) > 1 else "has"
        return (f"{written(terms)} before the referee's ruling. {asked} {has} been asked.",)


def how(situation: Situation, desk: Desk) -> str:
    """Write what is known of the circumstances: "at 30 feet (medium), walking, lethal"."""
    band = band_of(situation, desk.tables)
    feet = f"at {situation.feet} feet ({band})" if situation.feet is not None else ""
    range_ = feet or (f"at {band} range" if band else "")
    words = (
        range_,
        f"cover {situation.cover}%" if situation.cover else "",
        situation.movement,
        *(
            word
            for word in ("blind", "improvised", "closing", "back", "stun", "lethal")
            if getattr(situation, word)
        ),
        f"card {situation.card}" if situation.card else "",
    )
    return ", ".join(word for word in words if word)


def _declares(desk: Desk, maneuver: Maneuver) -> Callable[[WriteContext, Declaration], Outcome]:
    def run(context: WriteContext, declared: Declaration) -> Outcome:
        declaring = Declaring(desk, context)
        drafts = declaring.declare(maneuver, declared)
        return Outcome.of(*drafts, reply=declaring.waiting())

    return run


def _counter(desk: Desk, context: WriteContext, weapon: str) -> Outcome:
    """OS-30: strike back, free, at whom one has just defended against so well."""
    found = seat_of(context, tracker.scene_of(context).id, context.actor.id)
    against = found[1].counter if found else None
    if against is None or against in context.unknown:
        raise MushError("counter", "You have no counterattack (OS-30).", "+combat shows it.")
    declaring = Declaring(desk, context, free=True)
    name = context.store.names([against])[against]
    declared = Declaration((name,), (weapon,), (), ())
    return Outcome.of(*declaring.declare("attack", declared))


def declare_verbs(desk: Desk) -> tuple[Verb, ...]:
    """Give the verbs of this file."""

    def verb(name: str, what: str, maneuver: Maneuver) -> Verb:
        return Verb(
            name,
            f"{name} <target>{what}[, <modifier>, ...]",
            Access.PLAYER,
            Lane.WRITE,
            parse_grapple if maneuver == "grapple" else parse_declaration,
            _declares(desk, maneuver),
            shown=True,
            stands_in=True,
        )

    return (
        verb("+attack", "=<weapon>[+<second>]", "attack"),
        verb("+disarm", "=<weapon>", "disarm"),
        verb("+grapple", "", "grapple"),
        verb("+throw", "[, <target>]=<grenade>", "throw"),
        verb("+detonate", "[, <target>]=<grenade>", "detonate"),
        verb("+psi", "=<skill>", "psi"),
        Verb(
            "+counter",
            "+counter[ <weapon>]",
            Access.PLAYER,
            Lane.WRITE,
            lambda call: call.text,
            partial(_counter, desk),
            shown=True,
            stands_in=True,
        ),
    )
