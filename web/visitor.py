"""Who asks for a page, in which language and theme: made once per request, read by pages and errors."""

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from litestar import Request
from litestar.plugins.htmx import HTMXRequest

from engine.core.permissions import Actor, Permission, may
from engine.services.accounts import Account
from engine.services.emergency import Halt
from engine.services.sign_in import SignedIn
from web import i18n

LANGUAGE_COOKIE = "trilho_language"
THEME_COOKIE = "trilho_theme"
LETTERS_COOKIE = "trilho_letters"
THEMES = ("light", "dark")

AppRequest: TypeAlias = HTMXRequest


@dataclass(frozen=True, slots=True)
class Visitor:
    """The person, or nobody. `session` is the cookie's secret; it never enters a page, only `csrf` does."""

    language: str
    theme: str | None
    address: str = ""
    there: SignedIn | None = None
    session: str | None = field(default=None, repr=False)
    letters: bool = True
    """Whether single letters are shortcuts."""

    @property
    def account(self) -> Account | None:
        """Who is signed in."""
        return self.there.account if self.there else None

    @property
    def csrf(self) -> str:
        """The token for forms; empty before signing in, where only the origin can be checked."""
        return self.there.csrf if self.there else ""

    @property
    def stopped(self) -> Halt | None:
        """The stop of all sends that is on."""
        return self.there.stopped if self.there else None

    @property
    def approvals(self) -> int:
        """How many requests wait for somebody's approval."""
        return self.there.approvals if self.there else 0

    @property
    def needing(self) -> int:
        """How many conversations need a person, those that wait for an approval too."""
        return self.there.needing + self.there.approvals if self.there else 0

    @property
    def business(self) -> str:
        """What the business is called, "" before signing in."""
        return self.there.business if self.there else ""

    @property
    def actor(self) -> Actor:
        """Who does something, for the audit log."""
        return Actor(self.account.email if self.account else "", self.address)

    def may(self, permission: str) -> bool:
        """Whether the person's role allows something."""
        return self.account is not None and may(self.account.role, Permission(permission))


def welcome(request: Request[Any, Any, Any], there: SignedIn | None = None, session: str | None = None) -> Visitor:
    """Make the request's visitor and speak their language from here on."""
    account = there.account if there else None
    theme = (account.theme if account else None) or request.cookies.get(THEME_COOKIE)
    language = i18n.choose(
        account.language if account else None,
        request.cookies.get(LANGUAGE_COOKIE),
        request.headers.get("accept-language", ""),
    )
    i18n.use(language)
    letters = request.cookies.get(LETTERS_COOKIE) != "off"
    address = request.client.host if request.client else ""
    made = Visitor(language, theme if theme in THEMES else None, address, there, session, letters)
    request.scope["state"]["visitor"] = made
    return made


def visitor(request: Request[Any, Any, Any]) -> Visitor:
    """The request's visitor; where no route was found nobody was looked up, and it is a stranger."""
    known = request.scope["state"].get("visitor")
    return known if isinstance(known, Visitor) else welcome(request)


def site_of(request: Request[Any, Any, Any]) -> str:
    """Where the pages are, for addresses that others are to call: as configured, else as this page was reached."""
    configured: str | None = request.app.state.runtime.settings.base_url
    return (configured or str(request.base_url)).rstrip("/")
