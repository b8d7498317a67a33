"""Wall screens: a key opens the columns of one flow and nothing else, tells nobody's number or words, and is revoked."""

import pytest
import pytest_asyncio

from engine.core.permissions import Role
from engine.services import live_news, publish
from tests.services.small_flow import small
from tests.web.conftest import ACTOR
from tests.web.pages_read import read
from web.live_seat import seat
from web.stream import Hub


@pytest_asyncio.fixture
async def admin(signed_in):
    return await signed_in(Role.ADMIN)


async def _key(admin):
    answer = await admin.post("/settings/walls", {"name": "Recepção", "flow": "pequeno"})
    assert answer.status_code == 200
    return answer.text.partition("view=columns&amp;key=")[2].partition('"')[0]


async def test_a_key_shows_the_columns_to_anybody_without_numbers_words_or_links(leads, admin, stranger):
    number = await leads.greet(name="Bruna Azeredo", text="quanto fica?")
    await leads.greet("5511900000007", name="", text="oi, sou a Márcia")
    await admin.post(f"/conversations/{number}/tags", {"add": "caloteira"})
    key = await _key(admin)

    answer = await stranger.get(f"/live?view=list&q=zzz&flow=outro&key={key}")

    assert answer.status_code == 200
    page = answer.text.partition("<body")[2]
    assert "Bruna" in page
    for private in ("Azeredo", "quanto fica", "0142", "Márcia", "0007", "caloteira", f"conversations/{number}"):
        assert private not in page, private
    assert "<a " not in page.partition("<main")[2].partition("</main>")[0]
    assert "<form" not in page
    assert "<button" not in page.replace('<button type="button" class="btn sm news"', "")


async def test_the_stream_of_a_wall_tells_no_more_than_the_page(leads, runtime):
    await leads.greet(name="Bruna Azeredo", text="quanto fica?")
    said = b""
    await leads.say("5511900000142", "tem boleto?")
    events = Hub(runtime).events(
        seat({}, "pequeno", "pt-BR", phones=False, key="k"), live_news.marks_of("0.0.0", runtime.clock.now())
    )
    while b"event: card" not in said:
        said = await anext(events)
    await events.aclose()

    text = said.decode()
    assert "Bruna" in text
    for private in ("Azeredo", "boleto", "0142", 'href="/'):
        assert private not in text, private


@pytest.mark.parametrize(
    "path", ["/flows", "/conversations/1", "/conversations?q=a", "/settings/walls", "/live/tags?c=1", "/"]
)
async def test_a_key_opens_nothing_else(leads, admin, stranger, path):
    await leads.greet()
    key = await _key(admin)

    answer = await stranger.get(f"{path}{'&' if '?' in path else '?'}key={key}")

    assert answer.status_code in (303, 401)
    assert "Bruna" not in answer.text


async def test_a_key_shows_its_own_flow_alone(runtime, leads, admin, stranger):
    await publish.publish_tree(runtime, small(slug="outro", title="Outro fluxo"), "primeira", ACTOR)
    key = await _key(admin)

    assert "Outro fluxo" not in (await stranger.get(f"/live?flow=outro&key={key}")).text


@pytest.mark.parametrize("key", ["x", "0" * 64, "%00", "'"])
async def test_a_key_that_nobody_made_opens_nothing(leads, stranger, key):
    await leads.greet()

    page = await stranger.get(f"/live?key={key}")
    assert page.status_code == 401
    assert "Este telão está fechado" in page.text
    assert (await stranger.get(f"/live/stream?flow=pequeno&key={key}")).status_code == 204
    assert "telão" not in (await stranger.get("/live?key=")).text


async def test_a_revoked_key_opens_nothing_any_more_and_both_are_audited(leads, admin, stranger):
    key = await _key(admin)
    assert (await stranger.get(f"/live?key={key}")).status_code == 200

    listed = (await admin.get("/settings/walls")).text
    assert key not in listed
    form = read(listed).form("/settings/walls/revoke")
    assert (await admin.post("/settings/walls/revoke", form.data())).status_code == 303

    assert (await stranger.get(f"/live?key={key}")).status_code == 401
    assert (await stranger.get(f"/live/stream?key={key}")).status_code == 204
    assert "revogada em" in (await admin.get("/settings/walls")).text
    assert (await admin.post("/settings/walls/revoke", form.data())).status_code == 404
    told = [row["what"] for row in await leads.rows("SELECT what FROM audit WHERE what LIKE 'wall%' ORDER BY id")]
    assert told == ["wall_key.added", "wall_key.revoked"]


async def test_only_the_digest_of_a_key_is_stored(leads, admin):
    key = await _key(admin)

    for table in ("wall_key", "audit"):
        assert all(key not in str(dict(row)) for row in await leads.rows(f"SELECT * FROM {table}"))


@pytest.mark.parametrize(
    ("name", "flow", "status"), [("", "pequeno", 422), ("x" * 61, "pequeno", 422), ("a", "nenhum", 404)]
)
async def test_a_key_needs_a_place_and_a_live_flow(leads, admin, name, flow, status):
    assert (await admin.post("/settings/walls", {"name": name, "flow": flow})).status_code == status


async def test_only_who_administers_makes_keys(leads, signed_in):
    for role in (Role.SUPERVISOR, Role.PUBLISHER):
        person = await signed_in(role)
        assert (await person.get("/settings/walls")).status_code == 403
        assert (await person.post("/settings/walls", {"name": "a", "flow": "pequeno"})).status_code == 403
