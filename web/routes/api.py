"""The JSON API for the customer's own systems: where a person stands, an event, a published flow. Bearer tokens alone."""

from http import HTTPStatus
from typing import Annotated, Any

from litestar import get, post
from litestar.connection import ASGIConnection
from litestar.exceptions import NotAuthorizedException, PermissionDeniedException
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath, QueryParameter
from litestar.response import Response
from litestar.types import Guard

from engine.services import lookup, publish, receive_event, tokens
from engine.services.tokens import Scope
from web.permissions import Door
from web.visitor import AppRequest

BEARER = "bearer "
TAGS = ["api"]


class ScopeMissing(PermissionDeniedException):
    """The token is good, and not for this."""

    def __init__(self, scope: Scope) -> None:
        self.members = {"scope": scope.value}
        super().__init__(detail=f"the token lacks the scope {scope.value}")


def bearer(scope: Scope) -> Guard:
    """A guard: 401 without a token of this installation, before anything else about the request is looked at, and 403
    when the token lacks the scope.
    """

    async def guard(connection: ASGIConnection[Any, Any, Any, Any], _handler: BaseRouteHandler) -> None:
        given = connection.headers.get("authorization", "")
        token = given[len(BEARER) :].strip() if given[: len(BEARER)].lower() == BEARER else ""
        found = await tokens.working(connection.app.state.runtime, token) if token else None
        if found is None:
            raise NotAuthorizedException(detail="a bearer token is needed", headers={"WWW-Authenticate": "Bearer"})
        if not tokens.grants(found, scope):
            raise ScopeMissing(scope)

    return guard


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
