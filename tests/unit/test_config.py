from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from mushcombat.config import Config, load
from mushcombat.faults import FaultyError
from mushcombat.paths import shipped

SECTIONS = ", ".join(Config.model_fields)


def faults(folder: Path, text: str) -> list[str]:
    file = folder / "server.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(FaultyError) as caught:
        load(file)
    told = [str(fault) for fault in caught.value.faults]
    assert all(fault.startswith(f"{file}: ") for fault in told)
    return [fault.removeprefix(f"{file}: ") for fault in told]


def test_a_file_that_is_not_there_is_an_empty_one(tmp_path: Path) -> None:
    assert load(tmp_path / "none.toml") == Config()


def test_an_empty_file_is_a_good_one(tmp_path: Path) -> None:
    (tmp_path / "server.toml").write_text("")
    assert load(tmp_path / "server.toml") == Config()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('[metrics]\naddresses = ["::1/999"]', "metrics.addresses[0]"),
        ('[metrics]\naddresses = ["10.1.2.3/8", "1.2"]', "metrics.addresses[1]"),
        ('[paths]\nrules = "a\\u0000b"', "paths.rules"),
        ('[paths]\nvar = "\\u0000"', "paths.var"),
    ],
)
def test_what_would_fail_only_when_it_is_used_is_named(tmp_path: Path, text: str, key: str) -> None:
    (told,) = faults(tmp_path, text)
    assert told.startswith(f"{key}: found ")


def test_a_span_of_two_kinds_is_told_of_in_one_line(tmp_path: Path) -> None:
    (told,) = faults(tmp_path, "[server]\nkeepalive = 30")
    assert told == "server.keepalive: found 30, expected 60 to 120 seconds, or 0"
    file = tmp_path / "server.toml"
    file.write_text("[server]\nkeepalive = 0")
    assert load(file).server.keepalive == 0


def test_the_defaults_are_those_of_the_contract() -> None:
    config = Config()
    assert config.server.telnet == ["tcp:4201:interface=127.0.0.1"]
    assert config.database.url == "sqlite:///var/mushcombat.db"
    assert config.var_folder == Path("var")
    assert config.accounts.create


def test_the_file_that_comes_with_the_program_says_what_the_defaults_are() -> None:
    assert load(shipped("config") / "server.toml") == Config()


def test_rules_and_texts_come_with_the_program_unless_paths_names_others() -> None:
    config = Config()
    assert (config.rules_folder / "otherspace.toml").is_file()
    assert (config.texts_folder / "connect.txt").is_file()
    other = Config.model_validate({"paths": {"rules": "a", "texts": "b", "var": "c"}})
    assert (other.rules_folder, other.texts_folder, other.var_folder) == (
        Path("a"),
        Path("b"),
        Path("c"),
    )


