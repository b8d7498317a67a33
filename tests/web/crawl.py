"""Walks through the application by its own links, from every route without places, a few times into each route.

So a page that is added is visited when something leads there; `unseen` names the routes that nothing led to.
"""

from collections import Counter, deque
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urljoin, urlsplit

import httpx

from tests.web.route_shapes import Route, reading, route_of
from web.permissions import Door

ENDLESS = {"/live/stream": "a stream of news has no end"}
"""What is not read, and why."""
LEADING = ("href", "src", "hx-get", "data-src", "srcset")
TELLING = {"tab", "view", "sel", "show", "form", "format", "kind", "msg", "done", "step"}
"""Parts of a query whose value makes another page."""


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.found += [value for name in LEADING if (value := given.get(name))]
        if tag == "form" and (given.get("method") or "get").lower() == "get" and given.get("action"):
            self.found.append(given["action"] or "")


def links(html: str) -> list[str]:
    """Where a page leads."""
    reader = _Links()
    reader.feed(html)
    return reader.found


@dataclass
class Crawl:
    """One walk: each route at least `each` times, and if `thorough` until every part of a query that tells was there."""

    app: object
    client: httpx.AsyncClient
    each: int = 2
    thorough: bool = True
    most: int = 400
    seen: set[str] = field(default_factory=set)
    reached: Counter[str] = field(default_factory=Counter)
    shapes: Counter[object] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.routes = list(reading(self.app))  # type: ignore[arg-type]

    async def pages(self, more: Iterable[str] = ()) -> AsyncIterator[tuple[str, httpx.Response]]:
        """Each address with its answer."""
        waiting = deque([*(one.path for one in self.routes if not one.places), *more])
        while waiting and len(self.seen) < self.most:
            path = waiting.popleft()
            route = self._fresh(path)
            if route is None:
                continue
            response = await self.client.get(path)
            if response.status_code < 400:
                self.reached[route.path] += 1
            yield path, response
            if response.headers.get("content-type", "").startswith("text/html"):
                waiting.extend(self._within(path, link) for link in links(response.text))
            elif "location" in response.headers:
                waiting.append(self._within(path, response.headers["location"]))

    def unseen(self) -> list[str]:
        """Routes for people that were not reached with a whole answer."""
        apart = (Door.MACHINE,)
        return [
            r.path for r in self.routes if r.asked not in apart and r.path not in ENDLESS and not self.reached[r.path]
        ]

    def _within(self, base: str, link: str) -> str:
        whole = urlsplit(urljoin(f"http://here{base}", link))
        if whole.netloc != "here":
            return ""
        return whole.path + (f"?{whole.query}" if whole.query else "")

    def _fresh(self, path: str) -> Route | None:
        parts = urlsplit(path)
        route = route_of(self.routes, parts.path)
        if route is None or route.path in ENDLESS or path in self.seen:
            return None
        told = [(k, v[:2] if k in ("sel", "msg") else v) if k in TELLING else k for k, v in parse_qsl(parts.query)]
        news = self.thorough and [one for one in told if not self.shapes[route.path, one]]
        if self.shapes[route.path] >= self.each and not news:
            return None
        self.shapes.update([route.path, *((route.path, one) for one in told)])
        self.seen.add(path)
        return route
