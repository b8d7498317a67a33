"""The JSON API for the customer's own systems: where a person stands, an event, a published flow. Bearer tokens alone."""

from http import HTTPStatus
from typing import Annotated, Any

from litestar import get, post
from litestar.connection import ASGIConnection
from litestar.exceptions import NotAuthorizedException
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath, QueryParameter
from litestar.response import Response

from engine.services import lookup, publish, receive_event, tokens
from web.permissions import Door
from web.visitor import AppRequest

BEARER = "bearer "
TAGS = ["api"]


async def bearer(connection: ASGIConnection[Any, Any, Any, Any], _handler: BaseRouteHandler) -> None:
    """Raise 401 unless a token of this installation was given: before anything else about the request is looked at."""
    given = connection.headers.get("authorization", "")
    token = given[len(BEARER) :].strip() if given[: len(BEARER)].lower() == BEARER else ""
    if not token or await tokens.known(connection.app.state.runtime, token) is None:
        raise NotAuthorizedException(detail="a bearer token is needed", headers={"WWW-Authenticate": "Bearer"})


@get("/api/v1/conversations", permission=Door.MACHINE, guards=[bearer], tags=TAGS)
async def conversations(
    request: AppRequest, contact: Annotated[str, QueryParameter(min_length=1, max_length=128)]
) -> list[dict[str, Any]]:
    """A person's conversations, the newest first, with the latest events, messages and letters and what became of them.

    `contact` is a telephone number in any spelling. An empty list when nobody has it.
    """
    return await lookup.by_contact(request.app.state.runtime, contact)


@post(
    "/api/v1/events",
    permission=Door.MACHINE,
    guards=[bearer],
    tags=TAGS,
    status_code=HTTPStatus.ACCEPTED,
    request_max_body_size=receive_event.LIMIT,
)
async def event(request: AppRequest) -> dict[str, Any]:
    """Take an event `{"id", "contact", "flow", "type", "data", "at"}` of the flow's own vocabulary.

    The same `id` again changes nothing and is answered the same. `contact` is a telephone number, `at` an instant in
    ISO-8601 (when it is left out: now).
    """
    received = await receive_event.receive(request.app.state.runtime, await request.body())
    return {"id": received.id, "event": received.event, "conversation": received.conversation}


@get("/api/v1/flows/{slug:str}/versions/{number:int}", permission=Door.MACHINE, guards=[bearer], tags=TAGS)
async def version(request: AppRequest, slug: FromPath[str], number: FromPath[int]) -> Response[bytes]:
    """The document of a published version."""
    text = await publish.shown(request.app.state.runtime, slug, number)
    return Response(text.encode(), media_type="application/json")
