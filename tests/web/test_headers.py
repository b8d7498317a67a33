"""Headers of every response (SEC-S14), sizes (SEC-S4) and the files that may be cached."""

import re

import pytest

from web.headers import ALWAYS
from web.permissions import handlers

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def filled(path: str) -> str:
    """An address of the route with something in each place."""
    places = {
        "{slug:str}": "pequeno", "{name:str}": "NOVO", "{ident:str}": "t1", "{number:int}": "1", "{token:str}": "x",
        "{name:path}": "app.css", "{event:path}": "messages-upsert",
    }  # fmt: skip
    if path.startswith("/settings/people/"):
        places["{number:int}"] = "999"  # nobody: whoever goes through all addresses is still there afterwards
    for place, value in places.items():
        path = path.replace(place, value)
    return re.sub(r"\{\w+:str\}", "x", re.sub(r"\{\w+:int\}", "1", path))


async def test_sec_s14_every_route_and_every_error_carries_the_headers(app, editor, stranger):
    seen = set()
    for path, handler in handlers(app):
        for method in sorted(handler.http_methods):
            for person in (editor, stranger):
                response = await person.client.request(method, filled(path))
                seen.add(response.status_code)
                assert response.headers.get("content-security-policy", "").startswith("default-src 'none'"), path
                for name, value in ALWAYS.items():
                    if name != "Content-Security-Policy":
                        assert response.headers.get(name) == value, (path, name)
                assert "cache-control" in response.headers, path
    assert {200, 401, 403, 404} <= seen


async def test_sec_s14_the_policy_is_the_strict_one_on_pages_and_on_nothing(editor):
    for path in ("/flows", "/flows/pequeno/draft", "/nothing-here", "/login"):
        response = await editor.get(path)

        assert response.headers["content-security-policy"] == CSP
        assert response.headers["cache-control"] == "no-store"


async def test_sec_s14_hsts_only_over_tls(secure_app, stranger, browser_of):
    over_tls = await browser_of(secure_app, "https://trilho.test").get("/login")

    assert over_tls.headers["strict-transport-security"] == "max-age=31536000; includeSubDomains"
    assert "strict-transport-security" not in (await stranger.get("/login")).headers


async def test_an_exported_drawing_runs_nothing(editor, flow):
    response = await editor.get(f"/flows/{flow}/diagram.svg")

    assert response.headers["content-type"].startswith("image/svg+xml")
    assert "sandbox" in response.headers["content-security-policy"]
    assert "attachment" in response.headers["content-disposition"]


async def test_files_are_cached_for_ever_only_under_their_own_hash(stranger):
    page = (await stranger.get("/login")).text
    address = next(part for part in page.split('"') if part.startswith("/vendor/htmx.js?v="))

    assert "immutable" in (await stranger.get(address)).headers["cache-control"]
    assert "immutable" not in (await stranger.get("/vendor/htmx.js?v=other")).headers["cache-control"]
    assert b"htmx" in (await stranger.get(address)).content


@pytest.mark.parametrize(
    "path", ["/static/../web/app.py", "/static/%2e%2e/web/app.py", "/static/nothing", "/vendor/app.css"]
)
async def test_only_known_files_are_served(stranger, path):
    assert (await stranger.get(path)).status_code == 404


async def test_sec_s4_bodies_over_the_limit_of_their_route_are_413(editor, stranger):
    big = "x" * (256 * 1024 + 1)

    assert (await editor.post("/preferences", {"theme": big})).status_code == 413
    assert (await stranger.client.post("/hooks/pay/token", content=big)).status_code == 413
    assert (await stranger.client.post("/hooks/wa/token", content="x" * (4 * 1024 * 1024 + 1))).status_code == 413
    assert (await stranger.client.post("/hooks/wa/token", content=big)).status_code == 404


async def test_sec_s4_a_body_without_a_length_is_counted_as_it_comes(stranger):
    async def chunks():
        for _ in range(300):
            yield b"x" * 1024

    assert (await stranger.client.post("/hooks/pay/token", content=chunks())).status_code == 413
