"""What machines ask about this installation: alive, ready, figures, whom to tell of a weakness."""

from datetime import UTC, datetime
from ipaddress import ip_address

from litestar import get
from litestar.exceptions import NotFoundException
from litestar.response import Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from engine.core.flow import DAY, SECOND
from engine.services.tokens import Scope
from web.bearer import allowed
from web.permissions import Door
from web.visitor import AppRequest

VALID = 90 * DAY
"""How long a reader of `security.txt` may rely on it."""


@get("/healthz", permission=Door.PUBLIC, tags=["machines"], media_type="text/plain")
async def alive() -> str:
    """The process answers."""
    return "ok"


@get("/readyz", permission=Door.PUBLIC, tags=["machines"], media_type="application/json")
async def ready(request: AppRequest) -> Response[dict[str, bool]]:
    """Whether the database and the queue answer; without the queue everything still works, a little later (R30)."""
    runtime = request.app.state.runtime
    state = {"database": await runtime.store.ping(), "queue": await runtime.queue.ping()}
    return Response(state, status_code=200 if state["database"] else 503)


@get("/.well-known/security.txt", permission=Door.PUBLIC, include_in_schema=False)
async def weaknesses(request: AppRequest) -> Response[str]:
    """Whom to tell of a weakness (RFC 9116), as the settings say; without a contact there is nothing (SEC-S34)."""
    runtime = request.app.state.runtime
    if runtime.settings.security_contact is None:
        raise NotFoundException
    until = datetime.fromtimestamp((runtime.clock.now() + VALID) // SECOND, UTC)
    lines = [f"Contact: {runtime.settings.security_contact}", f"Expires: {until:%Y-%m-%dT%H:%M:%SZ}"]
    lines.append("Preferred-Languages: pt, en")
    if runtime.settings.base_url is not None:
        lines.append(f"Canonical: {runtime.settings.base_url}/.well-known/security.txt")
    return Response("\n".join([*lines, ""]), media_type="text/plain")


@get("/metrics", permission=Door.MACHINE, tags=["machines"])
async def metrics(request: AppRequest) -> Response[bytes]:
    """Prometheus figures, for this machine itself or with the API token (SEC-S33)."""
    if not _from_here(request):
        await allowed(request, Scope.METRICS)
    kind = CONTENT_TYPE_LATEST.partition("; charset")[0]  # the framework adds the letters of a text
    return Response(generate_latest(), media_type=kind)


def _from_here(request: AppRequest) -> bool:
    """From loopback, and not through a proxy, behind which everybody comes from loopback."""
    if request.client is None or request.headers.get("x-forwarded-for") or request.headers.get("forwarded"):
        return False
    try:
        return ip_address(request.client.host).is_loopback
    except ValueError:
        return False
