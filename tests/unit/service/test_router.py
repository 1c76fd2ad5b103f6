from __future__ import annotations

import pytest

from mushcombat.domain.command import Access, Lane, Verb, session_only
from mushcombat.errors import MushError
from mushcombat.service.parsing import maybe_words
from mushcombat.service.router import LONGEST, Routed, Router, plain
from tests.unit.service.table import ROUTER

PLAYER, STAFF, GUEST = Access.PLAYER, Access.STAFF, Access.GUEST


def row(
    name: str, access: Access = GUEST, *aliases: str, flags: frozenset[str] = frozenset()
) -> Verb:
    return Verb(
        name,
        f"{name} <x>",
        access,
        Lane.HERE,
        maybe_words,
        session_only,
        aliases=aliases,
        flags=flags,
    )


SMALL = Router(
    [
        row("+scan"),
        row("+scale"),
        row("+scalpel"),
        row("say"),
        row("@saw", STAFF),
        row("+fight/start"),
        row("+fight/stop"),
        row("+fight/secret", STAFF),
        row("+aim", GUEST, "+target", flags=frozenset({"self", "slowly"})),
        row("+x"),
    ]
)


def found(routed: Routed | None) -> tuple[str, str]:
    assert routed is not None
    return routed.verb.name, routed.call.text


def both(line: str, access: Access = PLAYER, router: Router = ROUTER) -> Routed | None:
    return router.exact(line, access) or router.abbreviated(line, access)


@pytest.mark.parametrize(
    ("line", "verb", "text"),
    [
        ("look", "look", ""),
        ("LOOK bram", "look", "bram"),
        ("l", "look", ""),
        ("WHO", "who", ""),
        ("+taskroll pistol at 1", "+roll", "pistol at 1"),
        ("+RcalcDamage 6/4/50/20", "+rcalcdamage", "6/4/50/20"),
        ("say   two  words ", "say", "two  words"),
        ("say\ttabbed", "say", "tabbed"),
        ("+ooc hi", "+ooc", "hi"),
        ("page bram=a=b", "page", "bram=a=b"),
        ("p bram=a=b", "page", "bram=a=b"),
    ],
)
def test_a_whole_name_or_alias_is_found_in_any_case(line: str, verb: str, text: str) -> None:
    assert found(ROUTER.exact(line, PLAYER)) == (verb, text)


@pytest.mark.parametrize("line", ["loo", "roll pistol", "+rcalc 1", "desc me=x", "nonsense"])
def test_only_a_whole_name_is_exact(line: str) -> None:
    assert ROUTER.exact(line, PLAYER) is None


@pytest.mark.parametrize(
    ("line", "verb", "text"),
    [
        ("loo", "look", ""),
        ("+rcalc 6/4/50/20", "+rcalcdamage", "6/4/50/20"),
        ("rcalc 6/4/50/20", "+rcalcdamage", "6/4/50/20"),
        ("roll pistol", "+roll", "pistol"),
        ("desc me=x", "@desc", "me=x"),
        ("@descr me=x", "@desc", "me=x"),
        ("+SCE", "+scene", ""),
        ("whi bram=x", "whisper", "bram=x"),
        ("doin x", "@doing", "x"),
    ],
)
def test_a_beginning_of_three_letters_is_enough_and_a_sign_may_be_left_out(
    line: str, verb: str, text: str
) -> None:
    assert found(ROUTER.abbreviated(line, PLAYER)) == (verb, text)


@pytest.mark.parametrize(
    "line", ["lo", "+rc 1/2/3/4", "s", "+", "@", "+++++", "/", "//", "+/", "é"]
)
def test_less_than_three_letters_are_not_enough(line: str) -> None:
    assert both(line) is None


@pytest.mark.parametrize("line", ["+look", "@roll pistol", "+desc me=x"])
def test_a_sign_that_was_typed_has_to_be_the_commands_own(line: str) -> None:
    assert both(line) is None


