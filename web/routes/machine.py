"""What machines ask about this installation: alive, ready, figures."""

from ipaddress import ip_address

from litestar import get
from litestar.response import Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from engine.services.tokens import Scope
from web.bearer import allowed
from web.permissions import Door
from web.visitor import AppRequest


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


@get("/metrics", permission=Door.MACHINE, tags=["machines"])
async def metrics(request: AppRequest) -> Response[bytes]:
    """Prometheus figures, for this machine itself or with the API token (SEC-S33)."""
    if not _from_here(request):
        await allowed(request, Scope.METRICS)
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


def _from_here(request: AppRequest) -> bool:
    """From loopback, and not through a proxy, behind which everybody comes from loopback."""
    if request.client is None or request.headers.get("x-forwarded-for") or request.headers.get("forwarded"):
        return False
    try:
        return ip_address(request.client.host).is_loopback
    except ValueError:
        return False
