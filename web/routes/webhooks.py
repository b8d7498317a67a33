"""The doors for machines from outside: the raw body goes on unread, the answer comes back. No cookie counts here."""

from http import HTTPStatus

from litestar import get, post
from litestar.params import FromPath
from litestar.response import Response

from engine.services import receive
from web.permissions import Door
from web.visitor import AppRequest


def _told(answer: receive.Answer) -> Response[str]:
    return Response(answer.text, status_code=answer.status, media_type="text/plain")


def _headers(request: AppRequest) -> dict[str, str]:
    """Lower-case names; of a repeated header the last."""
    return {name.lower(): value for name, value in request.headers.items()}


def _query(request: AppRequest) -> dict[str, str]:
    return {name: str(values[-1]) for name, values in request.query_params.dict().items() if values}


@get("/hooks/wa/{token:str}", permission=Door.MACHINE, tags=["webhooks"])
async def handshake(request: AppRequest, token: FromPath[str]) -> Response[str]:
    """A channel's handshake: the platform asks whether this address is ours."""
    return _told(await receive.handshake(request.app.state.runtime, token, _query(request)))


@post(
    ["/hooks/wa/{token:str}", "/hooks/wa/{token:str}/{event:path}"],
    request_max_body_size=receive.CHANNEL_LIMIT,
    status_code=HTTPStatus.OK,
    permission=Door.MACHINE,
    tags=["webhooks"],
)
async def message(request: AppRequest, token: FromPath[str]) -> Response[str]:
    """Messages and statuses. Some gateways append the event's name to the address; it says nothing new."""
    return _told(await receive.webhook(request.app.state.runtime, token, _headers(request), await request.body()))


@post(
    ["/hooks/pay/{token:str}", "/hooks/pay/{token:str}/pix"],
    request_max_body_size=receive.PAYMENT_LIMIT,
    status_code=HTTPStatus.OK,
    permission=Door.MACHINE,
    tags=["webhooks"],
)
async def payment(request: AppRequest, token: FromPath[str]) -> Response[str]:
    """A payment platform's notice. Banks append `/pix` to the address that they were given."""
    runtime, raw = request.app.state.runtime, await request.body()
    return _told(await receive.payment(runtime, token, _headers(request), _query(request), raw))
