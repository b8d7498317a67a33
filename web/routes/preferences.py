"""Theme, language and whether single letters are shortcuts, chosen on any page by anybody, signed in or not."""

from litestar import post
from litestar.datastructures import Cookie
from litestar.response import Redirect

from engine.services import accounts
from web import forms, i18n
from web.auth import is_https
from web.pages import go, local_path
from web.permissions import Door
from web.visitor import LANGUAGE_COOKIE, LETTERS_COOKIE, THEME_COOKIE, THEMES, AppRequest, visitor

A_YEAR = 365 * 86_400
SWITCH = ("on", "off")


@post("/preferences", permission=Door.PUBLIC, include_in_schema=False, status_code=303)
async def prefer(request: AppRequest) -> Redirect:
    """Keep what was chosen in a cookie, and with the account when there is one; back to where it was asked."""
    form = await forms.fields(request)
    response = go(local_path(form.get("back")))
    theme, language = form.get("theme"), form.get("language")
    theme = theme if theme in THEMES else None
    language = language if language in i18n.LANGUAGES else None
    if theme is not None:
        response.set_cookie(_kept(request, THEME_COOKIE, theme))
    if language is not None:
        response.set_cookie(_kept(request, LANGUAGE_COOKIE, language))
    if form.get("letters") in SWITCH:
        response.set_cookie(_kept(request, LETTERS_COOKIE, form["letters"]))
    account = visitor(request).account
    if account is not None and (theme or language):
        chosen = {"theme": theme, "language": language}
        values = {name: value for name, value in chosen.items() if value is not None}
        await accounts.change_profile(request.app.state.runtime, account.id, **values)
    return response


def _kept(request: AppRequest, name: str, value: str) -> Cookie:
    return Cookie(
        key=name, value=value, max_age=A_YEAR, path="/", secure=is_https(request), httponly=True, samesite="lax"
    )
