"""What the clients of the field say, byte by byte, and what we make of it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.wire.conversation import Conversation, all_of_them, perform
from tests.unit.wire.peers import Server
from tests.unit.wire.streams import one_by_one

CONVERSATIONS = all_of_them()
each_client = pytest.mark.parametrize("client", CONVERSATIONS, ids=lambda client: client.name)


def test_every_client_of_the_sheet_is_there() -> None:
    assert {client.name for client in CONVERSATIONS} >= {
        "atlantis",
        "beipmu",
        "blightmud",
        "inetutils-telnet",
        "kildclient",
        "mudlet",
        "mushclient",
        "netcat",
        "potato",
        "tintin",
        "tinyfugue",
    }


@each_client
def test_each_client_is_answered_as_it_was_and_known_for_what_it_is(client: Conversation) -> None:
    server = Server()
    sent = server.begun
    for step, data in client.steps:
        if step == "S":
            assert sent == data
            sent = b""
        else:
            sent += perform(server, step, data)
    assert sent == b""
    assert server.terminal == client.terminal
    assert server.lines == client.lines


def told(client: Conversation, packets: list[bytes]) -> tuple[object, ...]:
    server = Server()
    sent = b"".join(server.hear(packet) for packet in packets)
    return server.terminal, server.lines, sent


@each_client
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_it_is_all_the_same_however_a_clients_bytes_are_cut(
    client: Conversation, data: st.DataObject
) -> None:
    said = client.said
    cuts = sorted(data.draw(st.lists(st.integers(0, len(said)), max_size=20)))
    packets = [said[a:b] for a, b in pairwise([0, *cuts, len(said)])]
    assert told(client, packets) == told(client, [said]) == told(client, one_by_one(said))


@each_client
def test_a_client_that_hangs_up_anywhere_leaves_nothing_undone(client: Conversation) -> None:
    for end in range(len(client.said)):
        server = Server()
        server.hear(client.said[:end])
        server.quiet()