def test_what_a_file_says_is_taken_and_the_rest_keeps_its_default(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text('[accounts]\ncreate = false\n[server]\ntelnet = ["tcp:1", "tcp:2"]\n')
    config = load(file)
    assert not config.accounts.create
    assert config.server.telnet == ["tcp:1", "tcp:2"]
    assert config.accounts.guests == Config().accounts.guests


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    text = """
        colour = "red"
        [server]
        name = 5
        telnet = "tcp:4201"
        port = 4201
        [accounts]
        create = "yes"
        guests = -1
        shortest_password = 0
        [login]
        tries = 5.0
        wait = true
        prompt = 4
        [rules]
        default = ["otherspace"]
        [nonsense]
    """
    assert faults(tmp_path, text) == [
        "server.name: found 5, expected text in quotes",
        'server.telnet: found "tcp:4201", expected a list in square brackets',
        "server.port: found 4201, expected no key of this name"
        "; there are name, telnet, keepalive, trusted_proxies",
        'rules.default: found ["otherspace"], expected text in quotes',
        'accounts.create: found "yes", expected true or false',
        "accounts.guests: found -1, expected 0 or more",
        "accounts.shortest_password: found 0, expected 1 or more",
        "login.tries: found 5.0, expected a whole number",
        "login.wait: found true, expected a whole number",
        "login.prompt: found 4, expected 5 or more",
        f'colour: found "red", expected no key of this name; there are {SECTIONS}',
        f"nonsense: found {{}}, expected no key of this name; there are {SECTIONS}",
    ]


@pytest.mark.parametrize("section", list(Config.model_fields))
def test_a_section_that_is_no_table_is_told(tmp_path: Path, section: str) -> None:
    assert faults(tmp_path, f"{section} = 5") == [f"{section}: found 5, expected a table"]


@pytest.mark.parametrize("section", list(Config.model_fields))
def test_every_section_refuses_a_key_that_it_does_not_know(tmp_path: Path, section: str) -> None:
    (told,) = faults(tmp_path, f"[{section}]\nbogus = 1")
    known = ", ".join(Config.model_fields[section].annotation.model_fields)  # type: ignore[union-attr]
    wanted = f"{section}.bogus: found 1, expected no key of this name; there are {known}"
    assert told == wanted


def test_of_a_key_that_is_misspelt_the_nearest_is_named(tmp_path: Path) -> None:
    assert faults(tmp_path, "[sever]\n[metrics]\nlisten_on = []") == [
        "metrics.listen_on: found [], expected no key of this name; the nearest is listen",
        "sever: found {}, expected no key of this name; the nearest is server",
    ]


def test_what_is_no_toml_is_told_with_its_place(tmp_path: Path) -> None:
    (told,) = faults(tmp_path, "[server\n")
    assert told.startswith("line 1, column 8: found what is no TOML (")


def test_a_file_that_cannot_be_read_is_the_callers_to_tell(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="directory"):
        load(tmp_path)


def test_a_configuration_cannot_be_changed() -> None:
    config = Config()
    with pytest.raises(ValidationError, match="frozen"):
        config.server = Config().server  # type: ignore[misc]
    assert config == Config()


@pytest.mark.parametrize("seconds", [0, 60, 120])
def test_a_quiet_link_is_kept_alive_each_one_or_two_minutes_or_not_at_all(seconds: int) -> None:
    config = Config.model_validate({"server": {"keepalive": seconds}})
    assert config.server.keepalive == seconds


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        ("server", "keepalive", "30"),
        ("server", "keepalive", "121"),
        ("mssp", "port", "70000"),
        ("mssp", "status", '"Up"'),
        ("mssp", "contact", r'"a\u0001b"'),
        ("mssp", "gameplay", r'["a\nb"]'),
        ("mssp", "colour", "1"),
    ],
)
def test_what_lists_of_games_and_routers_could_not_take_is_a_fault(
    tmp_path: Path, section: str, key: str, value: str
) -> None:
    assert key in " ".join(faults(tmp_path, f"[{section}]\n{key} = {value}\n"))


def test_proxies_and_sites_are_checked(tmp_path: Path) -> None:
    text = """
[server]
trusted_proxies = ["10.0.0.0/8", "10.0.0.0/33", "host"]
[web]
origins = ["https://play.example.org", "play.example.org", "https://a/b"]
"""
    network = "expected an address, or a network like 10.0.0.0/8"
    site = 'expected a site as browsers name it, like "https://play.example.org"'
    assert faults(tmp_path, text) == [
        f'server.trusted_proxies[1]: found "10.0.0.0/33", {network}',
        f'server.trusted_proxies[2]: found "host", {network}',
        f'web.origins[1]: found "play.example.org", {site}',
        f'web.origins[2]: found "https://a/b", {site}',
    ]


def test_this_machine_is_the_only_proxy_that_is_believed_at_first() -> None:
    assert [str(one) for one in Config().server.proxies] == ["127.0.0.0/8", "::1/128"]
