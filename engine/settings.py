"""The environment, read once, as one frozen value. A name or a value that is not understood stops the start."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Literal, TypeAlias
from urllib.parse import SplitResult, urlsplit

from engine.core.errors import BadSettings

PREFIX = "TRILHO_"
NAMES = (
    "TRILHO_DATABASE_URL",
    "TRILHO_REDIS_URL",
    "TRILHO_DATA_DIR",
    "TRILHO_SECRET_KEY",
    "TRILHO_BASE_URL",
    "TRILHO_API_TOKEN",
    "TRILHO_LOG",
    "TRILHO_TRUSTED_PROXIES",
    "TRILHO_SECURITY_CONTACT",
)
SHORTEST_SECRET = 32  # characters: what a generated key or token has at least
LogFormat = Literal["console", "json"]
Network: TypeAlias = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class Settings:
    """What a process is told from outside. Secrets and addresses with passwords stay out of `repr`.

    `data_dir` is absolute and may not exist yet. `secret_key` None: the key file of the data folder is used.
    `base_url` None: the address the web server listens on. `api_token` None: no first token is made.
    """

    data_dir: Path
    database_url: str = field(repr=False)
    redis_url: str = field(repr=False)
    secret_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    api_token: str | None = field(default=None, repr=False)
    log: LogFormat = "console"
    trusted_proxies: tuple[Network, ...] = ()
    """Whose word on who asks is believed."""
    security_contact: str | None = None
    """Where somebody who finds a weakness may write: `mailto:…` or `https://…`."""


def from_environment(environ: Mapping[str, str]) -> Settings:
    """Read the settings; raises BadSettings with one line a mistake, so that all can be mended at once.

    An empty value counts as not given, as in `TRILHO_BASE_URL= trilho run`. No value is ever repeated in a message:
    it may be a secret put under the wrong name.
    """
    given = {name: value.strip() for name, value in environ.items() if name.startswith(PREFIX) and value.strip()}
    mistakes = [_unknown(name) for name in sorted(environ) if name.startswith(PREFIX) and name not in NAMES]

    data_dir = Path(given.get("TRILHO_DATA_DIR", "data")).expanduser().absolute()
    database_url = given.get("TRILHO_DATABASE_URL", f"sqlite:///{data_dir / 'trilho.db'}")
    redis_url = given.get("TRILHO_REDIS_URL", f"unix://{data_dir / 'valkey.sock'}")
    base_url = given.get("TRILHO_BASE_URL")
    log = given.get("TRILHO_LOG", "console")

    if data_dir.exists() and not data_dir.is_dir():
        mistakes.append("TRILHO_DATA_DIR must be a folder, and a file has this name")
    mistakes += _database_mistakes(database_url)
    mistakes += _redis_mistakes(redis_url)
    mistakes += _base_mistakes(base_url) if base_url else []
    for name in ("TRILHO_SECRET_KEY", "TRILHO_API_TOKEN"):
        if name in given and len(given[name]) < SHORTEST_SECRET:
            mistakes.append(f"{name} must have at least {SHORTEST_SECRET} characters")
    if log not in ("console", "json"):
        mistakes.append("TRILHO_LOG must be console or json")
    proxies, wrong = _networks(given.get("TRILHO_TRUSTED_PROXIES", ""))
    mistakes += wrong
    contact = given.get("TRILHO_SECURITY_CONTACT")
    mistakes += _contact_mistakes(contact) if contact else []
    if mistakes:
        raise BadSettings("\n".join(mistakes))

    return Settings(
        data_dir=data_dir,
        database_url=database_url,
        redis_url=redis_url,
        secret_key=given.get("TRILHO_SECRET_KEY"),
        base_url=base_url.rstrip("/") if base_url else None,
        api_token=given.get("TRILHO_API_TOKEN"),
        log="json" if log == "json" else "console",
        trusted_proxies=proxies,
        security_contact=contact,
    )


def as_environment(settings: Settings) -> dict[str, str]:
    """The environment that gives these settings again, for child processes."""
    values = {
        "TRILHO_DATABASE_URL": settings.database_url,
        "TRILHO_REDIS_URL": settings.redis_url,
        "TRILHO_DATA_DIR": str(settings.data_dir),
        "TRILHO_SECRET_KEY": settings.secret_key,
        "TRILHO_BASE_URL": settings.base_url,
        "TRILHO_API_TOKEN": settings.api_token,
        "TRILHO_LOG": settings.log,
        "TRILHO_TRUSTED_PROXIES": ",".join(map(str, settings.trusted_proxies)) or None,
        "TRILHO_SECURITY_CONTACT": settings.security_contact,
    }
    return {name: value for name, value in values.items() if value is not None}


def _unknown(name: str) -> str:
    endings = [known.removeprefix(PREFIX) for known in NAMES]
    close = difflib.get_close_matches(name.removeprefix(PREFIX).upper(), endings, n=1)
    proposal = f", did you mean {PREFIX}{close[0]}?" if close else f"; the settings are {', '.join(NAMES)}"
    return f"{name} is not a setting{proposal}"


def _split(url: str) -> SplitResult | None:
    """The parts of an address, or None when it has none: a broken port is found here and not at the first call."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts


def _database_mistakes(url: str) -> list[str]:
    parts = _split(url)
    if parts and parts.scheme == "sqlite" and not parts.netloc and parts.path not in ("", "/"):
        return []
    if parts and parts.scheme == "postgresql+psycopg" and parts.path not in ("", "/"):
        return []
    return ["TRILHO_DATABASE_URL must be sqlite:///path/to/file.db or postgresql+psycopg://user:password@host/name"]


def _redis_mistakes(url: str) -> list[str]:
    parts = _split(url)
    if parts and parts.scheme in ("redis", "rediss") and parts.hostname:
        return []
    if parts and parts.scheme == "unix" and not parts.netloc and parts.path not in ("", "/"):
        return []
    return ["TRILHO_REDIS_URL must be redis://host:port, rediss://host:port or unix:///path/to/socket"]


def _base_mistakes(url: str) -> list[str]:
    parts = _split(url)
    if parts and parts.scheme in ("http", "https") and parts.hostname and not (parts.query or parts.fragment):
        return []
    return ["TRILHO_BASE_URL must be an address such as https://flows.example.com"]


def _networks(text: str) -> tuple[tuple[Network, ...], list[str]]:
    try:
        return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip()), []
    except ValueError:
        return (), [
            "TRILHO_TRUSTED_PROXIES must be addresses or networks with commas between them: 127.0.0.1,10.0.0.0/8"
        ]


def _contact_mistakes(contact: str) -> list[str]:
    parts = _split(contact)
    good = parts and ((parts.scheme == "mailto" and "@" in parts.path) or (parts.scheme == "https" and parts.hostname))
    if good and contact.isprintable() and contact.isascii() and " " not in contact:
        return []
    return ["TRILHO_SECURITY_CONTACT must be mailto:somebody@example.com or an address with https://"]
