"""From a ruling to a result: attack roll, defence, damage, health, the next turn.

An action is a row of strikes (each hand of a dual wielder at each target). `proceed` goes on
until somebody has to do something, and says so; what it knows is in the database after each step.
"""

from __future__ import annotations

from dataclasses import replace

from mushcombat.domain.breakdown import Term
from mushcombat.domain.command import WriteContext
from mushcombat.domain.events import Audience, Draft, Event, Who
from mushcombat.domain.fight import DAMAGE, DEFENCE, ON, ROLL, Combatant, Pending, Told
from mushcombat.domain.scene import Scene
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.systems import tracker
from mushcombat.systems.asking import ask
from mushcombat.systems.fallen import drop_begun, pass_on
from mushcombat.systems.otherspace import contests
from mushcombat.systems.otherspace.answers import choices_of, chosen
from mushcombat.systems.otherspace.attack import attack_terms
from mushcombat.systems.otherspace.beside import explode, hold_on, no_defence
from mushcombat.systems.otherspace.combat_events import Disarmed, Noted
from mushcombat.systems.otherspace.combat_state import Seat, dump, load_act
from mushcombat.systems.otherspace.damage import Blow, blow
from mushcombat.systems.otherspace.defence import Choice
from mushcombat.systems.otherspace.events import Rolled
from mushcombat.systems.otherspace.fighter import Fighter, rolled
from mushcombat.systems.otherspace.formulas import beats
from mushcombat.systems.otherspace.landing import Landing, land, missed
from mushcombat.systems.otherspace.questions import (
    approval_text,
    blow_of,
    counter_text,
    question,
    roll_text,
)
from mushcombat.systems.otherspace.roster import (
    change_seat,
    fighter_of,
    seat_of,
    seated,
    seconds,
    why_helpless,
)
from mushcombat.systems.otherspace.situation import card_of
from mushcombat.systems.otherspace.spend import spend, take_one
from mushcombat.systems.otherspace.tables import Tables
from mushcombat.systems.otherspace.wounds import Harm
from mushcombat.systems.tracker import FightRules


@record(frozen=True, slots=True)
class Desk:
    """What resolving needs of the system: its tables and its rules for the tracker."""

    tables: Tables
    rules: FightRules


