"""Addresses that lead back inside in all their disguises (SEC-S19)."""

import ipaddress
import socket

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from engine.adapters.addresses import check_public, is_public
from engine.adapters.resolver import PublicResolver
from engine.core.errors import NotSent

INSIDE = [
    "127.0.0.1", "127.1.2.3", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "192.0.0.192", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1",
    "255.255.255.255", "192.88.99.1", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
    "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1", "2002:7f00:1::", "2002:a00:1::", "2001::1", "2001:db8::1",
    "fc00::1", "fd12:3456::1", "fe80::1", "ff02::1", "100::1", "::127.0.0.1", "::ffff:0:7f00:1",
    "fec0::1", "5f00::1", "3fff::1",
]  # fmt: skip


@pytest.mark.parametrize("address", INSIDE)
def test_it_leads_inside(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(NotSent):
        check_public(f"https://{host}/")


@pytest.mark.parametrize("address", ["8.8.8.8", "157.240.12.1", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_it_leads_outside(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "url",
    ["http://example.com/", "ftp://example.com/", "https://example.com:8443/", "https://user@example.com/", "https:///",
     "//example.com", "example.com", "", "https://[::1", "file:///etc/passwd", "javascript:alert(1)"],
)  # fmt: skip
def test_only_https_on_its_own_port_without_a_user_is_allowed(url: str) -> None:
    with pytest.raises(NotSent):
        check_public(url)


def test_a_name_passes_here_and_is_checked_when_it_is_looked_up() -> None:
    check_public("https://api.exemplo.test/path?x=1")


class Answers(AbstractResolver):
    """A name server that says something else each time."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [
            ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=0)
            for address in self.answers.pop(0)
        ]

    async def close(self) -> None:
        """Nothing is open."""


async def test_every_address_of_a_name_must_be_public() -> None:
    resolver = PublicResolver(Answers(["8.8.8.8"], ["8.8.8.8", "127.0.0.1"], ["fe80::1%eth0"]))
    assert [entry["host"] for entry in await resolver.resolve("a.test", 443)] == ["8.8.8.8"]
    for _ in range(2):
        with pytest.raises(OSError, match="not public"):
            await resolver.resolve("a.test", 443)


async def test_a_name_that_changes_its_mind_is_caught_at_the_second_lookup() -> None:
    """Rebinding: what is checked is what is connected to, there is no lookup in between."""
    resolver = PublicResolver(Answers(["8.8.8.8"], ["169.254.169.254"]))
    await resolver.resolve("a.test", 443)
    with pytest.raises(OSError, match="not public"):
        await resolver.resolve("a.test", 443)


@pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "localhost"])
async def test_other_spellings_of_loopback_are_caught_after_the_lookup(host: str) -> None:
    """Never judged as text: whatever the system makes of it is judged."""
    with pytest.raises(OSError):
        await PublicResolver().resolve(host, 443)