def test_a_short_name_may_be_typed_without_its_sign() -> None:
    assert found(both("x y", router=SMALL)) == ("+x", "y")


def test_a_beginning_of_several_commands_is_answered_with_them() -> None:
    with pytest.raises(MushError) as caught:
        SMALL.abbreviated("+sca 1", PLAYER)
    assert str(caught.value) == 'Huh?  "+sca" could be +scale, +scalpel, +scan.'
    with pytest.raises(MushError, match=r'^Huh\?  "scal" could be \+scale, \+scalpel\.$'):
        SMALL.abbreviated("scal", PLAYER)


def test_a_whole_name_wins_over_longer_ones_that_begin_with_it() -> None:
    assert found(both("scan", router=SMALL)) == ("+scan", "")


def test_a_long_beginning_is_clipped_in_the_answer() -> None:
    many = Router([row("+" + "a" * 300 + end) for end in "bc"])
    with pytest.raises(MushError) as caught:
        many.abbreviated("a" * 300, PLAYER)
    assert caught.value.text.startswith(f'Huh?  "{"a" * 39}…" could be ')


def test_aliases_of_one_command_are_not_ambiguous() -> None:
    assert found(ROUTER.abbreviated("des me=x", PLAYER)) == ("@desc", "me=x")


@pytest.mark.parametrize(
    ("line", "verb", "text"),
    [
        ('"hello', "say", "hello"),
        ('" hello', "say", " hello"),
        (":waves", "pose", "waves"),
        (";'s hat", ";", "'s hat"),
        ("\\The lights go out.", "@emit", "The lights go out."),
        ("\\\\The lights go out.", "@emit", "The lights go out."),
        ('":)', "say", ":)"),
        (":/x/y", "pose", "/x/y"),
        ('"', "say", ""),
    ],
)
def test_a_sign_is_a_command(line: str, verb: str, text: str) -> None:
    assert found(ROUTER.exact(line, PLAYER)) == (verb, text)


@pytest.mark.parametrize(
    ("line", "verb", "flags"),
    [
        ("+scene/open T", "+scene/open", set()),
        ("+scene/ope T", "+scene/open", set()),
        ("+SCENE/OPEN T", "+scene/open", set()),
        ("+scene/start T", "+scene/open", set()),
        ("scene/open T", "+scene/open", set()),
        ("+scenes", "+scene/list", set()),
        ("+roll/self T", "+roll", {"self"}),
        ("+roll/sel T", "+roll", {"self"}),
        ("+roll/SELF T", "+roll", {"self"}),
        ("rcalc/self T", "+rcalcdamage", {"self"}),
    ],
)
def test_a_switch_is_a_row_of_its_own_or_a_flag(line: str, verb: str, flags: set[str]) -> None:
    routed = both(line)
    assert routed is not None
    assert (routed.verb.name, set(routed.call.switches)) == (verb, flags)


def test_several_flags_may_be_given() -> None:
    routed = both("+target/self/slowly x", router=SMALL)
    assert routed is not None
    assert routed.verb.name == "+aim"
    assert set(routed.call.switches) == {"self", "slowly"}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("+roll/nope x", '+roll has no switch "/nope". Usage: +roll[/self] <skill or'),
        ("+roll/se x", '+roll has no switch "/se". Usage: '),
        ("+roll/self/x y", '+roll has no switch "/x". Usage: '),
        ("+roll/ x", '+roll has no switch "/". Usage: '),
        ("say/loud x", 'say has no switch "/loud". Usage: say <text>, or "<text>'),
        ("+scene/nope", '+scene has no switch "/nope". There are: +scene, +scene/close, '),
        ("+scene/open/self x", '+scene/open has no switch "/self". Usage: +scene/open <title>'),
    ],
)
def test_an_unknown_switch_is_refused_with_the_usage(line: str, told: str) -> None:
    with pytest.raises(MushError) as caught:
        both(line)
    assert str(caught.value).startswith(told)


