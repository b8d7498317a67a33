"""A browser on every page of the route table, with scripts in every place that takes words: none runs, nothing is blocked.

SEC-S14: no page breaks its own policy. SEC-S15: what people wrote never runs. One pass as an administrator at the size
of a phone; every role, both sizes and both languages behind `make proof`.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Page

from engine.core.permissions import Role
from engine.services import accounts, sign_in
from tests.browser.conftest import DESKTOP, PHONE, OpenPage
from tests.browser.serving import serving
from tests.runtimes import a_runtime
from tests.web.conftest import ACTOR, PASSWORD
from tests.web.crawl import Crawl
from tests.web.furnished import Words, furnish

CORPUS = (Path(__file__).parent.parent / "corpora/xss.txt").read_text().rstrip("\n").split("\n")
LISTEN = """
window.__ran = []; window.__blocked = [];
for (const name of ["xevil", "alert"]) window[name] = (...what) => { window.__ran.push(name + what); };
document.addEventListener("securitypolicyviolation", (e) => window.__blocked.push(e.violatedDirective + " " + e.blockedURI));
"""
LOOK = """() => ({
  ran: window.__ran, blocked: window.__blocked, wide: document.scrollingElement.scrollWidth - innerWidth,
  unfilled: document.body.innerText.includes("%("), language: document.documentElement.lang,
  grown: document.querySelectorAll("xevil, [onxevil], [onerror], [onload], [onmouseover], [onfocus], base, iframe, object").length,
})"""


@dataclass
class Place:
    """Where it is served, and who is signed in by role."""

    url: str
    app: object
    tokens: dict[str, str]
    addresses: tuple[str, ...]

    async def pages(self, role: str, *, thorough: bool) -> list[str]:
        """The whole pages that somebody of a role reaches by links, of each route one or every kind."""
        cookies = {"trilho": self.tokens[role]}
        transport = httpx.ASGITransport(app=self.app)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url=self.url, cookies=cookies) as client:
            return [
                path
                async for path, answer in Crawl(self.app, client, each=1, thorough=thorough).pages(self.addresses)
                if answer.status_code == 200 and answer.text[:15].lower() == "<!doctype html>"
            ]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def place(shared_sqlite_url: str) -> AsyncIterator[Place]:
    runtime, tokens = a_runtime(shared_sqlite_url), {}
    there = await furnish(runtime, Words(CORPUS))
    for role in Role:
        email = f"{role}@trilho.test"
        await accounts.use_link(runtime, await accounts.invite(runtime, email, role, ACTOR, name=role), PASSWORD)
        tokens[role.value] = await sign_in.sign_in(runtime, email, PASSWORD, "127.0.0.1")
    async with serving(runtime) as site:
        yield Place(site.url, site.app, tokens, there.addresses)
    await runtime.close()


async def wrong(page: Page, place: Place, paths: list[str], language: str) -> dict[str, object]:
    """What is not as it should be on each page."""
    found: dict[str, object] = {}
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    await page.add_init_script(LISTEN)
    for path in paths:
        errors.clear()
        await page.goto(place.url + path, wait_until="load")
        seen = await page.evaluate(LOOK)
        good = {"ran": [], "blocked": [], "unfilled": False, "language": language, "grown": 0}
        bad = {name: seen[name] for name, value in good.items() if seen[name] != value}
        if seen["wide"] > 0:
            bad["wide"] = seen["wide"]
        if errors:
            bad["errors"] = errors[:3]
        if bad:
            found[path] = bad
    return found


async def walked(
    open_page: OpenPage, place: Place, role: str, size: tuple[int, int], language: str, *, thorough: bool = True
) -> dict[str, object]:
    page = await open_page(size=size, locale=language)
    await page.context.add_cookies([{"name": "trilho", "value": place.tokens[role], "url": place.url}])
    paths = await place.pages(role, thorough=thorough)
    assert len(paths) > 12
    return await wrong(page, place, paths, language)


async def test_sec_s14_no_page_breaks_its_policy_runs_what_people_wrote_or_scrolls_sideways(
    place: Place, open_page: OpenPage
) -> None:
    assert await walked(open_page, place, Role.ADMIN, PHONE, "pt-BR", thorough=False) == {}


@pytest.mark.slow
@pytest.mark.parametrize("language", ["pt-BR", "en"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("role", list(Role))
async def test_every_role_sees_pages_without_a_fault(
    place: Place, open_page: OpenPage, role: Role, size: tuple[int, int], language: str
) -> None:
    assert await walked(open_page, place, role, size, language) == {}


async def test_the_crawl_sees_a_script_that_runs_and_a_page_that_is_too_wide(place: Place, open_page: OpenPage) -> None:
    page = await open_page()
    await page.add_init_script(LISTEN)
    await page.goto(f"{place.url}/login")
    await page.evaluate("""() => {
      xevil(1);
      const wide = document.createElement("xevil"); document.body.append(wide);
      document.dispatchEvent(new SecurityPolicyViolationEvent("securitypolicyviolation", { violatedDirective: "x" }));
    }""")
    seen = await page.evaluate(LOOK)

    assert (seen["ran"], seen["grown"], len(seen["blocked"])) == (["xevil1"], 1, 1)
