"""Tokens of the API: what each may do, until when, when it was used, and taking one back. For administrators alone."""

from dataclasses import dataclass

from litestar import get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response

from engine.core.errors import Refused
from engine.core.flow import DAY, Millis
from engine.services import tokens
from engine.services.tokens import ALL, ApiToken, Scope
from web import forms, words
from web.i18n import gettext
from web.pages import go, page
from web.permissions import Fresh, Permission
from web.refusals import sentence
from web.visitor import AppRequest, site_of, visitor

PLACE = "/settings/api"
LIVES = (30, 90, 365)
"""Days that are offered; a token may also last until it is taken back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One token, for a page. `state` is working, expired or revoked."""

    digest: str
    name: str
    scopes: tuple[str, ...]
    made: str
    used: str
    ends: str
    state: str


@get(PLACE, permission=Permission.ADMINISTER, include_in_schema=False)
async def listed(request: AppRequest, done: FromQuery[str] = "") -> Response[str]:
    """All of them, and the form for another."""
    return await _page(request, done=done)


@post(PLACE, permission=Permission.ADMINISTER, fresh=Fresh.ALWAYS, include_in_schema=False, status_code=200)
async def add(request: AppRequest) -> Response[str]:
    """A new token, on the answer and nowhere afterwards."""
    runtime, form = request.app.state.runtime, await forms.fields(request)
    days, scopes = forms.whole(form.get("days")), await forms.several(request, "scope")
    ends = runtime.clock.now() + days * DAY if days in LIVES else None
    try:
        made = await tokens.add(
            runtime, form.get("name", ""), visitor(request).actor, scopes=frozenset(scopes), expires_at=ends
        )
    except Refused as refused:
        return await _page(request, 422, problem=sentence(refused), typed={**form, "scopes": scopes})
    return await _page(request, made=made)


@post(
    f"{PLACE}/{{ident:str}}/revoke",
    permission=Permission.ADMINISTER,
    fresh=Fresh.ALWAYS,
    include_in_schema=False,
    status_code=303,
)
async def revoke(request: AppRequest, ident: FromPath[str]) -> Redirect:
    """Out of use for good."""
    await tokens.revoke(request.app.state.runtime, ident, visitor(request).actor)
    return go(PLACE, done="revoked")


async def _page(request: AppRequest, status: int = 200, **more: object) -> Response[str]:
    runtime = request.app.state.runtime
    now = runtime.clock.now()
    values: dict[str, object] = {
        "tokens": [_shown(token, now) for token in await tokens.everything(runtime)],
        "scopes": scope_names(),
        "lives": LIVES,
        "site": site_of(request),
        "made": None,
        "problem": None,
        "typed": {},
        "done": "",
    }
    return page(request, "settings/api.html", status, **{**values, **more})


def scope_names() -> dict[str, tuple[str, str]]:
    """Each scope with its name and what it allows."""
    return {
        Scope.READ.value: (gettext("Look-ups"), gettext("Look up people's conversations and published flows.")),
        Scope.EVENTS.value: (gettext("Events"), gettext("Send events of your own systems to conversations.")),
        Scope.METRICS.value: (gettext("Figures"), gettext("Read the figures for your monitoring.")),
    }


def _shown(token: ApiToken, now: Millis) -> Shown:
    names = scope_names()
    ended = token.expires_at is not None and token.expires_at <= now
    return Shown(
        digest=token.digest,
        name=token.name,
        scopes=(gettext("everything"),)
        if ALL in token.scopes
        else tuple(name for scope, (name, _) in names.items() if scope in token.scopes),
        made=words.moment(token.created_at),
        used=words.ago(token.used_at, now) if token.used_at is not None else gettext("never"),
        ends=words.moment(token.expires_at) if token.expires_at is not None else gettext("lasts"),
        state="revoked" if token.revoked_at is not None else "expired" if ended else "working",
    )
