from __future__ import annotations

import re

import pytest
from prometheus_client.parser import text_string_to_metric_families

from mushcombat.net.http import PLAIN, Answer
from mushcombat.net.metrics import may_read
from mushcombat.net.operations import answer
from tests.unit.net.fakes import Table, type_


def samples(table: Table) -> dict[str, float]:
    """Read the metrics as Prometheus does."""
    families = text_string_to_metric_families(table.game.metrics.render().decode())
    return {
        one.name + "".join(f"/{value}" for value in one.labels.values()): one.value
        for family in families
        for one in family.samples
    }


def test_commands_are_counted_and_timed_by_their_lane(table: Table) -> None:
    session, _ = table.inside()
    type_(session, "say secretive", "WHO", "+sheet", "@doing x", "zzz")
    seen = samples(table)
    assert seen["mushcombat_commands_total/here"] == 2
    assert seen["mushcombat_commands_total/read"] == 1
    assert seen["mushcombat_commands_total/write"] == 1
    assert seen["mushcombat_command_seconds_count/write"] == 1
    assert "secretive" not in table.game.metrics.render().decode()


def test_a_command_takes_as_long_as_until_it_is_answered(table: Table) -> None:
    session, _ = table.inside()
    table.writer.quick = False
    before = samples(table)["mushcombat_writer_queue"]
    type_(session, "@doing x")
    assert samples(table)["mushcombat_writer_queue"] == before + 1
    table.reactor.advance(0.3)
    table.writer.work()
    seen = samples(table)
    assert seen["mushcombat_command_seconds_sum/write"] == pytest.approx(0.3)
    assert seen["mushcombat_writer_queue"] == before


def test_batches_connections_and_refusals_are_counted(table: Table) -> None:
    one, _ = table.session()
    two, _ = table.session()
    one.begin()
    two.begin()
    seen = samples(table)
    assert (seen["mushcombat_connections"], seen["mushcombat_players"]) == (2, 0)
    table.inside()
    table.game.gate.refused = 3
    table.game.waiting.cut_off = 4
    table.game.waiting.size = 5
    seen = samples(table)
    assert seen["mushcombat_players"] == 1
    assert seen["mushcombat_refused_total"] == 3
    assert seen["mushcombat_cut_off_total"] == 4
    assert seen["mushcombat_output_waiting_bytes"] == 5
    assert seen["mushcombat_commits_total"] == seen["mushcombat_batch_jobs_count"] > 0


def test_the_defaults_open_no_port_for_operators(table: Table) -> None:
    assert table.game.config.metrics.listen == []


@pytest.mark.parametrize(
    ("address", "headers", "may"),
    [
        ("127.0.0.1", [], True),
        ("127.9.9.9", [b"host"], True),
        ("::1", [], True),
        ("192.0.2.7", [], False),
        ("local", [], False),
        ("127.0.0.1", [b"host", b"x-forwarded-for"], False),
        ("127.0.0.1", [b"forwarded"], False),
        ("10.1.2.3", [], True),
    ],
)
def test_only_those_addresses_read_metrics_that_may(
    address: str, headers: list[bytes], may: bool
) -> None:
    assert may_read(address, headers, ["127.0.0.0/8", "::1", "10.1.0.0/16"]) is may


def test_metrics_and_health_are_answered_and_other_paths_are_not_ours(table: Table) -> None:
    found = told(table, "/metrics")
    assert found is not None
    assert found.status == 200
    assert re.search(rb"^mushcombat_connections 0\.0$", found.body, re.MULTILINE)
    assert told(table, "/metrics", "192.0.2.7") is None
    assert told(table, "/") is None
    assert told(table, "/healthz", "192.0.2.7") == Answer(200, PLAIN, b"ok\n")
    table.game.closing = True
    assert told(table, "/healthz", "192.0.2.7") == Answer(503, PLAIN, b"going down\n")


def told(table: Table, path: str, address: str = "127.0.0.1") -> Answer | None:
    """Ask; gives the answer, if there is one."""
    answers: list[Answer] = []
    found = answer(table.game, path, address, [])
    if found is not None:
        found.addCallback(answers.append)
    return answers[0] if answers else None
