"""What the application tells of itself: nothing about its inside, little about its state, and whom to write to."""

import logging

import pytest
from litestar import get

from engine.settings import Settings
from tests.runtimes import a_runtime
from tests.web.conftest import ADDRESS, living
from web import route_table
from web.app import create_app
from web.permissions import OPT, Door


@get("/broken", opt={OPT: Door.PUBLIC})
async def broken() -> str:
    raise RuntimeError("SELECT secret FROM /srv/app/engine")


@get("/api/broken", opt={OPT: Door.PUBLIC})
async def broken_too() -> str:
    raise RuntimeError("SELECT secret FROM /srv/app/engine")


@pytest.mark.parametrize("headers", [{}, {"hx-request": "true"}, {"accept": "application/json"}])
@pytest.mark.parametrize("path", ["/broken", "/api/broken"])
async def test_sec_s32_a_defect_tells_a_code_and_nothing_of_the_inside(
    runtime, monkeypatch, browser_of, caplog, path, headers
):
    monkeypatch.setattr("web.app.ROUTES", (*route_table.ROUTES, broken, broken_too))
    caplog.set_level(logging.CRITICAL)
    async with living(create_app(runtime=runtime)) as app:
        answer = await browser_of(app).get(path, headers=headers)

    assert answer.status_code == 500
    for word in ("SELECT", "RuntimeError", "Traceback", "/srv/app", "litestar", "granian", ".py"):
        assert word not in answer.text
        assert all(word not in value for value in answer.headers.values())
    assert "server" not in answer.headers


async def test_sec_s32_no_answer_names_what_it_runs_on(stranger):
    for path in ("/login", "/nowhere", "/schema", "/healthz", "/hooks/wa/x"):
        answer = await stranger.get(path)
        assert not {"server", "x-powered-by"} & set(answer.headers)


async def test_sec_s33_health_tells_no_data_and_figures_need_this_machine_or_a_token(stranger, app, browser_of):
    assert (await stranger.get("/healthz")).text == "ok"
    assert set((await stranger.get("/readyz")).json()) == {"database", "queue"}
    assert (await stranger.get("/metrics")).status_code == 200
    assert (await stranger.get("/metrics", headers={"x-forwarded-for": "1.2.3.4"})).status_code == 401
    assert (await stranger.get("/metrics", headers={"forwarded": "for=x"})).status_code == 401


async def test_sec_s34_whom_to_tell_of_a_weakness_is_a_setting(stranger, sqlite_url, tmp_path, browser_of):
    assert (await stranger.get("/.well-known/security.txt")).status_code == 404

    settings = Settings(
        data_dir=tmp_path,
        database_url=sqlite_url,
        redis_url="redis://unused",
        base_url="https://trilho.test",
        security_contact="mailto:seguranca@loja.example",
    )
    runtime = a_runtime(sqlite_url, settings=settings)
    async with living(create_app(runtime=runtime)) as app:
        answer = await browser_of(app, ADDRESS).get("/.well-known/security.txt")
    await runtime.close()

    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text == (
        "Contact: mailto:seguranca@loja.example\n"
        "Expires: 2026-02-28T10:53:20Z\n"
        "Preferred-Languages: pt, en\n"
        "Canonical: https://trilho.test/.well-known/security.txt\n"
    )
