"""What was typed is not lost when a session has ended: the sign-in page carries it, sealed, and it comes back afterwards.

Never carried: forms that another site sent, files, and whatever asks for a password again, which may hold secrets.
"""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from engine.services import kept_forms
from engine.services.kept_forms import Kept
from web import csrf, forms
from web.pages import local_path
from web.permissions import FRESH, KEPT
from web.visitor import AppRequest, visitor

__all__ = ["FIELD", "of_session", "place_of", "sealed", "sent", "shown", "text_for"]

FIELD = "kept"
URLENCODED = "application/x-www-form-urlencoded"
LARGEST = 64 * 1024
"""Characters of all fields together."""
PASSING = ("form", "seen", "revision", "live", "view", "sel", "back", "next", "msg", "tab", "move")
"""Fields that a page fills in by itself."""
COMPOSER = re.compile(r"/conversations/[0-9]{1,16}/messages")
NEVER = ("password", "secret", "token", "code")


async def sealed(request: AppRequest, opt: Mapping[str, object], session: str | None) -> str:
    """The form of a request that nobody is signed in for; "" where there is nothing to keep."""
    headers = request.headers
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    ours = csrf.same_site(fetch_site=site, origin=origin, host=headers.get("host")) and (site or origin)
    secret = opt.get(FRESH) or opt.get(KEPT) is False
    if request.method != "POST" or not ours or secret or URLENCODED not in headers.get("content-type", ""):
        return ""
    typed = {name: value for name, value in (await forms.fields(request)).items() if _keeps(name)}
    if not any(value.strip() for value in typed.values()) or sum(map(len, typed.values())) > LARGEST:
        return ""
    runtime = request.app.state.runtime
    kept = Kept(
        path=request.url.path,
        page=_page(request),
        fields=typed,
        owner=await kept_forms.owner_of(runtime, session) if session else 0,
        at=runtime.clock.now(),
    )
    return kept_forms.sealed(runtime, kept)


def of_session(request: AppRequest) -> Kept | None:
    """The form that waits with the visitor's session."""
    there = visitor(request).there
    if there is None or there.session.kept is None:
        return None
    return kept_forms.opened(request.app.state.runtime, there.session.kept, there.account.id)


def text_for(request: AppRequest, path: str, name: str) -> str:
    """What a field of the form for an address shall hold, if that form waits; else ""."""
    kept = of_session(request)
    return kept.fields.get(name, "") if kept is not None and kept.path == path else ""


async def sent(request: AppRequest) -> None:
    """The form that waited is on its way again."""
    there, kept = visitor(request).there, of_session(request)
    if there is not None and kept is not None and kept.path == request.url.path:
        await kept_forms.drop(request.app.state.runtime, there.digest)


def _keeps(name: str) -> bool:
    return name != csrf.FIELD and not any(part in name.casefold() for part in NEVER)


def _page(request: AppRequest) -> str:
    """Where the form stands, by the browser's word for this very site."""
    parts = urlsplit(request.headers.get("referer", ""))
    there = f"{parts.path}?{parts.query}" if parts.query else parts.path
    return local_path(there) if parts.netloc == request.headers.get("host") else "/"


def place_of(kept: Kept) -> str:
    """Where a form that waits is shown: in the composer of its conversation, else on a page of its own."""
    return kept.path.removesuffix("/messages") if COMPOSER.fullmatch(kept.path) else "/kept"


def shown(kept: Kept) -> str:
    """The field that somebody wrote most in: it is shown to be read and changed, the others travel along."""
    typed = {name: value for name, value in kept.fields.items() if name not in PASSING}
    return max(typed, key=lambda name: len(typed[name]), default="")
