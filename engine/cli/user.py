"""`trilho user`: people of the team. Passwords never stand on a command line."""

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

import click

from engine.cli.answers import as_json, instant, say, say_json
from engine.cli.opening import actor, base_url, settings_now, with_runtime
from engine.core.permissions import Role

if TYPE_CHECKING:
    from engine.runtime import Runtime
    from engine.services.accounts import Account

ROLES = [role.value for role in Role]


@click.group()
def user() -> None:
    """People of the team."""


@user.command()
@click.argument("email")
@click.option("--role", type=click.Choice(ROLES), required=True, help="What the person may do.")
@click.option("--name", default="", help="How the person is called.")
@as_json
def add(email: str, role: str, name: str, json_: bool) -> None:
    """Add somebody and print the one-time link with which they choose their password; it is good for 72 hours."""

    async def work(runtime: "Runtime") -> str:
        from engine.services import accounts

        return await accounts.invite(runtime, email, role, actor(), name)

    token = with_runtime(work)
    _say_link(email, role, token, f"{email.strip()} is a new {role}. One-time link, good for 72 hours:", json_)


@user.command("list")
@as_json
def list_(json_: bool) -> None:
    """Everybody, with role and state."""

    async def work(runtime: "Runtime") -> "list[Account]":
        from engine.services import accounts

        return await accounts.everybody(runtime)

    rows = [_shown(account) for account in with_runtime(work)]
    if json_:
        say_json({"people": rows})
        return
    for row in rows:
        factor = "second factor" if row["second_factor"] else "no second factor"
        say(f"{row['email']}  {row['role']}  {row['state']}  {factor}  seen {row['seen_at'] or 'never'}")
    if not rows:
        say("Nobody yet: `trilho run` prints the link for the first administrator.")


@user.command()
@click.argument("email")
@as_json
def link(email: str, json_: bool) -> None:
    """Print a new one-time link for somebody who lost theirs, or the password; links made before stop working."""
    token = _on(email, lambda accounts, runtime, one: accounts.reset_link(runtime, one.id, actor()))
    _say_link(email, None, token, f"One-time link for {email.strip()}, good for 72 hours:", json_)


@user.command()
@click.argument("email")
@click.argument("new", type=click.Choice(ROLES), metavar="ROLE")
@as_json
def role(email: str, new: str, json_: bool) -> None:
    """Give somebody another role; they sign in anew."""
    _on(email, lambda accounts, runtime, one: accounts.change_role(runtime, one.id, new, actor()))
    _done(email, {"role": new}, f"{email.strip()} is a {new} now.", json_)


@user.command()
@click.argument("email")
@as_json
def disable(email: str, json_: bool) -> None:
    """Shut somebody out at once, on every device."""
    _on(email, lambda accounts, runtime, one: accounts.disable(runtime, one.id, actor()))
    _done(email, {"state": "disabled"}, f"{email.strip()} is shut out.", json_)


@user.command()
@click.argument("email")
@as_json
def enable(email: str, json_: bool) -> None:
    """Let somebody in again."""
    _on(email, lambda accounts, runtime, one: accounts.enable(runtime, one.id, actor()))
    _done(email, {"state": "enabled"}, f"{email.strip()} may come in again.", json_)


@user.command("drop-second-factor")
@click.argument("email")
@as_json
def drop_second_factor(email: str, json_: bool) -> None:
    """Turn the second factor of somebody off who lost the telephone and the codes."""

    async def work(runtime: "Runtime") -> None:
        from engine.services import accounts, second_factor

        one = await accounts.by_address(runtime, email)
        await second_factor.turn_off(runtime, one.id, actor(), own=False)

    with_runtime(work)
    _done(email, {"second_factor": False}, f"{email.strip()} has no second factor now.", json_)


def _on(email: str, deed: "Callable[[Any, Runtime, Account], Coroutine[Any, Any, Any]]") -> Any:
    """Do something with the account of an address; the service is read only now."""

    async def work(runtime: "Runtime") -> Any:
        from engine.services import accounts

        return await deed(accounts, runtime, await accounts.by_address(runtime, email))

    return with_runtime(work)


def _shown(account: "Account") -> dict[str, Any]:
    state = "disabled" if account.disabled_at is not None else "invited" if account.invited else "active"
    return {
        "email": account.email,
        "name": account.name,
        "role": account.role,
        "state": state,
        "second_factor": account.guarded,
        "seen_at": None if account.seen_at is None else instant(account.seen_at),
    }


def _say_link(email: str, role_: str | None, token: str, words: str, json_: bool) -> None:
    from engine.preparing import WAY_IN

    address = f"{base_url(settings_now())}{WAY_IN}{token}"
    if json_:
        say_json({"email": email.strip().casefold(), **({"role": role_} if role_ else {}), "link": address})
    else:
        say(words)
        say(address)


def _done(email: str, facts: dict[str, Any], words: str, json_: bool) -> None:
    if json_:
        say_json({"email": email.strip().casefold(), **facts})
    else:
        say(words)
