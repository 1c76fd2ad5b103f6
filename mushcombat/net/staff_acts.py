"""Acts of staff that need more than the writer: a password has to be hashed first."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from mushcombat.domain.events import Who
from mushcombat.net.passwords import hash_password
from mushcombat.service.accounts import check_password
from mushcombat.service.presence import Presence
from mushcombat.service.staff import gives_password

if TYPE_CHECKING:
    from mushcombat.net.session import Session

RANDOM_BYTES = 9


def new_password(session: Session, presence: Presence, name: str, password: str) -> None:
    """Give a player a one-time password, a random one unless one was typed."""
    game = session.game
    made = password or secrets.token_urlsafe(RANDOM_BYTES)
    check_password(made, game.config.accounts.shortest_password)
    told = f"The one-time password is {made}" if not password else "The password is set."

    def write(hashed: str) -> None:
        run = gives_password(presence.actor, name, hashed, told)
        who = Who(presence.id, presence.name)
        game.write(who, presence.room, run, session.answered)

    def failed(failure: Any) -> None:
        session.failed(failure)
        session.proceed()

    session.wait()
    game.passwords.run(lambda: hash_password(made)).addCallbacks(write, failed)
