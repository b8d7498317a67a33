"""A person's own filters of the desk: kept and forgotten by forms of the desk, called up by links."""

from litestar import post
from litestar.params import FromPath
from litestar.response import Redirect

from engine.services import saved_filters
from web import forms
from web.live_seat import query_of
from web.pages import go, local_path
from web.permissions import Permission
from web.visitor import AppRequest, visitor


@post("/live/filters", permission=Permission.VIEW, include_in_schema=False, status_code=303)
async def save(request: AppRequest) -> Redirect:
    """Keep what the page is narrowed to under a name; the same name again replaces it."""
    form, account = await forms.fields(request), visitor(request).account
    query = query_of(form.get("query", ""))
    if account is not None:
        await saved_filters.save(request.app.state.runtime, account.id, form.get("name", ""), query)
    return go(local_path(f"/live?{query}", "/live"))


@post("/live/filters/{ident:str}/delete", permission=Permission.VIEW, include_in_schema=False, status_code=303)
async def delete(request: AppRequest, ident: FromPath[str]) -> Redirect:
    """Forget one; somebody else's stays, and one that is gone already is no mistake."""
    form, account, number = await forms.fields(request), visitor(request).account, forms.whole(ident)
    if account is not None and number is not None:
        await saved_filters.delete(request.app.state.runtime, account.id, number)
    return go(local_path(form.get("back"), "/live"))
