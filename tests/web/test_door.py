"""Who may do what: roles by routes, generated from the application's own routes (SEC-S11)."""

import pytest
from litestar import Litestar, get
from litestar.exceptions import ImproperlyConfiguredException

from engine.core.permissions import Role, may
from tests.web.test_headers import filled
from web.permissions import Door, declared, handlers, require_declarations


async def test_sec_s11_every_role_reaches_exactly_what_it_may(app, signed_in, flow):
    people = {role: await signed_in(role) for role in Role}
    checked = 0
    for path, handler in handlers(app):
        asked = declared(handler.opt)
        if asked in (Door.MACHINE, Door.PUBLIC) or path == "/logout":
            continue
        for method in sorted(handler.http_methods):
            for role, person in people.items():
                response = await person.client.request(
                    method, filled(path), headers={"x-csrf-token": person.csrf}, data={} if method != "GET" else None
                )
                allowed = asked is Door.SIGNED_IN or may(role, asked)
                assert (response.status_code != 403) == allowed, (role, method, path, response.status_code)
                assert response.status_code not in (401, 405, 500), (role, method, path)
                checked += 1
    assert checked > 50


async def test_sec_s11_a_stranger_reaches_nothing_that_is_not_public(app, stranger, flow):
    for path, handler in handlers(app):
        if declared(handler.opt) in (Door.MACHINE, Door.PUBLIC):
            continue
        for method in sorted(handler.http_methods):
            response = await stranger.client.request(method, filled(path))
            assert response.status_code == 401, (method, path)


def test_sec_s11_a_route_without_a_permission_stops_the_start():
    @get("/forgotten")
    async def forgotten() -> str:
        return "open"

    with pytest.raises(ImproperlyConfiguredException, match="/forgotten"):
        require_declarations(Litestar([forgotten], openapi_config=None))


async def test_a_role_that_nobody_knows_may_nothing(runtime, editor, flow):
    await runtime.store.write("x", lambda tx: tx.run("UPDATE account SET role = 'owner'"))

    assert (await editor.get("/flows")).status_code == 403


async def test_a_page_asked_without_a_session_is_the_sign_in_form_and_leads_back(stranger, flow):
    response = await stranger.get("/flows/pequeno/draft?view=table")

    assert response.status_code == 401
    assert 'name="next" value="/flows/pequeno/draft?view=table"' in response.text


async def test_a_fragment_asked_without_a_session_asks_to_sign_in_beside_the_page(stranger, flow):
    response = await stranger.get("/flows/pequeno/draft/states/NOVO", headers={"hx-request": "true"})

    assert response.status_code == 401
    assert response.headers["hx-retarget"] == "#toasts"
    assert 'href="/login?next=/session/back"' in response.text


async def test_whoever_may_not_edit_sees_the_draft_without_ways_to_change_it(signed_in, flow):
    person = await signed_in(Role.READONLY)

    page = (await person.get("/flows/pequeno/draft?sel=s:NOVO")).text

    assert "NOVO" in page
    assert "/draft/states/new" not in page
    assert "/delete" not in page
    assert 'id="i-deadline" name="value" disabled' in page