def test_a_command_that_is_nothing_without_a_switch_names_those_there_are() -> None:
    with pytest.raises(MushError) as caught:
        SMALL.exact("+fight", PLAYER)
    assert str(caught.value) == "+fight needs a switch. There are: +fight/start, +fight/stop."
    with pytest.raises(MushError) as caught:
        SMALL.exact("+fight/x", PLAYER)
    assert str(caught.value) == ('+fight has no switch "/x". There are: +fight/start, +fight/stop.')


@pytest.mark.parametrize("line", ["@saw x", "@saw", "saw x"])
def test_a_command_that_one_may_not_use_is_answered_as_an_unknown_one(line: str) -> None:
    assert both(line, PLAYER, SMALL) is None
    assert found(both(line, STAFF, SMALL))[0] == "@saw"


@pytest.mark.parametrize("line", ["@dig X", "dig X", "@dig", "@tel here", "+set Ada/Pistol=5"])
def test_staffs_commands_do_not_exist_for_players(line: str) -> None:
    assert both(line, PLAYER) is None
    assert both(line, STAFF) is not None


def test_a_switch_that_one_may_not_use_is_answered_as_an_unknown_one() -> None:
    told = []
    for switch in ("secret", "nonsen"):
        with pytest.raises(MushError) as caught:
            SMALL.exact(f"+fight/{switch} x", PLAYER)
        told.append(str(caught.value).replace(switch, "?"))
    assert told[0] == told[1]
    assert found(SMALL.exact("+fight/secret x", STAFF)) == ("+fight/secret", "x")


def test_two_commands_of_one_name_are_a_fault_of_the_table() -> None:
    with pytest.raises(ValueError, match="two verbs are called say"):
        Router([row("say"), row("talk", GUEST, "say")])


def test_a_name_without_its_sign_is_plain() -> None:
    assert [plain(name) for name in ("+Roll", "@desc", "look", "+@x")] == [
        "roll",
        "desc",
        "look",
        "x",
    ]


def test_without_a_sign_a_beginning_is_a_word_sooner_than_a_command_with_one() -> None:
    routed = ROUTER.abbreviated("pos waves", Access.PLAYER)
    assert routed is not None
    assert routed.verb.name == "pose"
    signed = ROUTER.abbreviated("+pos", Access.PLAYER)
    assert signed is not None
    assert signed.verb.name == "+pot"


def test_a_command_that_was_found_for_staff_is_not_found_for_others() -> None:
    router = Router([row("@saw", STAFF), row("+aim", GUEST, flags=frozenset({"self"}))])
    assert found(router.exact("@saw wood", STAFF)) == ("@saw", "wood")
    assert router.exact("@saw wood", PLAYER) is None
    assert found(router.exact("@saw wood", STAFF)) == ("@saw", "wood")


def test_a_command_is_found_again_with_the_same_switches_and_another_text() -> None:
    router = Router([row("+aim", GUEST, flags=frozenset({"self"}))])
    for text in ("high", "low"):
        routed = router.exact(f"+AIM/Self {text}", PLAYER)
        assert found(routed) == ("+aim", text)
        assert routed is not None
        assert routed.call.switches == {"self"}


def test_a_switch_that_is_wrong_is_wrong_each_time() -> None:
    router = Router([row("+aim", GUEST, flags=frozenset({"self"}))])
    for _ in range(2):
        with pytest.raises(MushError, match="has no switch"):
            router.exact("+aim/never", PLAYER)


def test_no_more_commands_are_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mushcombat.service.router.KEPT", 3)
    router = Router([row("+aim", GUEST, flags=frozenset({"self"}))])
    for command in ("+aim", "+Aim", "+aIm", "+AIM", "+aiM/" + "/".join(["self"] * 20)):
        assert found(router.exact(f"{command} low", PLAYER)) == ("+aim", "low")
    assert len(router._found) <= 3
    assert all(len(command) <= LONGEST for command, _ in router._found)
