"""Ids that are somebody else's, unknown, huge or odd, on every route by every role: refused exactly, never a defect."""

import pytest
import pytest_asyncio

from engine.core.permissions import Permission, Role, may
from engine.services import publish
from tests.services.small_flow import small
from tests.web.conftest import ACTOR
from tests.web.crawl import Crawl
from tests.web.furnished import Words, furnish
from tests.web.route_shapes import Route, routes
from tests.web.strict_html import MARK
from web.permissions import Door

UNKNOWN = {"int": "999999", "str": "nada", "path": "nada"}
HUGE = {"int": "9" * 25, "str": "x" * 3_000, "path": "x" * 3_000}
ENDLESS = {"int": "9" * 5_000, "str": "é" * 300, "path": "x/" * 300}
ODD = {"int": "-1", "str": "%00%F0%9F%92%A9%E2%80%AE..%2F", "path": "..%2f..%2fetc%2fpasswd"}
REFUSED = {303, 400, 404, 409, 413, 422, 429}
HARMLESS = {
    "POST /flows/{slug:str}/draft/presence/leave": "whoever leaves a draft that is not there is not there",
    "POST /conversations/{number:int}/here/leave": "whoever leaves a conversation that is not there is not there",
}
"""What is answered 2xx all the same, and why."""
STRICTER = {"POST /settings/replies/{number:int}/remove": "asks who looks only for one of two rights"}
"""What is refused to a role that its declaration would let in, and why."""
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "TRACE", "CONNECT", "PROPFIND", "BREW")


@pytest_asyncio.fixture
async def there(runtime):
    """A full installation, and beside it a small flow to which none of it belongs."""
    made = await furnish(runtime, Words([f"{MARK}{n}" for n in range(300)]))
    await publish.publish_tree(runtime, small(), "primeira", ACTOR)
    return made


def of_people(app) -> list[Route]:
    return [one for one in routes(app) if one.asked is not Door.MACHINE and one.path != "/live/stream"]


async def sent(person, method: str, path: str):
    headers = {"x-csrf-token": person.csrf}
    return await person.client.request(method, path, headers=headers, data=None if method == "GET" else {})


@pytest.mark.parametrize("values", [UNKNOWN, HUGE, ENDLESS, ODD], ids=["unknown", "huge", "endless", "odd"])
async def test_sec_s11_an_id_that_is_not_there_is_refused_on_every_route_to_every_role(app, signed_in, flow, values):
    people = {role: await signed_in(role) for role in Role}
    found, checked = {}, 0
    for route in of_people(app):
        if not route.places:
            continue
        for method in sorted(route.methods):
            for role, person in people.items():
                status = (await sent(person, method, route.at(**values))).status_code
                name = f"{method} {route.path}"
                allowed = not isinstance(route.asked, Permission) or may(role, route.asked)
                accepted = REFUSED if allowed else {403, 404}
                if status not in (accepted | {403} if name in STRICTER else accepted):
                    found[name] = status
                checked += 1
    assert {name: status for name, status in found.items() if name not in HARMLESS} == {}
    assert checked > 250


async def test_sec_s11_what_belongs_to_one_flow_is_not_there_in_another(app, signed_in, there):
    """Every route of a flow, with the other flow's name and with the ids of everything that the first one has."""
    admin = await signed_in(Role.ADMIN)
    shown = {}
    own = {
        "number": "1",
        "ident": "t5",
        "name": "SOBRA",
        "event": "quer",
        "kind": "event",
        "job": there.job,
        "key": "x",
    }
    for route in of_people(app):
        if "{slug:str}" not in route.path or "GET" not in route.methods:
            continue
        answer = await sent(admin, "GET", route.at(slug="pequeno", **own))
        assert answer.status_code < 500
        if MARK in answer.text:
            shown[route.path] = answer.text[max(0, answer.text.index(MARK) - 60) :][:120]
    assert shown == {}


async def test_sec_s11_whoever_may_not_see_phones_sees_them_nowhere(app, signed_in, there):
    """Field by field: no page shows a whole number to a role without that right."""
    person = await signed_in(Role.MARKETER)
    assert not may(Role.MARKETER, Permission.PHONES)
    found = {}
    async for path, answer in Crawl(app, person.client, each=1, thorough=False).pages(there.addresses[4:]):
        digits = "".join(c for c in answer.text if c not in " ()-+")
        if "5541900001" in digits:  # how the phones of the people in `furnish` begin
            found[path] = answer.status_code
    assert found == {}


async def test_sec_s11_methods_that_a_route_does_not_have_are_405_and_leave_no_trace(app, signed_in, flow, capsys):
    admin = await signed_in(Role.ADMIN)
    by_path: dict[str, set[str]] = {}
    for route in routes(app):
        by_path.setdefault(route.path, set()).update(route.methods)
    wrong = {}
    for path, methods in by_path.items():
        address = Route(path, frozenset(), Door.PUBLIC).at(int="1", str="x", path="x")
        for method in METHODS:
            if method in methods:
                continue
            answer = await admin.client.request(method, address, headers={"x-csrf-token": admin.csrf})
            if answer.status_code != 405 or "Traceback" in answer.text:
                wrong[f"{method} {path}"] = answer.status_code
        options = await admin.client.request("OPTIONS", address)
        if options.status_code != 405 or "access-control-allow-origin" in options.headers:
            wrong[f"OPTIONS {path}"] = options.status_code
    assert wrong == {}
    assert "Traceback" not in "".join(capsys.readouterr())
