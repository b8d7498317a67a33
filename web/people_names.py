"""The team's names, as pages call people: who acts is kept by address."""

from collections.abc import Mapping

from engine.runtime import Runtime
from engine.services import accounts

__all__ = ["name_of", "names"]


async def names(runtime: Runtime) -> Mapping[str, str]:
    """Address to name, for those who have one."""
    return {account.email: account.name for account in await accounts.everybody(runtime) if account.name}


async def name_of(runtime: Runtime, who: str) -> str:
    """One person's name; what stands before the @ where nobody gave one."""
    return (await names(runtime)).get(who) or who.partition("@")[0]
