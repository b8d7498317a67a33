"""The list of flows: searched by name, parted in active ones, drafts and archived ones."""

from dataclasses import dataclass

from litestar import get
from litestar.params import FromQuery
from litestar.response import Response

from engine.services import flow_list
from web.flow_cards import TABS, Card, card, narrowed, tab_of
from web.i18n import gettext
from web.pages import page
from web.permissions import Permission
from web.visitor import AppRequest

MOST_PEOPLE, BY_NAME = "people", "name"


@dataclass(frozen=True, slots=True)
class Tab:
    """A heading and how many flows are under it."""

    name: str
    label: str
    count: int


@get("/flows", permission=Permission.VIEW, include_in_schema=False)
async def flows(
    request: AppRequest, q: FromQuery[str] = "", tab: FromQuery[str] = "active", sort: FromQuery[str] = MOST_PEOPLE
) -> Response[str]:
    """The flows under one heading, narrowed to words; those with most people first, or by name."""
    runtime = request.app.state.runtime
    everything = await flow_list.everything(runtime)
    found = narrowed(everything, q)
    counts = {name: sum(tab_of(one) == name for one in found) for name in TABS}
    # A first visit is not met by an empty page while there are drafts.
    wanted = tab if tab in TABS else TABS[0]
    if "tab" not in request.query_params and not counts[wanted]:
        wanted = next((name for name in TABS[:2] if counts[name]), wanted)
    cards = [card(one, runtime.clock.now()) for one in found if tab_of(one) == wanted]
    if sort != BY_NAME:
        cards.sort(key=_crowd)
    labels = {"active": gettext("Active"), "drafts": gettext("Drafts"), "archived": gettext("Archived ones")}
    return page(
        request,
        "flows/list.html",
        flows=cards,
        tabs=[Tab(name, labels[name], counts[name]) for name in TABS],
        tab=wanted,
        q=q,
        sort=BY_NAME if sort == BY_NAME else MOST_PEOPLE,
        anything=bool(everything),
        checking=any(one.errors is None for one in cards) and wanted != "archived",
    )


def _crowd(one: Card) -> int:
    return -one.people
