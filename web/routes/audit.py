"""The audit log: reading it, a file of it, its anchors, and computing its chains anew."""

from litestar import get, post
from litestar.response import Response

from engine.services import anchoring, auditing
from engine.services.doctor_chains import Chains
from web.audit_pages import audit_page, audit_table
from web.pages import page
from web.permissions import Permission
from web.visitor import AppRequest

PLACE = "/settings/audit"


@get(PLACE, permission=Permission.ADMINISTER, include_in_schema=False)
async def shown(request: AppRequest) -> Response[str]:
    """The newest rows that the filters let through."""
    return await _shown(request)


@post(f"{PLACE}/check", permission=Permission.ADMINISTER, include_in_schema=False, status_code=200)
async def check(request: AppRequest) -> Response[str]:
    """Compute all chains now; nothing is changed."""
    return await _shown(request, chains=await auditing.check(request.app.state.runtime))


@get(f"{PLACE}.csv", permission=Permission.ADMINISTER, include_in_schema=False)
async def file(request: AppRequest) -> Response[str]:
    """The rows as a table that no spreadsheet takes for a program."""
    text = await audit_table(request.app.state.runtime, _query(request))
    return Response(
        text, media_type="text/csv", headers={"content-disposition": 'attachment; filename="trilho-audit.csv"'}
    )


@get(f"{PLACE}/anchors.txt", permission=Permission.ADMINISTER, include_in_schema=False)
async def anchors(request: AppRequest) -> Response[str]:
    """One line a day, to be kept somewhere else."""
    kept = await anchoring.anchored(request.app.state.runtime)
    text = "".join(f"{anchor.line}\n" for anchor in reversed(kept))
    headers = {"content-disposition": 'attachment; filename="anchors.txt"'}
    return Response(text, media_type="text/plain", headers=headers)


async def _shown(request: AppRequest, chains: Chains | None = None) -> Response[str]:
    made = await audit_page(request.app.state.runtime, _query(request))
    return page(request, "settings/audit.html", p=made, chains=chains)


def _query(request: AppRequest) -> dict[str, str]:
    return {name: str(values[-1]) for name, values in request.query_params.dict().items() if values}
