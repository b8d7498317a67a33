"""The JSON API: bearer tokens alone, problem documents, and the same answer to the same event (R25, SEC-S11)."""

import json

import pytest
import pytest_asyncio

from engine.core.permissions import Actor
from engine.services import publish, tokens
from tests.services.small_flow import small

ACTOR = Actor("teste")
PHONE = "5541999990001"
EVENTS = {"msg_recebida": {"source": "message"}, "visitou": {"source": "api", "data": {"pagina": "text"}}}
EVENT = {"id": "e1", "contact": PHONE, "flow": "pequeno", "type": "visitou", "data": {"pagina": "/"}}


@pytest_asyncio.fixture
async def token(runtime):
    await publish.publish_tree(runtime, small(events=EVENTS), "", ACTOR)
    return await tokens.add(runtime, "crm", ACTOR)


@pytest.fixture
def machine(stranger, token):
    stranger.client.headers["authorization"] = f"Bearer {token}"
    return stranger.client


PATHS = [("GET", "/api/v1/conversations?contact=1"), ("GET", "/api/v1/conversations"), ("POST", "/api/v1/events"),
         ("GET", "/api/v1/flows/pequeno/versions/1")]  # fmt: skip


@pytest.mark.parametrize(("method", "path"), PATHS)
async def test_without_a_token_in_use_nothing_is_answered(runtime, stranger, signed_in, token, method, path):
    await tokens.revoke(runtime, (await tokens.everything(runtime))[0].digest, ACTOR)
    admin = await signed_in()

    for client, header in ((stranger.client, None), (stranger.client, "Bearer x"), (stranger.client, f"Bearer {token}"),
                           (stranger.client, token), (admin.client, None)):  # fmt: skip
        answer = await client.request(method, path, headers={"authorization": header} if header else {})
        assert answer.status_code == 401
        assert answer.headers["content-type"] == "application/problem+json"


async def test_an_event_is_taken_once_and_answered_the_same(machine):
    first = await machine.post("/api/v1/events", json=EVENT)
    again = await machine.post("/api/v1/events", json=EVENT)

    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json() == again.json() == {"id": "e1", "event": "api:e1", "conversation": first.json()["conversation"]}


async def test_a_person_is_looked_up_by_any_spelling(machine):
    await machine.post("/api/v1/events", json=EVENT)

    answer = await machine.get("/api/v1/conversations", params={"contact": "+55 41 9999-0001"})

    [found] = answer.json()
    assert (answer.status_code, found["contact"], found["flow"], found["version"]) == (200, PHONE, "pequeno", 1)
    assert [(event["id"], event["outcome"]) for event in found["events"]] == [("api:e1", None)]
    assert (await machine.get("/api/v1/conversations", params={"contact": "5511900000000"})).json() == []
    assert (await machine.get("/api/v1/conversations")).status_code == 400


async def test_every_mistake_of_an_event_is_told(machine):
    answer = await machine.post("/api/v1/events", json={**EVENT, "contact": "ana", "at": "ontem"})

    assert answer.status_code == 422
    assert "contact: must be a telephone number" in answer.json()["detail"]
    assert "at: must be an instant" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("raw", "status"),
    [(b"{", 400), (b"[]", 400), (b"x" * 70_000, 413), (json.dumps({**EVENT, "flow": "outro"}).encode(), 404)],
)
async def test_what_cannot_be_taken_is_a_problem_document(machine, raw, status):
    answer = await machine.post("/api/v1/events", content=raw, headers={"content-type": "application/json"})

    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")


async def test_a_published_version_is_its_document(machine):
    answer = await machine.get("/api/v1/flows/pequeno/versions/1")

    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert answer.json()["slug"] == "pequeno"
    for path in ("pequeno/versions/2", "outro/versions/1", "pequeno/versions/0", f"pequeno/versions/{2**70}"):
        assert (await machine.get(f"/api/v1/flows/{path}")).status_code == 404


async def test_the_description_names_the_three_addresses(machine):
    paths = (await machine.get("/schema/openapi.json")).json()["paths"]

    assert {path for path in paths if path.startswith("/api/")} == {
        "/api/v1/conversations", "/api/v1/events", "/api/v1/flows/{slug}/versions/{number}",
    }  # fmt: skip
