"""Writing what belongs to a scene's eras and to the sharing of its transcript."""

from __future__ import annotations

import json

from sqlalchemy import update
from sqlalchemy.orm import Session

from mushcombat.domain.dice import commitment
from mushcombat.domain.eras import Era
from mushcombat.domain.ledger import canonical
from mushcombat.domain.sharing import YES, Answer
from mushcombat.errors import MushError
from mushcombat.storage.ledgers import Ledgers
from mushcombat.storage.schema import Participant, SceneRow, SceneSeed


class EraWrites:
    """The part of a store that writes eras and answers."""

    _session: Session
    ledgers: Ledgers

    def era(self, scene: int) -> Era:
        """Give the present era of a scene, the last one of a closed one."""
        row = self._seed(scene)
        return Era(row.era, tuple(json.loads(row.words)))

    def dice_thrown(self, scene: int) -> bool:
        """Tell whether a die of the present era was thrown."""
        return self.ledgers.head(scene).counter > self._seed(scene).first_die

    def give_words(self, scene: int, words: str) -> None:
        """Put words into the key of the era's dice. MushError once one of those was thrown."""
        if self.dice_thrown(scene):
            raise MushError("seed", "A die has been thrown.", "Words count before the first one.")
        row = self._seed(scene)
        row.words = canonical([*json.loads(row.words), words])
        self._session.flush()

    def reopen_scene(self, scene: int, room: int, seed: bytes) -> None:
        """Open a closed scene again, in a room: a new era, whose dice go on numbering.

        Who said yes to sharing what was there then is asked anew; who said no or out still does.
        """
        head = self.ledgers.head(scene)
        row = self._session.get_one(SceneRow, scene)
        row.status, row.closed_at, row.room_id = "open", None, room
        row.era, row.paused, row.sharing = head.era + 1, False, False
        self._session.add(
            SceneSeed(
                scene_id=scene,
                era=row.era,
                seed=seed,
                commitment=commitment(seed),
                first_die=head.counter,
            )
        )
        self._session.execute(
            update(Participant)
            .where(Participant.scene_id == scene, Participant.consent == YES)
            .values(consent=None)
        )
        self._session.flush()
        self.ledgers.begin_era(scene, row.era)

    def ask_sharing(self, scene: int) -> None:
        """Note that the participants were asked."""
        self._session.get_one(SceneRow, scene).sharing = True
        self._session.flush()

    def answer_sharing(self, scene: int, character: int, answer: Answer) -> None:
        """Note the answer of somebody who took part."""
        self._session.get_one(Participant, (scene, character)).consent = answer
        self._session.flush()

    def _seed(self, scene: int) -> SceneSeed:
        return self._session.get_one(SceneSeed, (scene, self.ledgers.head(scene).era))
