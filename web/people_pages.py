"""What the pages of people show: each account with its state, and sessions with their device."""

from dataclasses import dataclass

from litestar.response import Response

from engine.core.flow import Millis
from engine.core.permissions import Role
from engine.services import accounts, mail, safeguards, sign_in
from engine.services.accounts import Account
from engine.services.sign_in import Session
from web import words
from web.device_words import device
from web.i18n import gettext
from web.pages import page
from web.role_words import role_name, table
from web.visitor import AppRequest, visitor

__all__ = ["Person", "ShownSession", "people_page", "person_page", "roles", "shown", "shown_sessions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody of the team, for a page. `state` is invited, active or disabled."""

    id: int
    name: str
    email: str
    role: str
    role_name: str
    state: str
    seen: str
    guarded: bool
    me: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSession:
    """One sign-in, for a page."""

    digest: str
    device: str
    address: str
    began: str
    seen: str
    here: bool


def roles() -> list[tuple[str, str]]:
    """Every role with its name."""
    return [(role.value, role_name(role)) for role in Role]


def shown(account: Account, now: Millis, me: int) -> Person:
    """An account, for a page."""
    state = "disabled" if account.disabled_at is not None else "invited" if account.invited else "active"
    return Person(
        id=account.id,
        name=account.name,
        email=account.email,
        role=account.role,
        role_name=role_name(account.role),
        state=state,
        seen=words.ago(account.seen_at, now) if account.seen_at is not None else gettext("never"),
        guarded=account.guarded,
        me=account.id == me,
    )


async def shown_sessions(request: AppRequest, user_id: int) -> list[ShownSession]:
    """What somebody is signed in on, the last used first."""
    runtime, there = request.app.state.runtime, visitor(request).there
    now, here = runtime.clock.now(), there.digest if there is not None else ""
    return [_session(one, now, here) for one in await sign_in.list_sessions(runtime, user_id)]


def _session(one: Session, now: Millis, here: str) -> ShownSession:
    return ShownSession(
        digest=one.digest,
        device=device(one.agent),
        address=one.address,
        began=words.moment(one.created_at),
        seen=words.ago(one.seen_at, now),
        here=one.digest == here,
    )


async def people_page(request: AppRequest, status: int = 200, **more: object) -> Response[str]:
    """The list, the invitation, what is asked of people, and the table of roles."""
    runtime, account = request.app.state.runtime, visitor(request).account
    now, me = runtime.clock.now(), account.id if account is not None else 0
    values: dict[str, object] = {
        "people": [shown(one, now, me) for one in await accounts.everybody(runtime)],
        "roles": roles(),
        "table": table(),
        "rules": await safeguards.show(runtime),
        "mails": await mail.show(runtime) is not None,
        "typed": {},
        "problem": None,
        "rules_problem": None,
        "link": None,
        "done": "",
    }
    return page(request, "settings/people.html", status, **{**values, **more})


async def person_page(request: AppRequest, account: Account, status: int = 200, **more: object) -> Response[str]:
    """One person: role, state, second factor, sessions."""
    runtime, own = request.app.state.runtime, visitor(request).account
    me = own.id if own is not None else 0
    values: dict[str, object] = {
        "person": shown(account, runtime.clock.now(), me),
        "roles": roles(),
        "sessions": await shown_sessions(request, account.id),
        "problem": None,
        "link": None,
        "done": "",
    }
    return page(request, "settings/person.html", status, **{**values, **more})
