"""The pages of the settings, each with who sees it: the list at their side, and the search."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from web.i18n import gettext
from web.visitor import Visitor

__all__ = ["Place", "settings_groups", "settings_places"]


@dataclass(frozen=True, slots=True)
class Place:
    """One page: where it is, its icon, and its name in the reader's language when it is called."""

    href: str
    icon: str
    name: Callable[[], str]


def settings_groups(visitor: Visitor) -> Iterator[tuple[str, tuple[Place, ...]]]:
    """The headings that this person has something under, with what."""
    for heading, rows in _groups():
        mine = tuple(place for place, permission in rows if visitor.may(permission))
        if mine:
            yield heading, mine


def settings_places(visitor: Visitor) -> Iterator[Place]:
    """All pages that this person has."""
    for _, rows in settings_groups(visitor):
        yield from rows


def _groups() -> tuple[tuple[str, tuple[tuple[Place, str], ...]], ...]:
    admin, view = "administer", "view"
    return (
        (
            gettext("Connections"),
            (
                (Place("/settings/channels", "phone", lambda: gettext("WhatsApp channels")), admin),
                (Place("/settings/payments", "card", lambda: gettext("Payments")), admin),
                (Place("/settings/webhooks", "inbox", lambda: gettext("Notices to look at")), admin),
                (Place("/settings/api", "code", lambda: gettext("API and tokens")), admin),
                (Place("/settings/mail", "send", lambda: gettext("Mail server")), admin),
                (Place("/settings/walls", "columns", lambda: gettext("Wall screens")), admin),
            ),
        ),
        (
            gettext("Bot"),
            (
                (Place("/settings/understanding", "tag", lambda: gettext("Understanding")), view),
                (Place("/settings/timing", "clock", lambda: gettext("Waits and hours")), view),
            ),
        ),
        (
            gettext("What is sent"),
            (
                (Place("/settings/templates", "message", lambda: gettext("Message templates")), view),
                (Place("/settings/replies", "edit", lambda: gettext("Ready replies")), view),
                (Place("/campaigns", "send", lambda: gettext("Campaigns")), view),
                (Place("/contacts/import", "upload", lambda: gettext("Import contacts")), "publish"),
            ),
        ),
        (
            gettext("Team"),
            (
                (Place("/settings/business", "flow", lambda: gettext("The business")), admin),
                (Place("/settings/people", "users", lambda: gettext("People and roles")), admin),
                (Place("/settings/retention", "clock", lambda: gettext("How long things are kept")), admin),
                (Place("/settings/audit", "history", lambda: gettext("Audit")), admin),
            ),
        ),
    )
