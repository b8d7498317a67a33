"""Who really asks, when a proxy asks for them: only proxies that the settings name are believed (SEC-S6)."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TypeAlias

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

__all__ = ["Networks", "behind", "source"]

Networks: TypeAlias = Sequence[IPv4Network | IPv6Network]
_Address: TypeAlias = IPv4Address | IPv6Address
HEADER = b"x-forwarded-for"
MOST = 20
"""Links of a chain that are looked at, from the near end."""


class Behind:
    """Middleware: puts the address of whoever asked in the place of the proxy's, for everything that comes after."""

    def __init__(self, trusted: Networks) -> None:
        self.trusted = trusted

    def __call__(self, app: ASGIApp) -> ASGIApp:
        async def placed(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == ScopeType.HTTP and self.trusted and (client := scope["client"]) is not None:
                chain = b",".join(value for name, value in scope["headers"] if name.lower() == HEADER)
                scope["client"] = (source(client[0], chain.decode("latin-1"), self.trusted), client[1])
            await app(scope, receive, send)

        return placed


def behind(trusted: Networks) -> Behind:
    """The middleware for the proxies of an installation; with none nothing changes."""
    return Behind(trusted)


def source(peer: str, chain: str, trusted: Networks) -> str:
    """The nearest address of the chain that is no proxy of ours; `peer` when it is not one itself.

    Whatever stands further away was written by strangers. What is no address ends the chain.
    """
    found = peer
    for link in [peer, *reversed(chain.split(",")[-MOST:])]:
        address = _address(link)
        if address is None:
            return found
        found = str(address)
        if not any(address.version == one.version and address in one for one in trusted):
            return found
    return found


def _address(text: str) -> _Address | None:
    """An address with or without a port."""
    plain = text.strip()
    if plain.startswith("["):
        plain = plain[1:].partition("]")[0]
    elif plain.count(":") == 1:
        plain = plain.partition(":")[0]
    try:
        read = ip_address(plain)
    except ValueError:
        return None
    return (read.ipv4_mapped if isinstance(read, IPv6Address) else None) or read
