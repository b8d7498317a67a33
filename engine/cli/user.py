"""`trilho user`: people of the team. Passwords never stand on a command line."""

from typing import TYPE_CHECKING

import click

from engine.cli.answers import as_json, say, say_json
from engine.cli.opening import actor, base_url, settings_now, with_runtime
from engine.core.permissions import Role

if TYPE_CHECKING:
    from engine.runtime import Runtime

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
    from engine.preparing import WAY_IN

    async def work(runtime: "Runtime") -> str:
        from engine.services import accounts

        return await accounts.invite(runtime, email, role, actor(), name)

    token = with_runtime(work)
    link = f"{base_url(settings_now())}{WAY_IN}{token}"
    if json_:
        say_json({"email": email.strip().casefold(), "role": role, "link": link})
    else:
        say(f"{email.strip()} is a new {role}. One-time link, good for 72 hours:")
        say(link)
