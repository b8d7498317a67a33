"""People of the team: inviting, one-time links, passwords and roles. Nobody's password is ever on a command line."""

from dataclasses import dataclass
from hashlib import sha256

from engine.adapters.passwords import weakness
from engine.core.errors import Conflict, NotFound, Refused
from engine.core.flow import HOUR
from engine.core.permissions import Actor, Role
from engine.runtime import Runtime
from engine.store import accounts, audit, sessions
from engine.store.accounts import Account, Link
from engine.store.connection import Tx

__all__ = [
    "Account", "Invitation", "by_address", "change_password", "change_profile", "change_role", "disable", "enable",
    "everybody", "first_admin_link", "invitation", "invite", "reset_link", "use_link",
]  # fmt: skip

LINK_LIFE = 72 * HOUR
TOKEN_BYTES = 32
KEY = "accounts"


@dataclass(frozen=True, slots=True)
class Invitation:
    """What a one-time link is for. A first admin has no address yet and names one when using the link."""

    purpose: str
    email: str
    role: str
    name: str = ""


def digest(token: str) -> str:
    """What is stored of a token."""
    return sha256(token.encode()).hexdigest()


def normal(email: str) -> str:
    """An address as it is stored and compared. Raises Refused("email_unreadable")."""
    plain = email.strip().casefold()
    name, at, host = plain.rpartition("@")
    if not name or not at or not host or len(plain) > 254 or any(c.isspace() or not c.isprintable() for c in plain):
        raise Refused("email_unreadable")
    return plain


def _role(role: str) -> Role:
    if role not in list(Role):
        raise Refused("role_unknown", role=role, roles=[one.value for one in Role])
    return Role(role)


async def invite(runtime: Runtime, email: str, role: str, actor: Actor, name: str = "") -> str:
    """A new account and the token of its one-time link (72 h).

    Raises Refused: email_unreadable, role_unknown, account_exists.
    """
    address, wanted, now = normal(email), _role(role), runtime.clock.now()
    token = runtime.ids.token(TOKEN_BYTES)

    def unit(tx: Tx) -> None:
        user_id = accounts.add(tx, email=address, name=name.strip(), role=wanted, now=now)
        _linked(tx, token, user_id, "invite", now)
        audit.note(tx, now, actor, "account.invited", subject=address, facts={"role": wanted.value})

    try:
        await runtime.store.write(KEY, unit)
    except Conflict:
        raise Refused("account_exists", email=address) from None
    return token


async def first_admin_link(runtime: Runtime) -> str | None:
    """A fresh token for the very first admin, or None once an admin can sign in. Each call makes the last one void."""
    now, token = runtime.clock.now(), runtime.ids.token(TOKEN_BYTES)

    def unit(tx: Tx) -> str | None:
        if accounts.has_working_admin(tx):
            return None
        waiting = accounts.by_email(tx, "")
        user_id = accounts.add(tx, email="", name="", role=Role.ADMIN, now=now) if waiting is None else waiting.id
        accounts.drop_links(tx, user_id)
        _linked(tx, token, user_id, "first_admin", now)
        return token

    try:
        return await runtime.store.write(KEY, unit)
    except Conflict:
        return await runtime.store.write(KEY, unit)  # another process started at the same moment


async def reset_link(runtime: Runtime, user_id: int, actor: Actor) -> str:
    """A token with which somebody sets a password, the first or a new one; older unused ones are void. Raises NotFound."""
    now, token = runtime.clock.now(), runtime.ids.token(TOKEN_BYTES)

    def unit(tx: Tx) -> None:
        account = _there(tx, user_id)
        accounts.drop_links(tx, user_id)
        _linked(tx, token, user_id, "invite" if account.invited else "reset", now)
        audit.note(tx, now, actor, "account.reset", subject=account.email)

    await runtime.store.write(KEY, unit)
    return token


async def invitation(runtime: Runtime, token: str) -> Invitation | None:
    """What a link is for, or None when it is used, expired or unknown."""
    now = runtime.clock.now()

    def unit(tx: Tx) -> Invitation | None:
        found = _usable(tx, token, now)
        return None if found is None else Invitation(found[0].purpose, found[1].email, found[1].role, found[1].name)

    return await runtime.store.read(unit)