class Resolution:
    """One action on its way, within one job."""

    def __init__(self, desk: Desk, context: WriteContext, scene: Scene, pending: Pending) -> None:
        self._desk = desk
        self._tables = desk.tables
        self._context = context
        self._scene = scene
        self._pending = pending
        self._act = load_act(pending.state)
        self._drafts: list[Draft] = []

    # what others do to it

    def rule(self, terms: tuple[Term, ...]) -> None:
        """Add the referee's terms."""
        self._act = replace(self._act, rulings=(*self._act.rulings, *terms))

    def choose(self, choice: str, note: str = "", card: str = "") -> None:
        """Take the defender's choice for the present strike, and a card of theirs."""
        self._act = replace(self._act, choice=choice, note=note, card=card)

    def surprise(self) -> None:
        """Let the targets not see it coming, by the referee's ruling (OS-26)."""
        self._act = replace(self._act, unaware=True)

    def approve(self) -> None:
        """Let the present strike's damage stand (strict mode)."""
        self._act = replace(self._act, approved=True)

    def proceed(self) -> list[Draft]:
        """Go on until somebody has to do something, or all is done."""
        while not self._act.done:
            if not self._target_stands():
                self._next_strike()
                continue
            if self._stage():
                return self._drafts
        self._finish()
        return self._drafts

    def begin(self, terms: tuple[Term, ...] = ()) -> list[Draft]:
        """Go on from the ruling: what the action uses up is used up now."""
        self.rule(terms)
        spend(self._context, self._scene, self._pending.actor, self._act, self._tables)
        if self._scene.rolls == "manual" and self._context.by is None:
            return self.wait_for_roll()
        return self.proceed()

    @property
    def number(self) -> int:
        """The action's number in the log."""
        return self._pending.action

    def make_lethal(self) -> list[Draft]:
        """Record lethal intent before the roll (OS-49)."""
        if self._act.attacks:
            raise MushError("lethal", "The roll has been made.", "Declare it before (OS-49).")
        hands = tuple(replace(hand, lethal=True) for hand in self._act.hands)
        self._act = replace(self._act, hands=hands)
        self._wait(self._pending.stage, self._pending.owner)
        me = self._fighter(self._pending.actor)
        return [self._draft(Noted(me.id, me.name, "means to kill"))]

    def spare(self) -> list[Draft]:
        """Let the present strike do nothing, by the referee's ruling, and go on."""
        self._next_strike()
        return self.proceed()

    def wait_for_roll(self) -> list[Draft]:
        """Wait for the attacker's +go, in a scene of manual rolls."""
        self._wait(ROLL, self._pending.actor)
        attacker, _ = self._seat(self._pending.actor)
        text = roll_text(self.number)
        return [ask(attacker, text, text, self.number)]

    # steps

    def _stage(self) -> bool:
        """Do what the present strike needs next; True when it has to wait."""
        if self._act.situation.maneuver == "detonate":
            self._explode()
            return False
        if len(self._act.attacks) <= self._act.hand:
            self._roll_attack()
        if self._act.defence is None and not self._defend():
            return True
        if self._scene.mode == "strict" and not self._act.approved and self._hits():
            self._ask_approval()
            return True
        self._apply()
        self._next_strike()
        return False

    def _fighter(self, character: int) -> Fighter:
        return fighter_of(self._context.store, character, self._context.now, self._tables)

    def _seat(self, character: int) -> tuple[Combatant, Seat]:
        return seated(self._context, self._scene.id, character)

    def _draft(self, event: Event, actor: int | None = None) -> Draft:
        who = None
        if actor is not None:
            who = Who(actor, self._context.store.names([actor])[actor])
        return Draft(event, ledger=self._scene.id, action=self.number, actor=who)

    def _show(self, event: Event, actor: int | None = None) -> None:
        self._drafts.append(self._draft(event, actor or self._pending.actor))

    def _target_stands(self) -> bool:
        """Tell whether the target is still in the fight; if not, the strike finds nobody."""
        if seat_of(self._context, self._scene.id, self._act.target):
            return True
        name = self._context.store.names([self._act.target])[self._act.target]
        self._show(Noted(self._act.target, name, "is out of reach: the attack finds nobody"))
        return False

    def _roll_attack(self) -> None:
        attacker, situation = self._fighter(self._pending.actor), self._act.situation
        terms = attack_terms(attacker, situation, self._tables)
        throw = self._tables.dice.throw(self._context.dice, "attack")
        breakdown = rolled(terms, throw, self._tables, self._act.rulings)
        word = self._tables.ladder.word(breakdown.total)
        self._show(Rolled(attacker.id, attacker.name, terms[0].text, word, breakdown))
        self._act = replace(self._act, attacks=(*self._act.attacks, breakdown.total))

    def choices(self) -> tuple[Choice, ...]:
        """Give how the present target may defend."""
        return choices_of(self._context, self._scene.id, self._act, self._act.strike, self._tables)

    def _defend(self) -> bool:
        """Roll the defence if it is known how; else ask, and wait."""
        target, seat = self._seat(self._act.target)
        options = self.choices()
        found = chosen(self._context, self._act, (target, seat), options, self._tables)
        if found is None:
            self._ask_defender(target, options)
            return False
        choice, note = found
        self._act = replace(self._act, note=note)
        helpless = no_defence(
            self._context, self._scene.id, self._act.target, self._act, self._tables
        )
        if helpless is None:
            self._roll_defence(target, seat, choice)
        else:
            self._show(helpless)
            self._act = replace(self._act, defence=helpless.level)
        return True

    def _roll_defence(self, target: Combatant, seat: Seat, choice: Choice) -> None:
        throw = self._tables.dice.throw(self._context.dice, "defence")
        breakdown = rolled(choice.terms, throw, self._tables)
        word = self._tables.ladder.word(breakdown.total)
        event = Rolled(target.character, target.name, choice.name, word, breakdown, self._act.note)
        self._show(event, target.character)
        change_seat(
            self._context,
            target,
            seat,
            defences=seat.defences + 1,
            full=seat.full or choice.costs_next_attack,
            no_attack=seat.no_attack or choice.costs_next_attack,
        )
        if self._act.card:
            take_one(self._context, target.character, self._act.card)
        self._act = replace(self._act, defence=breakdown.total)

    def _ask_defender(self, target: Combatant, options: tuple[Choice, ...]) -> None:
        due = seconds(self._context.now) + self._tables.combat.pace.defence_seconds
        self._wait(DEFENCE, target.character, due)
        text = question(self.number, options)
        self._drafts.append(ask(target, text, text, self.number))

    def _hits(self) -> bool:
        attack, against = self._act.attacks[self._act.hand], self._act.defence or 0
        return beats(attack, against, self._tables)

    def _blow(self) -> Blow:
        return blow_of(self._context, self._pending.actor, self._act, self._tables)

    def _ask_approval(self) -> None:
        self._wait(DAMAGE, None)
        text = approval_text(self.number, self._blow())
        self._drafts.append(Draft(Told(text), Audience.REFEREES, self._scene.id, self.number))

    def _apply(self) -> None:
        """Show what came of the strike, and make it so."""
        attack, against = self._act.attacks[self._act.hand], self._act.defence or 0
        if not self._hits():
            target = self._fighter(self._act.target)
            self._show(missed(self._context, target, (attack, against)))
            self._offer_counter(attack, against)
        elif self._act.situation.maneuver == "disarm":
            self._disarm(attack - against)
        else:
            self._land(self._act.target, (attack, against), self._blow())
        self._leave_effects()

    def _land(self, target: int, rolls: tuple[int, int], landed: Blow) -> None:
        """Make a blow that lands so: harm, and the line that tells."""
        situation = self._act.situation
        both = self._seat(target)[0].player and self._attacks_as_player()
        harm = Harm(landed.kind, landed.amount, situation.lethal, self.number, between_players=both)
        blast = situation.maneuver == "detonate"
        landing = Landing(self._scene, self._fighter(target), rolls, landed, harm, blast=blast)
        struck, told = land(self._context, landing, self._tables)
        self._show(struck)
        if told is not None:
            self._drafts.append(Draft(told, Audience.REFEREES, self._scene.id, self.number))
        seat, rules = self._seat(target)[0], self._desk.rules
        dropped = drop_begun(self._context, rules, Noted, seat, but=self.number)
        self._drafts += [replace(draft, action=self.number) for draft in dropped]

    def _attacks_as_player(self) -> bool:
        found = seat_of(self._context, self._scene.id, self._pending.actor)
        return found is not None and found[0].player

    def _disarm(self, margin: int) -> None:
        """OS-52: who loses by m rolls Strength at -m, and needs Fair to hold on."""
        target = self._fighter(self._act.target)
        if not target.wielded:
            self._show(Noted(target.id, target.name, "has nothing in hand any more"))
            return
        roll, held = hold_on(self._context, target, margin, self._tables)
        self._show(roll, target.id)
        self._show(Disarmed(target.id, target.name, target.wielded, held))

    def _explode(self) -> None:
        """OS-19: all at once; whoever is caught is hit without a margin, the holder as well."""
        others = [t for t in self._act.targets if seat_of(self._context, self._scene.id, t)]
        holder = self._fighter(self._pending.actor)
        blast = explode(
            self._context, holder, self._act, [self._fighter(o) for o in others], self._tables
        )
        for event in blast.events:
            self._show(event, event.subject)
        for character in blast.hit:
            landed = blow(holder, self._fighter(character), self._act.situation, 0, 0, self._tables)
            self._land(character, (0, 0), landed)
        self._act = replace(self._act, strike=len(self._act.targets) * len(self._act.hands) - 1)
        self._next_strike()

    def _offer_counter(self, attack: int, against: int) -> None:
        """OS-30: a melee defence four levels better earns a free counterattack."""
        target, seat = self._seat(self._act.target)
        earned = contests.may_counter(
            self._act.situation,
            attack,
            against,
            self._tables,
            card=self._act.card,
            countering=self._act.free,
        )
        if not earned or self._act.unaware or self._helpless_now(target):
            return
        change_seat(self._context, target, seat, counter=self._pending.actor)
        name = self._fighter(self._pending.actor).name
        told = (
            f"[Counter] {target.name} may strike back at {name}, free:"
            f" {target.name}: +counter[ <weapon>]"
        )
        asked = ask(target, counter_text(name), told, self.number, self._pending.actor)
        self._drafts.append(asked)

    def _helpless_now(self, target: Combatant) -> bool:
        return bool(why_helpless(self._context.store, target, self._context.now, self._tables))

    def _leave_effects(self) -> None:
        """Leave what a card does to the target's next attack."""
        card = card_of(self._act.situation, self._tables)
        if card and card.next_attack and self._hits():
            target, seat = self._seat(self._act.target)
            term = Term(card.next_attack, f"{-card.next_attack} ({card.name})", "-", "OS-54")
            change_seat(self._context, target, seat, next_attack=(*seat.next_attack, term))

    def _next_strike(self) -> None:
        self._act = replace(
            self._act,
            strike=self._act.strike + 1,
            defence=None,
            choice="",
            note="",
            card="",
            approved=False,
        )

    def _wait(self, stage: str, owner: int | None, due: int | None = None) -> None:
        self._context.store.write(
            "pending",
            (self._scene.id, self.number),
            "what is pending",
            stage=stage,
            owner_id=owner,
            due=due,
            state=dump(self._act),
        )

    def _finish(self) -> None:
        """Take the action off the tracker, and pass the turn on if it was one's turn."""
        self._context.store.remove("pending", (self._scene.id, self.number), "what is pending")
        fight = self._context.store.fight(self._scene.id)
        mine = fight and fight.phase == ON and fight.turn == self._pending.actor
        rules = self._desk.rules
        if mine and not self._act.free:
            self._drafts += tracker.end_turn(self._context, rules, action=self.number)
        else:
            # A counterattack may have felled the one whose turn it is.
            self._drafts += pass_on(self._context, rules, self._scene.id, self.number)
