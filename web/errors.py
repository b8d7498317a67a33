"""What each exception answers: one table, and three shapes (page, fragment, problem document)."""

from collections.abc import Mapping
from typing import Any

import msgspec
import structlog
from litestar import Request
from litestar.exceptions import HTTPException
from litestar.response import Redirect, Response
from litestar.types import ExceptionHandlersMap

from engine.core import errors
from engine.core.document_messages import sentence as document_sentence
from web import i18n
from web.auth import FactorFirst, NotForRole, NotOurPage, SignInFirst
from web.i18n import gettext
from web.pages import page
from web.prove import ProveFirst
from web.refusals import sentence
from web.role_words import only
from web.visitor import visitor

__all__ = ["HANDLERS", "PROBLEM", "problem", "status_of"]

log = structlog.get_logger()
PROBLEM = "application/problem+json"
FACTOR = "/profile/second-factor"

STATUS: dict[type[Exception], int] = {
    errors.InvalidDocument: 422,
    errors.GuardError: 422,
    errors.NotPublishable: 422,
    errors.Stale: 409,
    errors.StaleConversation: 409,
    errors.NotFound: 404,
    errors.Refused: 422,
    errors.BadSignature: 401,
    errors.UnreadableBody: 400,
    errors.BodyTooLarge: 413,
    errors.StoreUnavailable: 503,
    errors.DrawingFailed: 503,
    errors.Conflict: 409,
}


def status_of(error: Exception) -> int:
    """The status of an exception; whatever nobody raised on purpose is 500."""
    if isinstance(error, HTTPException):
        return error.status_code
    return next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 500)


def titles() -> dict[int, str]:
    """What happened, in a few words."""
    return {
        400: gettext("This request cannot be read"),
        401: gettext("Sign in first"),
        403: gettext("This is not allowed"),
        404: gettext("There is nothing here"),
        405: gettext("This address does not do that"),
        409: gettext("Somebody else changed this first"),
        413: gettext("This is too large"),
        422: gettext("Something has to be corrected"),
        429: gettext("Too many attempts"),
        500: gettext("Something went wrong on our side"),
        503: gettext("The database does not answer"),
    }


def advice() -> dict[int, str]:
    """What is safe and what to do."""
    return {
        401: gettext("Your session ended or never began."),
        403: gettext("Your role does not include it. Who manages Trilho in your company can change that."),
        404: gettext("The address may be old, or what was here was removed."),
        409: gettext("Open the page again to see what changed. What is saved stays saved."),
        413: gettext("Send less at once."),
        500: gettext("What was saved stays saved. Try again; if it goes on, tell who runs Trilho the code below."),
        503: gettext("Nothing was changed. Try again in a moment."),
    }


def problem(status: int, title: str, detail: str | None = None, **more: object) -> Response[bytes]:
    """An error as a problem document of RFC 9457."""
    body = {"type": "about:blank", "title": title, "status": status, **({"detail": detail} if detail else {}), **more}
    return Response(msgspec.json.encode(body), status_code=status, media_type=PROBLEM)


def answer(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """The response to an exception, in the shape that the caller can use, with the headers that it brings."""
    response = _shaped(request, error)
    if isinstance(error, HTTPException):
        response.headers.update(error.headers or {})
    return response


def _shaped(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    status = status_of(error)
    code = ""
    if status >= 500:
        code = request.app.state.runtime.ids.hex(4) if "runtime" in request.app.state else ""
        log.error(
            "request failed", path=request.url.path, method=request.method, status=status, code=code, exc_info=error
        )
    path = request.url.path
    if path.startswith(("/api/", "/hooks/", "/schema", "/metrics", "/readyz", "/healthz")):
        return problem(
            status,
            titles_in_english().get(status, "error"),
            _public_detail(error, status),
            code=code or None,
            **getattr(error, "members", {}),
        )
    visitor(request)  # speaks the reader's language even where no route was found
    values = {
        "title": titles().get(status, gettext("This did not work")),
        "advice": _sentence(error) or advice().get(status, ""),
        "code": code,
    }
    if isinstance(error, ProveFirst):
        return _proving(request, error)
    if request.headers.get("hx-request") == "true":
        return _fragment(request, error, status, values)
    if isinstance(error, SignInFirst):
        kept = error.kept
        return page(request, "session/login.html", status, email="", next=error.wanted, kept=kept, problem=None)
    if isinstance(error, FactorFirst) and request.method == "GET":
        return Redirect(FACTOR, status_code=303)
    return page(request, "errors/error.html", status, **values)


def _fragment(
    request: Request[Any, Any, Any], error: Exception, status: int, values: Mapping[str, object]
) -> Response[str]:
    """A toast. When the session is over it leads to a sign-in beside the page, where what was typed stays; a page on which
    nothing was typed is loaded again by its script (static/page.js), and then asks to sign in itself.
    """
    ended = isinstance(error, SignInFirst)
    response = page(request, "errors/_toast.html", status, ended=ended, **values)
    if isinstance(error, FactorFirst):
        response.headers["HX-Redirect"] = FACTOR
        return response
    response.headers["HX-Retarget"] = "#toasts"
    response.headers["HX-Reswap"] = "innerHTML"
    return response


def _proving(request: Request[Any, Any, Any], error: ProveFirst) -> Response[str]:
    """The page that asks for the password; htmx puts it in the place of the page, as a link would."""
    title = titles()[422] if error.problem else gettext("Your password, please")
    response = page(
        request, "session/prove.html", error.status_code, title=title, held=error.held, problem=error.problem
    )
    response.headers["HX-Retarget"] = "body"
    response.headers["HX-Reswap"] = "innerHTML"
    return response


def titles_in_english() -> dict[int, str]:
    """For machines, which read no catalogue."""
    return {
        400: "bad request", 401: "unauthorized", 403: "forbidden", 404: "not found", 405: "method not allowed",
        409: "conflict", 413: "content too large", 422: "unprocessable", 429: "too many requests",
        500: "internal error", 503: "unavailable",
    }  # fmt: skip


def _public_detail(error: Exception, status: int) -> str | None:
    """Facts of errors raised on purpose are ours to tell; the words of any other exception are not."""
    if status >= 500:
        return None
    return str(error) if isinstance(error, errors.TrilhoError) else getattr(error, "detail", None)


def _sentence(error: Exception) -> str:
    match error:
        case errors.InvalidDocument():
            return "; ".join(document_sentence(mistake, i18n.current()) for mistake in error.mistakes[:3])
        case errors.Refused():
            return sentence(error)
        case NotForRole():
            return only(error.asked)
        case NotOurPage():
            return gettext("This page is older than your sign-in. Open it again; copy first what you typed.")
        case FactorFirst():
            return gettext("A second factor is required of you: set it up first, in your profile.")
        case _:
            return ""


HANDLERS: ExceptionHandlersMap = {Exception: answer, HTTPException: answer}