async def use_link(
    runtime: Runtime, token: str, password: str, *, email: str | None = None, name: str | None = None, address: str = ""
) -> Account:
    """Set the password that the link is for; it is used up, and whoever was signed in is signed out.

    `email` is needed for the first admin and ignored else. Raises Refused: link_unusable, email_unreadable,
    account_exists, password_short, password_long, password_common (then the link still holds).
    """
    asked = await invitation(runtime, token)
    if asked is None:
        raise Refused("link_unusable")
    own = normal(email or "") if asked.purpose == "first_admin" else asked.email
    if (code := weakness(password, own)) is not None:
        raise Refused(code)
    hashed, now = await runtime.passwords.hashed(password), runtime.clock.now()

    def unit(tx: Tx) -> Account:
        found = _usable(tx, token, now)
        if found is None or not accounts.use_link(tx, digest(token), now):
            raise Refused("link_unusable")
        link, account = found
        if link.purpose == "first_admin" and accounts.has_working_admin(tx):
            raise Refused("link_unusable")
        values = {"email": own} | ({"name": name.strip()} if name is not None else {})
        accounts.change(tx, account.id, **values)
        accounts.set_password(tx, account.id, hashed)
        accounts.drop_links(tx, account.id)
        sessions.drop_of(tx, account.id)
        audit.note(tx, now, Actor(own, address), "account.password_set", subject=own, facts={"purpose": link.purpose})
        return _there(tx, account.id)

    try:
        return await runtime.store.write(KEY, unit)
    except Conflict:
        raise Refused("account_exists", email=own) from None


async def change_password(runtime: Runtime, user_id: int, actor: Actor, *, old: str, new: str, keep: str = "") -> None:
    """Replace one's own password; every other session ends (`keep` is the digest of this one).

    Raises Refused: password_wrong, password_short, password_long, password_common.
    """
    account, stored = await runtime.store.read(lambda tx: (_there(tx, user_id), accounts.password(tx, user_id)))
    if not await runtime.passwords.matches(stored, old):
        raise Refused("password_wrong")
    if (code := weakness(new, account.email)) is not None:
        raise Refused(code)
    hashed, now = await runtime.passwords.hashed(new), runtime.clock.now()

    def unit(tx: Tx) -> None:
        accounts.set_password(tx, user_id, hashed)
        accounts.drop_links(tx, user_id)
        sessions.drop_of(tx, user_id, keep=keep)
        audit.note(tx, now, actor, "account.password_changed", subject=account.email)

    await runtime.store.write(KEY, unit)


async def change_role(runtime: Runtime, user_id: int, role: str, actor: Actor) -> None:
    """Give somebody another role; they sign in anew (SEC-S10). Raises Refused: role_unknown, last_admin."""
    wanted = _role(role)
    await _changed(runtime, user_id, actor, "account.role_changed", facts={"role": wanted.value}, role=wanted)


async def disable(runtime: Runtime, user_id: int, actor: Actor) -> None:
    """Shut somebody out at once. Raises Refused("last_admin"), NotFound."""
    await _changed(runtime, user_id, actor, "account.disabled", facts={}, disabled_at=runtime.clock.now())


async def enable(runtime: Runtime, user_id: int, actor: Actor) -> None:
    """Let somebody in again. Raises NotFound."""
    await _changed(runtime, user_id, actor, "account.enabled", facts={}, disabled_at=None)


async def change_profile(runtime: Runtime, user_id: int, **values: str | None) -> None:
    """One's own name, language, theme."""
    if set(values) - {"name", "language", "theme"}:
        raise Refused("not_changeable")
    await runtime.store.write(KEY, lambda tx: accounts.change(tx, user_id, **values))


async def everybody(runtime: Runtime) -> list[Account]:
    """All accounts that have an address."""
    return [account for account in await runtime.store.read(accounts.everybody) if account.email]


async def by_address(runtime: Runtime, email: str) -> Account:
    """Somebody by their address. Raises NotFound."""
    found = await runtime.store.read(lambda tx: accounts.by_email(tx, email.strip().casefold()))
    if found is None or not found.email:
        raise NotFound("account", email.strip())
    return found


async def _changed(
    runtime: Runtime, user_id: int, actor: Actor, what: str, *, facts: dict[str, object], **values: object
) -> None:
    now = runtime.clock.now()

    def unit(tx: Tx) -> None:
        account = _there(tx, user_id)
        had_admin = accounts.has_working_admin(tx)
        accounts.change(tx, user_id, **values)
        if had_admin and not accounts.has_working_admin(tx):
            raise Refused("last_admin")
        sessions.drop_of(tx, user_id)
        audit.note(tx, now, actor, what, subject=account.email, facts=facts)

    await runtime.store.write(KEY, unit)


def _there(tx: Tx, user_id: int) -> Account:
    account = accounts.by_id(tx, user_id)
    if account is None:
        raise NotFound("account", user_id)
    return account


def _usable(tx: Tx, token: str, now: int) -> tuple[Link, Account] | None:
    link = accounts.link(tx, digest(token))
    if link is None or link.used_at is not None or link.expires_at <= now:
        return None
    account = accounts.by_id(tx, link.user_id)
    return None if account is None or account.disabled_at is not None else (link, account)


def _linked(tx: Tx, token: str, user_id: int, purpose: str, now: int) -> None:
    accounts.add_link(tx, digest=digest(token), user_id=user_id, purpose=purpose, now=now, expires_at=now + LINK_LIFE)
