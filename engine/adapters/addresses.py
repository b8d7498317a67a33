"""Which network addresses a call on behalf of a flow, a lead or a payload may reach: public ones only (S19)."""

import ipaddress
from typing import TypeAlias

from yarl import URL

from engine.core.errors import NotSent

_Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_DENIED = tuple(
    ipaddress.ip_network(network)
    for network in (
        # Python 3.11 calls these global although they lead back inside: special use, NAT64 of anything, 6to4, Teredo,
        # version 4 spelled in version 6 (compatible, translated), site-local, segment routing, documentation
        "192.0.0.0/24",
        "192.88.99.0/24",
        "64:ff9b::/96",
        "64:ff9b:1::/48",
        "2002::/16",
        "2001::/32",
        "::/96",
        "::ffff:0:0:0/96",
        "fec0::/10",
        "5f00::/16",
        "3fff::/20",
    )
)


def check_public(url: str) -> None:
    """Raise NotSent unless the address is https on port 443 of a name, or of a literal address that is public."""
    try:
        parts = URL(url)
        host, port = parts.host, parts.port
    except ValueError as error:
        raise NotSent("the address cannot be read") from error
    if parts.scheme != "https" or port != 443 or not host or parts.user is not None:
        raise NotSent("only https on port 443 is allowed")
    try:
        literal = ipaddress.ip_address(host)
    except ValueError:
        return
    if not is_public(literal):
        raise NotSent("the address is not public")


def is_public(address: _Address) -> bool:
    """Whether packets to it leave for the internet, as far as the address itself tells."""
    inner = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    if inner is not None:
        return is_public(inner)
    return (
        address.is_global
        and not address.is_multicast
        and not any(address.version == network.version and address in network for network in _DENIED)
    )
