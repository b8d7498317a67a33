"""The mail server of the installation: one setting, its password sealed; and messages to people of the team."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import structlog

from engine.adapters.mail import CLEAR, STARTTLS, TLS, MailFailed, MailServer, post
from engine.adapters.reading import number
from engine.core.errors import NotFound, Refused
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services.accounts import normal
from engine.services.connections import is_address
from engine.store import audit, installation
from engine.store.connection import Tx

__all__ = ["MODES", "Mailing", "remove", "send", "set_server", "show"]

log = structlog.get_logger()
NAME = "mail"
SEALED = "setting/mail/password"
MODES = (STARTTLS, TLS, CLEAR)
FRESH: Mapping[str, object] = {
    "host": "", "port": 587, "tls": STARTTLS, "user": "", "password": "", "sender": "", "site": "",
}  # fmt: skip
LONGEST = 254


@dataclass(frozen=True, slots=True)
class Mailing:
    """The server, and where links in messages lead: an address that an administrator gave, never one of a request."""

    server: MailServer
    site: str


async def show(runtime: Runtime) -> Mailing | None:
    """What is set, None when nothing is. Raises BadSettings when the vault's key is another."""

    def unit(tx: Tx) -> Mailing | None:
        stored: Any = installation.value(tx, NAME)
        if stored is None:
            return None
        password = runtime.vault.open(stored["password"], SEALED) if stored["password"] else None
        server = MailServer(stored["host"], stored["port"], stored["tls"], stored["user"], password, stored["sender"])
        return Mailing(server, stored["site"])

    return await runtime.store.read(unit)


async def set_server(runtime: Runtime, actor: Actor, values: Mapping[str, str]) -> None:
    """Make or change it. Keys are host, port, tls, user, password, sender and site; a password that is not given, or
    empty, stays as it was as long as server and user are the same: a secret never goes to another host.

    Raises Refused: key_unknown, mail_host, mail_port, choice_unreadable, email_unreadable, base_url_unreadable,
    value_too_long, password_in_clear, password_again.
    """
    given = {name: _usable(name, value.strip()) for name, value in values.items() if name != "password"}
    secret = values.get("password", "")

    def unit(tx: Tx) -> None:
        stored: Any = installation.value(tx, NAME) or FRESH
        changed = {**stored, **given}
        if secret:
            changed["password"] = runtime.vault.seal(secret, SEALED)
        elif not changed["user"]:
            changed["password"] = ""
        elif stored["password"] and any(changed[name] != stored[name] for name in ("host", "port", "user")):
            raise Refused("password_again")
        if not changed["host"]:
            raise Refused("mail_host")
        if not changed["sender"]:
            raise Refused("email_unreadable")
        if changed["user"] and changed["tls"] == CLEAR:
            raise Refused("password_in_clear")
        installation.set_value(tx, NAME, changed)
        facts = {"keys": sorted(name for name in changed if changed[name] != stored[name])}
        audit.note(tx, runtime.clock.now(), actor, "mail.changed", subject=NAME, facts=facts)

    if len(secret) > LONGEST:
        raise Refused("value_too_long", key="password", longest=LONGEST)
    await runtime.store.write("settings", unit)


async def remove(runtime: Runtime, actor: Actor) -> None:
    """No mail any more. Raises NotFound when there was none."""

    def unit(tx: Tx) -> None:
        if installation.value(tx, NAME) is None:
            raise NotFound("mail server", "to remove")
        installation.set_value(tx, NAME, None)
        audit.note(tx, runtime.clock.now(), actor, "mail.removed", subject=NAME)

    await runtime.store.write("settings", unit)


async def send(runtime: Runtime, to: str, subject: str, text: str) -> None:
    """One message. Raises Refused: mail_unset, mail_failed with the `reason`."""
    found = await show(runtime)
    if found is None:
        raise Refused("mail_unset")
    try:
        await post(found.server, to, subject, text)
    except MailFailed as failure:
        log.warning("mail not sent", reason=failure.reason)
        raise Refused("mail_failed", reason=failure.reason) from failure


def _usable(name: str, value: str) -> str | int:
    """A value as it is stored. Raises Refused."""
    if name not in FRESH:
        raise Refused("key_unknown", key=name, keys=sorted(FRESH))
    if len(value) > LONGEST or not value.isprintable():
        raise Refused("value_too_long", key=name, longest=LONGEST)
    if name == "port":
        port = number(value)
        if port is None or not 1 <= port <= 65535:
            raise Refused("mail_port")
        return port
    if name == "tls" and value not in MODES:
        raise Refused("choice_unreadable", key=name, choices=MODES)
    if name == "host" and (not value or any(sign in value for sign in " /@")):
        raise Refused("mail_host")
    if name == "sender":
        return normal(value)
    if name == "site" and not is_address(value):
        raise Refused("base_url_unreadable")
    return value.rstrip("/") if name == "site" else value
