"""Large answers travel compressed: the drawing of a large flow is text that says the same things over and over.

A page holds secrets (its form token) beside words that an address may carry, and the length of a compressed page tells
about both (BREACH). So a page is compressed only for a request that no other site can have caused, as its browser says.
"""

import gzip
from typing import Any

from litestar import Request
from litestar.response import Response

__all__ = ["HEADERS", "LEAST", "PackedPage", "may_pack", "takes_gzip"]

LEAST = 8_000
"""Characters below which it is not worth the time."""
LEVEL = 5
HEADERS = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
_OWN = ("same-origin", "none")


def takes_gzip(request: Request[Any, Any, Any]) -> bool:
    """Whether the browser says so."""
    return "gzip" in request.headers.get("accept-encoding", "")


def may_pack(request: Request[Any, Any, Any]) -> bool:
    """Whether a page may be compressed: asked for by a page of ours, or typed in by the person."""
    return takes_gzip(request) and request.headers.get("sec-fetch-site") in _OWN


class PackedPage(Response[str]):
    """A page whose bytes are compressed."""

    def render(self, *args: Any, **more: Any) -> bytes:
        """The page as it travels."""
        return gzip.compress(super().render(*args, **more), LEVEL, mtime=0)
