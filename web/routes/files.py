"""Style sheet, scripts and htmx, from memory, for ever when the address carries their hash."""

from litestar import get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Response

from web.assets import assets
from web.packing import HEADERS, takes_gzip
from web.permissions import Door
from web.visitor import AppRequest

FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "public, max-age=0, must-revalidate"


@get(["/static/{name:path}", "/vendor/{name:path}"], permission=Door.PUBLIC, include_in_schema=False)
async def file(request: AppRequest, name: FromPath[str], v: FromQuery[str] = "") -> Response[bytes]:
    """One file; the hash in `v` must be the file's own to be kept for ever."""
    _ = name
    found = assets().get(request.url.path.lstrip("/"))
    if found is None:
        raise NotFoundException
    caching = FOR_EVER if v == found.sha else ASK_AGAIN
    headers = {"Cache-Control": caching, "ETag": f'"{found.sha}"', "Vary": "Accept-Encoding"}
    if not takes_gzip(request):
        return Response(found.content, media_type=found.media_type, headers=headers)
    return Response(found.packed, media_type=found.media_type, headers={**headers, **HEADERS})
