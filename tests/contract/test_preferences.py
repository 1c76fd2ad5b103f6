"""What players set for themselves is kept, each login's for itself."""

from __future__ import annotations

from mushcombat.domain.command import Outcome
from mushcombat.storage.writes import WriteStore
from tests.contract.bench import Bench


def wish(bench: Bench, account: int, name: str, value: str | None) -> None:
    def run(store: WriteStore) -> Outcome:
        store.set_preference(account, name, value)
        return Outcome()

    bench.run(run)


def test_preferences_are_kept_and_changed_and_taken_off(bench: Bench) -> None:
    ada, bram = bench.login("Ada"), bench.login("Bram")
    wish(bench, ada.account, "colour", "256")
    wish(bench, ada.account, "width", "0")
    wish(bench, bram.account, "colour", "off")
    assert bench.read(lambda s: s.preferences(ada.account)) == {"colour": "256", "width": "0"}
    wish(bench, ada.account, "colour", "16")
    wish(bench, ada.account, "width", None)
    wish(bench, ada.account, "brief", None)
    assert bench.read(lambda s: s.preferences(ada.account)) == {"colour": "16"}
    assert bench.read(lambda s: s.preferences(bram.account)) == {"colour": "off"}
    assert bench.read(lambda s: s.preferences(99)) == {}


def test_the_last_of_two_in_one_job_holds(bench: Bench) -> None:
    ada = bench.login("Ada")

    def run(store: WriteStore) -> Outcome:
        store.set_preference(ada.account, "width", "40")
        store.set_preference(ada.account, "width", "80")
        return Outcome()

    bench.run(run)
    assert bench.read(lambda s: s.preferences(ada.account)) == {"width": "80"}
