"""A question to the Graph API that is answered at once, and its refusals in the platform's own words."""

from collections.abc import Mapping

from engine.adapters.bodies import object_in
from engine.adapters.channels.cloud_address import bearer
from engine.adapters.channels.protocol import ChannelConfig
from engine.adapters.http import MAX_ANSWER, HttpRequest, Transport
from engine.adapters.reading import mapping, name
from engine.core.errors import AnswerLost, NotSent, Refused

__all__ = ["asked"]


async def asked(http: Transport, config: ChannelConfig, request: HttpRequest) -> Mapping[str, object]:
    """The answer to a question. Raises Refused: platform_unreachable, platform_refused (with its words as `detail`)."""
    made = HttpRequest(method=request.method, url=request.url, headers=bearer(config), json=request.json, trusted=True)
    try:
        answer = await http.request(made)
    except (NotSent, AnswerLost):
        raise Refused("platform_unreachable") from None
    body = object_in(answer.body, MAX_ANSWER)
    if not 200 <= answer.status < 300:
        error = mapping(mapping(body).get("error"))
        told = name(error.get("error_user_msg")) or name(error.get("message")) or f"HTTP {answer.status}"
        raise Refused("platform_refused", detail=told)
    if body is None:
        raise Refused("platform_unreachable")
    return body
