"""Name lookup for calls on behalf of a flow, a lead or a payload: public addresses only (S19)."""

import ipaddress
import socket

from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver

from engine.adapters.addresses import is_public


class PublicResolver(AbstractResolver):
    """Looks names up and hands on public addresses only; the connection goes to exactly those, so that a second
    lookup cannot lead elsewhere.
    """

    def __init__(self, inner: AbstractResolver | None = None) -> None:
        self._inner = inner or ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The addresses of `host`; OSError when any of them is not public, as if the name did not exist."""
        found = await self._inner.resolve(host, port, family)
        if not all(is_public(ipaddress.ip_address(entry["host"].partition("%")[0])) for entry in found):
            raise OSError(None, "the name leads to an address that is not public")
        return found

    async def close(self) -> None:
        """Close the resolver underneath."""
        await self._inner.close()
