"""One connection: its lines take effect in order, one after the other is on disk.

Nothing of a session runs while an earlier line of it is not committed yet; QUIT and a lost
link wait for what was typed before.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Sequence
from typing import Any

from twisted.internet.defer import Deferred, succeed
from twisted.python.failure import Failure

from mushcombat.domain.command import Committed, Lane, Outcome, Result
from mushcombat.domain.screen import PLAIN
from mushcombat.errors import MushError
from mushcombat.net.game import Game
from mushcombat.net.intake import Intake
from mushcombat.net.kinds import kind_of
from mushcombat.net.limits import Enter
from mushcombat.net.login import LoginScreen
from mushcombat.net.wishes import Wishes
from mushcombat.service.executor import Work
from mushcombat.service.people import room_lines
from mushcombat.service.presence import Presence
from mushcombat.views.paint import Style
from mushcombat.views.screen import reply
from mushcombat.wire.charset import decode
from mushcombat.wire.terminal import Terminal
from mushcombat.wire.text import clean, encode

log = logging.getLogger(__name__)

BURST = 16
"""Lines of one session before the others get a turn."""

FULL, ROOMY = 400, 100
"""Lines waiting at which reading from the link pauses, and goes on."""

TOO_LONG = "That line was too long and was not read. 8,192 bytes fit in one."
BROKEN = "Something went wrong on our side; nothing was changed. It has been noted for staff."
UNDONE = "The server is ending. Not done any more: {}."
IN_DOUBT = "It ends before it knows whether your last line was saved. Look, once it is back."
DOWN = "The database can't be read just now. Try again in a moment."


class Session:
    """A connection from the first byte to the last job."""

    def __init__(
        self, game: Game, link: Any, address: str, terminal: Terminal | None = None
    ) -> None:
        """Take what is known of the client; `terminal_changed` tells when that is more."""
        self.game = game
        self.link = link
        self.address = address
        self.terminal = terminal or Terminal()
        self.wishes = Wishes(self)
        self.presence: Presence | None = None
        self.kind = PLAIN
        self.login = LoginScreen(self)
        self._lines: deque[str] | None = None  # an empty one is most of what a session weighs
        self._busy = self._held = False
        self._turn = False  # it waits for the reactor's next turn
        self._lost = False
        self._closed = False
        self._running: tuple[Lane, float] | None = None  # the command under way, and since when
        self.since: float = game.reactor.seconds()
        meters = game.gate.meter(), game.gate.site(address).meter
        self._intake = Intake(link, game.reactor, lambda: not game.closing, *meters)
        self._ending = False
        self.undone = 0  # lines that were dropped at the server's end

    # from the link

    def begin(self, enter: Enter | None = None) -> None:
        """Greet at once, or say no to who can't come in; `enter` is asked instead of the gate."""
        refusal = (enter or self.game.gate.enter)(self.address)
        if refusal is not None:
            log.debug("not let in", extra={"fields": {"address": self.address}})
            self.tell(refusal)
            self.close(refusal)
            return
        self.game.sessions.add(self)
        self.login.greet()

    def received(self, size: int) -> None:
        """Count bytes, after their lines: who sends faster than they may is read more slowly."""
        self._intake.received(size)

    def line(self, raw: bytes) -> None:
        """Take a line; it waits for those before it, and for the reactor's next turn.

        Thousands of lines can come in one packet: run at once, they would hold up all others.
        After QUIT nothing is taken.
        """
        if self._ending or self._closed:
            self.undone += self._ending and not self._closed
            return
        self._lines = self._lines or deque()
        # By what is agreed on when it arrives, not when its turn comes.
        text, as_expected = decode(raw, self.terminal.charset)
        if not (as_expected or self.terminal.latin_1):
            self.terminal.latin_1 = True
            self.terminal_changed()
        self._lines.append(text)
        self._intake.line()
        if len(self._lines) >= FULL:
            self._intake.hold("queue")
        if not self._busy and not self._turn:
            self._turn = self.game.next_turn(self._pump)

    def too_long(self) -> None:
        """Tell of a line that was over the limit."""
        self.tell(TOO_LONG)

    def lost(self) -> None:
        """Note that the link is gone; what was typed before still happens."""
        self._show_no_more()
        self._lost = True
        self._intake.end()
        if self in self.game.sessions:
            self.game.sessions.remove(self)
            self.game.gate.leave(self.address)
        self.game.data.gone(self)
        self.login.cancel()
        if not self._busy and not self._turn:
            self._pump()

    @property
    def idle(self) -> bool:
        """Whether nothing that was typed waits or runs."""
        return not self._busy and not self._lines

    def gmcp(self, payload: bytes) -> None:
        """Take a GMCP message, which counts as a line; nothing in it is ever an error."""
        if not self._closed:
            self._intake.line()
            self.game.data.received(self, payload)

    # to the link

    @property
    def behind(self) -> bool:
        """Whether it has not taken all that it was to be shown, or is shown nothing any more."""
        return self._closed or self._lost or bool(self.link.behind)

    def terminal_changed(self) -> None:
        """Take note that more is known of the client."""
        self.judge()

    def judge(self) -> None:
        """Work out the kind of screen again: by what the client told and its player set."""
        self.kind = kind_of(self.terminal, self.wishes.present)

    @property
    def keepalive_wanted(self) -> bool:
        """Whether a quiet link may be sent a NOP to keep it open."""
        return self.wishes.present.keepalive is not False

    @property
    def prompts_marked(self) -> bool:
        """Whether the end of a prompt may be marked."""
        return self.wishes.present.prompt is not False

    def tell(self, text: str, style: Style | None = None) -> None:
        """Show lines to this connection alone."""
        self.write(reply(text, self.kind, style))

    def tell_all(self, lines: tuple[str, ...]) -> None:
        """Show a reply of some lines."""
        if lines:
            self.tell("\n".join(lines))

    def write(self, data: bytes) -> None:
        """Send bytes that are encoded for this connection."""
        if not self._lost:
            self.link.send(data)

    def prompt(self, text: str) -> None:
        """Ask something; the answer is typed on the same line."""
        self.write(encode(text, self.kind.encoding))
        if self.prompts_marked:
            self.link.mark_prompt()

    def _show_no_more(self) -> None:
        """Note what was shown until now: its player may stay a while, for what is under way."""
        if self.presence is not None and not (self._closed or self._lost):
            self.game.attendance.closing(self.presence)

    def _farewell(self, reason: str) -> None:
        """Tell a client that takes data why the connection ends; then it is shown nothing."""
        self.game.data.goodbye(self, reason)
        self._show_no_more()
        self._closed = True

    def close(self, reason: str = "Goodbye.") -> None:
        """End the connection when all is written; lines still waiting are dropped."""
        self._farewell(reason)
        self._lines = None
        self.link.close()

    # at the server's end

    def drop(self) -> None:
        """Do no more of the lines that wait, or that still come; what is under way goes on."""
        self._ending = True
        self.undone += len(self._lines or ())
        self._lines = None
        self._intake.end()  # what comes now is only counted: at any rate
        self.link.resume()

    def goodbye(self, text: str) -> None:
        """Tell what was not done, so that nobody takes it for done, and end the connection."""
        if self.undone:
            last = "your last line" if self.undone == 1 else f"your last {self.undone:,} lines"
            self.tell(UNDONE.format(last))
        if self._busy:
            self.tell(IN_DOUBT)
        self.tell(text)
        self._farewell(text)
        self.link.finish()

    # the queue

    def _pump(self) -> None:
        """Run waiting lines until one has to wait for the database, or others want a turn."""
        self._turn = False
        for _ in range(BURST):
            if self._busy or not self._lines or (self._intake.slowed and self._put_off()):
                break
            self._take(self._lines.popleft())
        self._lines = self._lines or None
        if len(self._lines or ()) < ROOMY:
            self._intake.go("queue")
        if self._lines and not self._busy:
            self._turn = self._turn or self.game.next_turn(self._pump)
        elif self._lost and not self._busy:
            self.leave()

    def _put_off(self) -> bool:
        """Put the next line off if it is over the limit; what a lost link has left is done."""
        due = 0.0 if self._lost else self._intake.due(len(self._lines or ()))
        if due:
            self._turn = True
            self.game.reactor.callLater(due, self._pump)
        return due > 0

    def wait(self) -> None:
        """Hold the lines that follow until `proceed`."""
        self._busy = True

    def hold(self, text: str) -> None:
        """Tell, once, that the line under way has to wait."""
        if self._busy and not self._held:
            self._held = True
            self.tell(text)

    def _measured(self) -> None:
        """Count the command that is answered now."""
        if self._running is not None:
            (lane, began), self._running = self._running, None
            self.game.metrics.command(lane, self.game.reactor.seconds() - began)

    def proceed(self) -> None:
        """Go on with the lines that wait."""
        self._measured()
        self._busy = self._held = False
        if not self._turn:
            self._pump()

    def _take(self, text: str) -> None:
        line = clean(text)
        try:
            if self.presence is None or self.login.asked:
                self.login.line(line, whole=line == text)
            elif line.strip():
                self._command(self.presence, line)
        except MushError as refusal:
            self.tell(str(refusal), Style.ERROR)
        except Exception:  # the one place where a session's line runs: it must not take others down
            log.exception("a line of %s failed", self.address)
            self.tell(BROKEN, Style.ERROR)

    def _command(self, presence: Presence, line: str) -> None:
        work = self.game.executor.prepare(presence, line, self.kind)
        began = self.game.reactor.seconds()
        if work.lane is Lane.HERE:
            self._finish(work, work.run(None))
            self.game.metrics.command(Lane.HERE, self.game.reactor.seconds() - began)
            return
        self._running = work.lane, began
        match work.lane:
            case Lane.READ:
                self._read(work)
            case Lane.WRITE:
                self._write(work)
            case Lane.SESSION:
                self.login.own_verb(presence, work.verb.name, work.arguments)

    def _finish(self, work: Work, outcome: Outcome) -> bool:
        """Show what a line did; tells whether that has to go to other processes first."""
        if outcome.drafts and self.game.crosses:
            self.wait()
            self.game.speak(work.who, work.room, outcome, self.answered)
            return True
        self.game.show_here(work.who, work.room, outcome.drafts)
        self.tell_all(outcome.reply)
        return False

    def _read(self, work: Work) -> None:
        self.wait()
        answer = self.game.read(work.run)
        answer.addCallback(lambda outcome: self._finish(work, outcome))
        answer.addErrback(self.failed)
        answer.addBoth(lambda waits: None if waits is True else self.proceed())

    def _write(self, work: Work) -> None:
        self.wait()
        self.game.write(
            work.who,
            work.room,
            work.run,
            self.answered,
            appends=work.appends,
            ledger=work.ledger,
            stays=work.stays,
        )

    def answered(self, result: Result) -> None:
        """Take the result of a job: its reply, or why it was refused; then go on."""
        if isinstance(result, Committed):
            self.tell_all(result.reply)
        else:
            self.tell(result.text, Style.ERROR)
        self.proceed()

    def failed(self, failure: Failure) -> None:
        """Tell of work in a pool that was refused, or that failed."""
        if isinstance(failure.value, MushError):
            self.tell(str(failure.value), Style.ERROR)
            return
        log.error("reading failed: %s", failure.getTraceback())
        self.tell(DOWN)

    # coming and going

    def enter(self, presence: Presence) -> Deferred[None]:
        """Be a player's connection from here on; fires when all is told that waited for them."""
        world = self.game.world
        known = world.online.get(presence.id)
        if known is not None:
            known.prefer(presence.preferences)
        self.presence = known or presence
        first = not self.presence.screens
        reads = not all(screen.behind for screen in self.presence.screens)
        self.presence.screens.append(self)
        self.presence.addresses.append(self.address)
        self.judge()
        if known is None:
            world.arrive(presence)
        if first:
            self.presence.actor, self.presence.settings = presence.actor, presence.settings
            self.game.company.came(self.presence)
        self.tell_all((self.game.motd, f"Connected as {presence.name}."))
        self.tell_all(room_lines(world, self.presence, brief=self.kind.brief))
        self.game.data.entered(self)
        if reads:  # what they could have missed, their other connection has shown
            return self._tell_fight(self.presence)
        missed = self.game.attendance.arrived(self.presence, self._shows)
        return missed.addCallback(lambda _: self._tell_fight(self.presence or presence))

    def _shows(self, lines: Sequence[str]) -> bool:
        """Show lines unless the link is gone, or closing; tells whether it is not."""
        self.tell_all(tuple(lines))
        return not (self._lost or self._closed)

    def _tell_fight(self, presence: Presence) -> Deferred[None]:
        """Tell somebody who comes back where the fight stands, and what waits for them."""
        tell = self.game.executor.unasked(presence, self.game.on_arrival, self.kind)
        if tell is None:
            return succeed(None)
        return self.game.read(tell).addCallbacks(self.tell_all, self.failed)

    def leave(self) -> None:
        """Take this connection out of the world; with the last one, the player."""
        presence, self.presence = self.presence, None
        if presence is None:
            return
        presence.screens.remove(self)
        presence.addresses.remove(self.address)
        if not presence.screens:
            if not presence.elsewhere:
                self.game.world.depart(presence)
            self.game.attendance.left(presence, shown=not self.link.behind)
            self.game.company.went(presence)
