"""The JSON API for the customer's own systems: where a person stands, an event, a published flow. Bearer tokens alone."""

from http import HTTPStatus
from typing import Annotated, Any

from litestar import get, post
from litestar.params import FromPath, QueryParameter
from litestar.response import Response

from engine.services import lookup, publish, receive_event
from engine.services.tokens import Scope
from web.bearer import bearer
from web.permissions import Door
from web.visitor import AppRequest

TAGS = ["api"]


@get("/api/v1/conversations", permission=Door.MACHINE, guards=[bearer(Scope.READ)], tags=TAGS)
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
    guards=[bearer(Scope.EVENTS)],
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


@get("/api/v1/flows/{slug:str}/versions/{number:int}", permission=Door.MACHINE, guards=[bearer(Scope.READ)], tags=TAGS)
async def version(request: AppRequest, slug: FromPath[str], number: FromPath[int]) -> Response[bytes]:
    """The document of a published version."""
    text = await publish.shown(request.app.state.runtime, slug, number)
    return Response(text.encode(), media_type="application/json")
