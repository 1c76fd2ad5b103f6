"""The server's configuration: every key has a default, so an empty file is a good one."""

from __future__ import annotations

import re
from functools import cached_property, partial
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from mushcombat.faults import read
from mushcombat.paths import shipped

DEFAULT_FILE = "config/server.toml"
DEFAULT_DATABASE = "sqlite:///var/mushcombat.db"

Count = Annotated[int, Field(ge=0, le=1_000_000)]
Seconds = Annotated[int, Field(ge=0, le=86_400)]
Size = Annotated[int, Field(ge=0, le=2**40)]
Span = Annotated[int, Field(ge=0, le=31_536_000)]
Port = Annotated[int, Field(ge=0, le=65_535)]
Said = Annotated[str, Field(max_length=200, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
"""A short text on one line."""


def _network(text: str, *, strict: bool = True) -> str:
    try:
        ip_network(text, strict=strict)
    except ValueError as problem:
        raise ValueError("an address, or a network like 10.0.0.0/8") from problem
    return text


def _folder(name: str) -> str:
    if "\0" in name:
        raise ValueError("a folder")
    return name


def _origin(text: str) -> str:
    if not re.fullmatch(r"https?://[^/\s]+/?", text):
        raise ValueError('a site as browsers name it, like "https://play.example.org"')
    return text


def _keepalive(seconds: int) -> int:
    if seconds and not 60 <= seconds <= 120:
        raise ValueError("60 to 120 seconds, or 0")
    return seconds


Keepalive = Annotated[int, AfterValidator(_keepalive)]
Network = Annotated[str, AfterValidator(_network)]
LooseNetwork = Annotated[str, AfterValidator(partial(_network, strict=False))]
"""A network, or any address in it with the network's length behind."""
Folder = Annotated[str, AfterValidator(_folder)]
Origin = Annotated[str, AfterValidator(_origin)]


class Section(BaseModel):
    """A table of the file: unknown keys are refused, types are not guessed."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Server(Section):
    """Who we are and where we listen (Twisted endpoint descriptions).

    `keepalive`: so many seconds of silence, then a telnet link is sent a NOP; 0: never.
    """

    name: str = "mushcombat"
    telnet: list[str] = ["tcp:4201:interface=127.0.0.1"]
    keepalive: Keepalive = 90
    trusted_proxies: list[Network] = ["127.0.0.0/8", "::1"]

    @property
    def proxies(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """The networks whose proxies are believed (`haproxy:` endpoints)."""
        return tuple(ip_network(one) for one in self.trusted_proxies)


class Web(Section):
    """Where the web port is, if there is one, and the sites whose pages may connect to it.

    `origins` are written as browsers send them: "https://play.example.org".
    """

    listen: list[str] = []
    origins: list[Origin] = []


class Database(Section):
    """Where the data is: a SQLAlchemy URL."""

    url: str = DEFAULT_DATABASE


class Paths(Section):
    """Folders; '' means those that come with the program. `var` is for what the server writes."""

    rules: Folder = ""
    texts: Folder = ""
    var: Folder = "var"


class Rules(Section):
    """The rule system outside scenes; '' is the first of the table of systems."""

    default: str = ""


class Accounts(Section):
    """Who may make a login, how many guests at once, and the shortest password."""

    create: bool = True
    guests: Count = 10
    shortest_password: Annotated[int, Field(ge=1, le=64)] = 6


class Login(Section):
    """After `tries` wrong passwords for a name from an address, it must wait so many seconds."""

    tries: Annotated[int, Field(ge=1, le=1000)] = 5
    wait: Seconds = 30
    prompt: Annotated[int, Field(ge=5, le=3600)] = 60


class Scenes(Section):
    """After how many seconds without a pose a scene's room is reminded, by pacing; 0: never."""

    live: Span = 3_600
    relaxed: Span = 86_400
    slow: Span = 604_800


class Limits(Section):
    """What one connection, one address and all together may use; 0 sets no limit.

    A burst is free, then so many lines a second are done and so many bytes read; what comes faster
    waits, and nothing is lost.
    Of IPv6, the first 64 bits are an address. Spans are seconds.
    """

    connections: Count = 4_000
    per_address: Count = 1_500
    new_per_minute: Count = 3_000  # from one address
    lines_burst: Count = 2_500
    lines: Count = 1_000
    bytes_burst: Size = 1_048_576
    bytes: Size = 262_144
    address_lines: Count = 20_000
    address_bytes: Size = 4_194_304
    output: Size = 1_048_576  # bytes that wait for who does not read
    output_all: Size = 268_435_456
    login: Seconds = 600  # without logging in
    idle: Span = 0


class Log(Section):
    """How log lines are written, and which."""

    format: Literal["keys", "json"] = "keys"
    level: Literal["debug", "info", "warning", "error"] = "info"


class Metrics(Section):
    """Where operators' port is, if there is one of its own, and who may read /metrics."""

    listen: list[str] = []
    addresses: list[LooseNetwork] = ["127.0.0.0/8", "::1"]


class Mssp(Section):
    """What lists of games are told (MSSP) besides name, players and uptime.

    '' and 0 are left out; `minimum_age` is in years, `crawl_delay` in hours between two visits.
    """

    hostname: Said = ""
    port: Port = 0
    tls: Port = 0
    contact: Said = ""
    website: Said = ""
    created: Annotated[int, Field(ge=0, le=9999)] = 0
    language: Said = "English"
    location: Said = ""
    minimum_age: Annotated[int, Field(ge=0, le=99)] = 0
    genre: Said = ""
    gameplay: list[Said] = ["Roleplaying"]
    status: Literal["Alpha", "Closed Beta", "Open Beta", "Live"] = "Live"
    crawl_delay: Annotated[int, Field(ge=0, le=720)] = 0


class Config(Section):
    """The whole file."""

    server: Server = Server()
    web: Web = Web()
    database: Database = Database()
    paths: Paths = Paths()
    rules: Rules = Rules()
    accounts: Accounts = Accounts()
    login: Login = Login()
    scenes: Scenes = Scenes()
    limits: Limits = Limits()
    log: Log = Log()
    metrics: Metrics = Metrics()
    mssp: Mssp = Mssp()

    @cached_property
    def file(self) -> str:
        """The file that it was read from, to be named with a fault: no setting, and in no file."""
        return DEFAULT_FILE

    @property
    def rules_folder(self) -> Path:
        """The folder of rules tables."""
        return Path(self.paths.rules) if self.paths.rules else shipped("config") / "rules"

    @property
    def texts_folder(self) -> Path:
        """The folder of texts: connect screen, message of the day."""
        return Path(self.paths.texts) if self.paths.texts else shipped("config") / "texts"

    @property
    def var_folder(self) -> Path:
        """The folder that the server writes to."""
        return Path(self.paths.var)


def load(file: Path) -> Config:
    """Read a configuration file; one that is not there is an empty one.

    FaultyError lists all that is wrong with it; OSError when it can't be read.
    """
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    config = read(Config, text, str(file))
    config.__dict__["file"] = str(file)  # where a cached property is; two of one content are equal
    return config
