"""The live desk: who stands where, and the stream that keeps the page true; for people, and for wall screens by key."""

from litestar import get, post
from litestar.response import Redirect, Response, Stream
from litestar.status_codes import HTTP_204_NO_CONTENT, HTTP_401_UNAUTHORIZED

from engine.core.errors import NotFound
from engine.services import holding, live, live_news, saved_filters, schedule, tags, wall_keys
from engine.services.assign import colleagues
from web import forms, i18n
from web.live_pages import desk
from web.live_seat import Seat, seat
from web.pages import go, local_path, page
from web.permissions import Permission
from web.publish_words import appointment
from web.stream import Hub
from web.trouble_words import banners
from web.visitor import AppRequest, visitor


@get("/live", permission=Permission.VIEW, keyed=True, include_in_schema=False)
async def board(request: AppRequest) -> Response[str]:
    """The desk of one flow, the first that is live when none is named; with `key` the wall screen of the key's flow."""
    runtime = request.app.state.runtime
    if key := request.query_params.get("key"):
        return await _wall(request, str(key))
    flows = await live.live_slugs(runtime)
    if not flows:
        return page(request, "live/nothing.html")
    wanted = request.query_params.get("flow") or flows[0][0]
    if wanted not in dict(flows):
        raise NotFound("live flow", wanted)
    place, person = _seat(request, wanted), visitor(request)
    there = await live.board(runtime, wanted, place.chosen, state=place.state if place.listed else "", most=place.cards)
    tries = person.may(Permission.CONVERSE) or person.may(Permission.EDIT)
    return page(
        request,
        "live/board.html",
        desk=await desk(there, place),
        flows=flows,
        channels=(numbers := await live.channel_names(runtime)),
        channel_name=dict(numbers).get(place.channel or 0, str(place.channel or "")),
        tags=await tags.everything(runtime),
        owners=[(one.id, one.name or one.email) for one in await colleagues(runtime)],
        saved=await saved_filters.of(runtime, person.account.id) if person.account else (),
        phone=await live.phone_of(runtime, wanted) if tries else None,
        troubles=tuple(banners(await holding.troubles(runtime), there.now)),
        unkept=[appointment(one, there.flow.timezone) for one in await schedule.refused(runtime)],
    )


async def _wall(request: AppRequest, key: str) -> Response[str]:
    runtime = request.app.state.runtime
    wanted = await wall_keys.flow_of(runtime, key)
    if wanted is None:
        return page(request, "live/wall_closed.html", HTTP_401_UNAUTHORIZED)
    place = seat({}, wanted, i18n.current(), phones=False, key=key)
    return page(
        request, "live/wall.html", desk=await desk(await live.board(runtime, wanted, place.chosen), place), phone=None
    )


@post("/live/holds", permission=Permission.CONVERSE, include_in_schema=False, status_code=303)
async def let_go(request: AppRequest) -> Redirect:
    """What was in the way of a channel's messages is mended: they leave now. Nothing happens when nothing is held."""
    form = await forms.fields(request)
    channel = forms.whole(form.get("channel", ""))
    if channel is None:
        raise NotFound("channel", form.get("channel", ""))
    await holding.let_go_by_hand(
        request.app.state.runtime, channel, form.get("what", ""), form.get("subject", ""), visitor(request).actor
    )
    return go(local_path(form.get("back"), "/live"))


@get("/live/stream", permission=Permission.VIEW, keyed=True, include_in_schema=False)
async def stream(request: AppRequest) -> Stream | Response[None]:
    """What changes on one desk, as server-sent events; 204, which tells a browser not to come again, without a desk."""
    runtime = request.app.state.runtime
    wanted, key = str(request.query_params.get("flow") or ""), str(request.query_params.get("key") or "")
    if key:
        wanted = await wall_keys.flow_of(runtime, key) or ""
    if await live_news.totals(runtime, wanted) is None:
        return Response(None, status_code=HTTP_204_NO_CONTENT)
    cursor = request.headers.get("last-event-id") or request.query_params.get("cursor") or ""
    since = live_news.marks_of(cursor, runtime.clock.now())
    place = seat({}, wanted, i18n.current(), phones=False, key=key) if key else _seat(request, wanted)
    return Stream(hub(request).events(place, since), media_type="text/event-stream")


def hub(request: AppRequest) -> Hub:
    """The one hub of this process."""
    state = request.app.state
    if "hub" not in state:
        state.hub = Hub(state.runtime)
    made: Hub = state.hub
    return made


def _seat(request: AppRequest, flow: str) -> Seat:
    query = {name: str(values[-1]) for name, values in request.query_params.dict().items() if values}
    person = visitor(request)
    return seat(
        query,
        flow,
        i18n.current(),
        phones=person.may(Permission.PHONES),
        pairs=person.may(Permission.CONVERSE),
        me=person.account.id if person.account else 0,
    )
