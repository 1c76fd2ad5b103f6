"""+odds: exact chances before anybody rolls, to the asker alone; nothing is touched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from mushcombat.domain.command import Access, Lane, Outcome, ReadContext, Verb
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.systems import tracker
from mushcombat.systems.odds import Question, read_question
from mushcombat.systems.otherspace import defence
from mushcombat.systems.otherspace.answers import choices_of
from mushcombat.systems.otherspace.attack import attack_terms, check_possible, recoil
from mushcombat.systems.otherspace.combat_state import Act
from mushcombat.systems.otherspace.defence import Choice
from mushcombat.systems.otherspace.fighter import Fighter
from mushcombat.systems.otherspace.odds import odds, summary, to_hit
from mushcombat.systems.otherspace.roster import fighter_of, shows_numbers
from mushcombat.systems.otherspace.situation import Situation, read_modifiers
from mushcombat.systems.otherspace.tables import Tables
from mushcombat.systems.pending import meant
from mushcombat.systems.people import anybody
from mushcombat.systems.terms import written


def _situation(context: ReadContext, question: Question, tables: Tables) -> Situation:
    found = tables.combat.find_weapon(question.weapon)
    if len(found) != 1:
        problem = "is none" if not found else "could be several"
        text = f'weapon: "{clip(question.weapon)}" {problem}.'
        raise MushError("weapon", text, "+weapons lists them.")
    psychic = found[0].sort == "psionic"
    scene = context.store.scene(context.scene.id) if context.scene else None
    base = Situation(
        maneuver="psi" if psychic else "attack",
        atmosphere=scene is None or scene.atmosphere,
        gravity=scene is None or scene.gravity,
    )
    return replace(read_modifiers(question.modifiers, tables, base), weapon=found[0].name)


def _chosen(typed: str, options: Sequence[Choice], tables: Tables) -> Choice:
    if not typed:
        return defence.better(options, tables)
    name = meant(typed, [choice.name for choice in options])
    return next(choice for choice in options if choice.name == name)


def _options(
    context: ReadContext, target: Fighter, situation: Situation, tables: Tables
) -> tuple[Choice, ...]:
    """Give how the target may defend: in a fight as it stands now, else for a first defence."""
    scene = context.scene
    if scene is None or not tracker.fights(context.store, scene.id, target.id):
        return defence.choices(target, situation, tables=tables)
    act = Act(hands=(situation,), targets=(target.id,))
    return choices_of(context, scene.id, act, 0, tables)


def _odds(tables: Tables, context: ReadContext, question: Question) -> Outcome:
    mine, theirs = anybody(context, question.attacker), anybody(context, question.target)
    attacker = fighter_of(context.store, mine.id, context.now, tables)
    target = fighter_of(context.store, theirs.id, context.now, tables)
    situation = _situation(context, question, tables)
    check_possible(attacker, situation, tables)
    choice = _chosen(question.choice, _options(context, target, situation, tables), tables)
    chances = odds(attacker, situation, target, choice, tables)
    terms = attack_terms(attacker, situation, tables)
    total = sum(term.value for term in terms) - choice.base
    head = (
        f"[Odds] {attacker.name} against {target.name}: ({written(terms)})"
        f" - ({written(choice.terms)}) = {total}"
    )
    told = [f"{to_hit(chances)}."]
    # What may become of the target would tell how much of it is left.
    if shows_numbers(context, theirs.id):
        shown = (f"{n} {round(100 * float(p))}%" for n, p in chances.bands.items() if p)
        told = [summary(chances), f"Then {target.name} is: {', '.join(shown)}."]
    told += recoil(situation, tables)
    if context.screen.reader:
        between, _, sum_ = head.partition(": ")
        return Outcome.tell(f"{between}: {told[0]}", *told[1:], f"[Sum] {sum_}")
    return Outcome.tell(head, *(f"  {line}" for line in told))


def odds_verbs(tables: Tables) -> tuple[Verb, ...]:
    """Give the verbs of this file."""
    syntax = "+odds <attacker>/<weapon>=<target>[/<defence>][, <modifier> ...]"
    return (
        Verb(
            "+odds",
            syntax,
            Access.PLAYER,
            Lane.READ,
            read_question,
            partial(_odds, tables),
            aliases=("+whatif",),
        ),
    )
