"""The application's routes as patterns: which route an address belongs to, and addresses with something in each place."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from litestar import Litestar

from web.permissions import Access, declared, handlers

PLACE = re.compile(r"\{(\w+):(\w+)\}")
_KINDS = {"str": "[^/]+", "int": "[0-9]+", "path": ".+"}


@dataclass(frozen=True)
class Route:
    """One handler at one address."""

    path: str
    methods: frozenset[str]
    asked: Access

    @property
    def places(self) -> tuple[tuple[str, str], ...]:
        """The names and kinds of what stands in the address."""
        return tuple(PLACE.findall(self.path))

    def matches(self, path: str) -> bool:
        whole = "".join(
            part if n % 3 == 0 else _KINDS[part] if n % 3 == 2 else "" for n, part in enumerate(PLACE.split(self.path))
        )
        return re.fullmatch(whole, path) is not None

    def at(self, **values: object) -> str:
        """The address with values in its places, by name or by kind."""
        return PLACE.sub(lambda found: str(values.get(found[1], values.get(found[2], "x"))), self.path)


def routes(app: Litestar) -> list[Route]:
    """Every route, each with all of its methods, addresses without places first: those are the narrower ones."""
    found = []
    for path, handler in handlers(app):
        asked = declared(handler.opt)
        assert asked is not None
        found.append(Route(path, frozenset(str(method) for method in handler.http_methods), asked))
    return sorted(found, key=lambda one: (len(one.places), one.path, sorted(one.methods)))


def reading(app: Litestar) -> Iterator[Route]:
    """Those that answer GET."""
    return (route for route in routes(app) if "GET" in route.methods)


def route_of(known: list[Route], path: str) -> Route | None:
    """The route that answers an address, None when there is none."""
    return next((route for route in known if route.matches(path)), None)
