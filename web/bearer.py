"""Who proves itself with a token of the API: which token, and whether it may do what is asked."""

from typing import Any

from litestar.connection import ASGIConnection
from litestar.exceptions import NotAuthorizedException, PermissionDeniedException
from litestar.handlers import BaseRouteHandler
from litestar.types import Guard

from engine.services import tokens
from engine.services.tokens import Scope

__all__ = ["ScopeMissing", "allowed", "bearer"]

BEARER = "bearer "


class ScopeMissing(PermissionDeniedException):
    """The token is good, and not for this. `members` go into the problem document."""

    def __init__(self, scope: Scope) -> None:
        self.members = {"scope": scope.value}
        super().__init__(detail=f"the token lacks the scope {scope.value}")


async def allowed(connection: ASGIConnection[Any, Any, Any, Any], scope: Scope) -> None:
    """Raise 401 without a token of this installation, and ScopeMissing (403) when the token may not do it."""
    given = connection.headers.get("authorization", "")
    token = given[len(BEARER) :].strip() if given[: len(BEARER)].lower() == BEARER else ""
    found = await tokens.working(connection.app.state.runtime, token) if token else None
    if found is None:
        raise NotAuthorizedException(detail="a bearer token is needed", headers={"WWW-Authenticate": "Bearer"})
    if not tokens.grants(found, scope):
        raise ScopeMissing(scope)


def bearer(scope: Scope) -> Guard:
    """The guard of a route: it looks at the token before anything else about the request."""

    async def guard(connection: ASGIConnection[Any, Any, Any, Any], _handler: BaseRouteHandler) -> None:
        await allowed(connection, scope)

    return guard
